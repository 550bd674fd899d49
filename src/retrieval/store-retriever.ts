/**
 * LlamaIndex's VectorIndexRetriever: asks a vector store, and reads from the docstore what the store does not hold: everything where it
 * keeps ids only, else the nodes that are more than text.
 */
import {
  type Docstore,
  type Document,
  type EmbeddingModel,
  embedQuery,
  type Filters,
  InvalidArgumentError,
  type Node,
  type NodeWithScore,
  normalizeFilters,
  type Retriever,
  VECTOR_QUERY_MODES,
  type VectorQueryMode,
  type VectorStore,
  type VectorStoreQuery,
  type VectorStoreResult,
} from "../schema/index.ts";
import { defineRetriever, type RetrieveInput, type RetrieverFrame, retrieveOptions } from "./define.ts";
import { checkedTopK } from "./retriever.ts";

/** The store, the embedding, and how the store is asked. */
export interface StoreRetrieverOptions extends RetrieverFrame {
  store: VectorStore;
  /** Where nodes are read that the store keeps by id, or in part. */
  docstore?: Docstore;
  /** The node's id for each id of the store. Default: they are the same. */
  nodesDict?: ReadonlyMap<string, string>;
  embedding?: EmbeddingModel;
  /** Default 10. */
  topK?: number;
  /** Default `default`. */
  mode?: VectorQueryMode;
  filters?: Filters;
  nodeIds?: readonly string[];
  docIds?: readonly string[];
  /** Share of the vectors in `hybrid`. */
  alpha?: number;
  sparseTopK?: number;
  hybridTopK?: number;
  /** Share of relevance in `mmr`. */
  mmrThreshold?: number;
  /** What only this store understands. */
  storeOptions?: Record<string, unknown>;
  /** Hears of found ids whose node is gone; they are left out. */
  onMissing?: (ids: string[]) => void;
}

/**
 * Makes a retriever over a vector store. The question is embedded only where the store compares vectors and the mode needs one; the bundle
 * is never changed.
 *
 * @example storeRetriever({ store, docstore, embedding, topK: 5, filters: { level: "员工" } })
 */
export function storeRetriever(options: StoreRetrieverOptions): Retriever {
  const { store, docstore, nodesDict, mode = "default", embedding } = options;
  const topK = checkedTopK(options.topK);
  if (!VECTOR_QUERY_MODES.includes(mode)) {
    throw new InvalidArgumentError("mode", mode, `unknown mode "${mode}": known are ${VECTOR_QUERY_MODES.join(", ")}`);
  }
  return defineRetriever(
    async (input) => {
      if (topK === 0) return [];
      const call = retrieveOptions(input);
      const needsVector = store.isEmbeddingQuery && mode !== "text_search" && mode !== "sparse";
      const vector = needsVector ? await embedQuery(embedding, input, call) : undefined;
      const result = await store.query(storeQuery(options, input, topK, mode, vector), call);
      const { nodes, missing } = await resolved(result, docstore, nodesDict, call);
      if (missing.length > 0) options.onMissing?.(missing);
      return nodes;
    },
    { name: "vector", ...options },
  );
}

function storeQuery(
  options: StoreRetrieverOptions,
  input: RetrieveInput,
  topK: number,
  mode: VectorQueryMode,
  embedding: ArrayLike<number> | undefined,
): VectorStoreQuery {
  const { nodeIds, docIds, alpha, sparseTopK, hybridTopK, mmrThreshold, storeOptions } = options;
  const filters = bothFilters(options.filters, input.filters);
  const given = { embedding, filters, nodeIds, docIds, alpha, sparseTopK, hybridTopK, mmrThreshold, storeOptions };
  return {
    query: input.query,
    topK,
    mode,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/** Both hold. */
export function bothFilters(one: Filters | undefined, other: Filters | undefined): Filters | undefined {
  if (!one || !other) return one ?? other;
  return { condition: "and", filters: [normalizeFilters(one)!, normalizeFilters(other)!] };
}

interface Resolved {
  nodes: NodeWithScore[];
  /** Ids that were found and lead nowhere. */
  missing: string[];
}

async function resolved(
  result: VectorStoreResult,
  docstore: Docstore | undefined,
  nodesDict: ReadonlyMap<string, string> | undefined,
  call: { signal?: AbortSignal },
): Promise<Resolved> {
  const scored = (node: Node, place: number): NodeWithScore => {
    const score = result.similarities?.[place];
    return { node, ...(score === undefined || score === null ? {} : { score }) };
  };
  if (result.nodes && result.nodes.length > 0) {
    const nodes = await completed(result.nodes, docstore, call);
    return { nodes: nodes.map(scored), missing: [] };
  }
  const ids = result.ids ?? [];
  const nodeIds = ids.map((id) => (nodesDict ? nodesDict.get(id) : id));
  const wanted = nodeIds.filter((id) => id !== undefined);
  if (wanted.length === 0) return { nodes: [], missing: [...ids] };
  if (!docstore) {
    throw new InvalidArgumentError(
      "docstore",
      undefined,
      "the store keeps ids only: give the retriever a docstore to read the nodes from",
    );
  }
  const known = byId(await docstore.get(wanted, call));
  const nodes: NodeWithScore[] = [];
  const missing: string[] = [];
  nodeIds.forEach((id, place) => {
    const node = id === undefined ? undefined : known.get(id);
    if (node) nodes.push(scored(node, place));
    else missing.push(ids[place]!);
  });
  return { nodes, missing };
}

/** Nodes that are more than text, as the docstore has them; a store may keep only a part of those. */
async function completed(
  nodes: readonly Node[],
  docstore: Docstore | undefined,
  call: { signal?: AbortSignal },
): Promise<Node[]> {
  const partial = nodes.filter((node) => node.type !== "text").map((node) => node.id);
  if (partial.length === 0 || !docstore) return [...nodes];
  const known = byId(await docstore.get(partial, call));
  return nodes.map((node) => (node.type === "text" ? node : (known.get(node.id) ?? node)));
}

function byId(items: readonly (Node | Document)[]): Map<string, Node> {
  return new Map(items.flatMap((item) => (item.type === "document" ? [] : [[item.id, item] as const])));
}
