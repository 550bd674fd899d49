/** The filters of the store over an index; its requests are compared elsewhere. */
import { expect } from "vitest";
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import { type Filters, filterPredicate } from "../../../src/schema/index.ts";
import { elasticsearchStore } from "../../../src/stores/index.ts";
import { expectClose, type JsonNode, type Outcome, type Topic, toNode } from "../support.ts";

interface Step {
  op: string;
  query?: string;
  k?: number;
  filters?: Filters;
}

interface Input {
  nodes: JsonNode[];
  steps: Step[];
}

interface Expected {
  steps: { result?: { ids: string[]; similarities: number[] }; error?: string }[];
}

interface Found {
  ids: string[];
  similarities: number[];
}

export const topic: Topic<Input> = {
  only: (name) => name.startsWith("filter"),
  async run({ nodes, steps }) {
    const engine = await openEngine();
    try {
      const store = elasticsearchStore({ client: engine.client(), index: "nodes", vectors: false });
      await store.add(nodes.map((json) => ({ node: toNode(json) })));
      const { query, k, filters } = steps.find((step) => step.op === "query")!;
      const { ids, similarities } = await store.query({
        query: query!,
        topK: k!,
        mode: "text_search",
        ...(filters ? { filters } : {}),
      });
      return { ids, similarities: scaled(similarities!) };
    } finally {
      await engine.close();
    }
  },
  compare(actual: Found, { steps }: Expected, input: Input) {
    const { result } = steps[input.steps.findIndex((step) => step.op === "query")]!;
    expectClose(actual, { ids: result!.ids, similarities: result!.similarities }, 1e-5);
  },
  quirks: {
    "better translate": (outcome: Outcome, _: Expected, input: Input) => expectFiltered(outcome, input),
    "better only for strings": (outcome: Outcome, _: Expected, input: Input) => expectFiltered(outcome, input),
    "is not passed on": (outcome: Outcome, _: Expected, input: Input) => expectFiltered(outcome, input),
  },
};

/** The recordings scale scores within an answer; here they are Elasticsearch's. */
function scaled(scores: readonly number[]): number[] {
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  return scores.map((score) => (high === low ? (high > 0 ? 1 : 0) : (score - low) / (high - low)));
}

/** What shares a character with the question and passes the filters. */
function expectFiltered({ value }: Outcome, { nodes, steps }: Input): void {
  const { query, k, filters } = steps.find((step) => step.op === "query")!;
  const passes = filterPredicate(filters);
  const words = new Set(query!.toLowerCase().match(/\p{sc=Han}|[a-z0-9]+/gu));
  const expected = nodes
    .filter((node) => (node.text.toLowerCase().match(/\p{sc=Han}|[a-z0-9]+/gu) ?? []).some((word) => words.has(word)))
    .filter((node) => passes({ ...node.metadata, doc_id: node.relationships?.source ?? "None" }))
    .map((node) => node.id);
  expect([...(value as unknown as Found).ids].sort()).toEqual(expected.sort().slice(0, k));
}
