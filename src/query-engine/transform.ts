/** LlamaIndex's TransformQueryEngine: asks an engine something else than it was asked. */
import type { QueryTransform } from "../retrieval/index.ts";
import { callOptions, type QueryEngine, withPrompts } from "../schema/index.ts";
import { queryEngine } from "./frame.ts";

/**
 * Makes a query engine that changes the question first.
 *
 * @example transformQueryEngine({ engine, transform: hyde({ model }) })
 */
export function transformQueryEngine(options: { engine: QueryEngine; transform: QueryTransform }): QueryEngine {
  const { engine, transform } = options;
  const self = queryEngine("transform", async (bundle, call) =>
    engine.query(await transform(bundle, callOptions(call)), call),
  );
  return withPrompts(self, {}, { transform, engine });
}
