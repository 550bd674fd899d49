/** LlamaIndex's RouterRetriever: a model, or an embedding, chooses which of several retrievers a question is for. */
import {
  cosine,
  type EmbeddingModel,
  embedQuery,
  embedTexts,
  fillTemplate,
  InvalidArgumentError,
  type LanguageModel,
  ModelError,
  type NodeWithScore,
  type QueryBundle,
  type RetrieveOptions,
  type Retriever,
  step,
} from "../schema/index.ts";
import { defineRetriever, type RetrieverFrame, retrieveOptions } from "./define.ts";
import { jsonInAnswer } from "./model-json.ts";

export interface Route {
  retriever: Retriever;
  /** What it knows: this is what is chosen by. */
  description: string;
}

/** Chooses among descriptions: their places, best first. */
export type Selector = (
  descriptions: readonly string[],
  bundle: QueryBundle,
  options: RetrieveOptions,
) => Promise<number[]>;

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
  return defineRetriever(
    async (input) => {
      const call = retrieveOptions(input);
      const chosen = await selector(
        routes.map((route) => route.description),
        input,
        call,
      );
      const found = new Map<string, NodeWithScore>();
      for (const place of new Set(chosen)) {
        const route = routes[place];
        if (!route)
          throw new InvalidArgumentError(
            "selector",
            place,
            `there are ${routes.length} routes, and no number ${place}`,
          );
        for (const item of await route.retriever.retrieve(input, call)) found.set(item.node.id, item);
      }
      return [...found.values()];
    },
    { name: "router", ...options },
  );
}

const PROMPT =
  "Below are numbered descriptions of sources, and a question. Choose {instruction} the question is for. Answer with JSON and nothing else: " +
  '[{"choice": number, "reason": string}].\n\n{choices}\n\nQuestion: {query_str}\nJSON:\n';

/**
 * A language model as a selector.
 *
 * @param options.multiple whether several may be chosen. Default false: the first counts
 */
export function modelSelector(options: { model: LanguageModel; multiple?: boolean; prompt?: string }): Selector {
  const { model, multiple = false, prompt = PROMPT } = options;
  return async (descriptions, { query }, call) => {
    const choices = descriptions.map((text, i) => `(${i + 1}) ${text.replace(/\n/g, " ")}`).join("\n\n");
    const instruction = multiple ? "those that" : "the one that";
    const filled = fillTemplate(prompt, { choices, query_str: query, instruction });
    const answer = await step(
      call,
      { kind: "generate", name: model.name, attributes: { purpose: "routing" } },
      (inner) => model.generate({ prompt: filled, ...(inner.signal ? { signal: inner.signal } : {}) }),
    );
    const value = jsonInAnswer(answer);
    const numbers = (Array.isArray(value) ? value : [value])
      .map((item) => Number((item as { choice?: unknown } | undefined)?.choice))
      .filter((number) => Number.isInteger(number) && number >= 1 && number <= descriptions.length);
    if (numbers.length === 0) {
      throw new ModelError(
        model.name,
        `${model.name} was asked to choose a source and answered: ${answer.slice(0, 200)}`,
      );
    }
    return (multiple ? numbers : numbers.slice(0, 1)).map((number) => number - 1);
  };
}

/** The description that is nearest to the question. */
export function embeddingSelector({ embedding }: { embedding: EmbeddingModel }): Selector {
  return async (descriptions, bundle, call) => {
    const asked = await embedQuery(embedding, bundle, call);
    if (!asked)
      throw new InvalidArgumentError("query", bundle.query, "choosing by embedding needs a question that is not empty");
    const vectors = await embedTexts(embedding, descriptions, { kind: "document", ...call });
    const similarities = vectors.map((vector) => cosine(asked, vector));
    return [similarities.indexOf(Math.max(...similarities))];
  };
}
