/** LlamaIndex's RouterRetriever: a selector chooses which of several retrievers are asked. */
import { InvalidArgumentError, type NodeWithScore, type Retriever, withPrompts } from "../schema/index.ts";
import { defineRetriever, type RetrieverFrame, retrieveOptions } from "./define.ts";
import type { Choice, Selector } from "./selector.ts";

/** A retriever that may be chosen, with what it is for. */
export interface Route extends Choice {
  retriever: Retriever;
}

/** The retrievers that there are, and what chooses among them. */
export interface RouterOptions extends RetrieverFrame {
  routes: readonly Route[];
  /** `modelSelector` or `embeddingSelector`, or a function of one's own. */
  selector: Selector;
}

/**
 * Makes a retriever that asks those that were chosen. A node that several find stays where it was found first, with what was said of it
 * last.
 *
 * @example
 * routerRetriever({ routes: [{ retriever: leave, description: "请假" }, { retriever: travel, description: "出差" }], selector: embeddingSelector({ embedding }) })
 */
export function routerRetriever(options: RouterOptions): Retriever {
  const { routes, selector } = options;
  if (routes.length === 0) throw new InvalidArgumentError("routes", routes, "a router needs at least one route");
  const self = defineRetriever(
    async (input) => {
      const call = retrieveOptions(input);
      const selected = await selector(routes, input, call);
      const found = new Map<string, NodeWithScore>();
      for (const place of new Set(selected.map(({ index }) => index))) {
        const { retriever } = routeAt(routes, place);
        for (const item of await retriever.retrieve(input, call)) found.set(item.node.id, item);
      }
      return [...found.values()];
    },
    { name: "router", ...options },
  );
  return withPrompts(self, {}, { selector });
}

/** @throws InvalidArgumentError for a place that a selector of one's own made up */
export function routeAt<R>(routes: readonly R[], place: number): R {
  const route = routes[place];
  if (route !== undefined) return route;
  throw new InvalidArgumentError(
    "selector",
    place,
    `there are ${routes.length} routes, and none at ${place} (places count from 0)`,
  );
}
