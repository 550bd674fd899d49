/**
 * LlamaIndex's SimpleVectorStore: vectors and metadata in memory, compared one by one; the texts stay in the docstore. Its JSON is the one
 * that Python reads and writes. For thousands of nodes, tests and small tools; an index of the engine does the same for more.
 */
import {
  CLASS_NAMES,
  cosine,
  type EmbeddedNode,
  filterPredicate,
  InvalidArgumentError,
  type Metadata,
  marginalRelevance,
  sourceId,
  type VectorStore,
  type VectorStoreQuery,
  type VectorStoreResult,
} from "../schema/index.ts";

/** The store's content, as Python's LlamaIndex writes it. */
export interface SimpleVectorStoreJson {
  embedding_dict: Record<string, number[]>;
  text_id_to_ref_doc_id: Record<string, string>;
  metadata_dict: Record<string, Metadata>;
}

/** Vectors in memory; written to and read from LlamaIndex's `default__vector_store.json`. */
export interface SimpleVectorStore extends VectorStore {
  readonly size: number;
  toJson(): SimpleVectorStoreJson;
}

interface Entry {
  vector: ArrayLike<number>;
  docId: string;
  metadata: Metadata;
}

const NO_DOCUMENT = "None";
const MMR_THRESHOLD = 0.5;

/**
 * Makes a vector store in memory, from its JSON where that is given. Modes: `default` (cosine) and `mmr`.
 *
 * @example const store = simpleVectorStore(JSON.parse(await readFile("storage/default__vector_store.json", "utf8")));
 */
export function simpleVectorStore(json?: SimpleVectorStoreJson): SimpleVectorStore {
  const entries = new Map<string, Entry>();
  for (const [id, vector] of Object.entries(json?.embedding_dict ?? {})) {
    const docId = json?.text_id_to_ref_doc_id[id] ?? NO_DOCUMENT;
    entries.set(id, { vector, docId, metadata: json?.metadata_dict[id] ?? {} });
  }

  function add({ node, embedding }: EmbeddedNode): string {
    if (!embedding) {
      throw new InvalidArgumentError(
        "embedding",
        undefined,
        `the node ${node.id} has no vector: embed it before it is stored`,
      );
    }
    const docId = sourceId(node) ?? NO_DOCUMENT;
    const metadata = {
      ...node.metadata,
      _node_type: CLASS_NAMES[node.type],
      document_id: docId,
      doc_id: docId,
      ref_doc_id: docId,
    };
    entries.set(node.id, { vector: embedding, docId, metadata });
    return node.id;
  }

  function remove(matches: (id: string, entry: Entry) => boolean): void {
    for (const [id, entry] of entries) if (matches(id, entry)) entries.delete(id);
  }

  return {
    storesText: false,
    isEmbeddingQuery: true,
    get size() {
      return entries.size;
    },
    add: async (nodes) => nodes.map(add),
    async query(query, { signal } = {}) {
      signal?.throwIfAborted();
      return find(entries, query);
    },
    delete: async (docId) => remove((_, entry) => entry.docId === docId),
    async deleteNodes({ ids, filters }) {
      if (!ids && !filters) return;
      const passes = filterPredicate(filters);
      const wanted = ids && new Set(ids);
      remove((id, entry) => (!wanted || wanted.has(id)) && passes(entry.metadata));
    },
    clear: async () => entries.clear(),
    toJson() {
      const out: SimpleVectorStoreJson = { embedding_dict: {}, text_id_to_ref_doc_id: {}, metadata_dict: {} };
      for (const [id, { vector, docId, metadata }] of entries) {
        out.embedding_dict[id] = Array.from(vector);
        out.text_id_to_ref_doc_id[id] = docId;
        out.metadata_dict[id] = metadata;
      }
      return out;
    },
  };
}

function find(entries: ReadonlyMap<string, Entry>, query: VectorStoreQuery): VectorStoreResult {
  const { embedding, mode, topK } = query;
  if (mode !== "default" && mode !== "mmr") {
    throw new InvalidArgumentError(
      "mode",
      mode,
      `a simple vector store knows the modes "default" and "mmr", not "${mode}"`,
    );
  }
  // An empty question asks for what the filters leave.
  if (!embedding && query.query !== "") {
    throw new InvalidArgumentError(
      "query",
      query.query,
      "there is nothing to compare: the question is empty and has no vector",
    );
  }
  const passes = filterPredicate(query.filters);
  const nodeIds = query.nodeIds && new Set(query.nodeIds);
  const docIds = query.docIds && new Set(query.docIds);
  const candidates: { id: string; vector: ArrayLike<number>; similarity: number }[] = [];
  for (const [id, { vector, docId, metadata }] of entries) {
    if (nodeIds && !nodeIds.has(id)) continue;
    if (docIds && !docIds.has(docId)) continue;
    if (passes(metadata)) candidates.push({ id, vector, similarity: embedding ? cosine(embedding, vector) : 0 });
  }
  if (!embedding) return { ids: candidates.slice(0, topK).map(({ id }) => id) };
  const best =
    mode === "default"
      ? candidates.sort((a, b) => b.similarity - a.similarity).slice(0, topK)
      : marginalRelevance(
          candidates.map((candidate) => candidate.similarity),
          (a, b) => cosine(candidates[a]!.vector, candidates[b]!.vector),
          query.mmrThreshold ?? MMR_THRESHOLD,
          topK,
        ).map((at) => candidates[at]!);
  return { ids: best.map(({ id }) => id), similarities: best.map(({ similarity }) => similarity) };
}
