/**
 * Evaluation: how well a collection finds what it should. Questions are asked with a strategy (`runQuestions`), and the rankings measured
 * against judgements (`evaluateRun`) as trec_eval measures them.
 */
export { beirDocuments, beirQrels, beirQuestions, TestCollectionError } from "./beir.ts";
export { evaluateQuestions, evaluateRun, MEASURE_NAMES, type Qrels, type Run } from "./evaluate.ts";
export {
  averagePrecision,
  f1,
  hitRate,
  interpolatedPrecision,
  type Judgements,
  ndcg,
  precision,
  RECALL_LEVELS,
  recall,
  reciprocalRank,
} from "./measures.ts";
export { type Question, type RunOptions, rankDocuments, runQuestions } from "./run.ts";
export {
  type BootstrapOptions,
  bootstrapInterval,
  type ChanceOptions,
  type Difference,
  holm,
  type Interval,
  pairedDifference,
  randomisationTest,
} from "./statistics.ts";
export { readTrecQrels, readTrecRun, trecName, trecOrder, trecQrels, trecRun } from "./trec.ts";
