/** What is done with the passages of another strategy: variety, the newest, the best at both ends. */
import { z } from "zod";
import { embeddingRecency, fixedRecency, longContextReorder, maximalMarginalRelevance } from "../postprocess/index.ts";
import { defineRetriever, retrieveOptions, type Strategy, type StrategyCall } from "../retrieval/index.ts";
import { callOptions, InvalidArgumentError, type Postprocessor, type Retriever } from "../schema/index.ts";
import type { StrategyReference } from "./lists.ts";
import { depthOption, innerRetriever, ofOption } from "./of.ts";

function processed(
  name: string,
  of: StrategyReference,
  call: StrategyCall,
  depth: number,
  by: Postprocessor,
): Retriever {
  const found = innerRetriever(of, call, depth);
  return defineRetriever(
    async (input) => {
      const own = retrieveOptions(input);
      const nodes = await found.retrieve(input, own);
      return (await by.postprocess(nodes, { ...callOptions(own), query: input })).slice(0, call.topK);
    },
    { name, follow: false },
  );
}

const mmrOptions = z.strictObject({
  of: ofOption("hybrid"),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe("the share of relevance; the rest counts against being like what was picked"),
  depth: depthOption(30, "passages that are picked from"),
});

export const mmr: Strategy<"mmr", typeof mmrOptions> = {
  name: "mmr",
  title: "passages that answer and are unlike each other (maximal marginal relevance)",
  goodFor: "collections that say the same thing many times; overviews",
  embeds: true,
  options: mmrOptions,
  retriever(target, { of, threshold, depth }, call) {
    const { embedding } = target;
    if (!embedding)
      throw new InvalidArgumentError("embedding", undefined, "mmr compares vectors: give the index an embedding");
    const by = maximalMarginalRelevance({ embedding, topK: call.topK, threshold });
    return processed("mmr", of, call, Math.max(call.topK, depth), by);
  },
};

const recencyOptions = z.strictObject({
  of: ofOption("hybrid"),
  dateKey: z.string().min(1).default("date").describe("the metadata that has the date"),
  versions: z
    .boolean()
    .default(false)
    .describe("of passages that are alike keep the newest, instead of ordering all by age"),
  similarityCutoff: z.number().min(-1).max(1).default(0.7).describe("how alike versions are, as a cosine"),
  depth: depthOption(20, "best passages that are ordered by age"),
});

export const recency: Strategy<"recency", typeof recencyOptions> = {
  name: "recency",
  title: "of the best passages the newest",
  goodFor: "rules in several versions, minutes, news",
  embeds: true,
  options: recencyOptions,
  retriever(target, { of, dateKey, versions, similarityCutoff, depth }, call) {
    const { embedding } = target;
    if (versions && !embedding)
      throw new InvalidArgumentError(
        "embedding",
        undefined,
        "versions are compared by vectors: give the index an embedding",
      );
    const by = versions
      ? embeddingRecency({ embedding: embedding!, dateKey, similarityCutoff })
      : fixedRecency({ dateKey, topK: call.topK });
    return processed("recency", of, call, Math.max(call.topK, depth), by);
  },
};

const longContextOptions = z.strictObject({ of: ofOption("hybrid") });

export const longContext: Strategy<"long-context", typeof longContextOptions> = {
  name: "long-context",
  title: "the best passages first and last, the weakest in the middle",
  goodFor: "many passages for a model that reads the middle carelessly",
  embeds: true,
  options: longContextOptions,
  retriever: (_, { of }, call) => processed("long-context", of, call, call.topK, longContextReorder()),
};
