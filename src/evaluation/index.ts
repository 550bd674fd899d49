/**
 * Evaluation: how well a collection finds what it should. Questions are asked with a strategy (`runQuestions`), and the rankings measured
 * against judgements (`evaluateRun`) as trec_eval measures them.
 */
export { beirDocuments, beirQrels, beirQuestions, TestCollectionError } from "./beir.ts";
export { evaluateQuestions, evaluateRun, MEASURE_NAMES, type Qrels, type Run } from "./evaluate.ts";
export {
  type Comparison,
  DEFAULT_MEASURES,
  type ExperimentOptions,
  type ExperimentResult,
  type NamedSearch,
  type QuestionResult,
  runExperiment,
  SIGNIFICANT,
  type StrategyResult,
} from "./experiment.ts";
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
export { judgedName, type Question, type QuestionSet, readQuestions } from "./questions.ts";
export { reportHtml } from "./report/html.ts";
export { type EvaluationReport, evaluationReport } from "./report/report.ts";
export { type DocumentOf, type RunOptions, rankDocuments, runQuestions } from "./run.ts";
export { type Asked, collectionFingerprint, fileRunCache, type RunCache } from "./run-cache.ts";
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
export { indexedInMemory, openTestCollection, type TestCollection } from "./test-collection.ts";
export { readTrecQrels, readTrecRun, trecName, trecOrder, trecQrels, trecRun } from "./trec.ts";
