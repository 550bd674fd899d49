/** Documents with a date, each scored by how near it is to an origin (Lucene's LongDistanceFeatureQuery). */
import { EngineError, illegalArgument } from "../../errors.ts";
import { type DocIterator, type LeafReader, NO_MORE_DOCS, type NumericColumn } from "../../segment/types.ts";
import { counted, type Explanation, matched, unmatched } from "../explanation.ts";
import type { Query, Scorer } from "../types.ts";

const LONG_MAX = 2n ** 63n - 1n;

export interface LongDistance {
  readonly field: string;
  readonly origin: number | bigint;
  /** The distance at which the score is half of the best. */
  readonly pivot: number | bigint;
  /** False: Elasticsearch reads the doc values by a script, and explains in other words. */
  readonly indexed: boolean;
}

/** Java's distance of two longs: where it does not fit, the greatest one. */
function distanceOf(value: number | bigint, origin: number | bigint): number {
  if (typeof value === "number" && typeof origin === "number") return Math.abs(value - origin);
  const difference = BigInt(value) - BigInt(origin);
  const distance = difference < 0n ? -difference : difference;
  return Number(distance > LONG_MAX ? LONG_MAX : distance);
}

/** The score of a distance, with the weight that the boost is: a float of doubles, as Lucene computes it. */
export function featureScore(weight: number, pivot: number, distance: number): number {
  return Math.fround(weight * (pivot / (pivot + distance)));
}

/** The value of a document that is nearest to the origin: of two that are equally near, the smaller one. */
function nearest(column: NumericColumn, doc: number, origin: number | bigint): number | bigint {
  const exact = (index: number) => {
    const value = column.value(index);
    return Number.isSafeInteger(value) ? value : column.bigint(index);
  };
  let best = exact(column.start(doc));
  for (let index = column.start(doc) + 1; index < column.end(doc); index++) {
    const next = exact(index);
    if (distanceOf(next, origin) < distanceOf(best, origin)) best = next;
  }
  return best;
}

export function longDistanceQuery(distance: LongDistance): Query {
  const { field, origin, pivot, indexed } = distance;
  if (pivot <= 0) throw illegalArgument(`pivotDistance must be > 0, got ${pivot}`);
  const query: Query = {
    className: indexed ? "LongDistanceFeatureQuery" : "LongScriptFieldDistanceFeatureQuery",
    describe: () =>
      indexed
        ? `LongDistanceFeatureQuery(field=,origin=${origin},pivotDistance=${pivot})`
        : `${field}:LongScriptFieldDistanceFeatureQuery(origin=${origin},pivot=${pivot})`,
    toString: () => `LongDistanceFeatureQuery(${field} ${origin} ${pivot} ${indexed})`,
    rewrite: () => query,
    createWeight(_searcher, _mode, boost) {
      return {
        query,
        scorer(leaf) {
          const column = columnOf(leaf, field);
          if (column === undefined) return undefined;
          return valueScorer(column.iterator(), (doc) =>
            featureScore(boost, Number(pivot), distanceOf(nearest(column, doc, origin), origin)),
          );
        },
        explain(leaf, doc) {
          const column = columnOf(leaf, field);
          if (!column?.has(doc)) return unmatched(`Document ${doc} doesn't have a value for field ${field}`);
          return explain(distance, boost, nearest(column, doc, origin));
        },
      };
    },
  };
  return query;
}

function explain({ origin, pivot, indexed }: LongDistance, weight: number, value: number | bigint): Explanation {
  const score = featureScore(weight, Number(pivot), distanceOf(value, origin));
  const name = indexed ? "pivotDistance" : "pivot";
  return matched(score, `Distance score, computed as weight * ${name} / (${name} + abs(value - origin)) from:`, [
    matched(weight, "weight"),
    counted(pivot, name),
    counted(origin, "origin"),
    counted(value, "current value"),
  ]);
}

function columnOf({ segment }: LeafReader, field: string): NumericColumn | undefined {
  const column = segment.numeric(field);
  if (column === undefined && segment.points(field) !== undefined) throw missingDocValues(field);
  return column;
}

/** What Lucene says of a field that is indexed, and has no values by document. */
export function missingDocValues(field: string): EngineError {
  const expected = "(expected one of [SORTED_NUMERIC, NUMERIC]). Re-index with correct docvalues type.";
  const reason = `unexpected docvalues type NONE for field '${field}' ${expected}`;
  return new EngineError("illegal_state_exception", reason, { status: 500, metadata: { phase: "shard" } });
}

/** Walks over documents that are scored one by one. */
export function valueScorer(documents: DocIterator, score: (doc: number) => number): Scorer {
  return {
    docID: () => documents.docID(),
    nextDoc: () => documents.nextDoc(),
    advance: (target) => documents.advance(target),
    cost: () => documents.cost(),
    score: () => score(documents.docID()),
    maxScore: () => Number.POSITIVE_INFINITY,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore: () => {},
  };
}
