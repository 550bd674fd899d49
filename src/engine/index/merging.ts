/** Merging in the background and on demand: one merge at a time, in slices; deletions that come meanwhile are carried over. */
import { type DocSort, mergeSegments, sortedDocs } from "../segment/index.ts";
import { createSlices, type Slices } from "../slices.ts";
import type { Storage } from "../storage/types.ts";
import { type MergeRange, nextForcedMerge, nextMerge } from "./merge-policy.ts";
import { carryDeletions, type LiveSegment, openReader } from "./segments.ts";
import { serialQueue } from "./serial.ts";

export interface MergeTarget {
  readonly storage: Storage;
  /** The order of documents in a sorted index. */
  readonly sort: DocSort | undefined;
  segments(): readonly LiveSegment[];
  /** Name of a new segment's blob. */
  newName(): string;
  /**
   * Puts the segment that `build` makes out of the merged ones, as they are then, in their place, in one transaction.
   * @param merged neighbours, in order
   */
  replace(
    merged: readonly LiveSegment[],
    build: (now: readonly LiveSegment[]) => LiveSegment | undefined,
  ): Promise<void>;
}

export interface Merger {
  /** Starts merging when the policy asks for it. Returns at once. */
  start(): void;
  force(options: { maxSegments?: number; onlyExpungeDeletes?: boolean; slices?: Slices }): Promise<void>;
  /** Stops what runs, and waits for its end. */
  stop(): Promise<void>;
}

export function createMerger(target: MergeTarget): Merger {
  const queue = serialQueue();
  const stopping = new AbortController();
  let queued = false;

  const mergeOnce = async (range: MergeRange, slices: Slices): Promise<void> => {
    const { storage, sort } = target;
    const before = target.segments().slice(range.start, range.end);
    const roots = before.reduce((sum, segment) => sum + segment.roots - segment.deleted, 0);
    if (roots === 0) {
      await target.replace(before, () => undefined);
      return;
    }
    const leaves = before.map(({ reader, live }) => ({ segment: reader, live }));
    const order = sort && sortedDocs(leaves, sort);
    const chunks = await mergeSegments(leaves, slices, order);
    const name = target.newName();
    const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    await storage.writeBlob(name, chunks);
    try {
      await target.replace(before, (now) => {
        const reader = openReader(storage, name);
        const { live, deleted } = carryDeletions(before, now, reader, order?.maps);
        return { name, size, roots, deleted, reader, live };
      });
    } catch (error) {
      await storage.removeBlob(name).catch(() => undefined);
      throw error;
    }
  };

  const background = async (): Promise<void> => {
    queued = false;
    const slices = createSlices({ signal: stopping.signal });
    for (;;) {
      const range = nextMerge(target.segments());
      if (range === undefined || stopping.signal.aborted) return;
      await mergeOnce(range, slices);
    }
  };

  return {
    start() {
      if (queued || nextMerge(target.segments()) === undefined) return;
      queued = true;
      // A merge that fails (no room) leaves the segments as they are; the next refresh asks again.
      queue(background).catch(() => undefined);
    },
    force: (options) =>
      queue(async () => {
        const slices = options.slices ?? createSlices({ signal: stopping.signal });
        for (;;) {
          slices.check();
          const range = nextForcedMerge(target.segments(), options);
          if (range === undefined || stopping.signal.aborted) return;
          await mergeOnce(range, slices);
        }
      }),
    async stop() {
      stopping.abort();
      await queue(() => undefined);
    },
  };
}
