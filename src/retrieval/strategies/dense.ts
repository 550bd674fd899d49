/** Meaning: the nearest vectors. */
import { z } from "zod";
import { vectorRequest } from "../retriever.ts";
import { bothFilters } from "../store-retriever.ts";
import { requestStrategy } from "./strategy.ts";

/** The strategy `dense`: the nearest vectors. */
export const dense = requestStrategy({
  name: "dense",
  title: "meaning, by the nearest vectors",
  goodFor: "other words for the same thing, whole questions, questions in another language than the text",
  embeds: true,
  options: z.strictObject({
    cutoff: z
      .number()
      .optional()
      .describe(
        "the least raw similarity: of cosine and dot product the cosine itself (-1 to 1; 0.3 is a usual value), of maximum inner product the product, of l2_norm the largest distance",
      ),
    numCandidates: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe("vectors that the graph looks at; ten times topK where nothing is said"),
  }),
  async request(target, { filters, ...input }, { cutoff, numCandidates }, call) {
    const both = bothFilters(call.filters, filters);
    const request = await vectorRequest(target, input, { topK: call.topK, ...(both ? { filters: both } : {}) });
    if (!request || Array.isArray(request.knn) || !request.knn) return request;
    return {
      ...request,
      knn: {
        ...request.knn,
        ...(cutoff === undefined ? {} : { similarity: cutoff }),
        ...(numCandidates === undefined ? {} : { num_candidates: Math.max(numCandidates, call.topK) }),
      },
    };
  },
});
