/**
 * LlamaIndex's SentenceWindowNodeParser: a node for each sentence, which carries its neighbours in its metadata. The sentence is what is
 * embedded and found; `metadataReplacement("window")` then shows the model the window.
 */
import { InvalidArgumentError, type Splitter } from "../../schema/index.ts";
import { timeSlices } from "../slices.ts";
import { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
import { type SentenceTokenizer, sentenceTexts, splitterName } from "./text.ts";

/** How many sentences stand around each, and under which metadata. */
export interface SentenceWindowOptions extends NodeOptions {
  /** Sentences before and after. Default 3. */
  windowSize?: number;
  /** Default `window`. */
  windowMetadataKey?: string;
  /** Default `original_text`. */
  originalTextMetadataKey?: string;
  /** Default: sentences of Chinese and English. */
  sentenceTokenizer?: SentenceTokenizer;
}

/**
 * Makes a splitter that gives each sentence as a node. The two metadata keys are kept from the embedding and from the model.
 *
 * @example const nodes = await sentenceWindowSplitter({ windowSize: 1 }).split(document({ text }));
 */
export function sentenceWindowSplitter(options: SentenceWindowOptions = {}): Splitter {
  const { windowSize = 3, windowMetadataKey = "window", originalTextMetadataKey = "original_text" } = options;
  const { sentenceTokenizer = sentenceTexts } = options;
  if (!Number.isInteger(windowSize) || windowSize < 1) {
    throw new InvalidArgumentError("windowSize", windowSize, "windowSize must be a whole number, at least 1");
  }
  return {
    name: splitterName("sentence-window", options),
    async split(document, { signal } = {}) {
      signal?.throwIfAborted();
      const pause = timeSlices(signal);
      const texts = sentenceTokenizer(document.text);
      const pieces: Piece[] = [];
      let start = 0;
      for (const [n, text] of texts.entries()) {
        const window = texts.slice(Math.max(0, n - windowSize), n + windowSize + 1).join(" ");
        pieces.push({ text, start, metadata: { [windowMetadataKey]: window, [originalTextMetadataKey]: text } });
        start += text.length;
        await pause();
      }
      const hidden = [windowMetadataKey, originalTextMetadataKey];
      return buildNodes(document, pieces, options).map((node) => ({
        ...node,
        excludedEmbedMetadataKeys: [...node.excludedEmbedMetadataKeys, ...hidden],
        excludedLlmMetadataKeys: [...node.excludedLlmMetadataKeys, ...hidden],
      }));
    },
  };
}
