import { expect } from "vitest";
import { vectorStoreIndex } from "../../../src/indices/index.ts";
import { autoRetriever, type MetadataInfo } from "../../../src/retrieval/index.ts";
import {
  type Filters,
  filterPredicate,
  type LanguageModel,
  type MetadataFilters,
  type QueryBundle,
  type VectorQueryMode,
} from "../../../src/schema/index.ts";
import {
  expectClose,
  expectRanked,
  hashEmbedding,
  idsScores,
  type JsonNode,
  type Outcome,
  type Topic,
  toNode,
} from "../support.ts";

type Scored = [string, number | null];

interface Input {
  query: string;
  nodes: JsonNode[];
  vector_store_info: { metadata_info: MetadataInfo[]; content_info: string };
  llm_output: string;
  similarity_top_k?: number;
  max_top_k?: number;
  empty_query_top_k?: number | null;
  extra_filters?: MetadataFilters;
  default_empty_query_vector?: number[];
  mode?: VectorQueryMode;
}

interface Result {
  spec: { query: string; filters: unknown[]; top_k: number | null };
  inner: { similarity_top_k: number; filters: MetadataFilters | null; query: string; given_embedding: boolean };
  embedded: [string, string][];
  calls: number;
  nodes: Scored[];
  retrieve?: unknown;
}

export const topic: Topic<Input> = {
  async run(input) {
    const embedding = hashEmbedding();
    const index = await vectorStoreIndex({ nodes: input.nodes.map(toNode), embedding });
    embedding.seen.length = 0;
    let calls = 0;
    const model: LanguageModel = {
      name: "script",
      async generate() {
        calls++;
        return input.llm_output;
      },
      async *stream() {},
    };
    let inner: Result["inner"] | undefined;
    const retriever = autoRetriever({
      index: {
        asRetriever(options) {
          const made = index.asRetriever(options);
          return {
            retrieve(query, call) {
              const bundle = query as QueryBundle;
              inner = {
                similarity_top_k: options.topK,
                filters: (options.filters as MetadataFilters | undefined) ?? null,
                query: bundle.query,
                given_embedding: bundle.embedding !== undefined,
              };
              return made.retrieve(query, call);
            },
          };
        },
      },
      model,
      contentInfo: input.vector_store_info.content_info,
      metadataInfo: input.vector_store_info.metadata_info,
      topK: input.similarity_top_k ?? 2,
      ...(input.max_top_k === undefined ? {} : { maxTopK: input.max_top_k }),
      ...(input.empty_query_top_k === undefined ? {} : { emptyQueryTopK: input.empty_query_top_k }),
      ...(input.extra_filters ? { extraFilters: input.extra_filters } : {}),
      ...(input.default_empty_query_vector ? { emptyQueryVector: input.default_empty_query_vector } : {}),
      ...(input.mode ? { mode: input.mode } : {}),
    });
    const nodes = idsScores(await retriever.retrieve(input.query));
    const made = calls;
    const { spec } = await retriever.plan(input.query);
    return {
      spec: { query: spec.query, filters: spec.filters, top_k: spec.topK ?? null },
      inner,
      embedded: embedding.seen,
      calls: made,
      nodes,
    };
  },
  compare(actual: Result, expected: Result, { mode }: Input, name: string) {
    // `retrieve` tells that the original's store refused what it was asked; here it answers.
    const { nodes: _, retrieve, ...rest } = expected;
    const { nodes, ...same } = actual;
    expectClose(same, rest, 1e-9);
    if (retrieve) return;
    // Here the score is the similarity, and what was picked counts as a whole: see vector-retriever.
    if (mode === "mmr") expect(nodes).toHaveLength(expected.nodes.length);
    else expectRanked(nodes, expected.nodes, { score: ([, score]) => score, key: ([id]) => id, name });
  },
  quirks: {
    "0 then means no limit": ({ value }: Outcome, _: unknown, { similarity_top_k }: Input) => {
      expect((value as unknown as Result).nodes).toHaveLength(similarity_top_k!);
    },
    "better a filter-only search": ({ value }: Outcome, expected: Result) => {
      const actual = value as unknown as Result;
      expectClose([actual.spec, actual.inner], [expected.spec, expected.inner], 1e-9);
      expect(actual.nodes.length).toBeGreaterThan(0);
      expect(actual.nodes.every(([, score]) => score === null)).toBe(true);
    },
    "the model cannot ask for OR": (
      { value }: Outcome,
      _: unknown,
      { nodes, llm_output, similarity_top_k = 2 }: Input,
    ) => {
      const { filters, condition } = JSON.parse(llm_output) as MetadataFilters;
      const asked: Filters = { filters, ...(condition ? { condition } : {}) };
      const passes = filterPredicate(asked);
      const matching = nodes.filter((node) => passes(node.metadata ?? {})).map((node) => node.id);
      const found = (value as unknown as Result).nodes.map(([id]) => id);
      expect(found).toHaveLength(Math.min(similarity_top_k, matching.length));
      for (const id of found) expect(matching).toContain(id);
    },
    "a bracket before the object spoils the parse": ({ value }: Outcome, _: unknown, { llm_output }: Input) => {
      const { query } = JSON.parse(llm_output.slice(llm_output.indexOf("{"))) as { query: string };
      expect((value as unknown as Result).spec.query).toBe(query);
    },
    "better nest them": ({ value }: Outcome, expected: Result, { extra_filters }: Input) => {
      const actual = value as unknown as Result;
      expect(actual.inner.filters!.filters).toContainEqual(extra_filters);
      expectClose(actual.spec, expected.spec, 0);
    },
    // A boolean is a value here.
    "name:filter with boolean value falls back": ({ value }: Outcome) => {
      expect((value as unknown as Result).inner.filters).not.toBeNull();
    },
  },
};
