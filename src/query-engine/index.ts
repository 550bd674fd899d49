/** Query engines: from a question to an answer. */
export {
  type AnswerOptions,
  type RetrieverQueryEngine,
  type RetrieverQueryEngineOptions,
  retrieverQueryEngine,
} from "./retriever.ts";
