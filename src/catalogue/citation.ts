/** Passages cut into the numbered sources of an answer: LlamaIndex's CitationQueryEngine by name. */
import { z } from "zod";
import { sentenceSplitter } from "../ingest/index.ts";
import { citationQueryEngine } from "../query-engine/index.ts";
import { defineRetriever, retrieveOptions, type Strategy } from "../retrieval/index.ts";
import {
  type CallOptions,
  callOptions,
  type EmbeddingModel,
  type LanguageModel,
  type NodeWithScore,
  type Response,
  type Retriever,
  textNode,
} from "../schema/index.ts";
import { innerRetriever, ofOption } from "./of.ts";

const options = z.strictObject({
  of: ofOption("hybrid"),
  chunkSize: z.int().min(16).max(100_000).default(256).describe("tokens of a source at most"),
  chunkOverlap: z.int().min(0).default(20).describe("tokens that neighbouring sources share"),
});

export const citation: Strategy<"citation", typeof options> = {
  name: "citation",
  title: "short numbered sources, which the answer cites as [1], [2]",
  goodFor: "answers that must be checked: law, medicine, money",
  embeds: true,
  options,
  retriever(_, { of, chunkSize, chunkOverlap }, call) {
    const found = innerRetriever(of, call);
    const splitter = sentenceSplitter({ chunkSize, chunkOverlap });
    return defineRetriever(
      async (input) => {
        const own = retrieveOptions(input);
        const out: NodeWithScore[] = [];
        for (const hit of await found.retrieve(input, own)) {
          const texts = (await splitter.splitText(hit.node.text, own)).filter((text) => text.trim() !== "");
          texts.forEach((text, i) => {
            const { metadata, relationships } = hit.node;
            const id = texts.length === 1 ? hit.node.id : `${hit.node.id}#${i + 1}`;
            out.push({ ...hit, node: textNode({ id, text, metadata, relationships }) });
          });
        }
        return out.slice(0, call.topK);
      },
      { name: "citation", follow: false },
    );
  },
};

/** How an answer with numbered sources is made; sizes are tokens. */
export interface CitedAnswerOptions extends CallOptions {
  /** Finds the passages. */
  retriever: Retriever;
  /** Without one the answer is an extract, which cites by itself. */
  model?: LanguageModel;
  embedding?: EmbeddingModel;
  chunkSize?: number;
  chunkOverlap?: number;
}

/** An answer with the strategy's sources; its `citations` tell which numbers have no source, and which sentences have no number. */
export function citedAnswer(question: string, given: CitedAnswerOptions): Promise<Response> {
  const { retriever, model, embedding, chunkSize = 256, chunkOverlap = 20 } = given;
  const engine = citationQueryEngine({
    retriever,
    citationChunkSize: chunkSize,
    citationChunkOverlap: chunkOverlap,
    ...(model ? { model } : {}),
    ...(embedding ? { embedding } : {}),
  });
  return engine.query(question, callOptions(given));
}
