/**
 * `collapse`: of the hits that have one value in a field only the best is kept, and of these groups the best (Lucene's grouping collector,
 * in one pass). Documents without a value are one group.
 */
import { EngineError } from "../../errors.ts";
import type { MappedField } from "../../mapping/types.ts";
import { shardError } from "../../query/dsl/index.ts";
import { confirms } from "../../query/scorers/index.ts";
import type { Scorer } from "../../query/types.ts";
import { type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import type { Slices } from "../../slices.ts";
import { hitCandidates } from "../searcher.ts";
import { compareRows, type SortKey, type SortValue } from "../sort/index.ts";
import { type GroupHead, GroupHeap } from "./group-heap.ts";

/** A group's value as text; undefined for documents without one. */
export type GroupValue = string | undefined;

export interface CollapsedDocs {
  /** The best of each group, best first. */
  readonly heads: readonly GroupHead[];
  readonly maxScore: number | undefined;
  readonly total: number;
  readonly relation: "eq" | "gte";
  readonly timedOut: boolean;
}

export interface CollapseLimits {
  readonly field: MappedField;
  /** Groups that are wanted. */
  readonly k: number;
  /** Undefined: by score. */
  readonly keys: readonly SortKey[] | undefined;
  /** Only documents that come after these values. */
  readonly after: readonly SortValue[] | undefined;
  readonly scored: boolean;
  readonly minScore?: number;
  readonly totalHitsThreshold: number;
  readonly slices: Slices;
}

/** Documents between two looks at the clock. */
const STEP = 512;

export async function collectGroups(
  sources: Iterable<{ readonly leaf: LeafReader; readonly scorer: Scorer | undefined }>,
  limits: CollapseLimits,
): Promise<CollapsedDocs> {
  const { field, k, keys, after, scored, minScore = Number.NEGATIVE_INFINITY, slices, totalHitsThreshold } = limits;
  const compare = (a: readonly SortValue[], b: readonly SortValue[]): number =>
    keys === undefined ? (b[0] as number) - (a[0] as number) : compareRows(keys, a, b);
  const heap = new GroupHeap(k, (a, b) => compare(a.values, b.values) || a.doc - b.doc);
  let total = 0;
  let maxScore: number | undefined;
  let timedOut = false;
  for (const { leaf, scorer } of sources) {
    if (timedOut) break;
    if (!scorer) continue;
    const live = hitCandidates(leaf);
    const leafKeys = keys?.map((key) => key.leaf(leaf));
    const groupOf = groupReader(field, leaf);
    for (let step = 1; ; step++) {
      if (step % STEP === 0) {
        if (slices.timedOut()) {
          timedOut = true;
          break;
        }
        if (slices.due()) await slices.pause();
      }
      const doc = scorer.nextDoc();
      if (doc === NO_MORE_DOCS) break;
      if (live !== undefined && !live.get(doc)) continue;
      if (!confirms(scorer)) continue;
      const score = scored ? scorer.score() : Number.NaN;
      if (score < minScore) continue;
      total++;
      if (scored && !(score <= maxScore!)) maxScore = score;
      const values = leafKeys === undefined ? [score] : leafKeys.map((key) => key.value(doc, score));
      if (after !== undefined && compare(values, after) <= 0) continue;
      // Of a document that cannot be among the best nobody asks for its group, nor whether it has several values.
      if (!heap.accepts((worst) => compare(values, worst.values) < 0)) continue;
      heap.offer({ group: groupOf(doc), doc: doc + leaf.docBase, score, values, at: -1 });
    }
  }
  const exceeded = total > totalHitsThreshold;
  return {
    heads: heap.sorted(),
    maxScore,
    total: exceeded ? totalHitsThreshold : total,
    relation: exceeded ? "gte" : "eq",
    timedOut,
  };
}

function groupReader({ info }: MappedField, { segment }: LeafReader): (doc: number) => GroupValue {
  if (info.docValues === "ordinals") {
    const column = segment.ordinals(info.name);
    if (column === undefined) return () => undefined;
    return (doc) => {
      if (!column.has(doc)) return undefined;
      const at = column.start(doc);
      if (column.end(doc) - at > 1) throw severalValues(doc);
      return column.term(column.ord(at));
    };
  }
  const column = segment.numeric(info.name);
  if (column === undefined) return () => undefined;
  return (doc) => {
    if (!column.has(doc)) return undefined;
    const at = column.start(doc);
    if (column.end(doc) - at > 1) throw severalValues(doc);
    const value = column.value(at);
    if (column.kind === "long") return String(Number.isSafeInteger(value) ? value : column.bigint(at));
    return Object.is(value, -0) ? "-0" : String(value);
  };
}

function severalValues(doc: number): EngineError {
  return shardError(
    new EngineError(
      "illegal_state_exception",
      `failed to extract doc:${doc}, the grouping field must be single valued`,
      { status: 500 },
    ),
  );
}
