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

/** Records that one search asks for. */
const PAGE = 1000;
/** Sorts after every key, which is hexadecimal. */
const AFTER_KEYS = "g";

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

/** Which documents `list` gives. */
export interface ListOptions extends CallOptions {
  /** Only files whose name begins so. */
  prefix?: string;
  /** Only files that come after this one. */
  after?: string;
}

/** All records as of the last refresh, sorted by file (by code point), read as they are asked for. */
export async function* listRecords(
  client: Client,
  collection: string,
  { signal, prefix = "", after }: ListOptions = {},
): AsyncGenerator<FileRecord> {
  const query: estypes.QueryDslQueryContainer = prefix === "" ? { match_all: {} } : { prefix: { file: prefix } };
  let last: estypes.SortResults | undefined = after === undefined ? undefined : [after, AFTER_KEYS];
  for (;;) {
    const answer = await client.search<FileRecord>(
      {
        index: recordsIndex(collection),
        query,
        size: PAGE,
        sort: [{ file: "asc" }, { key: "asc" }],
        track_total_hits: false,
        ...(last ? { search_after: last } : {}),
      },
      signal ? { signal } : {},
    );
    const { hits } = answer.hits;
    for (const { _source } of hits) if (_source) yield _source;
    if (hits.length < PAGE) return;
    last = hits.at(-1)?.sort;
  }
}
