/**
 * Tuning by cross-validation. For each fold the values are chosen on the other folds alone, and measured on this one: the gain that is reported
 * comes from questions that had no part in the choice. The values to use are then chosen on all questions; what they reach on those is no
 * result, and is given for the heat map only.
 */
import { type CallOptions, callOptions, InvalidArgumentError } from "../../schema/index.ts";
import { checkMeasure, evaluateQuestions, mean, type Qrels, type Run } from "../evaluate.ts";
import { SIGNIFICANT } from "../experiment.ts";
import type { Question } from "../questions.ts";
import { bootstrapInterval, type Difference, type Interval, pairedDifference } from "../statistics.ts";
import { foldsOf } from "./folds.ts";
import type { Values } from "./space.ts";

/** What is tuned, on which questions, by which measure and in how many folds. */
export interface TuneOptions extends CallOptions {
  name: string;
  questions: readonly Question[];
  qrels: Qrels;
  /** What is tried beside the present values (`{}`). */
  candidates: readonly Values[];
  /** The rankings of all questions with some values. Called once for each candidate, in an order that changes little from one to the next. */
  run(values: Values, options: CallOptions): Promise<Run>;
  /** Default `ndcg@10`. */
  measure?: string;
  /** Default 5. */
  folds?: number;
  /** Default 1. */
  seed?: number;
  onProgress?: (progress: { done: number; total: number; values: Values }) => void;
}

/** The values that were chosen, and the gain on questions that had no part in the choice. */
export interface TuningResult {
  name: string;
  measure: string;
  seed: number;
  questions: number;
  /** `gain`: shown on questions that had no part in the choice. `within noise`: not shown. `loss`: worse there. */
  verdict: "gain" | "within noise" | "loss";
  /** Tuned against the present values, on the questions of the folds that were left out. */
  gain: Difference;
  /** Of the same questions. */
  present: Interval & { mean: number };
  tuned: Interval & { mean: number };
  /** Chosen on all questions; `{}` where nothing is better than the present values. */
  chosen: Values;
  folds: { questions: number; chosen: Values; chosenOn: number; measuredOn: number }[];
  /** All that was tried, with means over all questions: for pictures. The first are the present values. */
  tried: { values: Values; mean: number }[];
}

/** Tunes. @throws InvalidArgumentError for measures, folds and questions that cannot be */
export async function tune(options: TuneOptions): Promise<TuningResult> {
  const { measure = "ndcg@10", folds: count = 5, seed = 1 } = options;
  checkMeasure(measure);
  const questions = options.questions.filter(({ id }) => options.qrels.has(id));
  const qrels = new Map(questions.map(({ id }) => [id, options.qrels.get(id)!]));
  const fold = foldsOf(questions, qrels, count, seed);
  const candidates = [{}, ...options.candidates.filter((values) => Object.keys(values).length > 0)];
  if (candidates.length < 2)
    throw new InvalidArgumentError(
      "candidates",
      options.candidates,
      "there is nothing to try beside the present values",
    );
  const call = callOptions(options);
  const values: number[][] = [];
  for (const [i, candidate] of candidates.entries()) {
    call.signal?.throwIfAborted();
    values.push(evaluateQuestions(qrels, await options.run(candidate, call), measure));
    options.onProgress?.({ done: i + 1, total: candidates.length, values: candidate });
  }
  const tuned = new Array<number>(questions.length);
  const folds: TuningResult["folds"] = [];
  for (let f = 0; f < count; f++) {
    const train = indices(fold, (of) => of !== f);
    const test = indices(fold, (of) => of === f);
    const best = bestOf(values.map((list) => pick(list, train)));
    for (const index of test) tuned[index] = values[best]![index]!;
    folds.push({
      questions: test.length,
      chosen: candidates[best]!,
      chosenOn: mean(pick(values[best]!, train)),
      measuredOn: mean(pick(values[best]!, test)),
    });
  }
  const chance = { seed, ...call };
  const gain = await pairedDifference(values[0]!, tuned, chance);
  return {
    name: options.name,
    measure,
    seed,
    questions: questions.length,
    verdict: verdictOf(gain),
    gain,
    present: { mean: mean(values[0]!), ...(await bootstrapInterval(values[0]!, chance)) },
    tuned: { mean: mean(tuned), ...(await bootstrapInterval(tuned, chance)) },
    chosen: candidates[bestOf(values)]!,
    folds,
    tried: candidates.map((candidate, i) => ({ values: candidate, mean: mean(values[i]!) })),
  };
}

/** A difference counts when both the test and the interval say so. */
function verdictOf({ mean: gained, low, high, p }: Difference): TuningResult["verdict"] {
  if (p >= SIGNIFICANT || (low <= 0 && high >= 0)) return "within noise";
  return gained > 0 ? "gain" : "loss";
}

/** The place of the largest mean; of equal ones the first, so that the present values stay where nothing is better. */
function bestOf(lists: readonly (readonly number[])[]): number {
  const means = lists.map(mean);
  return means.reduce((best, value, i) => (value > means[best]! + 1e-12 ? i : best), 0);
}

const pick = (list: readonly number[], places: readonly number[]): number[] => places.map((i) => list[i]!);

function indices(folds: readonly number[], wanted: (fold: number) => boolean): number[] {
  return folds.flatMap((fold, i) => (wanted(fold) ? [i] : []));
}
