/** LlamaIndex's QueryFusionRetriever over strategies: four modes, and questions that a language model writes. */
import { z } from "zod";
import { fusionRetriever, type Strategy } from "../retrieval/index.ts";
import { listWeights, referenceParts, STRATEGY_LIST } from "./lists.ts";
import { depthOption, languageModelOf } from "./of.ts";

const options = z.strictObject({
  strategies: STRATEGY_LIST.default(["bm25", "dense"]).describe("the lists that are fused, by strategy"),
  fusionMode: z
    .enum(["reciprocal_rerank", "relative_score", "dist_based_score", "simple"])
    .default("reciprocal_rerank")
    .describe("how lists become one, as LlamaIndex calls it"),
  numQueries: z
    .int()
    .min(1)
    .max(32)
    .default(1)
    .describe("questions that are asked, the user's included; above 1 a language model writes the others"),
  weights: z
    .union([z.record(z.string(), z.number().min(0)), z.array(z.number().min(0))])
    .optional()
    .describe("what each list counts in the modes that weigh; equal where nothing is said"),
  depth: depthOption(10, "passages of each list and question"),
});

export const fusion: Strategy<"fusion", typeof options> = {
  name: "fusion",
  title: "several strategies and several wordings of the question, fused",
  goodFor: "short or unclear questions, with a language model that writes others like them",
  embeds: true,
  options,
  retriever(_, { strategies, fusionMode, numQueries, weights, depth }, call) {
    const model =
      numQueries > 1 ? languageModelOf(call, "fusion with written questions (numQueries above 1)") : undefined;
    const retrievers = strategies.map((reference) => {
      const { name, options: own } = referenceParts(reference);
      return { name, retriever: call.strategy(name, own, { topK: Math.max(call.topK, depth) }) };
    });
    const named: Record<string, (typeof retrievers)[number]["retriever"]> = {};
    for (const { name, retriever } of retrievers) {
      let key = name;
      for (let n = 2; Object.hasOwn(named, key); n++) key = `${name} ${n}`;
      named[key] = retriever;
    }
    const shares = listWeights(Object.keys(named), weights);
    return fusionRetriever({
      retrievers: named,
      mode: fusionMode,
      numQueries,
      topK: call.topK,
      ...(model ? { model } : {}),
      ...(shares ? { weights: shares } : {}),
    });
  },
};
