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
export { type AnswerResult, type AnswerRow, type JudgeAnswersOptions, judgeAnswers } from "./judges/answers.ts";
export {
  answerRelevancyJudge,
  contextRelevancyJudge,
  correctnessJudge,
  faithfulnessJudge,
  type Judge,
  type Judged,
  type JudgeOptions,
  type JudgeRequest,
} from "./judges/judges.ts";
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
export { collectionSearches } from "./strategies.ts";
export {
  indexedInMemory,
  indexFingerprint,
  memoryCollection,
  openTestCollection,
  type TestCollection,
} from "./test-collection.ts";
export { readTrecQrels, readTrecRun, trecName, trecOrder, trecQrels, trecRun } from "./trec.ts";
export { copyInMemory } from "./tuning/copy.ts";
export { foldsOf } from "./tuning/folds.ts";
export { heatMaps } from "./tuning/heat-map.ts";
export { heatMapText, tuningSentences } from "./tuning/picture.ts";
export { gridOf, type Parameter, parseParameter, randomPoints, type Values } from "./tuning/space.ts";
export { type TuneOptions, type TuningResult, tune } from "./tuning/tune.ts";
export {
  checkParameter,
  cutsPassages,
  inOrderOfCost,
  type ScratchCollection,
  type TunedSearchOptions,
  tunedSearch,
} from "./tuning/tuned-search.ts";
export { collectionPassages } from "./writing/passages.ts";
export {
  choosePassages,
  type LeftOut,
  type SourcePassage,
  type WriteQuestionsOptions,
  type WrittenQuestion,
  writeQuestions,
  writingCost,
} from "./writing/write-questions.ts";
