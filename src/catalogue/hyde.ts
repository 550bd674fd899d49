/** Hypothetical document embeddings: what is embedded is an answer that a model made up. */
import { z } from "zod";
import { hyde as hypothetical, type Strategy, transformRetriever } from "../retrieval/index.ts";
import { innerRetriever, languageModelOf, ofOption } from "./of.ts";

const options = z.strictObject({
  of: ofOption("dense"),
  includeOriginal: z.boolean().default(true).describe("whether the question itself is embedded beside the passage"),
});

export const hyde: Strategy<"hyde", typeof options> = {
  name: "hyde",
  title: "meaning of an answer that a language model made up (HyDE)",
  goodFor: "questions that look unlike the passages that answer them",
  needs: ["language model"],
  embeds: true,
  options,
  retriever: (_, { of, includeOriginal }, call) =>
    transformRetriever({
      retriever: innerRetriever(of, call),
      transform: hypothetical({ model: languageModelOf(call, "hyde"), includeOriginal }),
      name: "hyde",
    }),
};
