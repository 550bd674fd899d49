/** Configuration: a file, over which the environment goes, over which options of the command go. */
export {
  defineConfig,
  type ElasticsearchByAddress,
  type EmbeddingByName,
  type HuiliuConfig,
  type LanguageModelByName,
  type ModelByName,
  type RerankerByName,
} from "./config.ts";
export { configuredElasticsearch, ELASTICSEARCH_VARIABLES } from "./elasticsearch.ts";
export { type LoadedConfig, loadConfig } from "./load.ts";
export {
  type ConfiguredEmbedding,
  configuredEmbedding,
  configuredLanguageModel,
  configuredReranker,
} from "./models.ts";
export { indexTuning, type SearchConfig } from "./search.ts";
export { type Setting, writeSettings } from "./write.ts";
