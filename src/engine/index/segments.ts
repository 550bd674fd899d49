/** The segments of an index at one moment, and changes to them. Values are immutable: a change makes new ones. */
import { corrupt } from "../errors.ts";
import { FixedBitSet, openSegment } from "../segment/index.ts";
import type { LeafReader, SegmentReader } from "../segment/types.ts";
import { createSlices } from "../slices.ts";
import type { Storage, StorageSnapshot } from "../storage/types.ts";
import { liveKey, type SegmentEntry } from "./records.ts";

export interface LiveSegment extends SegmentEntry {
  readonly reader: SegmentReader;
  readonly live: FixedBitSet | undefined;
}

export const entryOf = ({ name, size, roots, deleted }: SegmentEntry): SegmentEntry => ({ name, size, roots, deleted });

export function openReader(storage: Storage, name: string): SegmentReader {
  const size = storage.blobSize(name);
  const location = `${storage.location}/${name}`;
  if (size === undefined) throw corrupt(location, "the segment file is missing");
  return openSegment(name, {
    size,
    read: (offset, length) => storage.readBlob(name, offset, length),
    crc32: (bytes) => storage.crc32(bytes),
    location,
  });
}

/** Opens the segment that a state names, with its live documents. */
export function openLiveSegment(
  storage: Storage,
  records: Pick<StorageSnapshot, "get">,
  uuid: string,
  entry: SegmentEntry,
  known?: SegmentReader,
): LiveSegment {
  const location = `${storage.location}/${entry.name}`;
  if (known === undefined && storage.blobSize(entry.name) !== entry.size) {
    const size = storage.blobSize(entry.name);
    throw corrupt(
      location,
      size === undefined ? "the segment file is missing" : `the file has ${size} bytes in place of ${entry.size}`,
    );
  }
  const reader = known ?? openReader(storage, entry.name);
  let live: FixedBitSet | undefined;
  if (entry.deleted > 0) {
    const bytes = records.get(liveKey(uuid, entry.name));
    if (bytes === undefined) throw corrupt(location, "the record of deleted documents is missing");
    try {
      live = FixedBitSet.fromBytes(bytes, reader.maxDoc);
    } catch (error) {
      throw corrupt(location, `the record of deleted documents does not fit (${(error as Error).message})`);
    }
  }
  return { ...entry, reader, live };
}

export function leavesOf(segments: readonly LiveSegment[]): LeafReader[] {
  let docBase = 0;
  return segments.map(({ reader, live }) => {
    const leaf = { segment: reader, live, docBase };
    docBase += reader.maxDoc;
    return leaf;
  });
}

/** Root documents that are alive. */
export const countDocs = (segments: readonly SegmentEntry[]): number =>
  segments.reduce((sum, { roots, deleted }) => sum + roots - deleted, 0);

export interface Deletion {
  readonly id: string;
  readonly seqNo: number;
}

/** Takes a root document and its nested ones out of a set of live documents. */
export function clearBlock(reader: SegmentReader, live: FixedBitSet, root: number): void {
  const first = (reader.roots()?.previousSetBit(root - 1) ?? root - 1) + 1;
  for (let doc = first; doc <= root; doc++) live.clear(doc);
}

/**
 * Applies deletions, copying the live documents of each segment that loses some.
 * @returns the segments in their order, and the names of those that changed
 */
export async function applyDeletions(
  segments: readonly LiveSegment[],
  deletions: readonly Deletion[],
  location: string,
): Promise<{ segments: LiveSegment[]; changed: Set<string> }> {
  const slices = createSlices();
  const result = [...segments];
  const changed = new Set<string>();
  for (const { id, seqNo } of deletions) {
    if (slices.due()) await slices.pause();
    let found = false;
    // A document that is replaced now was most often written lately.
    for (let i = result.length - 1; i >= 0 && !found; i--) {
      const segment = result[i];
      const doc = segment.reader.docOf(id);
      if (doc < 0 || segment.reader.seqNo(doc) !== seqNo || segment.live?.get(doc) === false) continue;
      let live = segment.live;
      if (live === undefined) {
        live = new FixedBitSet(segment.reader.maxDoc);
        live.setRange(0, segment.reader.maxDoc);
      } else if (!changed.has(segment.name)) live = live.clone();
      clearBlock(segment.reader, live, doc);
      changed.add(segment.name);
      result[i] = { ...segment, live, deleted: segment.deleted + 1 };
      found = true;
    }
    if (!found) throw corrupt(location, `the document [${id}] of operation ${seqNo} is in no segment`);
  }
  return { segments: result, changed };
}

/**
 * Segments that were merged, as they are now. A refresh drops those of which nothing is left, also while they are merged: such a one is
 * there without a living document.
 */
export function asTheyAre(merged: readonly LiveSegment[], now: readonly LiveSegment[]): LiveSegment[] {
  const byName = new Map(now.map((segment) => [segment.name, segment]));
  return merged.map(
    (segment) =>
      byName.get(segment.name) ?? {
        ...segment,
        live: new FixedBitSet(segment.reader.maxDoc),
        deleted: segment.roots,
      },
  );
}

/**
 * Live documents of a merged segment after deletions that came while it was merged.
 * @param before the segments as the merge read them, in its order, and `after` the same ones now
 * @param maps where their documents stand, unless they stand one after the other
 */
export function carryDeletions(
  before: readonly LiveSegment[],
  after: readonly LiveSegment[],
  merged: SegmentReader,
  maps?: readonly Uint32Array[],
): { live: FixedBitSet | undefined; deleted: number } {
  let live: FixedBitSet | undefined;
  let next = 0;
  let deleted = 0;
  before.forEach((old, i) => {
    const now = after[i];
    const { maxDoc } = old.reader;
    if (old.live === now.live) {
      next += old.live?.cardinality() ?? maxDoc;
      return;
    }
    for (let doc = 0; doc < maxDoc; doc++) {
      if (old.live !== undefined && !old.live.get(doc)) continue;
      if (now.live !== undefined && !now.live.get(doc)) {
        if (live === undefined) {
          live = new FixedBitSet(merged.maxDoc);
          live.setRange(0, merged.maxDoc);
        }
        live.clear(maps === undefined ? next : maps[i][doc]);
      }
      next++;
    }
    deleted += now.deleted - old.deleted;
  });
  return { live, deleted };
}
