/** The mean of measures over all judged questions, by the names that the literature has for them: `ndcg@10`, `recall@100`, `map`. */
import { InvalidArgumentError } from "../schema/index.ts";
import { averagePrecision, f1, hitRate, type Judgements, ndcg, precision, recall, reciprocalRank } from "./measures.ts";

/** Query id → judgements. */
export type Qrels = ReadonlyMap<string, Judgements>;
/** Query id → document ids, best first. */
export type Run = ReadonlyMap<string, readonly string[]>;

type Measure = (ranking: readonly string[], judgements: Judgements, k?: number) => number;

const MEASURES: Record<string, Measure> = {
  ndcg,
  mrr: reciprocalRank,
  recall,
  precision,
  hit: hitRate,
  map: averagePrecision,
  f1,
};

/** Names of measures, without their cutoffs. */
export const MEASURE_NAMES: readonly string[] = Object.keys(MEASURES);

/**
 * The means of named measures. A judged question without a ranking counts 0 (trec_eval's `-c`); a ranking without judgements is left out.
 *
 * @param names such as `ndcg@10`, `mrr@10`, `recall@100`, `precision@5`, `hit@3`, `f1@5`, `map`
 * @throws InvalidArgumentError for a name that is not one of these
 * @example evaluateRun(qrels, run, ["ndcg@10"]) // { "ndcg@10": 0.87 }
 */
export function evaluateRun(qrels: Qrels, run: Run, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, mean(evaluateQuestions(qrels, run, name))]));
}

/** A measure of each judged question, in the order of the judgements. */
export function evaluateQuestions(qrels: Qrels, run: Run, name: string): number[] {
  const { measure, k } = parseMeasure(name);
  return [...qrels].map(([query, judgements]) => measure(run.get(query) ?? [], judgements, k));
}

/** The mean; of nothing it is 0. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @throws InvalidArgumentError for a name that is no measure's */
export function checkMeasure(name: string): void {
  parseMeasure(name);
}

function parseMeasure(name: string): { measure: Measure; k?: number } {
  const [word, cut, ...rest] = name.split("@");
  const measure = Object.hasOwn(MEASURES, word!) ? MEASURES[word!] : undefined;
  if (!measure || rest.length > 0 || (cut !== undefined && !/^[1-9]\d{0,5}$/.test(cut))) {
    throw new InvalidArgumentError(
      "measure",
      name,
      `unknown measure "${name}": known are ${Object.keys(MEASURES).join(", ")}, each with @k for the first k`,
    );
  }
  return cut === undefined ? { measure } : { measure, k: Number(cut) };
}
