/**
 * The store over an index: what it keeps, finds and deletes. Its requests are this library's own (deletes that are told which ids are gone,
 * vectors that are compared exactly), and so are its mappings; what Python's store would read of them is the same.
 */
import type { estypes } from "@elastic/elasticsearch";
import { expect } from "vitest";
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import { vectorStoreIndex } from "../../../src/indices/index.ts";
import {
  cosine,
  type Filters,
  filterPredicate,
  nodeContent,
  type SparseEmbeddingModel,
  type VectorQueryMode,
} from "../../../src/schema/index.ts";
import {
  type ElasticsearchQueryOptions,
  type ElasticsearchStore,
  type ElasticsearchStoreOptions,
  elasticsearchStore,
} from "../../../src/stores/index.ts";
import {
  expectClose,
  fromNode,
  hashEmbedding,
  hashVector,
  type JsonNode,
  type Outcome,
  type Topic,
  toNode,
} from "../support.ts";

interface Step {
  op: "add" | "mapping" | "source" | "query" | "get_nodes" | "delete" | "delete_nodes" | "clear";
  id?: string;
  embed?: boolean;
  query?: string;
  k?: number;
  mode?: VectorQueryMode;
  filters?: Filters;
  es_filter?: estypes.QueryDslQueryContainer[];
  custom_query?: string;
  node_ids?: string[];
  doc_id?: string;
  ref_doc_id?: string;
  kwargs?: { create_index_if_not_exists?: boolean };
}

interface Input {
  strategy: string | null;
  nodes: JsonNode[];
  steps: Step[];
  store?: {
    text_field?: string;
    vector_field?: string;
    metadata_mappings?: Record<string, estypes.MappingProperty>;
    distance_strategy?: string;
  };
  /** Of a case that asks an index over the store. */
  query?: string;
  similarity_top_k?: number;
}

interface Expected {
  steps: { result?: unknown; error?: string; not_served_by_reference_node?: true }[];
  texts_embedded_at_build?: number;
  embedded_at_query?: [string, string][];
  nodes?: { id: string; score: number }[];
}

interface Found {
  ids: string[];
  similarities: number[];
}

/** Python's strategies as options. */
const STRATEGIES: Record<string, Partial<ElasticsearchStoreOptions>> = {
  bm25: { vectors: false, bm25: {} },
  "bm25-tuned": { vectors: false, bm25: { k1: 1.5, b: 0.5 } },
  dense: {},
  "dense-dot": { similarity: "dot_product" },
  "dense-euclidean": { similarity: "l2_norm" },
  "dense-max-inner": { similarity: "max_inner_product" },
  "hybrid-no-rrf": { hybrid: "sum" },
  "hybrid-rrf": { hybrid: "rrf" },
  sparse: { vectors: false, sparse: words() },
};

/** Python's distances; without a strategy it is the cosine. */
const DISTANCES: Record<string, Partial<ElasticsearchStoreOptions>> = {
  COSINE: {},
  DOT_PRODUCT: { similarity: "dot_product" },
  EUCLIDEAN_DISTANCE: { similarity: "l2_norm" },
  MAX_INNER_PRODUCT: { similarity: "max_inner_product" },
};

/** How the recordings changed a body. */
const CUSTOM: Record<string, NonNullable<ElasticsearchQueryOptions["customQuery"]>> = {
  min_score: (body) => ({ ...body, min_score: 0.01 }),
  replace: (_, question) => ({ query: { match_phrase: { content: [...question!].slice(0, 2).join("") } } }),
};

/** The words of a text as terms: Python's sparse model runs within a cluster, here it is handed in. */
function words(): SparseEmbeddingModel {
  const vector = (text: string) => Object.fromEntries(wordsOf(text).map((word) => [word, 1]));
  return { name: "words", embedSparse: async (texts) => texts.map(vector) };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{sc=Han}|[a-z0-9]+/gu) ?? [];
}

function optionsOf({ strategy, store = {}, steps = [] }: Input): Partial<ElasticsearchStoreOptions> {
  const { text_field, vector_field, metadata_mappings, distance_strategy } = store;
  const made = steps.find((step) => step.op === "add")?.kwargs?.create_index_if_not_exists;
  return {
    ...(strategy ? STRATEGIES[strategy] : DISTANCES[distance_strategy ?? "COSINE"]),
    ...(text_field ? { textField: text_field } : {}),
    ...(vector_field ? { vectorField: vector_field } : {}),
    ...(metadata_mappings ? { metadataMappings: metadata_mappings } : {}),
    ...(made === undefined ? {} : { createIndex: made }),
  };
}

export const topic: Topic<Input> = {
  notRun: [[/^script-score/, "LlamaIndex's store cannot use the strategy either; here vectors are found by knn alone"]],
  async run(input, name) {
    const engine = await openEngine();
    try {
      const client = engine.client();
      if (name.startsWith("filter"))
        return await filtered(input, elasticsearchStore({ client, index: "nodes", vectors: false }));
      const store = elasticsearchStore({ client, index: "nodes", ...optionsOf(input) });
      if (input.query !== undefined) return await throughIndex(input, store);
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
  compare(actual: never, expected: Expected, input: Input, name) {
    if (input.query !== undefined) return compareIndex(actual, expected, input);
    const { steps } = expected;
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
    "better combine both": ({ value }: Outcome, _: Expected, { nodes, steps }: Input) => {
      // The recordings' filter by days leaves nothing.
      const range = steps.find((step) => step.op === "query")!.es_filter![0]!.range as Record<string, { gte: number }>;
      const least = range["metadata.days"]!.gte;
      const most = Math.max(...nodes.map((node) => Number(node.metadata?.["days"] ?? 0)));
      expect([least > most, (value as unknown as { result: Found }[]).at(-1)!.result.ids]).toEqual([true, []]);
    },
    // Every mode is for every store that keeps what it compares: none has to be told beforehand.
    "name:mode hybrid with strategy dense": expectResults,
    "name:mode text_search with strategy dense": expectResults,
    "name:mode mmr with strategy dense": expectResults,
  },
};

/** As many as were asked for, or as there are, none twice. */
function expectResults({ value }: Outcome, _: Expected, { steps, nodes }: Input): void {
  const { k = 3, query } = steps.find((step) => step.op === "query")!;
  const { ids } = (value as unknown as { result: Found }[]).at(-1)!.result;
  expect([...new Set(ids)]).toEqual(ids);
  const sharing = nodes.filter((node) => wordsOf(node.text).some((word) => wordsOf(query!).includes(word)));
  expect(ids.length).toBeGreaterThanOrEqual(Math.min(k, sharing.length));
}

async function throughIndex({ nodes, query, strategy, similarity_top_k: topK }: Input, store: ElasticsearchStore) {
  const embedding = hashEmbedding();
  const index = await vectorStoreIndex({ nodes: nodes.map(toNode), store, embedding });
  const texts = embedding.seen.length;
  const mode = strategy?.startsWith("hybrid") ? ({ mode: "hybrid" } as const) : {};
  const found = await index.asRetriever({ topK: topK!, ...mode }).retrieve(query!);
  return {
    texts,
    asked: embedding.seen.slice(texts),
    ids: found.map(({ node }) => node.id),
    similarities: scaled(found.map(({ score }) => score!)),
  };
}

function compareIndex(
  actual: Found & { texts: number; asked: [string, string][] },
  expected: Expected,
  input: Input,
): void {
  expect(actual.texts).toBe(expected.texts_embedded_at_build);
  expect(actual.asked).toEqual(expected.embedded_at_query);
  const nodes = expected.nodes!;
  compareFound(
    actual,
    { ids: nodes.map(({ id }) => id), similarities: nodes.map(({ score }) => score) },
    input,
    input.query!,
  );
}

async function filtered({ nodes, steps }: Input, store: ElasticsearchStore): Promise<Found> {
  await store.add(nodes.map((json) => ({ node: toNode(json) })));
  return found(store, steps.find((step) => step.op === "query")!, null);
}

async function found(store: ElasticsearchStore, step: Step, strategy: string | null): Promise<Found> {
  const { query, k = 3, filters, embed, mode, es_filter: filter, custom_query: custom } = step;
  const usual = strategy?.startsWith("hybrid") ? "hybrid" : "default";
  const storeOptions = { ...(filter ? { filter } : {}), ...(custom ? { customQuery: CUSTOM[custom] } : {}) };
  const { ids, similarities } = await store.query({
    query: query!,
    topK: k,
    mode: mode ?? usual,
    storeOptions,
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
      const embedded = (step.embed ?? true) && !strategy?.startsWith("bm25") && strategy !== "sparse";
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
      return found(store, step, strategy);
    case "get_nodes":
      return (await store.getNodes(which)).map((node) => fromNode(node));
    case "delete":
      return store.delete((step.ref_doc_id ?? step.doc_id)!);
    case "delete_nodes":
      return store.deleteNodes(which);
    case "clear":
      return store.clear();
    case "mapping": {
      const { mappings, settings } = (await store.client.indices.get({ index: store.index }))[store.index]!;
      return { mappings, similarity: settings?.index?.similarity ?? null };
    }
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
  if (expected.not_served_by_reference_node) {
    if (step.op === "query") expect((result as unknown as Found).ids.length).toBeGreaterThan(0);
    return;
  }
  if (step.op === "source") compareSource(result as never, expected.result as never);
  if (step.op === "add") expect(result).toEqual(expected.result);
  if (step.op === "mapping") compareMapping(result as never, expected.result as never, input);
  if (step.op === "get_nodes") {
    const byId = (a: JsonNode, b: JsonNode) => (a.id < b.id ? -1 : 1);
    expect([...(result as unknown as JsonNode[])].sort(byId)).toEqual([...(expected.result as JsonNode[])].sort(byId));
  }
  if (step.op === "query") compareFound(result as unknown as Found, expected.result as Found, input, step.query!);
}

function compareFound(actual: Found, { ids, similarities }: Found, input: Input, query: string): void {
  if (input.strategy?.startsWith("bm25")) {
    expectClose({ ids: actual.ids, similarities: actual.similarities }, { ids, similarities }, 1e-5);
    return;
  }
  // The recordings' vectors are rounded to a byte: what is nearly as near may stand in another's place.
  if (input.strategy?.startsWith("hybrid")) {
    expect(actual.ids).toEqual(ids);
    expectClose(actual.similarities, similarities, 0.02);
    return;
  }
  const near = (id: string) => cosine(hashVector(query), hashVector(nodeContent(nodeOf(input, id), "embed")));
  expectClose(actual.ids.map(near), ids.map(near), 0.02);
}

interface Mapping {
  mappings: { properties: Record<string, estypes.MappingProperty & { properties?: Record<string, { type: string }> }> };
  similarity: unknown;
}

/** What Python's store needs of a mapping is there. Where Elasticsearch made it by itself, it is the same. */
function compareMapping(actual: Mapping, expected: Mapping, input: Input): void {
  expect(actual.similarity).toEqual(expected.similarity);
  if (optionsOf(input).createIndex === false) {
    expect(actual.mappings).toEqual(expected.mappings);
    return;
  }
  const ours = actual.mappings.properties;
  for (const [name, field] of Object.entries(expected.mappings.properties)) {
    const { type, dims, similarity } = field as Record<string, unknown>;
    const known = Object.entries({ type, dims, similarity }).filter(([, value]) => value !== undefined);
    expect(ours[name]).toMatchObject(Object.fromEntries(known));
    for (const key of ["doc_id", "document_id", "ref_doc_id", ...Object.keys(input.store?.metadata_mappings ?? {})]) {
      if (name === "metadata") expect(ours[name]!.properties![key]).toEqual(field.properties![key]);
    }
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
  const expected = nodes
    .filter((node) => wordsOf(node.text).some((word) => wordsOf(query!).includes(word)))
    .filter((node) => passes({ ...node.metadata, doc_id: node.relationships?.source ?? "None" }))
    .map((node) => node.id);
  expect([...(value as unknown as Found).ids].sort()).toEqual(expected.sort().slice(0, k));
}
