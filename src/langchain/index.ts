/**
 * `huiliu/langchain`: this library's parts for LangChain.js (`@langchain/core`, an optional peer).
 *
 * @module huiliu/langchain
 */
export { fromLangChain, toLangChain } from "./documents.ts";
export { HuiliuEmbeddings } from "./embeddings.ts";
export { HuiliuRetriever, type HuiliuRetrieverInput } from "./retriever.ts";
export { langchainTools } from "./tools.ts";
export { type HuiliuAddOptions, HuiliuVectorStore, type HuiliuVectorStoreConfig } from "./vector-store.ts";
