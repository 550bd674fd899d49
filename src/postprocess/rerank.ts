/** Reranking: a model reads question and passage together and puts the passages in a new order. */
import { type AiSdkRerankModel, toRerankModel } from "../models/index.ts";
import {
  InvalidArgumentError,
  ModelError,
  type NodeWithScore,
  nodeContent,
  type Postprocessor,
  type RerankModel,
  step,
  withPromptsOf,
} from "../schema/index.ts";

/** The reranking model, and how many nodes are kept. */
export interface RerankOptions {
  model: RerankModel | AiSdkRerankModel;
  /** Nodes that are kept. Default: all. */
  topN?: number;
}

/**
 * Reorders nodes by a reranking model. Each keeps the score and the rank that it came with in `reranked`. A node that the model leaves out
 * (a language model that finds it beside the point) is dropped.
 *
 * @example const best = await rerank({ model: localRerank("bge-reranker-base"), topN: 5 }).postprocess(nodes, { query });
 */
export function rerank(options: RerankOptions): Postprocessor {
  const { topN } = options;
  const model = toRerankModel(options.model);
  const self: Postprocessor = {
    async postprocess(nodes, { query, ...call }) {
      if (query === undefined)
        throw new InvalidArgumentError(
          "query",
          query,
          `${model.name} needs the question that the nodes were found for`,
        );
      if (nodes.length === 0) return [];
      const texts = nodes.map(({ node }) => nodeContent(node, "embed"));
      const what = { kind: "rerank", name: model.name, attributes: { nodes: nodes.length } } as const;
      const most = topN === undefined ? {} : { topN };
      const ranking = await step(call, what, (inner) => model.rerank(query.query, texts, { ...inner, ...most }));
      // Equal scores stay in the order in which they came.
      const sorted = [...checked(model.name, ranking, nodes.length)].sort(
        (a, b) => b.score - a.score || a.index - b.index,
      );
      return sorted.slice(0, topN).map(({ index, score }) => withScore(nodes[index]!, index, model.name, score));
    },
  };
  return withPromptsOf(self, model);
}

function withScore(found: NodeWithScore, index: number, model: string, score: number): NodeWithScore {
  const before = found.score === undefined ? {} : { scoreBefore: found.score };
  return { ...found, score, reranked: { model, score, ...before, rankBefore: index + 1 } };
}

function checked(model: string, ranking: { index: number; score: number }[], count: number) {
  const seen = new Set<number>();
  for (const { index, score } of ranking) {
    if (!Number.isInteger(index) || index < 0 || index >= count || seen.has(index) || Number.isNaN(score)) {
      throw new ModelError(
        model,
        `${model} returned a ranking that cannot be: text ${index} of ${count}, score ${score}`,
      );
    }
    seen.add(index);
  }
  return ranking;
}
