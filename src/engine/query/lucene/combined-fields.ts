/**
 * Terms in several fields that count as one (Lucene's CombinedFieldQuery, the simple formula of BM25F): frequencies and lengths are added
 * up, each times the weight of its field, and scored as those of one field.
 */
import { illegalArgument } from "../../errors.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import { decodeLength, EMPTY_FIELD_NORM, encodeLength } from "../../segment/norms.ts";
import type { LeafReader } from "../../segment/types.ts";
import { explainWeight, matched, unmatched } from "../explanation.ts";
import { matchesOf } from "../matches.ts";
import { matchesAt, type PooledPart, PooledScorer } from "../scorers/index.ts";
import { NO_NORMS, type SimScorer, simScorer } from "../similarity.ts";
import type { CollectionStatistics, IndexSearcher, Query } from "../types.ts";
import { booleanQuery } from "./boolean.ts";
import { matchNoneQuery } from "./constant.ts";
import { termQuery } from "./term.ts";

export interface WeightedField {
  readonly field: string;
  /** A float32 of at least 1. */
  readonly weight: number;
}

/** @param terms of one position @param fields distinct, in the order of their names */
export function combinedFieldQuery(fields: readonly WeightedField[], terms: readonly string[]): Query {
  if (fields.length === 0 || terms.length === 0) return matchNoneQuery("no terms");
  const shown = fields.map(({ field, weight }) => (weight === 1 ? field : `${field}^${weight}`));
  const query: Query = {
    className: "CombinedFieldQuery",
    describe() {
      const named = fields.map(({ field, weight }) => (weight === 1 ? field : `${field}^${javaFloat(weight)}`));
      return `CombinedFieldQuery((${named.join(" ")})(${terms.join(" ")}))`;
    },
    toString: () => `CombinedFieldQuery((${shown.join(" ")})(${terms.map((term) => JSON.stringify(term)).join(" ")}))`,
    rewrite: () => query,
    visit(visitor) {
      for (const { field } of fields) visitor.looseTerms(query, field, terms);
    },
    createWeight(searcher, mode, boost) {
      checkNorms(searcher, fields);
      const any = fields.flatMap(({ field }) => terms.map((term) => termQuery(field, term)));
      const either = booleanQuery(any.map((each) => ({ occur: "should", query: each }))).rewrite(searcher);
      const disjunction = () => either.createWeight(searcher, mode, boost);
      if (mode === "none") return disjunction();
      const sim = combinedSim(searcher, fields, terms, boost);
      const scorer = (leaf: LeafReader) => sim && leafScorer(leaf, fields, terms, sim);
      return {
        query,
        scorer,
        matches: (leaf, doc) => matchesOf(disjunction(), leaf, doc),
        explain(leaf, doc) {
          const at = scorer(leaf);
          if (!sim || !matchesAt(at, doc)) return unmatched("no matching term");
          const freq = at.freq();
          const score = sim.explain(matched(freq, `termFreq=${javaFloat(freq)}`), at.norm());
          return explainWeight(query.describe(), doc, score, "");
        },
      };
    },
  };
  return query;
}

function combinedSim(
  searcher: IndexSearcher,
  fields: readonly WeightedField[],
  terms: readonly string[],
  boost: number,
): SimScorer | undefined {
  const docFreq = Math.max(...fields.flatMap(({ field }) => terms.map((term) => searcher.docFreq(field, term))));
  if (docFreq === 0) return undefined;
  const similarity = searcher.similarity(fields[0].field);
  return simScorer(similarity, boost, combinedStatistics(searcher, fields), [docFreq]);
}

/** Statistics of the field that the fields stand for: tokens are added up, whole numbers after each field. */
function combinedStatistics(searcher: IndexSearcher, fields: readonly WeightedField[]): CollectionStatistics {
  const sum = { docCount: 0, sumTotalTermFreq: 0, sumDocFreq: 0 };
  for (const { field, weight } of fields) {
    const own = searcher.collectionStatistics(field);
    if (!own) continue;
    sum.docCount = Math.max(sum.docCount, own.docCount);
    sum.sumDocFreq = Math.max(sum.sumDocFreq, own.sumDocFreq);
    sum.sumTotalTermFreq = Math.trunc(sum.sumTotalTermFreq + weight * own.sumTotalTermFreq);
  }
  return sum;
}

function checkNorms({ leaves }: IndexSearcher, fields: readonly WeightedField[]): void {
  const names = new Set(fields.map(({ field }) => field));
  const infos = leaves.flatMap(({ segment }) =>
    segment.fieldInfos().filter(({ name, index }) => names.has(name) && index !== "none"),
  );
  if (infos.every(({ norms }) => norms) || infos.every(({ norms }) => !norms)) return;
  const reason =
    "CombinedFieldQuery requires norms to be consistent across fields: some fields cannot  have norms enabled, while others have norms disabled";
  throw illegalArgument(reason, { metadata: { phase: "shard" } });
}

function leafScorer(
  { segment }: LeafReader,
  fields: readonly WeightedField[],
  terms: readonly string[],
  sim: SimScorer,
): PooledScorer | undefined {
  const parts: PooledPart[] = [];
  for (const { field, weight } of fields) {
    const dictionary = segment.terms(field);
    if (!dictionary) continue;
    for (const term of terms) {
      const ord = dictionary.lookup(term);
      if (ord >= 0) parts.push({ postings: dictionary.postings(ord), weight });
    }
  }
  if (parts.length === 0) return undefined;
  const norms = fields.flatMap(({ field, weight }) => {
    const bytes = segment.norms(field);
    return bytes === undefined ? [] : [{ bytes, weight }];
  });
  const norm = (doc: number): number => {
    if (norms.length === 0) return NO_NORMS;
    let length = 0;
    // A field without a token has no length.
    for (const { bytes, weight } of norms) {
      if (bytes[doc] !== EMPTY_FIELD_NORM) length = Math.fround(length + weighted(weight, bytes[doc]));
    }
    return encodeLength(Math.floor(length + 0.5));
  };
  const leastNorm = ({ weight }: PooledPart, least: number) =>
    norms.length === 0 ? NO_NORMS : encodeLength(Math.floor(weighted(weight, least) + 0.5));
  return new PooledScorer({ parts, sim, norm, leastNorm });
}

/** Length of a field, times its weight. */
const weighted = (weight: number, norm: number) => Math.fround(weight * decodeLength(norm));
