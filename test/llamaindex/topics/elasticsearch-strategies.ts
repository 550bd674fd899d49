/**
 * What Python's strategy classes send, beside what this store sends: bodies of searches and mappings of a new index. The requests are looked at on
 * their way out, so that no index is needed.
 */
import type { Client, estypes } from "@elastic/elasticsearch";
import { expect } from "vitest";
import { textNode } from "../../../src/schema/index.ts";
import { type ElasticsearchStoreOptions, elasticsearchStore } from "../../../src/stores/index.ts";
import type { Topic } from "../support.ts";

interface Input {
  strategy: string;
  /** Of a search. */
  query?: string | null;
  query_vector?: number[] | null;
  k?: number;
  filter?: estypes.QueryDslQueryContainer[];
  /** Of a mapping. */
  dims?: number;
}

interface Body {
  query?: { bool: { must: Record<string, unknown>[]; filter: unknown[] } };
  knn?: Record<string, unknown>;
  retriever?: {
    rrf: {
      retrievers: [{ standard: { query: Body["query"] } }, { knn: Record<string, unknown> }];
      rank_constant?: number;
      rank_window_size?: number;
    };
  };
}

interface Expected {
  body?: Body;
  mappings?: { properties: Record<string, Record<string, unknown>> };
  settings?: { similarity?: unknown };
}

interface Sent {
  /** Bodies of searches without what Python's store puts into them afterwards: size and source. */
  searches: (Body & { size: number })[];
  /** The score of a document that every search finds first. */
  score?: number;
  created?: { mappings: { properties: Record<string, Record<string, unknown>> }; settings?: { similarity?: unknown } };
}

const MODEL = { name: "words", embedSparse: async (texts: readonly string[]) => texts.map(() => ({ word: 1 })) };
const SPARSE: Partial<ElasticsearchStoreOptions> = { vectors: false, sparse: MODEL };

/** Python's strategies as options. */
const STRATEGIES: Record<string, Partial<ElasticsearchStoreOptions>> = {
  dense: {},
  "dense-cosine": { similarity: "cosine" },
  "dense-dot": { similarity: "dot_product" },
  "dense-euclidean": { similarity: "l2_norm" },
  "dense-max-inner": { similarity: "max_inner_product" },
  "dense-server-model": {},
  "hybrid-rrf": { hybrid: "rrf" },
  "hybrid-rrf-options": { hybrid: "rrf", rrf: { rankConstant: 20, rankWindowSize: 50 } },
  "hybrid-rrf-options-new-name": { hybrid: "rrf", rrf: { rankWindowSize: 30 } },
  "hybrid-no-rrf": { hybrid: "sum" },
  bm25: { vectors: false, bm25: {} },
  "bm25-tuned": { vectors: false, bm25: { k1: 1.5, b: 0.5 } },
  "bm25-zero": { vectors: false, bm25: { k1: 0, b: 0 } },
  sparse: SPARSE,
  "sparse-own-model": SPARSE,
  "script-score": {},
};

/** The list depth where nothing is said, and the constant of the ranks. */
const WINDOW = 100;
const CONSTANT = 60;

export const topic: Topic<Input> = {
  notRun: [
    [
      /^strategy script-score[^,]*, (vector|both|mapping)/,
      "the embedded engine runs no scripts: the store finds by knn",
    ],
    [/^strategy dense-server-model, text/, "the model is one of the cluster's; here embeddings are handed in"],
  ],
  async run(input): Promise<Sent> {
    const sent: Sent = { searches: [] };
    const options = STRATEGIES[input.strategy.replace(/^(script-score).*/, "$1")]!;
    const store = elasticsearchStore({ client: watched(sent), index: "nodes", ...options });
    if (input.dims !== undefined) {
      const embedding = Float32Array.from({ length: input.dims }, () => 0.1);
      await store.add([{ node: textNode({ text: "text" }), embedding }]);
      return sent;
    }
    const { similarities } = await store.query({
      topK: input.k!,
      mode: input.strategy.startsWith("hybrid") ? "hybrid" : "default",
      storeOptions: { filter: input.filter! },
      ...(input.query == null ? {} : { query: input.query }),
      ...(input.query_vector ? { embedding: input.query_vector as never } : {}),
    });
    const score = similarities?.[0];
    return { ...sent, ...(score === undefined ? {} : { score }) };
  },
  compare(actual: Sent, expected: Expected, input) {
    if (expected.mappings) return compareMapping(actual, expected);
    const { searches } = actual;
    const { retriever, ...one } = expected.body!;
    if (!retriever) {
      expect(searches).toEqual([{ ...ownModel(one), size: input.k }]);
      return;
    }
    // One request for each list: what Elasticsearch's licence keeps back is computed here. A list is as long as the window.
    const { retrievers, rank_constant: constant = CONSTANT, rank_window_size: size = WINDOW } = retriever.rrf;
    const [{ standard }, { knn }] = retrievers;
    expect(searches).toEqual([
      { ...standard, size },
      { knn: { ...knn, k: size, num_candidates: size * 10 }, size },
    ]);
    expect(actual.score).toBeCloseTo(2 / (constant + 1), 10);
  },
  quirks: {
    // Python asks the cluster for a vector by the model null, which it refuses.
    "name:, text": ({ error }, _, { strategy }) => {
      expect(strategy).toMatch(/^(dense|hybrid)/);
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
    },
    // Python matches a text that is null, which is an error: of words there is nothing to find.
    "name:, vector": ({ value }, { body }: Expected, { strategy, k }) => {
      const { searches } = value as unknown as Sent;
      if (strategy.startsWith("bm25")) return expect(searches).toEqual([]);
      const { retriever, knn } = body!;
      if (knn) return expect(searches).toEqual([{ knn, size: k }]);
      expect(searches.map((search) => search.knn?.["query_vector"])).toEqual([
        retriever!.rrf.retrievers[1].knn["query_vector"],
      ]);
    },
  },
};

/** A client whose searches find one document, and whose index is missing. */
function watched(sent: Sent): Client {
  const hit = { _index: "nodes", _id: "a", _score: 1, _source: { content: "text", metadata: {} } };
  const client = {
    async search({ index: _, _source: __, ...body }: Record<string, unknown>) {
      sent.searches.push(body as never);
      return { hits: { hits: [hit] } };
    },
    bulk: async () => ({ errors: false, items: [] }),
    indices: {
      exists: async () => false,
      refresh: async () => ({}),
      async create({ mappings, settings }: NonNullable<Sent["created"]>) {
        sent.created = { mappings, ...(settings ? { settings } : {}) };
      },
    },
  };
  // Nothing else of the client is asked.
  return client as unknown as Client;
}

/** Terms of the model that was handed in, where Python names one that the cluster runs. */
function ownModel({ query, ...rest }: Body): Body {
  const [first, ...others] = query?.bool.must ?? [];
  const expansion = first?.["text_expansion"] as Record<string, unknown> | undefined;
  if (!query || !expansion) return { ...rest, ...(query ? { query } : {}) };
  const [field] = Object.keys(expansion);
  const terms = { sparse_vector: { field, query_vector: { word: 1 } } };
  return { ...rest, query: { bool: { ...query.bool, must: [terms, ...others] } } };
}

/** What Python's store needs of a mapping is there; weighted terms are of the type that came after rank_features, and need no pipeline. */
function compareMapping({ created }: Sent, expected: Expected): void {
  const { properties } = expected.mappings!;
  const tokens = (properties["embedding"]?.["properties"] as { tokens?: unknown } | undefined)?.tokens;
  if (tokens) expect(created!.mappings.properties["embedding.tokens"]).toEqual({ type: "sparse_vector" });
  else expect(created!.mappings.properties).toMatchObject(properties);
  expect(created!.settings?.similarity).toEqual(expected.settings!.similarity);
}
