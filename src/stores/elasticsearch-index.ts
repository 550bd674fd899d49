/** The index of a store: which fields it has, and how it is made when the first node is added. */
import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { METADATA_FIELD, METADATA_TEXT, TEXT_FIELD, VECTOR_FIELD } from "../elasticsearch/layout.ts";
import { type CallOptions, type EmbeddedNode, InvalidArgumentError } from "../schema/index.ts";

/** What an index is made of. */
export interface StoreIndexOptions {
  /** The official client: of a cluster, or `engine.client()`. */
  client: Client;
  index: string;
  /** Default `embedding`. */
  vectorField?: string;
  /** Default `content`. */
  textField?: string;
  /** Where weighted terms are kept. Default `embedding.tokens`, as Python's sparse strategy has it; beside vectors `sparse_embedding`. */
  sparseField?: string;
  /** Whether vectors are kept; without them questions match text, or weighted terms. Default true. */
  vectors?: boolean;
  /** How vectors are compared, when the index is made. Default `cosine`. */
  similarity?: "cosine" | "dot_product" | "l2_norm" | "max_inner_product";
  /** Analyzer of the text, when the index is made. Default: Elasticsearch's `standard`. */
  analyzer?: string;
  /** BM25's parameters for the text, when the index is made. Default: Elasticsearch's, k1 1.2 and b 0.75. */
  bm25?: { k1?: number; b?: number };
  /** Mappings of metadata fields, when the index is made. */
  metadataMappings?: Record<string, estypes.MappingProperty>;
  /** Whether a missing index is made with these mappings. Default true; otherwise the first document makes it, by dynamic mapping. */
  createIndex?: boolean;
}

/** The names of a store's fields. */
export interface StoreFields {
  text: string;
  vector: string;
  sparse: string;
}

export function storeFields(options: StoreIndexOptions): StoreFields {
  const { textField: text = TEXT_FIELD, vectorField: vector = VECTOR_FIELD, vectors = true } = options;
  return { text, vector, sparse: options.sparseField ?? (vectors ? "sparse_embedding" : `${vector}.tokens`) };
}

/** The name of Python's similarity with parameters of its own. */
const OWN_BM25 = "custom_bm25";

export async function ensureIndex(
  options: StoreIndexOptions,
  sparse: boolean,
  nodes: readonly EmbeddedNode[],
  call: { signal?: AbortSignal },
): Promise<void> {
  const { client, index, vectors = true, createIndex = true, bm25 } = options;
  const dims = nodes.find((item) => item.embedding)?.embedding?.length;
  if (await client.indices.exists({ index }, call)) return;
  if (vectors && dims === undefined) {
    throw new InvalidArgumentError(
      "nodes",
      nodes.length,
      "the nodes have no vectors: embed them, or make the store with vectors: false",
    );
  }
  if (!createIndex) return;
  const settings = bm25 ? { similarity: { [OWN_BM25]: { type: "BM25" as const, ...bm25 } } } : undefined;
  const made = { index, mappings: mappings(options, sparse, dims), ...(settings ? { settings } : {}) };
  try {
    await client.indices.create(made, call);
  } catch (error) {
    // Another process was faster.
    const exists =
      error instanceof errors.ResponseError && error.body?.error?.type === "resource_already_exists_exception";
    if (!exists) throw error;
  }
}

function mappings(options: StoreIndexOptions, sparse: boolean, dims: number | undefined): estypes.MappingTypeMapping {
  const { vectors = true, similarity = "cosine", analyzer, bm25 } = options;
  const fields = storeFields(options);
  const keyword: estypes.MappingProperty = { type: "keyword" };
  return {
    // What looks like a date in one document may be words in the next; JavaScript has one kind of number.
    date_detection: false,
    dynamic_templates: [
      { numbers: { path_match: `${METADATA_FIELD}.*`, match_mapping_type: "long", mapping: { type: "double" } } },
      { fractions: { path_match: `${METADATA_FIELD}.*`, match_mapping_type: "double", mapping: { type: "double" } } },
      { texts: { path_match: `${METADATA_FIELD}.*`, match_mapping_type: "string", mapping: METADATA_TEXT } },
    ],
    properties: {
      [fields.text]: { type: "text", ...(analyzer ? { analyzer } : {}), ...(bm25 ? { similarity: OWN_BM25 } : {}) },
      ...(vectors && dims !== undefined
        ? { [fields.vector]: { type: "dense_vector", dims, index: true, similarity, index_options: { type: "hnsw" } } }
        : {}),
      ...(sparse ? { [fields.sparse]: { type: "sparse_vector" } } : {}),
      [METADATA_FIELD]: {
        type: "object",
        properties: {
          ...options.metadataMappings,
          document_id: keyword,
          doc_id: keyword,
          ref_doc_id: keyword,
          _node_type: keyword,
          _node_content: { type: "keyword", index: false, doc_values: false },
        },
      },
    },
  };
}

/** The options of a request to the client. */
export function transport({ signal }: CallOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
