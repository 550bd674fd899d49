import { markdownSplitter } from "../../../src/ingest/index.ts";
import type { Metadata } from "../../../src/schema/index.ts";
import { expectClose, fromNode, type JsonNode, type Topic, toDocument } from "../support.ts";

interface Input {
  text: string;
  header_path_separator: string;
  metadata: Metadata;
}

export const topic: Topic<Input> = {
  async run({ text, header_path_separator, metadata }) {
    const splitter = markdownSplitter({ headerPathSeparator: header_path_separator });
    return { nodes: (await splitter.split(toDocument(text, metadata))).map((node) => fromNode(node, text)) };
  },
  // All nodes are called `doc#0` in the recordings.
  compare(actual: { nodes: JsonNode[] }, expected: { nodes: JsonNode[] }) {
    const nameless = (nodes: JsonNode[]) =>
      nodes.map(({ id: _, relationships = {}, ...node }) => ({
        ...node,
        source: relationships.source,
        related: { prev: relationships.prev !== undefined, next: relationships.next !== undefined },
      }));
    expectClose(nameless(actual.nodes), nameless(expected.nodes), 0);
  },
};
