/** LlamaIndex's SentenceEmbeddingOptimizer: of each node, only the sentences that are near the question. */
import { type SentenceTokenizer, sentenceTexts } from "../ingest/index.ts";
import {
  cosine,
  type EmbeddingModel,
  embedQuery,
  embedTexts,
  InvalidArgumentError,
  type Postprocessor,
} from "../schema/index.ts";

/** Which sentences of a node are kept: a share, or those above a likeness to the question. */
export interface SentenceOptimizerOptions {
  embedding: EmbeddingModel;
  /** Share of each node's sentences that is kept, from 0 to 1; at least one. Default 0.5 where there is no threshold. */
  percentileCutoff?: number;
  /** Sentences below this similarity go; a node of which nothing is left goes as a whole. */
  thresholdCutoff?: number;
  /** Sentences before and after a kept one that are kept with it. Default 0. */
  contextBefore?: number;
  contextAfter?: number;
  /** Default: sentences of Chinese and English. */
  sentenceTokenizer?: SentenceTokenizer;
}

/**
 * Shortens nodes to the sentences that matter, in the order of the text.
 *
 * @example sentenceOptimizer({ embedding, percentileCutoff: 0.3, contextAfter: 1 })
 */
export function sentenceOptimizer(options: SentenceOptimizerOptions): Postprocessor {
  const {
    embedding,
    thresholdCutoff,
    contextBefore = 0,
    contextAfter = 0,
    sentenceTokenizer = sentenceTexts,
  } = options;
  const share = options.percentileCutoff ?? (thresholdCutoff === undefined ? 0.5 : 1);
  if (!(share >= 0 && share <= 1)) {
    throw new InvalidArgumentError("percentileCutoff", share, "percentileCutoff must be between 0 and 1");
  }
  return {
    async postprocess(nodes, { query, ...call }) {
      const asked = query && (await embedQuery(embedding, query, call));
      if (!asked) throw new InvalidArgumentError("query", query, "choosing sentences needs the question");
      const cut = nodes.map(({ node }) => sentenceTokenizer(node.text).filter((sentence) => sentence.trim() !== ""));
      const vectors = await embedTexts(embedding, cut.flat(), { kind: "document", ...call });
      let at = 0;
      return nodes.flatMap((item, n) => {
        const sentences = cut[n]!;
        const similarities = sentences.map(() => cosine(asked, vectors[at++]!));
        const kept = chosen(similarities, share, thresholdCutoff);
        if (kept.length === 0) return [];
        const wide = new Set(kept.flatMap((place) => range(place - contextBefore, place + contextAfter)));
        const text = sentences
          .filter((_, place) => wide.has(place))
          .join("")
          .trim();
        return [{ ...item, node: { ...item.node, text } }];
      });
    },
  };
}

/** Places of the most similar sentences. */
function chosen(similarities: readonly number[], share: number, threshold: number | undefined): number[] {
  const count = Math.max(1, Math.floor(similarities.length * share));
  return [...similarities.keys()]
    .sort((a, b) => similarities[b]! - similarities[a]!)
    .slice(0, count)
    .filter((place) => threshold === undefined || similarities[place]! >= threshold);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
