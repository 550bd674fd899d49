/** LlamaIndex's CustomQueryEngine: any function from a question to an answer. */
import { type QueryEngine, type Response, type RetrieveOptions, response } from "../schema/index.ts";
import { queryEngine } from "./frame.ts";

/** What a custom engine does: its answer, or the answer's text. */
export type CustomQuery = (query: string, options: RetrieveOptions) => string | Response | Promise<string | Response>;

/**
 * Makes a query engine of a function, or of an object with the method `customQuery` (so that a class with fields will do).
 *
 * @example
 * const engine = customQueryEngine(async (query, call) => {
 *   const nodes = await retriever.retrieve(query, call);
 *   return synthesizer.synthesize({ query, nodes, ...call });
 * });
 */
export function customQueryEngine(custom: CustomQuery | { customQuery: CustomQuery }): QueryEngine {
  const ask: CustomQuery = typeof custom === "function" ? custom : (...given) => custom.customQuery(...given);
  return queryEngine("custom", async (bundle, call) => {
    const answer = await ask(bundle.query, call);
    return typeof answer === "string" ? response({ text: answer }) : answer;
  });
}
