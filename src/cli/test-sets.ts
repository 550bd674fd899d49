/** What questions are asked of: the user's collection, or a folder with documents of its own, indexed in memory. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Collection, CollectionOptions } from "../collection/types.ts";
import {
  collectionFingerprint,
  indexedInMemory,
  indexFingerprint,
  openTestCollection,
  readQuestions,
  type ScratchCollection,
  type TestCollection,
} from "../evaluation/index.ts";
import { pathEnds } from "../evaluation/questions.ts";
import { judgedDocuments } from "../evaluation/test-collection.ts";
import { HuiliuError, InvalidArgumentError } from "../schema/index.ts";
import { type CommonOptions, type Context, type Io, openForQuestions } from "./context.ts";
import { nameLine } from "./terminal/text.ts";

/** A test collection with the index that its questions are asked of. */
export interface TestSet {
  test: Pick<TestCollection, "name" | "questions" | "qrels" | "documentOf">;
  collection: Collection;
  /** Names what is searched. */
  fingerprint(): Promise<string>;
  /** The documents again, indexed in memory in another way; missing where the documents are not at hand. */
  again?(options: Pick<CollectionOptions, "passages" | "boosts" | "bm25">): Promise<ScratchCollection>;
  close(): Promise<void>;
}

/** A folder is a test collection with its own documents; a file holds questions for the collection that is configured. */
export async function openTestSet(context: Context, place: string, options: CommonOptions): Promise<TestSet> {
  const { config } = options.settings;
  const found = await stat(place).catch(() => undefined);
  if (!found) throw new InvalidArgumentError("place", place, `there is no file or folder ${place}`);
  if (found.isDirectory()) {
    const test = await openTestCollection(place);
    const { configuredEmbedding, indexTuning } = await import("../config/index.ts");
    const embedding = await configuredEmbedding(config, context.io.env, { data: options.data });
    const again = (made: Pick<CollectionOptions, "passages" | "boosts" | "bm25">) =>
      indexedInMemory(test, {
        signal: context.signal,
        ...indexTuning(config),
        ...made,
        ...(embedding ? { embedding: embedding.model } : {}),
      });
    const memory = await again({});
    return {
      test,
      again,
      collection: memory.collection,
      fingerprint: () => indexFingerprint(test, memory.collection),
      async close() {
        await memory.close();
        await embedding?.close();
      },
    };
  }
  const { questions, qrels } = await readQuestions(place);
  const collection = await openForQuestions(context, options);
  try {
    await sayWhatIsMissing(context.io, collection, qrels);
    const test = { name: basename(place), questions, qrels, documentOf: judgedDocuments(qrels) };
    const fingerprint = () => collectionFingerprint(collection, { signal: context.signal });
    return { test, collection, fingerprint, close: () => collection.close() };
  } catch (error) {
    await collection.close();
    throw error;
  }
}

/** Questions whose files are not in the collection cannot be found: that is the set's fault, or the collection's, and no strategy's. */
async function sayWhatIsMissing(
  io: Io,
  collection: Collection,
  qrels: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Promise<void> {
  const known = new Set<string>();
  for await (const { file, id } of collection.list()) for (const name of [id, ...pathEnds(file)]) known.add(name);
  const names = new Set([...qrels.values()].flatMap((judgements) => [...judgements.keys()]));
  const missing = [...names].filter(
    (name) => !name.startsWith("passage:") && !known.has(name) && !known.has(name.split("#")[0]!),
  );
  if (missing.length === 0) return;
  const shown = missing.slice(0, 5).map(nameLine).join(", ");
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  if (missing.length === names.size) {
    throw new HuiliuError(
      "ANSWERS_NOT_IN_COLLECTION",
      `nothing that the questions ask for is in the collection "${collection.name}" (${shown}${more}): add the documents first, or name the right collection`,
    );
  }
  io.err(`note: not in the collection, so never found: ${shown}${more}\n`);
}
