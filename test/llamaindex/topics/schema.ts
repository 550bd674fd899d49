import { type Metadata, metadataText, nodeContent, nodeHash } from "../../../src/schema/index.ts";
import { document } from "../../../src/schema/node.ts";
import { hashVector, type JsonNode, type Topic, toNode } from "../support.ts";

type Input = JsonNode | { type: "mock-embedding"; text: string };

const MODES = ["all", "embed", "llm", "none"] as const;

export const topic: Topic<Input> = {
  run(input) {
    if (input.type === ("mock-embedding" as string)) return { vector: hashVector(input.text) };
    const json = input as JsonNode;
    const isDocument = json.type === "document";
    const node = isDocument
      ? document({ id: json.id, text: json.text, metadata: (json.metadata ?? {}) as Metadata })
      : toNode(json);
    const content = Object.fromEntries(MODES.map((mode) => [mode, nodeContent(node, mode)]));
    if (isDocument) return { hash: nodeHash(node), content };
    const metadata_str = Object.fromEntries(MODES.map((mode) => [mode, metadataText(node, mode)]));
    return { hash: nodeHash(node), content, metadata_str };
  },
};
