/**
 * LlamaIndex's SemanticSplitterNodeParser: a new chunk begins where the embedding of what is said moves furthest. Each sentence is embedded
 * with its neighbours; a cut is made where the cosine distance to the next one is above a percentile of all distances.
 */
import {
  cosine,
  type EmbeddingModel,
  embedTexts,
  InvalidArgumentError,
  isZero,
  type Splitter,
} from "../../schema/index.ts";
import { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
import { type SentenceTokenizer, sentenceTexts, splitterName } from "./text.ts";

/** The embedding, and how unlike two sentences must be for a cut between them. */
export interface SemanticSplitterOptions extends NodeOptions {
  embedding: EmbeddingModel;
  /** Sentences before and after that are embedded with each. Default 1. */
  bufferSize?: number;
  /** Of the distances between neighbours, this percentile and what is below it makes no cut. Default 95. */
  breakpointPercentile?: number;
  /** Default: sentences of Chinese and English. */
  sentenceTokenizer?: SentenceTokenizer;
}

/**
 * Makes a splitter that cuts where the meaning changes. The chunks together are the text.
 *
 * @example const nodes = await semanticSplitter({ embedding: bundledEmbedding() }).split(document({ text }));
 */
export function semanticSplitter(options: SemanticSplitterOptions): Splitter {
  const { embedding, bufferSize = 1, breakpointPercentile = 95, sentenceTokenizer = sentenceTexts } = options;
  if (!Number.isInteger(bufferSize) || bufferSize < 0) {
    throw new InvalidArgumentError("bufferSize", bufferSize, "bufferSize must be a whole number, at least 0");
  }
  if (!(breakpointPercentile >= 0 && breakpointPercentile <= 100)) {
    throw new InvalidArgumentError(
      "breakpointPercentile",
      breakpointPercentile,
      "breakpointPercentile must be between 0 and 100",
    );
  }
  return {
    name: splitterName("semantic", options),
    async split(document, { signal } = {}) {
      signal?.throwIfAborted();
      const sentences = sentenceTokenizer(document.text);
      const grouped = sentences.map((_, n) =>
        sentences.slice(Math.max(0, n - bufferSize), n + bufferSize + 1).join(""),
      );
      const vectors = await embedTexts(embedding, grouped, { kind: "document", ...(signal ? { signal } : {}) });
      // A vector of zeros says nothing of how far its text is from others.
      const distances = vectors
        .slice(1)
        .map((vector, i) => (isZero(vector) || isZero(vectors[i]!) ? 0 : 1 - cosine(vectors[i]!, vector)));
      const threshold = percentile(distances, breakpointPercentile);
      const pieces: Piece[] = [];
      let at = 0;
      let text = "";
      sentences.forEach((sentence, n) => {
        text += sentence;
        if (n + 1 < sentences.length && !(distances[n]! > threshold)) return;
        pieces.push({ text, start: at });
        at += text.length;
        text = "";
      });
      return buildNodes(document, pieces, options);
    },
  };
}

/** With linear interpolation between neighbours, as NumPy's default. */
function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (percent / 100) * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}
