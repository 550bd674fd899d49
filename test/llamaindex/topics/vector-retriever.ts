import { expect } from "vitest";
import { vectorStoreIndex } from "../../../src/indices/index.ts";
import { storeRetriever } from "../../../src/retrieval/index.ts";
import {
  cosine,
  type EmbeddingModel,
  type Filters,
  nodeContent,
  type QueryBundle,
  type VectorQueryMode,
} from "../../../src/schema/index.ts";
import {
  expectClose,
  expectRanked,
  hashEmbedding,
  hashVector,
  idsScores,
  type JsonNode,
  type Outcome,
  type Topic,
  toNode,
} from "../support.ts";

type Scored = [string, number | null];

interface Input {
  nodes: JsonNode[];
  query: string;
  similarity_top_k: number;
  filters?: Filters;
  node_ids?: string[];
  doc_ids?: string[];
  embedding?: number[];
  custom_embedding_strs?: string[] | null;
  mode?: VectorQueryMode;
  store_kwargs?: { mmr_threshold?: number };
  dims?: number[];
}

interface Result {
  nodes: Scored[];
  embedded: [string, string][];
}

interface TwoResults {
  first: Scored[];
  second: Scored[] | { error: string };
}

export const topic: Topic<Input> = {
  async run(input) {
    const bundle: QueryBundle = {
      query: input.query,
      ...(input.custom_embedding_strs ? { embeddingTexts: input.custom_embedding_strs } : {}),
      ...(input.embedding ? { embedding: input.embedding } : {}),
    };
    if (input.dims) return twoModels(input, bundle, input.dims);
    const embedding = hashEmbedding();
    const retriever = await retrieverOver(input, embedding);
    embedding.seen.length = 0;
    const nodes = idsScores(await retriever.retrieve(bundle));
    return { nodes, embedded: embedding.seen };
  },
  compare(actual: Result | TwoResults, expected: Result | TwoResults, _: Input, name: string) {
    if ("first" in actual) return expectClose(actual, expected, 1e-9);
    expectClose(actual.embedded, (expected as Result).embedded, 0);
    ranked(actual.nodes, (expected as Result).nodes, name);
  },
  quirks: {
    "0 means no limit": ({ value }: Outcome) => expect((value as unknown as Result).nodes).toEqual([]),
    "nested filters are refused": ({ value }: Outcome, _: unknown, input: Input) => {
      const found = (value as unknown as Result).nodes.map(([id]) => id).sort();
      expect(found).toEqual(
        input.nodes
          .filter((node) => nestedMatch(input.filters as Nested, node))
          .map((node) => node.id)
          .sort(),
      );
    },
    // No node of these comes from a document.
    "doc_ids are ignored": ({ value }: Outcome) => expect((value as unknown as Result).nodes).toEqual([]),
    "the returned score is the MMR score": ({ value }: Outcome, expected: Result, input: Input) => {
      const { nodes, embedded } = value as unknown as Result;
      expectClose(embedded, expected.embedded, 0);
      expect(nodes.length).toBe(expected.nodes.length);
      expectMarginal(nodes, input);
    },
    "better never change the bundle": ({ value }: Outcome, expected: TwoResults) => {
      const actual = value as unknown as TwoResults;
      expectClose(actual.first, expected.first, 1e-9);
      expect(actual.second).toHaveLength(expected.first.length);
    },
    "better keep insertion order": ({ value }: Outcome, expected: Result, input: Input) => {
      const { nodes } = value as unknown as Result;
      const order = input.nodes.map((node) => node.id);
      expect(nodes.map(([id]) => id)).toEqual(order.slice(0, nodes.length));
      expect(nodes.length).toBe(expected.nodes.length);
    },
    "better filter only, or a clear error": ({ value }: Outcome, _: unknown, { nodes }: Input) => {
      expect((value as unknown as Result).nodes).toEqual(nodes.map((node) => [node.id, null]));
    },
    ...accidents(),
  },
};

async function retrieverOver(input: Input, embedding: EmbeddingModel, topK = input.similarity_top_k) {
  const index = await vectorStoreIndex({ nodes: input.nodes.map(toNode), embedding });
  return storeRetriever({
    ...index.storage,
    nodesDict: index.nodesDict,
    embedding,
    topK,
    ...(input.mode ? { mode: input.mode } : {}),
    ...(input.filters ? { filters: input.filters } : {}),
    ...(input.node_ids ? { nodeIds: input.node_ids } : {}),
    ...(input.doc_ids ? { docIds: input.doc_ids } : {}),
    ...(input.store_kwargs?.mmr_threshold === undefined ? {} : { mmrThreshold: input.store_kwargs.mmr_threshold }),
  });
}

async function twoModels(input: Input, bundle: QueryBundle, dims: number[]) {
  const out: Record<string, unknown> = {};
  const before = JSON.stringify(bundle);
  for (const [i, name] of ["first", "second"].entries()) {
    const embedding = hashEmbedding(dims[i]);
    const retriever = await retrieverOver(input, embedding);
    embedding.seen.length = 0;
    out[name] = idsScores(await retriever.retrieve(bundle));
    out[`embedded_by_${name}`] = embedding.seen;
  }
  return { ...out, bundle_has_embedding_afterwards: JSON.stringify(bundle) !== before };
}

function ranked(actual: readonly Scored[], expected: readonly Scored[], name: string): void {
  expectRanked(actual, expected, { score: ([, score]) => score, key: ([id]) => id, name });
}

/** Each pick is the most marginally relevant of those that were left; scores are similarities. */
function expectMarginal(nodes: readonly Scored[], { query, nodes: all, store_kwargs }: Input): void {
  const threshold = store_kwargs?.mmr_threshold ?? 0.5;
  const asked = hashVector(query);
  const vectors = new Map(all.map((node) => [node.id, hashVector(nodeContent(toNode(node), "embed"))]));
  const picked: string[] = [];
  const value = (id: string) =>
    threshold * cosine(asked, vectors.get(id)!) -
    (picked.length === 0
      ? 0
      : (1 - threshold) * Math.max(...picked.map((other) => cosine(vectors.get(id)!, vectors.get(other)!))));
  for (const [id, score] of nodes) {
    expect(score).toBeCloseTo(cosine(asked, vectors.get(id)!), 9);
    const left = nodes.map(([other]) => other).filter((other) => !picked.includes(other));
    for (const other of left) expect(value(id)).toBeGreaterThanOrEqual(value(other) - 1e-12);
    picked.push(id);
  }
}

interface Nested {
  condition?: "and" | "or" | "not";
  filters: (Nested | { key: string; value: unknown; operator?: string })[];
}

/** Nested conditions over the three operators that the recordings nest. */
function nestedMatch(filters: Nested, node: JsonNode): boolean {
  const results = filters.filters.map((filter) => {
    if ("filters" in filter) return nestedMatch(filter, node);
    const stored = node.metadata?.[filter.key];
    if (filter.operator === ">") return typeof stored === "number" && stored > (filter.value as number);
    if (filter.operator === "contains") return Array.isArray(stored) && stored.includes(filter.value as string);
    return stored === filter.value;
  });
  if (filters.condition === "or") return results.some(Boolean);
  if (filters.condition === "not") return !results.some(Boolean);
  return results.every(Boolean);
}

/** Operators that work by an accident of Python: here a string is one value, and values of another type do not match. */
function accidents(): NonNullable<Topic<Input>["quirks"]> {
  return {
    "name:IN with a string value: substring test": ({ error }: Outcome) => expect(error).toBeDefined(),
    "name:ANY on a string: substring test": ({ value }: Outcome) =>
      expect((value as unknown as Result).nodes).toEqual([]),
    "name:ALL on a string": ({ value }: Outcome) => expect((value as unknown as Result).nodes).toEqual([]),
    "name:CONTAINS on a string: substring test": ({ value }: Outcome) =>
      expect((value as unknown as Result).nodes).toEqual([]),
    "name:on a number is an error": ({ value }: Outcome, _: unknown, { nodes, filters }: Input) => {
      const [filter] = (filters as Nested).filters as { key: string; value: unknown }[];
      const wanted = Array.isArray(filter!.value) ? filter!.value : [filter!.value];
      const matching = nodes.filter((node) => wanted.includes(node.metadata?.[filter!.key]));
      expect((value as unknown as Result).nodes).toHaveLength(matching.length);
    },
    "name:against number is an error": ({ value }: Outcome) => expect((value as unknown as Result).nodes).toEqual([]),
    // Python's types leave booleans out; metadata hold them all the same.
    "name:boolean value is refused": ({ value }: Outcome) => expect((value as unknown as Result).nodes).toEqual([]),
  };
}
