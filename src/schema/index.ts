/**
 * The words that all parts above the engine share: documents and nodes, questions and filters, models, and the interfaces
 * of the parts that compose (reader, splitter, retriever, postprocessor, synthesizer, query engine). Interfaces and small
 * functions only, no Node module: everything here runs in a browser as well.
 */

export * from "./ask.ts";
export * from "./budget.ts";
export * from "./embed.ts";
export * from "./errors.ts";
export * from "./filter-match.ts";
export * from "./filters.ts";
export * from "./id.ts";
export * from "./language.ts";
export * from "./models.ts";
export * from "./node.ts";
export * from "./node-json.ts";
export * from "./parts.ts";
export * from "./prompted.ts";
export * from "./prompts.ts";
export * from "./python-text.ts";
export * from "./query.ts";
export * from "./response.ts";
export * from "./sha256.ts";
export type { Verbose } from "./shown.ts";
export * from "./stores.ts";
export * from "./trace.ts";
export * from "./vectors.ts";
