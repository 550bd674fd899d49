/** Help for tests of indices: storages, documents, and searching by reading postings directly. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnalysisResources } from "../../../../src/engine/analysis/types.ts";
import type { Index, IndexSnapshot, WriteOperation, WriteResult } from "../../../../src/engine/index/index.ts";
import { NO_MORE_DOCS } from "../../../../src/engine/segment/types.ts";
import { lmdbStorage } from "../../../../src/engine/storage/lmdb.ts";
import { memoryStorage } from "../../../../src/engine/storage/memory.ts";
import type { Storage } from "../../../../src/engine/storage/types.ts";

export const RESOURCES: AnalysisResources = {
  ikDictionary: () => {
    throw new Error("these tests use no dictionary");
  },
};

export const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
export const text = (value: Uint8Array | undefined): string | undefined =>
  value === undefined ? undefined : new TextDecoder().decode(value);

export const indexing = (id: string | undefined, source: unknown): WriteOperation => ({
  kind: "index",
  id,
  source: bytes(source),
});
export const deleting = (id: string): WriteOperation => ({ kind: "delete", id });

/** Writes one operation; its error is thrown. */
export async function writeOne(index: Index, operation: WriteOperation): Promise<WriteResult> {
  const [result] = await index.write([operation]);
  if (result instanceof Error) throw result;
  return result;
}

/** All living documents of a snapshot in order: id and source. */
export function documents(snapshot: IndexSnapshot): [string, string][] {
  const found: [string, string][] = [];
  for (const leaf of snapshot.leaves) {
    const roots = leaf.segment.roots();
    for (let doc = 0; doc < leaf.segment.maxDoc; doc++) {
      if ((roots !== undefined && !roots.get(doc)) || leaf.live?.get(doc) === false) continue;
      found.push([leaf.segment.id(doc), text(snapshot.source(leaf, doc)) as string]);
    }
  }
  return found;
}

/** Ids of living documents with a term, in index order. */
export function withTerm(snapshot: IndexSnapshot, field: string, term: string): string[] {
  const found: string[] = [];
  for (const leaf of snapshot.leaves) {
    const terms = leaf.segment.terms(field);
    const ord = terms?.lookup(term) ?? -1;
    if (terms === undefined || ord < 0) continue;
    const postings = terms.postings(ord);
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
      if (leaf.live === undefined || leaf.live.get(doc)) found.push(leaf.segment.id(doc));
    }
  }
  return found;
}

/** What a search would see now. */
export function seen<T>(index: Index, look: (snapshot: IndexSnapshot) => T): T {
  const snapshot = index.acquire();
  try {
    return look(snapshot);
  } finally {
    snapshot.release();
  }
}

export interface StorageKind {
  readonly name: string;
  /** A place that can be opened again and again. */
  place(): { open(): Promise<Storage>; remove(): void; path?: string };
}

export const STORAGES: readonly StorageKind[] = [
  {
    name: "memory",
    place() {
      const storage = memoryStorage();
      // Memory lives as long as its object. Closing ends one opening of it: whoever goes on writing through that one fails.
      const open = async (): Promise<Storage> => {
        let closed = false;
        const guard =
          <A extends unknown[]>(write: (...given: A) => Promise<void>) =>
          async (...given: A) => {
            if (closed) throw new Error("closed");
            await write(...given);
          };
        return {
          ...storage,
          transact: guard(storage.transact),
          writeBlob: guard(storage.writeBlob),
          removeBlob: guard(storage.removeBlob),
          close: async () => {
            closed = true;
          },
        };
      };
      return { open, remove: () => undefined };
    },
  },
  {
    name: "lmdb",
    place() {
      const folder = mkdtempSync(join(tmpdir(), "huiliu-index-"));
      const path = join(folder, "data");
      return { open: () => lmdbStorage(path), remove: () => rmSync(folder, { recursive: true, force: true }), path };
    },
  },
];
