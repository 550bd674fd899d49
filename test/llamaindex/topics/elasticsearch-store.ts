/**
 * The store over an index: what it keeps, finds and deletes. Its requests are this library's own (deletes that are told which ids are gone,
 * vectors that are compared exactly), and so are its mappings; what Python's store would read of them is the same.
 */
import { expect } from "vitest";
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import { cosine, type Filters, filterPredicate, nodeContent, type VectorQueryMode } from "../../../src/schema/index.ts";
import {
  type ElasticsearchStore,
  type ElasticsearchStoreOptions,
  elasticsearchStore,
} from "../../../src/stores/index.ts";
import { expectClose, fromNode, hashVector, type JsonNode, type Outcome, type Topic, toNode } from "../support.ts";

interface Step {
  op: "add" | "mapping" | "source" | "query" | "get_nodes" | "delete" | "delete_nodes" | "clear";
  id?: string;
  embed?: boolean;
  query?: string;
  k?: number;
  mode?: VectorQueryMode;
  filters?: Filters;
  node_ids?: string[];
  doc_id?: string;
  ref_doc_id?: string;
}

interface Input {
  strategy: string | null;
  nodes: JsonNode[];
  steps: Step[];
}

interface Expected {
  steps: { result?: unknown; error?: string }[];
}

interface Found {
  ids: string[];
  similarities: number[];
}

/** Python's strategies as options; the others have cases of their own elsewhere, or are refused. */
const STRATEGIES: Record<string, Partial<ElasticsearchStoreOptions>> = {
  bm25: { vectors: false },
  dense: {},
  "dense-dot": { similarity: "dot_product" },
  "dense-euclidean": { similarity: "l2_norm" },
  "dense-max-inner": { similarity: "max_inner_product" },
};

/** The strategy's own requests (rrf, scripts, sparse models), its options and its custom queries are not this store's. */
const OTHERS =
  /^(hybrid|sparse|script|no strategy|distance_strategy|own field|bm25-tuned|add without creating|es_filter|custom query|mode (?!text_search with strategy bm25))|synchronous|suffix|rrf/;

export const topic: Topic<Input> = {
  only: (name) => !OTHERS.test(name),
  async run(input, name) {
    const engine = await openEngine();
    try {
      const client = engine.client();
      if (name.startsWith("filter"))
        return await filtered(input, elasticsearchStore({ client, index: "nodes", vectors: false }));
      const store = elasticsearchStore({ client, index: "nodes", ...STRATEGIES[input.strategy!] });
      const results: unknown[] = [];
      for (const step of input.steps) {
        try {
          results.push({ result: await run(step, input, store) });
        } catch (error) {
          results.push({ error });
        }
      }
      return results;
    } finally {
      await engine.close();
    }
  },
  compare(actual: never, { steps }: Expected, input: Input, name) {
    if (name.startsWith("filter")) {
      const { result } = steps[input.steps.findIndex((step) => step.op === "query")]! as { result: Found };
      expectClose(actual, { ids: result.ids, similarities: result.similarities }, 1e-5);
      return;
    }
    for (const [i, step] of input.steps.entries()) compareStep(step, actual[i]!, steps[i]!, input);
  },
  quirks: {
    "better translate": (outcome: Outcome, _: Expected, input: Input) => expectFiltered(outcome, input),
    "better only for strings": (outcome: Outcome, _: Expected, input: Input) => expectFiltered(outcome, input),
    "is not passed on": (outcome: Outcome, _: Expected, input: Input) => expectFiltered(outcome, input),
  },
};

async function filtered({ nodes, steps }: Input, store: ElasticsearchStore): Promise<Found> {
  await store.add(nodes.map((json) => ({ node: toNode(json) })));
  return found(store, steps.find((step) => step.op === "query")!);
}

async function found(store: ElasticsearchStore, { query, k = 3, filters, embed, mode }: Step): Promise<Found> {
  const { ids, similarities } = await store.query({
    query: query!,
    topK: k,
    mode: mode ?? (embed ? "default" : "text_search"),
    ...(embed ? { embedding: hashVector(query!) } : {}),
    ...(filters ? { filters } : {}),
  });
  return { ids: ids!, similarities: scaled(similarities ?? []) };
}

async function run(step: Step, { nodes, strategy }: Input, store: ElasticsearchStore): Promise<unknown> {
  const which = {
    ...(step.node_ids ? { ids: step.node_ids } : {}),
    ...(step.filters ? { filters: step.filters } : {}),
  };
  switch (step.op) {
    case "add": {
      const embedded = (step.embed ?? true) && strategy !== "bm25";
      return store.add(
        nodes.map(toNode).map((node) => ({
          node,
          ...(embedded ? { embedding: hashVector(nodeContent(node, "embed")) } : {}),
        })),
      );
    }
    case "source":
      return (await store.client.get({ index: store.index, id: step.id! }))._source;
    case "query":
      return found(store, step);
    case "get_nodes":
      return (await store.getNodes(which)).map((node) => fromNode(node));
    case "delete":
      return store.delete((step.ref_doc_id ?? step.doc_id)!);
    case "delete_nodes":
      return store.deleteNodes(which);
    case "clear":
      return store.clear();
    case "mapping":
      return undefined;
  }
}

function compareStep(
  step: Step,
  actual: { result?: never; error?: unknown },
  expected: Expected["steps"][0],
  input: Input,
): void {
  if (expected.error !== undefined) {
    expect(actual.error, "the step must fail").toBeDefined();
    return;
  }
  if (actual.error !== undefined) throw actual.error;
  const { result } = actual;
  if (step.op === "source") compareSource(result as never, expected.result as never);
  if (step.op === "add") expect(result).toEqual(expected.result);
  if (step.op === "get_nodes") {
    const byId = (a: JsonNode, b: JsonNode) => (a.id < b.id ? -1 : 1);
    expect([...(result as unknown as JsonNode[])].sort(byId)).toEqual([...(expected.result as JsonNode[])].sort(byId));
  }
  if (step.op === "query") {
    const { ids, similarities } = expected.result as Found;
    if (input.strategy === "bm25") {
      expectClose(result, { ids, similarities }, 1e-5);
      return;
    }
    // The recordings' vectors are rounded to a byte: what is nearly as near may stand in another's place.
    const near = (id: string) => cosine(hashVector(step.query!), hashVector(nodeContent(nodeOf(input, id), "embed")));
    expectClose((result as unknown as Found).ids.map(near), ids.map(near), 0.02);
  }
}

function nodeOf({ nodes }: Input, id: string) {
  return toNode(nodes.find((node) => node.id === id)!);
}

interface Source {
  content: string;
  metadata: Record<string, unknown> & { _node_content: string };
  embedding?: number[];
}

/** The node's own JSON is compared as JSON: the order of its keys says nothing. */
function compareSource(actual: Source, expected: Source): void {
  const read = ({ content, metadata: { _node_content, ...metadata } }: Source) => ({
    content,
    metadata,
    node: JSON.parse(_node_content),
  });
  expect(read(actual)).toEqual(read(expected));
  expectClose(actual.embedding, expected.embedding, 1e-5);
}

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
