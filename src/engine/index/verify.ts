/** Checks all that a data folder holds: the storage itself, every record, every segment, and that they fit together. */
import { FixedBitSet } from "../segment/index.ts";
import { NO_MORE_DOCS, type SegmentReader } from "../segment/types.ts";
import { createSlices } from "../slices.ts";
import type { Storage, StorageSnapshot } from "../storage/types.ts";
import {
  decodeDocState,
  decodeIndexRecord,
  decodeStateRecord,
  routingKey,
  type SegmentEntry,
  sourceKey,
  stateKey,
} from "./records.ts";
import { type LiveSegment, openLiveSegment } from "./segments.ts";
import type { IndexRegistry } from "./types.ts";

type Options = NonNullable<Parameters<IndexRegistry["verify"]>[0]>;

/** A merge may take away segments that are still to be checked: then those in their place are, this often at most. */
const PASSES = 10;

/** Names what is damaged. Nothing is repaired, and nothing thrown but for an aborted signal. */
export async function verifyStorage(
  storage: Storage,
  options: Options = {},
): Promise<{ damaged: readonly string[]; checked: number }> {
  const slices = createSlices({ signal: options.signal });
  const result = await storage.verify({ pause: () => slices.pause() });
  const damaged = new Set(result.damaged);
  let { checked } = result;
  const note = (error: unknown) => damaged.add(error instanceof Error ? error.message : String(error));
  const done = new Set<string>();
  let vanished = true;
  for (let pass = 0; vanished && pass < PASSES; pass++) {
    vanished = false;
    const records = storage.snapshot();
    try {
      const segments = namedSegments(storage, records, note).filter(({ entry }) => !done.has(entry.name));
      for (const [at, { uuid, entry }] of segments.entries()) {
        options.onProgress?.({ done: done.size, total: done.size + segments.length - at, what: entry.name });
        await slices.pause();
        try {
          const segment = openLiveSegment(storage, records, uuid, entry);
          segment.reader.verify();
          checked +=
            1 + (await checkSources(records, uuid, segment, note, () => (slices.due() ? slices.pause() : undefined)));
        } catch (error) {
          slices.check();
          if (namedNow(storage, uuid, entry.name)) note(error);
          else vanished = true;
        }
        done.add(entry.name);
      }
    } finally {
      records.close();
    }
  }
  options.onProgress?.({ done: done.size, total: done.size, what: "" });
  return { damaged: [...damaged], checked };
}

/** The segments that the states of all indices name. What cannot be read is noted. */
function namedSegments(
  storage: Storage,
  records: StorageSnapshot,
  note: (error: unknown) => void,
): { uuid: string; entry: SegmentEntry }[] {
  const segments: { uuid: string; entry: SegmentEntry }[] = [];
  try {
    for (const { key, value } of records.range(["index"])) {
      try {
        const name = String(key[1]);
        const { uuid } = decodeIndexRecord(value, storage.location, name);
        const state = decodeStateRecord(records.get(stateKey(uuid)), storage.location, name);
        for (const entry of state.segments) segments.push({ uuid, entry });
      } catch (error) {
        note(error);
      }
    }
  } catch (error) {
    note(error);
  }
  return segments;
}

function namedNow(storage: Storage, uuid: string, segment: string): boolean {
  const records = storage.snapshot();
  try {
    const bytes = records.get(stateKey(uuid));
    return (
      bytes !== undefined &&
      decodeStateRecord(bytes, storage.location, uuid).segments.some(({ name }) => name === segment)
    );
  } catch {
    // The state's own damage is noted where it is read.
    return false;
  } finally {
    records.close();
  }
}

function docsWithRouting(segment: SegmentReader): FixedBitSet | undefined {
  const terms = segment.terms("_routing");
  if (terms === undefined) return undefined;
  const docs = new FixedBitSet(segment.maxDoc);
  for (let ord = 0; ord < terms.size; ord++) {
    const postings = terms.postings(ord);
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) docs.set(doc);
  }
  return docs;
}

/** Each living document has its source, and its id is known. */
async function checkSources(
  records: StorageSnapshot,
  uuid: string,
  { reader, live, name, roots: rootCount, deleted }: LiveSegment,
  note: (error: unknown) => void,
  pause: () => Promise<void> | undefined,
): Promise<number> {
  const roots = reader.roots();
  const routed = docsWithRouting(reader);
  let alive = 0;
  for (let doc = 0; doc < reader.maxDoc; doc++) {
    if ((roots !== undefined && !roots.get(doc)) || (live !== undefined && !live.get(doc))) continue;
    await pause();
    alive++;
    const seqNo = reader.seqNo(doc);
    const id = reader.id(doc);
    try {
      const known = records.get(["id", uuid, id]);
      if (known === undefined || decodeDocState(known).seqNo < seqNo)
        note(`the record of the document [${id}] of segment [${name}] is missing`);
      if (records.get(sourceKey(uuid, seqNo)) === undefined)
        note(`the source of the document [${id}] of segment [${name}] is missing`);
      if (routed?.get(doc) && records.get(routingKey(uuid, seqNo)) === undefined)
        note(`the routing of the document [${id}] of segment [${name}] is missing`);
    } catch (error) {
      note(error);
    }
  }
  if (alive !== rootCount - deleted)
    note(`segment [${name}] has ${alive} living documents in place of ${rootCount - deleted}`);
  return alive;
}
