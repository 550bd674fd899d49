/** Collection on a shard: aggregators are made, take the documents of the query segment by segment, and give their results. */
import { EngineError } from "../errors.ts";
import { shardError } from "../query/dsl/index.ts";
import { confirmed, matchingDocs } from "../query/scorers/index.ts";
import type { Query, Scorer } from "../query/types.ts";
import { hitCandidates } from "../search/searcher.ts";
import { type LeafReader, NO_MORE_DOCS } from "../segment/types.ts";
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
    const within = (of: AggregationContext) => (builder.single ? of : { ...of, notOneBucket: true });
    const bind = () =>
      builder.bind(context, { name, meta, parents, subs: (of = context) => bindAll(subs, within(of), around) });
    return context.profile ? context.profile.aggregator(definition, bind) : bind();
  });
}

/** Aggregations that are made for a shard; what fails in their steps is the shard's failure. */
export interface BoundAggregations {
  /** What only shows when aggregators are made, after all other parts of the search (AggregationPhase.preProcess). */
  create(): void;
  /** Some of them ask for the scores of what the search's query matches. */
  readonly needsScores: boolean;
  /** Collects what the search's query matches. @param minScore of the search: what scores below is no hit */
  collect(query: Query, minScore?: number): Promise<readonly Internal[]>;
}

/** Reads for a shard what aggregations say of its fields (AggregatorFactories.build). */
export function bindAggregations(
  definitions: readonly Definition[],
  shard: Omit<AggregationContext, "atCreation" | "mainQuery">,
): BoundAggregations {
  const steps: (() => void)[] = [];
  let main: Query | undefined;
  const mainQuery = () => main!;
  const context: AggregationContext = { ...shard, mainQuery, atCreation: (make) => atCreation(steps, make) };
  const aggregators = inShard(() => bindAll(definitions, context));
  return {
    needsScores: aggregators.some((each, at) => definitions[at].type !== "global" && scored(each)),
    create: () =>
      inShard(() => {
        for (const step of steps) step();
      }),
    collect(query, minScore) {
      main = query;
      return asShard(() => collectAll(definitions, aggregators, context, minScore));
    },
  };
}

const scored = ({ needsScores, subs }: Aggregator): boolean => needsScores || subs.some(scored);

function atCreation<T>(steps: (() => void)[], make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  const get = () => {
    made ??= { value: make() };
    return made.value;
  };
  steps.push(() => void get());
  return get;
}

async function collectAll(
  definitions: readonly Definition[],
  aggregators: readonly Aggregator[],
  context: AggregationContext,
  minScore: number | undefined,
): Promise<readonly Internal[]> {
  for (const global of [false, true]) {
    const own = aggregators.filter((_, at) => (definitions[at].type === "global") === global);
    if (own.length === 0) continue;
    const limits = { slices: context.slices, ...(global || minScore === undefined ? {} : { minScore }) };
    await collectQuery(global ? context.everything() : context.mainQuery(), own, context, limits);
  }
  const results: Internal[] = [];
  for (const aggregator of aggregators) {
    if (context.slices.due()) await context.slices.pause();
    results.push(aggregator.build(0));
  }
  return results;
}

async function asShard<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw ofShard(error);
  }
}

function inShard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw ofShard(error);
  }
}

function ofShard(error: unknown): unknown {
  const own = error instanceof EngineError && !/^(unsupported_feature|task_cancelled)_exception$/.test(error.type);
  return own && error.metadata["phase"] !== "shard" ? shardError(error) : error;
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
    let scorer: Scorer | undefined;
    // Collectors are asked for each segment before anybody knows whether something is found there: what they find wrong is told.
    const scores = oneScore(() => scorer!);
    const collectors = aggregators.map((each) => each.leaf(leaf, scores)).filter((each) => each !== undefined);
    scorer = collectors.length === 0 ? undefined : weight.scorer(leaf);
    if (scorer === undefined) continue;
    if (scored) {
      scorer = confirmed(scorer);
      await collectScored(scorer, collectorOf(collectors)!, leaf, slices, minScore);
    } else {
      await collectUnscored(scorer, collectors, leaf, slices);
    }
    if (slices.timedOut()) break;
  }
  for (const aggregator of aggregators) await finishAll(aggregator);
}

async function collectScored(
  scorer: Scorer,
  collect: Collect,
  leaf: LeafReader,
  slices: Slices,
  minScore: number | undefined,
): Promise<void> {
  const live = hitCandidates(leaf);
  for (let doc = scorer.nextDoc(), left = STEP; doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
    if (--left === 0) {
      left = STEP;
      if (slices.timedOut()) return;
      if (slices.due()) await slices.pause();
    }
    if (live !== undefined && !live.get(doc)) continue;
    if (minScore !== undefined && scorer.score() < minScore) continue;
    collect(doc, 0);
  }
}

/** Many documents at a time. */
async function collectUnscored(
  scorer: Scorer,
  collectors: readonly Collect[],
  leaf: LeafReader,
  slices: Slices,
): Promise<void> {
  const matching = matchingDocs(scorer, hitCandidates(leaf));
  while (matching.nextWindow()) {
    const docs = matching.docs();
    const count = matching.count();
    for (const collect of collectors) {
      if (collect.all !== undefined) {
        collect.all(docs, count);
        continue;
      }
      for (let i = 0, left = STEP; i < count; i++) {
        collect(docs[i], 0);
        if (--left > 0) continue;
        left = STEP;
        if (slices.timedOut()) return;
        if (slices.due()) await slices.pause();
      }
    }
    if (slices.timedOut()) return;
    if (slices.due()) await slices.pause();
  }
}

async function finishAll(aggregator: Aggregator): Promise<void> {
  // What was put off is given to those within, which may have put off something themselves.
  await aggregator.finish?.();
  for (const sub of aggregator.subs) await finishAll(sub);
}

/** A document's score is computed once, whoever asks for it. */
function oneScore(scorerOf: () => Scorer): Scorable {
  let of = -1;
  let score = 0;
  return {
    score() {
      const scorer = scorerOf();
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

/** The same of aggregations that Elasticsearch makes when the buckets are known: what fails does so with the first document. */
export function deferredCollector(...[subs, leaf, scores]: Parameters<typeof subCollector>): Collect | undefined {
  try {
    return subCollector(subs, leaf, scores);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

export function buildSubs(subs: readonly Aggregator[], bucket: number): readonly Internal[] {
  return subs.map((sub) => sub.build(bucket));
}
