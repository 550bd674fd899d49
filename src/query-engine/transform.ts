/** LlamaIndex's TransformQueryEngine: asks an engine something else than it was asked. */
import type { QueryTransform } from "../retrieval/index.ts";
import { callOptions, type QueryEngine } from "../schema/index.ts";
import { queryEngine } from "./frame.ts";

/**
 * Makes a query engine that changes the question first.
 *
 * @example transformQueryEngine({ engine, transform: hyde({ model }) })
 */
export function transformQueryEngine(options: { engine: QueryEngine; transform: QueryTransform }): QueryEngine {
  return queryEngine("transform", async (bundle, call) =>
    options.engine.query(await options.transform(bundle, callOptions(call)), call),
  );
}
