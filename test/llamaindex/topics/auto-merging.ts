import { expect } from "vitest";
import { autoMergingRetriever, defineRetriever } from "../../../src/retrieval/index.ts";
import { memoryDocstore } from "../../../src/stores/index.ts";
import { expectRanked, idsScores, type JsonNode, type Outcome, type Topic, toNode } from "../support.ts";

interface Input {
  nodes: JsonNode[];
  retrieved: [string, number | null][];
  threshold: number;
}

interface Result {
  nodes: [string, number | null][];
}

export const topic: Topic<Input> = {
  async run({ nodes, retrieved, threshold }) {
    const byId = new Map(nodes.map((json) => [json.id, toNode(json)]));
    const docstore = memoryDocstore();
    await docstore.add([...byId.values()]);
    const leaves = defineRetriever(() =>
      retrieved.map(([id, score]) => ({ node: byId.get(id)!, ...(score === null ? {} : { score }) })),
    );
    const merging = autoMergingRetriever({ retriever: leaves, docstore, threshold });
    return { nodes: idsScores(await merging.retrieve("question")) };
  },
  compare(actual: Result, expected: Result, _: Input, name: string) {
    expectRanked(actual.nodes, expected.nodes, { score: ([, score]) => score, key: ([id]) => id, name });
  },
  quirks: {
    // With gaps filled more is merged: what was found is there, or something above it.
    "better compare ids": ({ value }: Outcome, _: Result, { nodes, retrieved }: Input) => {
      const found = (value as unknown as Result).nodes;
      const parents = new Map(nodes.map((node) => [node.id, node.relationships?.parent]));
      const present = new Set(found.map(([id]) => id));
      const covered = (id: string | undefined): boolean =>
        id !== undefined && (present.has(id) || covered(parents.get(id)));
      for (const [id] of retrieved) expect(covered(id)).toBe(true);
      expect(found.map(([, score]) => score)).toEqual(found.map(([, score]) => score).sort((a, b) => b! - a!));
    },
  },
};
