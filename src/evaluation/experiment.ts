/**
 * An experiment: the questions of a test collection asked with several strategies, measured, and compared with one of them question by question.
 * Everything but the times follows from the documents, the questions and the seed.
 */
import { type CallOptions, callOptions, InvalidArgumentError, type NodeWithScore, sha256 } from "../schema/index.ts";
import { checkMeasure, evaluateQuestions, mean, type Qrels, type Run } from "./evaluate.ts";
import { interpolatedPrecision } from "./measures.ts";
import type { Question } from "./questions.ts";
import { type DocumentOf, rankDocuments } from "./run.ts";
import type { Asked, RunCache } from "./run-cache.ts";
import { bootstrapInterval, type Difference, holm, type Interval, pairedDifference, quantile } from "./statistics.ts";

/** A way to search that has a name, or a run of one that was searched elsewhere. */
export interface NamedSearch {
  name: string;
  search?(question: string, options: CallOptions & { topK: number }): Promise<NodeWithScore[]>;
  /** What it found, by question id: nothing is searched then. */
  run?: Run;
  /** Names of the models that it asks. */
  with?: string;
  /** Names of the strategies that it is made of: it is compared with each. */
  parts?: readonly string[];
}

/** An experiment: questions, judgements, the strategies that are compared, and how they are measured. */
export interface ExperimentOptions extends CallOptions {
  /** Name of the test collection. */
  name: string;
  questions: readonly Question[];
  qrels: Qrels;
  strategies: readonly NamedSearch[];
  documentOf: DocumentOf;
  /** The first one decides which differences are tested. Default `DEFAULT_MEASURES`. */
  measures?: readonly string[];
  /** Passages that are asked for. Default 100. */
  depth?: number;
  /** The strategy that the others are compared with. Default `bm25` where it takes part, else the first. */
  baseline?: string;
  /** Default 1. */
  seed?: number;
  onProgress?: (progress: { done: number; total: number; strategy: string }) => void;
  /** What was asked before, under `fingerprint`: it names what was searched (see `collectionFingerprint`). */
  cache?: { runs: RunCache; fingerprint: string };
}

/** The measures of an experiment that names none. */
export const DEFAULT_MEASURES: readonly string[] = ["ndcg@10", "mrr@10", "map", "recall@10", "recall@100", "hit@3"];

/** The probability below which a difference counts as one, after correction. */
export const SIGNIFICANT = 0.05;

/** One strategy in an experiment: its measures with intervals, and its times. */
export interface StrategyResult {
  name: string;
  /** Names of the models that it asked. */
  with?: string;
  /** Measure → its mean, with the interval in which 95 % of resampled means lie. */
  measures: Record<string, Interval & { mean: number }>;
  /** Mean precision at the recalls 0, 0.1 … 1. */
  precisionAtRecall: number[];
  /** Milliseconds of one search. */
  latency?: { p50: number; p95: number; mean: number };
}

/** b against a in the first measure. `pCorrected` is Holm's: over all comparisons with the baseline, or over the parts of one strategy. */
export interface Comparison extends Difference {
  a: string;
  b: string;
  measure: string;
  pCorrected: number;
  verdict: "better" | "worse" | "no difference shown";
}

/** One question in an experiment: what is relevant, what each strategy found, and the measures. */
export interface QuestionResult extends Question {
  /** What is relevant → how much. */
  relevant: Record<string, number>;
  /** Strategy → its first ten documents. */
  found: Record<string, string[]>;
  /** Strategy → measures, in their order. */
  values: Record<string, number[]>;
}

/** What an experiment found: each strategy's measures with intervals, and the differences with their tests. */
export interface ExperimentResult {
  name: string;
  measures: string[];
  depth: number;
  seed: number;
  baseline: string;
  strategies: StrategyResult[];
  /** Each strategy against the baseline. */
  comparisons: Comparison[];
  /** Composed strategies against their parts. */
  parts: Comparison[];
  questions: QuestionResult[];
}

const SHOWN = 10;

/** Runs an experiment. @throws InvalidArgumentError for measures and names that cannot be */
export async function runExperiment(options: ExperimentOptions): Promise<{
  result: ExperimentResult;
  /** Strategy → its run. */
  runs: Map<string, Map<string, string[]>>;
}> {
  const { strategies, seed = 1, depth = 100 } = options;
  const measures = [...(options.measures ?? DEFAULT_MEASURES)];
  const baseline = checkedBaseline(options, measures);
  const questions = options.questions.filter(({ id }) => options.qrels.has(id));
  if (questions.length === 0)
    throw new InvalidArgumentError("questions", options.questions, `${options.name}: no question has a judgement`);
  const qrels = new Map(questions.map(({ id }) => [id, options.qrels.get(id)!]));
  const asked = await askAll(options, questions, depth);
  const chance = { seed, ...callOptions(options) };
  const results: StrategyResult[] = [];
  const runs = new Map<string, Map<string, string[]>>();
  const values = new Map<string, number[][]>();
  for (const { name, with: models } of strategies) {
    const own = asked.get(name)!;
    const run = new Map(questions.map(({ id }, i) => [id, own[i]!.ranking]));
    runs.set(name, run);
    const byMeasure = measures.map((measure) => evaluateQuestions(qrels, run, measure));
    values.set(name, byMeasure);
    const means: StrategyResult["measures"] = {};
    for (const [i, measure] of measures.entries())
      means[measure] = { mean: mean(byMeasure[i]!), ...(await bootstrapInterval(byMeasure[i]!, chance)) };
    const times = latency(own);
    results.push({
      name,
      ...(models === undefined ? {} : { with: models }),
      measures: means,
      precisionAtRecall: precisionAtRecall(qrels, run),
      ...(times ? { latency: times } : {}),
    });
  }
  const first = (name: string) => values.get(name)![0]!;
  const compare = (pairs: readonly [string, string][]) => comparisons(pairs, measures[0]!, first, chance);
  const compared: Comparison[][] = [];
  for (const { name, parts = [] } of strategies)
    compared.push(
      await compare(parts.filter((part) => values.has(part)).map((part): [string, string] => [part, name])),
    );
  const result: ExperimentResult = {
    name: options.name,
    measures,
    depth,
    seed,
    baseline,
    strategies: results,
    comparisons: await compare(strategies.filter(({ name }) => name !== baseline).map(({ name }) => [baseline, name])),
    parts: compared.flat(),
    questions: questions.map((question, i) => ({
      ...question,
      relevant: Object.fromEntries(qrels.get(question.id)!),
      found: Object.fromEntries(strategies.map(({ name }) => [name, asked.get(name)![i]!.ranking.slice(0, SHOWN)])),
      values: Object.fromEntries(strategies.map(({ name }) => [name, values.get(name)!.map((list) => list[i]!)])),
    })),
  };
  return { result, runs };
}

function checkedBaseline({ strategies, baseline }: ExperimentOptions, measures: readonly string[]): string {
  const names = strategies.map(({ name }) => name);
  if (names.length === 0 || new Set(names).size < names.length)
    throw new InvalidArgumentError("strategies", names, "strategies need names, each its own");
  if (measures.length === 0) throw new InvalidArgumentError("measures", measures, "name at least one measure");
  for (const name of measures) checkMeasure(name);
  if (baseline === undefined) return names.includes("bm25") ? "bm25" : names[0]!;
  if (!names.includes(baseline)) {
    throw new InvalidArgumentError(
      "baseline",
      baseline,
      `the baseline "${baseline}" is none of the strategies: ${names.join(", ")}`,
    );
  }
  return baseline;
}

/** Strategy → what it found, in the order of the questions. */
async function askAll(
  { strategies, documentOf, qrels, onProgress, cache, ...options }: ExperimentOptions,
  questions: readonly Question[],
  depth: number,
): Promise<Map<string, Asked[]>> {
  const call = callOptions(options);
  const total = strategies.length * questions.length;
  const out = new Map<string, Asked[]>();
  let done = 0;
  for (const { name, search, run, with: models } of strategies) {
    if (!search) {
      out.set(
        name,
        questions.map(({ id }) => ({ ranking: [...(run?.get(id) ?? [])] })),
      );
      done += questions.length;
      continue;
    }
    const list: Asked[] = [];
    let warm = false;
    for (const question of questions) {
      call.signal?.throwIfAborted();
      const judged = [...qrels.get(question.id)!.keys()];
      const searched = models === undefined ? [name] : [name, models];
      const key = cache && sha256(JSON.stringify([cache.fingerprint, ...searched, depth, question.text, judged]));
      let asked = key === undefined ? undefined : cache!.runs.get(key);
      if (!asked) {
        // The first search of a strategy reads and compiles what later ones find ready.
        if (!warm) await search(question.text, { ...call, topK: depth });
        warm = true;
        const from = performance.now();
        const hits = await search(question.text, { ...call, topK: depth });
        const ms = performance.now() - from;
        asked = { ranking: rankDocuments(hits, (hit) => documentOf(hit, question)), ms };
        if (key !== undefined) await cache!.runs.set(key, asked);
      }
      list.push(asked);
      onProgress?.({ done: ++done, total, strategy: name });
    }
    out.set(name, list);
  }
  return out;
}

function precisionAtRecall(qrels: Qrels, run: ReadonlyMap<string, readonly string[]>): number[] {
  const curves = [...qrels].map(([query, judgements]) => interpolatedPrecision(run.get(query) ?? [], judgements));
  return curves[0]!.map((_, level) => mean(curves.map((curve) => curve[level]!)));
}

function latency(asked: readonly Asked[]): StrategyResult["latency"] {
  const times = asked.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).sort((a, b) => a - b);
  if (times.length === 0) return undefined;
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), mean: mean(times) };
}

async function comparisons(
  pairs: readonly [string, string][],
  measure: string,
  values: (strategy: string) => number[],
  chance: { seed: number; signal?: AbortSignal },
): Promise<Comparison[]> {
  const differences: Difference[] = [];
  for (const [a, b] of pairs) differences.push(await pairedDifference(values(a), values(b), chance));
  const corrected = holm(differences.map(({ p }) => p));
  return pairs.map(([a, b], i) => {
    const difference = differences[i]!;
    const shown = corrected[i]! < SIGNIFICANT;
    const verdict = !shown ? "no difference shown" : difference.mean > 0 ? "better" : "worse";
    return { a, b, measure, ...difference, pCorrected: corrected[i]!, verdict };
  });
}
