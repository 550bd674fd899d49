/**
 * Models: the bundled embedding, which needs nothing, and the AI SDK's language, embedding and reranking models. Nothing
 * here is called that the user did not configure.
 */

export * from "./ai-sdk.ts";
export * from "./asset.ts";
export * from "./bundled-embedding.ts";
export { type CompletionModelOptions, completionModel } from "./completion.ts";
export {
  type DashScope,
  type DashScopeEmbeddingOptions,
  type DashScopeOptions,
  dashScope,
} from "./dashscope/index.ts";
export { type DistillOptions, distill } from "./distill.ts";
export * from "./from-name.ts";
export { type LanguageRerankOptions, languageRerank } from "./language-rerank.ts";
export { type LocalEmbeddingOptions, localEmbedding } from "./local/embedding.ts";
export type { LocalModelOptions } from "./local/library.ts";
export { type LocalRerankOptions, localRerank } from "./local/rerank.ts";
export * from "./model-error.ts";
export { mostlyUnknownScripts, unknownScripts } from "./scripts.ts";
