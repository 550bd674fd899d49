/** A model that reads question and passage together puts the best of another strategy in order. */
import { z } from "zod";
import { rerank as reranking } from "../postprocess/index.ts";
import { defineRetriever, retrieveOptions, type Strategy } from "../retrieval/index.ts";
import { callOptions, ModelNotConfiguredError } from "../schema/index.ts";
import { depthOption, innerRetriever, ofOption } from "./of.ts";

const options = z.strictObject({
  of: ofOption("hybrid"),
  depth: depthOption(30, "passages that the reranker reads"),
  onError: z
    .enum(["fail", "fallback"])
    .default("fail")
    .describe("whether a reranker that fails fails the search, or leaves the order as it was"),
});

export const rerank: Strategy<"rerank", typeof options> = {
  name: "rerank",
  title: "the best of another strategy, read again by a reranking model",
  goodFor: "the right passage first; each shows its rank before and after",
  needs: ["reranker"],
  embeds: true,
  options,
  retriever(_, { of, depth, onError }, call) {
    const { reranker: model, topK } = call;
    if (!model) {
      throw new ModelNotConfiguredError(
        "rerank",
        "the strategy rerank",
        "give the search a `reranker` (--reranker provider/name, or in the configuration)",
      );
    }
    const found = innerRetriever(of, call, Math.max(topK, depth));
    return defineRetriever(
      async (input) => {
        const own = retrieveOptions(input);
        const nodes = await found.retrieve(input, own);
        try {
          return await reranking({ model, topN: topK }).postprocess(nodes, { ...callOptions(own), query: input });
        } catch (error) {
          if (onError === "fail" || input.signal?.aborted) throw error;
          const reason = error instanceof Error ? error.message : String(error);
          call.warn("reranker-failed", `the reranker ${model.name} failed, and the order is as it was: ${reason}`);
          return nodes.slice(0, topK);
        }
      },
      { name: "rerank", follow: false },
    );
  },
};
