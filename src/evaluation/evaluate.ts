/** The mean of measures over all judged questions, by the names that the literature has for them: `ndcg@10`, `recall@100`, `map`. */
import { InvalidArgumentError } from "../schema/index.ts";
import { averagePrecision, hitRate, type Judgements, ndcg, precision, recall, reciprocalRank } from "./measures.ts";

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
};

/**
 * The means of named measures. A judged question without a ranking counts 0 (trec_eval's `-c`); a ranking without judgements is left out.
 *
 * @param names such as `ndcg@10`, `mrr@10`, `recall@100`, `precision@5`, `hit@3`, `map`
 * @throws InvalidArgumentError for a name that is not one of these
 * @example evaluateRun(qrels, run, ["ndcg@10"]) // { "ndcg@10": 0.87 }
 */
export function evaluateRun(qrels: Qrels, run: Run, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    names.map((name) => {
      const { measure, k } = parseMeasure(name);
      let sum = 0;
      for (const [query, judgements] of qrels) sum += measure(run.get(query) ?? [], judgements, k);
      return [name, qrels.size === 0 ? 0 : sum / qrels.size];
    }),
  );
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
