/**
 * Full text and vectors of one index, fused. Long lists are fused by the ids of their hits alone; only what is returned is read, with one
 * more request.
 */
import { type CallOptions, contentKey, type NodeWithScore, type Retriever } from "../schema/index.ts";
import { defineRetriever, type RetrieverFrame, retrieveOptions } from "./define.ts";
import type { FusionMode } from "./fuse.ts";
import { fusionRetriever } from "./fusion.ts";
import {
  bm25Request,
  checkedTopK,
  dslRetriever,
  type IndexRetrieverOptions,
  type SearchableIndex,
  vectorRequest,
} from "./retriever.ts";

/** How words and meaning are fused: weights and depth. */
export interface HybridOptions extends IndexRetrieverOptions {
  /** Default `reciprocal_rerank`. */
  mode?: FusionMode;
  /** For the modes that weigh. Default: equal. */
  weights?: { bm25: number; dense: number };
  /** Hits of each list that are fused; at least `topK`. Default 100. */
  depth?: number;
}

/** The two lists of the question's words and of its meaning, fused. */
export function hybridRetriever(target: SearchableIndex, options: HybridOptions = {}): Retriever {
  const { filters, ...rest } = options;
  const topK = checkedTopK(options.topK);
  const list = { topK: Math.max(checkedTopK(options.depth, 100), topK), ...(filters ? { filters } : {}) };
  const idsOnly = { _source: false } as const;
  const lists = {
    bm25: dslRetriever(target, (input) => withSome(bm25Request(target, input, list), idsOnly)),
    dense: dslRetriever(target, async (input) => withSome(await vectorRequest(target, input, list), idsOnly)),
  };
  return fusedLists(target, lists, { name: "hybrid", ...rest, topK, depth: list.topK });
}

/** How several lists of passages become one. */
export interface FusedListsOptions extends RetrieverFrame {
  topK: number;
  /** Hits of each list, at most. */
  depth: number;
  mode?: FusionMode;
  weights?: Record<string, number>;
  rankConstant?: number;
}

/**
 * Lists over one index, fused by the ids of their hits: the lists may come without their texts. Two passages with the same text and metadata are
 * given once, as fusion of whole nodes does it.
 */
export function fusedLists(
  target: SearchableIndex,
  lists: Record<string, Retriever>,
  options: FusedListsOptions,
): Retriever {
  const { topK, depth, mode, weights, rankConstant, ...frame } = options;
  const ranked = fusionRetriever({
    retrievers: lists,
    topK: Math.min(10_000, Object.keys(lists).length * depth),
    sameness: (node) => node.id,
    ...(mode ? { mode } : {}),
    ...(weights ? { weights } : {}),
    ...(rankConstant === undefined ? {} : { rankConstant }),
  });
  return defineRetriever(async (input) => {
    if (topK === 0) return [];
    const call = retrieveOptions(input);
    return firstDistinct(target, await ranked.retrieve(input, call), topK, call);
  }, frame);
}

function withSome<T extends object>(request: T | undefined, more: object): T | undefined {
  return request && { ...request, ...more };
}

/** The best `topK` of a ranking with their texts. What was removed since, and what repeats another's content, makes room for the next. */
async function firstDistinct(
  target: SearchableIndex,
  ranking: readonly NodeWithScore[],
  topK: number,
  call: CallOptions,
): Promise<NodeWithScore[]> {
  const out: NodeWithScore[] = [];
  const contents = new Set<string>();
  for (let from = 0; from < ranking.length && out.length < topK; ) {
    // Twice as many each time: the number of requests stays small whatever repeats itself.
    const part = ranking.slice(from, from + Math.max(topK, from));
    from += part.length;
    const nodes = await nodesById(target, part, call);
    for (const item of part) {
      const node = nodes.get(item.node.id);
      if (node === undefined || contents.has(contentKey(node)) || out.length === topK) continue;
      contents.add(contentKey(node));
      out.push({ ...item, node });
    }
  }
  return out;
}

async function nodesById(target: SearchableIndex, wanted: readonly NodeWithScore[], call: CallOptions) {
  const values = wanted.map(({ node }) => node.id);
  const found = dslRetriever(target, () => ({ query: { ids: { values } }, size: values.length }), { follow: false });
  return new Map((await found.retrieve("", call)).map(({ node }) => [node.id, node]));
}
