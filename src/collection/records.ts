/** The record that a collection keeps of each file: what it was when it was indexed, and how many passages it has. */
import type { Client, estypes } from "@elastic/elasticsearch";
import { type CallOptions, sha256 } from "../schema/index.ts";
import { recordsIndex } from "./layout.ts";

export interface FileRecord {
  file: string;
  /** The record's id again, as a field: pages of a long list are ranges of it. */
  key: string;
  /** SHA-256 of the file's bytes and of what else decides its passages; empty until all passages are written. */
  hash: string;
  /** `writing` until all passages are durable: then a later run does the file again. */
  state: "writing" | "complete";
  /** Passages that may exist: their ids are `passageId(key, 0 … passages − 1)`. */
  passages: number;
  documents: number;
  bytes: number;
  added: string;
  title?: string;
  /** Of a document that was handed in: `file` is its id, and nothing that could vanish from a folder. */
  origin?: "memory";
}

/** Id of a file's record and stem of its passages' ids: the same for the same path in every run. */
export function fileKey(file: string): string {
  return sha256(file).slice(0, 24);
}

export function passageId(key: string, n: number): string {
  return `${key}-${n}`;
}

/** Largest answer of one search (Elasticsearch's result window). */
const PAGE = 10_000;
const HEX = "0123456789abcdef";

/** Records of some files, by key; files without one are missing from the map. Sees writes at once. */
export async function getRecords(
  client: Client,
  collection: string,
  keys: readonly string[],
  { signal }: CallOptions = {},
): Promise<Map<string, FileRecord>> {
  const out = new Map<string, FileRecord>();
  if (keys.length === 0) return out;
  const answer = await client.mget<FileRecord>(
    { index: recordsIndex(collection), ids: [...keys] },
    signal ? { signal } : {},
  );
  for (const doc of answer.docs) {
    if ("found" in doc && doc.found && doc._source) out.set(doc._id, doc._source);
  }
  return out;
}

/**
 * All records as of the last refresh, sorted by file up to 10,000 of them; of more, in pages by key.
 */
export async function* listRecords(
  client: Client,
  collection: string,
  { signal }: CallOptions = {},
  prefix = "",
): AsyncGenerator<FileRecord> {
  const query: estypes.QueryDslQueryContainer =
    prefix === "" ? { match_all: {} } : { range: { key: { gte: prefix, lt: `${prefix}g` } } };
  const answer = await client.search<FileRecord>(
    { index: recordsIndex(collection), query, size: PAGE, track_total_hits: true },
    signal ? { signal } : {},
  );
  const total = answer.hits.total;
  const count = typeof total === "number" ? total : (total?.value ?? 0);
  if (count > PAGE) {
    for (const digit of HEX) yield* listRecords(client, collection, signal ? { signal } : {}, prefix + digit);
    return;
  }
  const records = answer.hits.hits.map((hit) => hit._source).filter((source) => source !== undefined);
  yield* records.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}
