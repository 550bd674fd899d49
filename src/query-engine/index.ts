/** Query engines: from a question to an answer. */
export { type RetrieverQueryEngineOptions, retrieverQueryEngine } from "./retriever.ts";
