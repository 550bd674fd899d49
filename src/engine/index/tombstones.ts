/** Deletions whose version is still remembered, as Elasticsearch remembers them for `index.gc_deletes`. */
import type { Storage, StorageWrite } from "../storage/types.ts";
import { decodeDocState, decodeText, idKey } from "./records.ts";
import type { DocState } from "./versions.ts";

const SWEEP_EVERY_MS = 1_000;

export interface Tombstones {
  /** True for a deletion whose version counts no more. */
  isForgotten(state: DocState): boolean;
  /** Removes what is forgotten; belongs before the writes of a transaction, which may bring such ids back. */
  sweep(): StorageWrite[];
}

/** @param remembered milliseconds; negative: for ever */
export function createTombstones(storage: Storage, uuid: string, remembered: () => number): Tombstones {
  let lastSweep = 0;
  const isForgotten = ({ deletedAt }: DocState) =>
    deletedAt !== 0 && remembered() >= 0 && Date.now() - deletedAt > remembered();
  return {
    isForgotten,
    sweep() {
      const now = Date.now();
      if (remembered() < 0 || now - lastSweep < Math.max(SWEEP_EVERY_MS, remembered())) return [];
      lastSweep = now;
      const writes: StorageWrite[] = [];
      for (const { key, value } of storage.range(["tombstone", uuid])) {
        const id = decodeText(value);
        const bytes = storage.get(idKey(uuid, id));
        const known = bytes === undefined ? undefined : decodeDocState(bytes);
        if (known !== undefined && known.seqNo === key[2]) {
          // They lie in the order of their time.
          if (!isForgotten(known)) break;
          writes.push({ remove: idKey(uuid, id) });
        }
        writes.push({ remove: key });
      }
      return writes;
    },
  };
}
