/**
 * Evaluation: how well a collection finds what it should. Questions are asked with a strategy (`runQuestions`), and the rankings measured
 * against judgements (`evaluateRun`) as trec_eval measures them.
 */
export { beirDocuments, beirQrels, beirQuestions, TestCollectionError } from "./beir.ts";
export { evaluateRun, type Qrels, type Run } from "./evaluate.ts";
export { averagePrecision, hitRate, type Judgements, ndcg, precision, recall, reciprocalRank } from "./measures.ts";
export { type Question, type RunOptions, rankDocuments, runQuestions } from "./run.ts";
