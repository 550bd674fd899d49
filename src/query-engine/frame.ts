/** The frame around every query engine: the question is normalised, the step is told to the trace, and no engine asks itself. */
import {
  InvalidArgumentError,
  type QueryBundle,
  type QueryEngine,
  queryBundle,
  type Response,
  type RetrieveOptions,
  step,
} from "../schema/index.ts";

/** Makes an engine of a function. Questions that come back to an engine that is being asked would have no end: they are refused. */
export function queryEngine(
  name: string,
  ask: (bundle: QueryBundle, call: RetrieveOptions) => Promise<Response>,
): QueryEngine {
  const self: QueryEngine = {
    async query(query, call = {}) {
      call.signal?.throwIfAborted();
      if (call.within?.includes(self)) {
        throw new InvalidArgumentError(
          "engine",
          name,
          `this ${name} query engine is asked by itself, which would have no end`,
        );
      }
      const bundle = queryBundle(query);
      return step(
        call,
        { kind: "query", name, attributes: { query: bundle.query } },
        (inner) => ask(bundle, { ...inner, within: [...(inner.within ?? []), self] }),
        (answer) => ({ sources: answer.sources.length }),
      );
    },
  };
  return self;
}
