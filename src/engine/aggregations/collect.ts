/** Collection on a shard: aggregators are made, take the documents of the query segment by segment, and give their results. */
import { EngineError } from "../errors.ts";
import { shardError } from "../query/dsl/index.ts";
import { confirmed } from "../query/scorers/index.ts";
import type { Query, Scorer } from "../query/types.ts";
import { hitCandidates } from "../search/searcher.ts";
import { NO_MORE_DOCS } from "../segment/types.ts";
import type { Slices } from "../slices.ts";
import type { AggregationContext, Aggregator, Collect, Definition, Internal, Scorable } from "./types.ts";

/** Documents between two looks at the clock. */
const STEP = 256;

/** @param parents the aggregations around them, the innermost first */
function bindAll(
  definitions: readonly Definition[],
  context: AggregationContext,
  parents: readonly Definition[] = [],
): readonly Aggregator[] {
  return definitions.map((definition) => {
    const { name, meta, builder, subs } = definition;
    const around = [definition, ...parents];
    return builder.bind(context, { name, meta, parents, subs: (other) => bindAll(subs, other ?? context, around) });
  });
}

/** The results of a shard. What fails here is the shard's failure. @param minScore of the search: what scores below is no hit */
export async function aggregateShard(
  definitions: readonly Definition[],
  context: AggregationContext,
  minScore?: number,
): Promise<readonly Internal[]> {
  return asShard(async () => {
    const isGlobal = ({ type }: Definition) => type === "global";
    const results = new Map<Definition, Internal>();
    for (const global of [false, true]) {
      const own = definitions.filter((definition) => isGlobal(definition) === global);
      if (own.length === 0) continue;
      const aggregators = bindAll(own, context);
      const limits = { slices: context.slices, ...(global || minScore === undefined ? {} : { minScore }) };
      await collectQuery(global ? context.everything : context.mainQuery, aggregators, context, limits);
      for (const [at, definition] of own.entries()) {
        if (context.slices.due()) await context.slices.pause();
        results.set(definition, aggregators[at].build(0));
      }
    }
    return definitions.map((definition) => results.get(definition)!);
  });
}

async function asShard<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const own = error instanceof EngineError && !/^(unsupported_feature|task_cancelled)_exception$/.test(error.type);
    throw own && error.metadata["phase"] !== "shard" ? shardError(error) : error;
  }
}

/** Gives all documents of a query to aggregators, in their bucket 0. */
async function collectQuery(
  query: Query,
  aggregators: readonly Aggregator[],
  { searcher }: AggregationContext,
  { slices, minScore }: { readonly slices: Slices; readonly minScore?: number },
): Promise<void> {
  const scored = minScore !== undefined || aggregators.some(({ needsScores }) => needsScores);
  const weight = query.rewrite(searcher).createWeight(searcher, scored ? "complete" : "none", 1);
  for (const leaf of searcher.leaves) {
    const found = weight.scorer(leaf);
    const scorer = found && confirmed(found);
    const collect = scorer && collectorOf(aggregators.map((each) => each.leaf(leaf, oneScore(scorer))));
    if (!scorer || !collect) continue;
    const live = hitCandidates(leaf);
    for (let doc = scorer.nextDoc(), left = STEP; doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      if (--left === 0) {
        left = STEP;
        if (slices.timedOut()) break;
        if (slices.due()) await slices.pause();
      }
      if (live !== undefined && !live.get(doc)) continue;
      if (minScore !== undefined && scorer.score() < minScore) continue;
      collect(doc, 0);
    }
    if (slices.timedOut()) break;
  }
  for (const aggregator of aggregators) await finishAll(aggregator);
}

async function finishAll(aggregator: Aggregator): Promise<void> {
  // What was put off is given to those within, which may have put off something themselves.
  await aggregator.finish?.();
  for (const sub of aggregator.subs) await finishAll(sub);
}

/** A document's score is computed once, whoever asks for it. */
function oneScore(scorer: Scorer): Scorable {
  let of = -1;
  let score = 0;
  return {
    score() {
      const doc = scorer.docID();
      if (doc !== of) {
        of = doc;
        score = scorer.score();
      }
      return score;
    },
  };
}

/** Several as one; undefined when there is none. */
export function collectorOf(collectors: readonly (Collect | undefined)[]): Collect | undefined {
  const all = collectors.filter((each) => each !== undefined);
  if (all.length <= 1) return all[0];
  if (all.length === 2) {
    const [first, second] = all;
    return (doc, bucket) => {
      first(doc, bucket);
      second(doc, bucket);
    };
  }
  return (doc, bucket) => {
    for (const collect of all) collect(doc, bucket);
  };
}

/** What a bucket's aggregations take of a segment. */
export function subCollector(
  subs: readonly Aggregator[],
  leaf: Parameters<Aggregator["leaf"]>[0],
  scores: Scorable,
): Collect | undefined {
  return collectorOf(subs.map((sub) => sub.leaf(leaf, scores)));
}

export function buildSubs(subs: readonly Aggregator[], bucket: number): readonly Internal[] {
  return subs.map((sub) => sub.build(bucket));
}
