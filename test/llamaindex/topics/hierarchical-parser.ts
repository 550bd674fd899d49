import { expect } from "vitest";
import { hierarchicalSplitter, leafNodes, rootNodes } from "../../../src/ingest/index.ts";
import type { Metadata } from "../../../src/schema/index.ts";
import {
  expectClose,
  fromNode,
  type JsonNode,
  type Outcome,
  SENTENCES,
  type Topic,
  toDocument,
  tokenizer,
} from "../support.ts";

interface Input {
  text: string;
  chunk_sizes: number[];
  chunk_overlap: number;
  tokenizer: string;
  sentence_tokenizer: string;
  metadata: Metadata;
}

interface Result {
  nodes: JsonNode[];
  leaves: string[];
  roots: string[];
}

export const topic: Topic<Input> = {
  async run({ text, chunk_sizes, chunk_overlap, tokenizer: tokens, sentence_tokenizer, metadata }) {
    let made = 0;
    const splitter = hierarchicalSplitter({
      chunkSizes: chunk_sizes,
      chunkOverlap: chunk_overlap,
      tokenizer: tokenizer(tokens),
      sentenceTokenizer: SENTENCES[sentence_tokenizer]!,
      id: () => `n${++made}`,
    });
    const nodes = await splitter.split(toDocument(text, metadata));
    return {
      nodes: nodes.map((node) => fromNode(node, text)),
      leaves: leafNodes(nodes).map((node) => node.id),
      roots: rootNodes(nodes).map((node) => node.id),
    };
  },
  quirks: {
    "below the top level nodes get prev but no next": (outcome: Outcome, expected: Result, { text }: Input) => {
      const actual = outcome.value as unknown as Result;
      const byId = new Map(expected.nodes.map((node) => [node.id, node]));
      const mended = expected.nodes.map((node) => {
        const parent = node.relationships?.parent ? byId.get(node.relationships.parent) : undefined;
        if (!parent) return node;
        const next = expected.nodes.find((other) => other.relationships?.prev === node.id);
        return { ...node, relationships: { ...node.relationships, ...(next ? { next: next.id } : {}) } };
      });
      const placeless = (nodes: JsonNode[]) => nodes.map(({ start: _, end: __, ...node }) => node);
      expectClose({ ...actual, nodes: placeless(actual.nodes) }, { ...expected, nodes: placeless(mended) }, 0);
      // Places count in the document.
      const points = [...text];
      for (const node of actual.nodes) expect(points.slice(node.start!, node.end!).join("")).toBe(node.text);
    },
  },
};
