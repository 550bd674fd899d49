/** Reciprocal rank fusion of any strategies: computed here, so that it needs no licence and no server. */
import { z } from "zod";
import { fusedLists, type Strategy } from "../retrieval/index.ts";
import { DEPTH, listDepth, lists, STRATEGY_LIST } from "./lists.ts";

const options = z.strictObject({
  strategies: STRATEGY_LIST.default(["bm25", "dense"]).describe("the lists that are fused, by strategy"),
  k: z.number().positive().default(60).describe("how little the first ranks stand out: 1 / (k + rank), rank from 0"),
  depth: DEPTH,
});

export const rrf: Strategy<"rrf", typeof options> = {
  name: "rrf",
  title: "ranks in several lists, fused by their reciprocals",
  goodFor: "lists whose scores cannot be compared; nothing to tune",
  embeds: true,
  options,
  retriever: (target, { strategies, k, depth }, call) =>
    fusedLists(target, lists(strategies, call, depth), {
      name: "rrf",
      mode: "reciprocal_rerank",
      rankConstant: k,
      topK: call.topK,
      depth: listDepth(call, depth),
    }),
};
