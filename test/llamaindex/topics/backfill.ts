import { expect } from "vitest";
import { vectorStoreIndex } from "../../../src/indices/index.ts";
import { storeRetriever } from "../../../src/retrieval/index.ts";
import type { VectorQueryMode, VectorStore, VectorStoreQuery } from "../../../src/schema/index.ts";
import { type MemoryDocstore, memoryDocstore } from "../../../src/stores/index.ts";
import { expectClose, fromScored, hashEmbedding, type JsonNode, type Outcome, type Topic, toNode } from "../support.ts";

interface Backfill {
  stores_text: boolean;
  store_result: { nodes?: JsonNode[]; ids?: string[]; similarities?: number[] };
  docstore: JsonNode[];
  nodes_dict: Record<string, string>;
}

interface Build {
  stores_text: boolean;
  store_nodes_override: boolean;
  nodes: JsonNode[];
}

interface Asking {
  is_embedding_query: boolean;
  mode: VectorQueryMode;
  query: string;
}

interface Result {
  nodes?: JsonNode[];
  docstore_reads: string[][];
}

export const topic: Topic<Backfill | Build | Asking> = {
  run(input) {
    if ("store_result" in input) return backfill(input);
    return "mode" in input ? ask(input) : build(input);
  },
  quirks: {
    "better skip it and report it": ({ value }: Outcome, expected: Result, given: Backfill | Build | Asking) => {
      const actual = value as unknown as Result & { missing: string[] };
      const input = given as Backfill;
      const known = new Set(input.docstore.map((node) => node.id));
      const lost = input.store_result.ids!.filter((id) => !known.has(input.nodes_dict[id] ?? ""));
      expect(actual.missing).toEqual(lost);
      expect(actual.nodes!.map((node) => node.id)).toEqual(
        input.store_result.ids!.filter((id) => !lost.includes(id)).map((id) => input.nodes_dict[id]),
      );
      if (expected.docstore_reads.length > 0) expectClose(actual.docstore_reads, expected.docstore_reads, 0);
    },
    "better null scores": ({ value }: Outcome, _: unknown, given: Backfill | Build | Asking) => {
      const { store_result } = given as Backfill;
      const scores = (value as unknown as Result).nodes!.map((node) => node.score);
      expect(scores).toEqual(store_result.nodes!.map((_, i) => store_result.similarities![i] ?? null));
    },
  },
};

function fakeStore(
  input: { stores_text?: boolean; is_embedding_query?: boolean },
  result: Backfill["store_result"],
): VectorStore & { added: string[]; asked: VectorStoreQuery[] } {
  const added: string[] = [];
  const asked: VectorStoreQuery[] = [];
  return {
    storesText: input.stores_text ?? true,
    isEmbeddingQuery: input.is_embedding_query ?? true,
    added,
    asked,
    async add(nodes) {
      added.push(...nodes.map(({ node }) => node.id));
      return nodes.map(({ node }) => node.id);
    },
    async query(query) {
      asked.push(query);
      return { ...result, ...(result.nodes ? { nodes: result.nodes.map(toNode) } : {}) } as never;
    },
    async delete() {},
    async deleteNodes() {},
    async clear() {},
  };
}

async function backfill(input: Backfill) {
  const reads: string[][] = [];
  const missing: string[] = [];
  const docstore = memoryDocstore();
  await docstore.add(input.docstore.map(toNode));
  const retriever = storeRetriever({
    store: fakeStore(input, input.store_result),
    docstore: {
      ...docstore,
      get(ids) {
        reads.push([...ids]);
        return docstore.get(ids);
      },
    },
    nodesDict: new Map(Object.entries(input.nodes_dict)),
    embedding: hashEmbedding(),
    onMissing: (ids) => missing.push(...ids),
  });
  const nodes = (await retriever.retrieve("question")).map((item) => fromScored(item));
  return { nodes, docstore_reads: reads, ...(missing.length > 0 ? { missing } : {}) };
}

async function build(input: Build) {
  const store = fakeStore(input, {});
  const docstore: MemoryDocstore = memoryDocstore();
  const index = await vectorStoreIndex({
    nodes: input.nodes.map(toNode),
    store,
    docstore,
    storeNodesOverride: input.store_nodes_override,
    embedding: hashEmbedding(),
  });
  const data = docstore.toJson()["docstore/data"]!;
  return {
    added_to_vector_store: store.added,
    docstore: Object.keys(data).sort(),
    nodes_dict: Object.fromEntries(index.nodesDict),
    docstore_keeps_embedding: Object.values(data).some((item) => item.__data__["embedding"] !== null),
  };
}

async function ask(input: Asking) {
  const store = fakeStore(input, { nodes: [], ids: [], similarities: [] });
  const embedding = hashEmbedding();
  const options = {
    topK: 3,
    alpha: 0.25,
    sparseTopK: 7,
    hybridTopK: 9,
    nodeIds: ["a"],
    docIds: ["d"],
    storeOptions: { k: 1 },
  };
  await storeRetriever({ store, embedding, mode: input.mode, ...options }).retrieve(input.query);
  const [query] = store.asked;
  return {
    embedded: embedding.seen,
    store_query: {
      has_embedding: query!.embedding !== undefined,
      query_str: query!.query,
      similarity_top_k: query!.topK,
      mode: query!.mode,
      alpha: query!.alpha,
      sparse_top_k: query!.sparseTopK,
      hybrid_top_k: query!.hybridTopK,
      node_ids: query!.nodeIds,
      doc_ids: query!.docIds,
      mmr_threshold: query!.mmrThreshold ?? null,
    },
    store_kwargs: query!.storeOptions,
  };
}
