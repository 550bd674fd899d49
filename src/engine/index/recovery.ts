/** Opening for writing: what a crash left is brought to the state that was acknowledged. */
import { corrupt, EngineError } from "../errors.ts";
import { emptyObject } from "../json/parse.ts";
import type { Mapping } from "../mapping/types.ts";
import type { Storage, StorageWrite } from "../storage/types.ts";
import { decodeLogEntry, decodeRouting, logKey, oldKey, routingKey, sourceKey } from "./records.ts";
import { type PlannedOperation, parseSource } from "./write-plan.ts";

const WRITES_AT_ONCE = 2_000;

/** The operations that no named segment holds yet, in order, parsed again. */
export function* loggedOperations(
  storage: Storage,
  uuid: string,
  checkpoint: number,
  mapping: Mapping,
): Generator<PlannedOperation> {
  for (const { key, value } of storage.range(["log", uuid], logKey(uuid, checkpoint + 1))) {
    const seqNo = key[2] as number;
    const { id, version, deletes, replaced } = decodeLogEntry(value);
    if (deletes) {
      yield { id, seqNo, block: undefined, replaced };
      continue;
    }
    const source = storage.get(sourceKey(uuid, seqNo));
    if (source === undefined) throw corrupt(storage.location, `the source of operation ${seqNo} is missing`);
    const routing = decodeRouting(storage.get(routingKey(uuid, seqNo)));
    yield {
      id,
      seqNo,
      block: blockOf(mapping, { id, source: parseSource(source), seqNo, version, routing }),
      replaced,
    };
  }
}

/**
 * A document again as it is indexed. One that an older build took and this one refuses has been acknowledged: it is there by its id and as a
 * whole, but none of its fields is indexed, so that everything else can be opened.
 */
function blockOf(mapping: Mapping, document: Parameters<Mapping["parse"]>[0]): ReturnType<Mapping["parse"]>["block"] {
  try {
    return mapping.parse(document).block;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return mapping.parse({ ...document, source: emptyObject() }).block;
  }
}

/**
 * Does what the last process had no time to tidy: log entries that segments hold, and sources that were replaced before (no search of this
 * process can hold them).
 */
export async function finishTidying(storage: Storage, uuid: string, checkpoint: number): Promise<void> {
  let writes: StorageWrite[] = [];
  const flush = async () => {
    if (writes.length > 0) await storage.transact(writes);
    writes = [];
  };
  for (const { key, value } of storage.range(["log", uuid])) {
    if ((key[2] as number) > checkpoint) break;
    const { replaced } = decodeLogEntry(value);
    writes.push({ remove: key });
    if (replaced >= 0) writes.push(...forgetSource(uuid, replaced));
    if (writes.length >= WRITES_AT_ONCE) await flush();
  }
  for (const { key } of storage.range(["old", uuid])) {
    writes.push(...forgetSource(uuid, key[2] as number));
    if (writes.length >= WRITES_AT_ONCE) await flush();
  }
  await flush();
}

export const forgetSource = (uuid: string, seqNo: number): StorageWrite[] => [
  { remove: sourceKey(uuid, seqNo) },
  { remove: routingKey(uuid, seqNo) },
  { remove: oldKey(uuid, seqNo) },
];
