/**
 * Which segments to merge: a tiered policy after Lucene's TieredMergePolicy (small segments count as `FLOOR`, about `PER_TIER` segments of
 * each size are left, merges of even sizes and with many deletes come first), but over neighbours only, so that documents keep the order in
 * which they were written, and equal scores with it.
 */
import type { SegmentEntry } from "./records.ts";

const PER_TIER = 10;
const AT_ONCE = 10;
const FLOOR = 2 << 20;
/** Segments of this size are left alone unless many of their documents are deleted. */
const MAX_MERGED = 1 << 30;
/** Share of deleted documents from which a segment is written anew by itself. */
const MAX_DELETED = 1 / 3;

/** A run of neighbours: `segments.slice(start, end)`. */
export interface MergeRange {
  readonly start: number;
  readonly end: number;
}

/** Bytes that would be left after a merge. */
const liveSize = ({ size, roots, deleted }: SegmentEntry): number => (roots === 0 ? 0 : size * (1 - deleted / roots));
const floored = (segment: SegmentEntry): number => Math.max(liveSize(segment), FLOOR);

/** The merge that helps most, undefined when none is needed. */
export function nextMerge(segments: readonly SegmentEntry[]): MergeRange | undefined {
  const wasteful = segments.findIndex(({ roots, deleted }) => deleted > roots * MAX_DELETED);
  if (wasteful >= 0) return { start: wasteful, end: wasteful + 1 };
  const mergeable = segments.filter((segment) => liveSize(segment) < MAX_MERGED / 2);
  if (mergeable.length <= allowedSegments(mergeable)) return undefined;
  let best: (MergeRange & { score: number }) | undefined;
  for (let start = 0; start < segments.length; start++) {
    let total = 0;
    let totalFloored = 0;
    let largest = 0;
    let bytes = 0;
    for (let end = start; end < segments.length && end - start < AT_ONCE; end++) {
      const segment = segments[end];
      total += liveSize(segment);
      if (total > MAX_MERGED) break;
      totalFloored += floored(segment);
      largest = Math.max(largest, floored(segment));
      bytes += segment.size;
      const count = end + 1 - start;
      if (count < 2) continue;
      // As Lucene: skewed merges are worse (at best 1 / number of segments), larger ones a little, those that free more space better.
      const skew = largest / totalFloored;
      const score = skew * totalFloored ** 0.05 * (bytes === 0 ? 1 : total / bytes) ** 2;
      if (best === undefined || score < best.score) best = { start, end: end + 1, score };
    }
  }
  return best === undefined ? undefined : { start: best.start, end: best.end };
}

/** As many segments as the tiers hold: `PER_TIER` of each size, sizes growing tenfold. */
function allowedSegments(segments: readonly SegmentEntry[]): number {
  let left = segments.reduce((sum, segment) => sum + liveSize(segment), 0);
  let level = FLOOR;
  let allowed = 0;
  for (;;) {
    const inLevel = left / level;
    if (inLevel < PER_TIER || level >= MAX_MERGED) return allowed + Math.max(PER_TIER, Math.ceil(inLevel));
    allowed += PER_TIER;
    left -= PER_TIER * level;
    level = Math.min(MAX_MERGED, level * AT_ONCE);
  }
}

/** Merges down to a number of segments: the run whose bytes are least, again and again. */
export function nextForcedMerge(
  segments: readonly SegmentEntry[],
  options: { maxSegments?: number; onlyExpungeDeletes?: boolean },
): MergeRange | undefined {
  if (options.onlyExpungeDeletes) {
    const at = segments.findIndex(({ roots, deleted }) => deleted > roots * 0.1);
    return at < 0 ? undefined : { start: at, end: at + 1 };
  }
  if (options.maxSegments === undefined) return nextMerge(segments);
  const surplus = segments.length - Math.max(1, options.maxSegments);
  if (surplus <= 0) {
    if (segments.length > options.maxSegments) return undefined;
    const at = segments.findIndex(({ deleted }) => deleted > 0);
    return at < 0 ? undefined : { start: at, end: at + 1 };
  }
  const width = surplus + 1;
  let best: (MergeRange & { bytes: number }) | undefined;
  for (let start = 0; start + width <= segments.length; start++) {
    const bytes = segments.slice(start, start + width).reduce((sum, { size }) => sum + size, 0);
    if (best === undefined || bytes < best.bytes) best = { start, end: start + width, bytes };
  }
  return best;
}
