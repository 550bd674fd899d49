/** LlamaIndex's RouterQueryEngine: a selector chooses which engines are asked; several answers become one. */
import type { Choice, Selection, Selector } from "../retrieval/index.ts";
import { routeAt } from "../retrieval/router.ts";
import {
  InvalidArgumentError,
  ModelNotConfiguredError,
  type QueryEngine,
  type Response,
  responseWith,
  textNode,
  withPrompts,
} from "../schema/index.ts";
import { queryEngine } from "./frame.ts";
import { type AnswerOptions, synthesizerOf } from "./retriever.ts";

/** A query engine that may be chosen, with what it is for. */
export interface EngineRoute extends Choice {
  engine: QueryEngine;
}

/** Of a router's own answer, made of several: `tree_summarize` unless `mode` says otherwise. */
export interface RouterQueryEngineOptions extends AnswerOptions {
  routes: readonly EngineRoute[];
  /** `modelSelector`, `embeddingSelector`, or a function of one's own. */
  selector: Selector;
}

/**
 * Makes a query engine that asks those that were chosen. One answer is given as it is; of several, a model writes one over all their
 * sources. `metadata.selections` tells what was chosen and why.
 *
 * @throws InvalidArgumentError when asked, where nothing was chosen
 * @example
 * const engine = routerQueryEngine({
 *   routes: [{ engine: facts, description: "单个事实" }, { engine: summaries, description: "概括和比较" }],
 *   selector: modelSelector({ model, multiple: true }),
 *   model,
 * });
 */
export function routerQueryEngine(options: RouterQueryEngineOptions): QueryEngine {
  const { routes, selector, ...answer } = options;
  if (routes.length === 0) throw new InvalidArgumentError("routes", routes, "a router needs at least one route");
  const summarizer = answer.model || answer.synthesizer ? synthesizerOf(withMode(answer)) : undefined;
  const engine = queryEngine("router", async (bundle, call) => {
    const selections = await selector(routes, bundle, call);
    if (selections.length === 0) {
      throw new InvalidArgumentError("selector", [], "the selector chose none of the routes");
    }
    const answers: Response[] = [];
    for (const { index } of selections) answers.push(await routeAt(routes, index).engine.query(bundle, call));
    const only = answers[0]!;
    if (answers.length === 1) return responseWith(only, { metadata: { ...only.metadata, selections } });
    if (!summarizer) {
      throw new ModelNotConfiguredError(
        "language",
        "an answer made of several",
        "give the router `model`, or a selector of one",
      );
    }
    const { within: _, ...passed } = call;
    const nodes = [];
    for (const one of answers) nodes.push({ node: textNode({ text: await one.text }) });
    const joined = await summarizer.synthesize({ query: bundle, nodes, ...passed });
    return responseWith(joined, { sources: sourcesOf(answers), metadata: metadataOf(answers, selections) });
  });
  return withPrompts(engine, {}, { selector, ...(summarizer ? { summarizer } : {}) });
}

function withMode(answer: AnswerOptions): AnswerOptions {
  return answer.synthesizer ? answer : { mode: "tree_summarize", ...answer };
}

function sourcesOf(answers: readonly Response[]): Response["sources"] {
  return answers.flatMap((answer) => answer.sources).map((source, i) => ({ ...source, n: i + 1 }));
}

function metadataOf(answers: readonly Response[], selections: readonly Selection[]): Record<string, unknown> {
  return { ...Object.assign({}, ...answers.map((answer) => answer.metadata)), selections };
}
