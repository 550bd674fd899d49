import { sentenceWindowSplitter } from "../../../src/ingest/index.ts";
import type { Metadata } from "../../../src/schema/index.ts";
import { fromNode, SENTENCES, type Topic, toDocument } from "../support.ts";

interface Input {
  text: string;
  window_size: number;
  sentence_tokenizer: string;
  metadata: Metadata;
}

export const topic: Topic<Input> = {
  async run({ text, window_size, sentence_tokenizer, metadata }) {
    const splitter = sentenceWindowSplitter({
      windowSize: window_size,
      sentenceTokenizer: SENTENCES[sentence_tokenizer]!,
      id: (n) => `doc#${n}`,
    });
    const nodes = await splitter.split(toDocument(text, metadata));
    return {
      nodes: nodes.map((node) => ({
        ...fromNode(node, text),
        excluded_embed: node.excludedEmbedMetadataKeys,
        excluded_llm: node.excludedLlmMetadataKeys,
      })),
    };
  },
};
