/**
 * Test collections: a folder with documents, questions and judgements, in BEIR's layout (corpus.jsonl, queries.jsonl, qrels.tsv or
 * qrels/test.tsv) or in this project's (questions.jsonl beside the documents; a folder of one language of such a collection is one too).
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { openCollection } from "../collection/collection.ts";
import type { AddResult, Collection, CollectionOptions } from "../collection/types.ts";
import { openEngine } from "../elasticsearch/engine.ts";
import { findFiles } from "../ingest/files.ts";
import { type CallOptions, HuiliuError, InvalidArgumentError, sha256, sourceId } from "../schema/index.ts";
import { beirDocuments, beirQrels, beirQuestions, isBeir } from "./beir.ts";
import { judgedName, type Question, readQuestions } from "./questions.ts";
import type { DocumentOf } from "./run.ts";

/** Documents, questions and judgements, ready for an experiment. */
export interface TestCollection {
  name: string;
  questions: Question[];
  qrels: Map<string, Map<string, number>>;
  documentOf: DocumentOf;
  /** Changes with its documents. */
  fingerprint(): Promise<string>;
  /** Adds its documents to a collection. */
  addTo(collection: Collection, options?: CallOptions): Promise<AddResult>;
}

const QUESTIONS = "questions.jsonl";

/**
 * Reads the questions of a test collection. Questions without a judgement are left out.
 *
 * @throws InvalidArgumentError for a folder that is none
 */
export async function openTestCollection(folder: string): Promise<TestCollection> {
  const path = resolve(folder);
  if (isBeir(path)) return beirCollection(path);
  if (existsSync(join(path, QUESTIONS))) return ownCollection(path, join(path, QUESTIONS), basename(path));
  const above = dirname(path);
  if (existsSync(join(above, QUESTIONS))) {
    const name = `${basename(above)}/${basename(path)}`;
    const all = await ownCollection(path, join(above, QUESTIONS), name);
    const questions = all.questions.filter(({ lang }) => lang === basename(path));
    if (questions.length > 0) return { ...all, questions, qrels: judged(questions, all.qrels) };
  }
  throw new InvalidArgumentError(
    "folder",
    folder,
    `${folder} is no test collection: it needs corpus.jsonl, queries.jsonl and qrels.tsv (BEIR's layout), or questions.jsonl beside its documents`,
  );
}

async function beirCollection(folder: string): Promise<TestCollection> {
  const [questions, qrels] = await Promise.all([beirQuestions(folder), beirQrels(folder)]);
  const asked = questions.filter(({ id }) => qrels.has(id));
  return {
    name: basename(folder),
    questions: asked,
    qrels: judged(asked, qrels),
    documentOf: ({ node }) => sourceId(node),
    fingerprint: () => hashOf(folder, [join(folder, "corpus.jsonl")]),
    addTo: (collection, options) => collection.addDocuments(beirDocuments(folder), options),
  };
}

async function ownCollection(folder: string, file: string, name: string): Promise<TestCollection> {
  const { questions, qrels } = await readQuestions(file);
  return {
    name,
    questions,
    qrels,
    documentOf: judgedDocuments(qrels),
    fingerprint: async () => hashOf(folder, await documentFiles(folder)),
    addTo: async (collection, options) => collection.add(await documentFiles(folder, options), options),
  };
}

/** What is written about a test collection is none of its documents. */
async function documentFiles(folder: string, options: CallOptions = {}): Promise<string[]> {
  const files: string[] = [];
  for await (const { file } of findFiles([folder], options)) {
    const path = resolve(file);
    const way = relative(folder, path);
    if (way !== QUESTIONS && !/^README\b[^/\\]*$/i.test(way)) files.push(path);
  }
  return files;
}

/** The same wherever the folder lies. */
async function hashOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${relative(folder, file)}\0`).update(await readFile(file));
  return hash.digest("hex");
}

/** Passages as what the judgements of their question name. */
export function judgedDocuments(qrels: ReadonlyMap<string, ReadonlyMap<string, number>>): DocumentOf {
  const none = new Map<string, number>();
  return (hit, { id }) => judgedName(hit, qrels.get(id) ?? none);
}

function judged(questions: readonly Question[], qrels: ReadonlyMap<string, Map<string, number>>) {
  return new Map(questions.map(({ id }) => [id, qrels.get(id) ?? new Map<string, number>()]));
}

/** A collection in memory, with the engine that holds it. */
export async function memoryCollection(options: Omit<CollectionOptions, "elasticsearch" | "data"> = {}) {
  const engine = await openEngine();
  try {
    const client = engine.client();
    const collection = await openCollection("evaluation", { ...options, elasticsearch: client });
    return {
      collection,
      client,
      async close() {
        await collection.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** What is searched where a test collection's documents are indexed in memory, and by which version, for a cache of runs. */
export async function indexFingerprint(test: TestCollection, { embedding }: Pick<Collection, "embedding">) {
  return sha256([await test.fingerprint(), embedding.name, packageJson.version].join(" "));
}

/** The documents of a test collection, indexed in memory. @throws the error of the first document that cannot be added */
export async function indexedInMemory(
  test: TestCollection,
  options: CallOptions & Omit<CollectionOptions, "elasticsearch" | "data"> = {},
) {
  const { signal, trace: _, ...made } = options;
  const memory = await memoryCollection(made);
  try {
    const { failed, aborted } = await test.addTo(memory.collection, signal ? { signal } : {});
    if (aborted) signal?.throwIfAborted();
    if (failed.length > 0) throw failed[0]!.error;
    const { documents } = await memory.collection.status();
    if (documents === 0) throw new HuiliuError("TEST_COLLECTION_EMPTY", `${test.name} holds no documents`);
    return memory;
  } catch (error) {
    await memory.close();
    throw error;
  }
}
