/** Opening for writing: what a crash left is brought to the state that was acknowledged. */
import { corrupt } from "../errors.ts";
import type { Mapping } from "../mapping/types.ts";
import type { Storage, StorageWrite } from "../storage/types.ts";
import { decodeLogEntry, oldKey, sourceKey } from "./records.ts";
import { type PlannedOperation, parseSource } from "./write-plan.ts";

/** The operations that no named segment holds yet, in order, parsed again. */
export function* loggedOperations(storage: Storage, uuid: string, mapping: Mapping): Generator<PlannedOperation> {
  for (const { key, value } of storage.range(["log", uuid])) {
    const seqNo = key[2] as number;
    const { id, version, deletes, replaced } = decodeLogEntry(value);
    if (deletes) {
      yield { id, seqNo, block: undefined, replaced };
      continue;
    }
    const source = storage.get(sourceKey(uuid, seqNo));
    if (source === undefined) throw corrupt(storage.location, `the source of operation ${seqNo} is missing`);
    const { block } = mapping.parse({ id, source: parseSource(source), seqNo, version });
    yield { id, seqNo, block, replaced };
  }
}

/** Removes sources that were replaced before the last process ended: no search of this one can hold them. */
export function oldSources(storage: Storage, uuid: string): StorageWrite[] {
  const writes: StorageWrite[] = [];
  for (const { key } of storage.range(["old", uuid])) writes.push(...forgetSource(uuid, key[2] as number));
  return writes;
}

export const forgetSource = (uuid: string, seqNo: number): StorageWrite[] => [
  { remove: sourceKey(uuid, seqNo) },
  { remove: oldKey(uuid, seqNo) },
];
