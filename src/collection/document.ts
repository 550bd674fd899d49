/** A document as the collection holds it: its passages in order, and its text put together from them. */
import type { Client } from "@elastic/elasticsearch";
import { type PassageSource, sourceToNode, VECTOR_FIELD, WINDOWS_FIELD } from "../elasticsearch/layout.ts";
import { storedName } from "../ingest/index.ts";
import { type CallOptions, type Node, sourceId } from "../schema/index.ts";
import { type FileRecord, fileKey, getRecords, passageId } from "./records.ts";
import type { DocumentRecord, StoredDocument } from "./types.ts";

/** Passages that one request asks for. */
const BATCH = 500;

export function toDocumentRecord({ key, file, title, passages, bytes, added }: FileRecord): DocumentRecord {
  return { id: key, file, ...(title === undefined ? {} : { title }), passages, bytes, added };
}

/** Records by what may name them: the file as `list` shows it, a path from here, or an id. */
export async function findRecords(
  client: Client,
  collection: string,
  name: string,
  options: CallOptions,
): Promise<Map<string, FileRecord>> {
  return getRecords(client, collection, [fileKey(name), fileKey(storedName(name)), name], options);
}

/** What is stored of a file, or undefined when there is none of that name or it is not wholly indexed. */
export async function readDocument(
  client: Client,
  collection: string,
  name: string,
  options: CallOptions,
): Promise<StoredDocument | undefined> {
  const records = await findRecords(client, collection, name, options);
  const record = [...records.values()].find(({ state }) => state === "complete");
  if (!record) return undefined;
  const passages: Node[] = [];
  for (let first = 0; first < record.passages; first += BATCH) {
    options.signal?.throwIfAborted();
    const count = Math.min(BATCH, record.passages - first);
    const answer = await client.mget<PassageSource>(
      {
        index: collection,
        ids: Array.from({ length: count }, (_, i) => passageId(record.key, first + i)),
        _source_excludes: [VECTOR_FIELD, WINDOWS_FIELD],
      },
      options.signal ? { signal: options.signal } : {},
    );
    for (const doc of answer.docs) {
      if ("found" in doc && doc.found) passages.push(sourceToNode(doc._id, doc._source));
    }
  }
  return { ...toDocumentRecord(record), text: joinPassages(passages), nodes: passages };
}

/**
 * The text that passages were cut from: what neighbours share appears once, and an empty line stands where passages do not touch, since
 * what lay between them (white space, as a rule) is not stored.
 */
export function joinPassages(passages: readonly Node[]): string {
  return placedPassages(passages).text;
}

/** The same text, with where each passage stands in it, in UTF-16 units. */
export function placedPassages(passages: readonly Node[]): { text: string; places: { from: number; to: number }[] } {
  const places: { from: number; to: number }[] = [];
  let joined = "";
  let document: string | undefined;
  let reached = 0;
  for (const passage of passages) {
    const { text, startCharIdx: start, endCharIdx: end } = passage;
    const source = sourceId(passage);
    const placed = start !== undefined && end !== undefined && end - start === text.length;
    const continues = places.length > 0 && placed && source === document && start <= reached;
    if (continues) {
      const from = joined.length - (reached - start);
      joined += text.slice(reached - start);
      places.push({ from, to: from + text.length });
    } else {
      if (places.length > 0) joined += "\n\n";
      places.push({ from: joined.length, to: joined.length + text.length });
      joined += text;
    }
    reached = placed ? (continues ? Math.max(reached, end) : end) : Number.NEGATIVE_INFINITY;
    document = source;
  }
  return { text: joined, places };
}
