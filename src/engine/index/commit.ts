/** What a transaction stores that names a new list of segments. */
import type { StorageWrite } from "../storage/types.ts";
import { encodeJson, liveKey, type StateRecord, stateKey } from "./records.ts";
import { entryOf, type LiveSegment } from "./segments.ts";

export interface Commit {
  readonly next: StateRecord;
  readonly writes: readonly StorageWrite[];
  /** Segments that are no longer among those that are named. */
  readonly dropped: readonly string[];
}

export function commitOf(
  uuid: string,
  before: readonly LiveSegment[],
  segments: readonly LiveSegment[],
  state: Omit<StateRecord, "segments">,
  /** Segments whose live documents are to be stored. */
  changed: ReadonlySet<string>,
): Commit {
  const writes: StorageWrite[] = [];
  const left = new Set(segments.map(({ name }) => name));
  const dropped = before.map(({ name }) => name).filter((name) => !left.has(name));
  for (const { name, live, deleted } of segments) {
    if (changed.has(name) && live !== undefined && deleted > 0) {
      writes.push({ put: liveKey(uuid, name), value: live.toBytes() });
    }
  }
  for (const name of dropped) writes.push({ remove: liveKey(uuid, name) });
  const next: StateRecord = { ...state, segments: segments.map(entryOf) };
  writes.push({ put: stateKey(uuid), value: encodeJson(next) });
  return { next, writes, dropped };
}
