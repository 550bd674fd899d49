/** Query engines: from a question to an answer. */
export { CITATION_PROMPTS, type CitationQueryEngineOptions, citationQueryEngine } from "./citation.ts";
export { type CustomQuery, customQueryEngine } from "./custom.ts";
export { type MultiStepQueryEngineOptions, multiStepQueryEngine } from "./multi-step.ts";
export {
  type AnswerOptions,
  type RetrieverQueryEngine,
  type RetrieverQueryEngineOptions,
  retrieverQueryEngine,
} from "./retriever.ts";
export {
  type AnswerEvaluator,
  type Evaluation,
  type RelevancyEvaluatorOptions,
  type RetryQueryEngineOptions,
  relevancyEvaluator,
  retryQueryEngine,
} from "./retry.ts";
export { type EngineRoute, type RouterQueryEngineOptions, routerQueryEngine } from "./router.ts";
export {
  type EngineTool,
  type SubQuestion,
  type SubQuestionQueryEngineOptions,
  subQuestionQueryEngine,
} from "./sub-question.ts";
export { transformQueryEngine } from "./transform.ts";
