/**
 * Nodes in an index of the embedded engine or of Elasticsearch, in the layout of Python LlamaIndex's `ElasticsearchStore`: each library
 * finds what the other put in. The same requests go to both places.
 */
import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { METADATA_FIELD, nodeToSource, sourceToNode, TEXT_FIELD, VECTOR_FIELD } from "../elasticsearch/layout.ts";
import { filtersToQuery, fuse } from "../retrieval/index.ts";
import {
  type CallOptions,
  cosine,
  type EmbeddedNode,
  type Filters,
  HuiliuError,
  InvalidArgumentError,
  isZero,
  marginalRelevance,
  type Node,
  type NodeWithScore,
  type VectorStore,
  type VectorStoreQuery,
  type VectorStoreResult,
} from "../schema/index.ts";

export interface ElasticsearchStoreOptions {
  /** The official client: of a cluster, or `engine.client()`. */
  client: Client;
  index: string;
  /** Default `embedding`. */
  vectorField?: string;
  /** Default `content`. */
  textField?: string;
  /** Whether vectors are kept; without them questions match text alone. Default true. */
  vectors?: boolean;
  /** How vectors are compared, when the index is made. Default `cosine`. */
  similarity?: "cosine" | "dot_product" | "l2_norm" | "max_inner_product";
  /** Analyzer of the text, when the index is made. Default: Elasticsearch's `standard`. */
  analyzer?: string;
  /** Mappings of metadata fields, when the index is made. */
  metadataMappings?: Record<string, estypes.MappingProperty>;
}

export interface ElasticsearchStore extends VectorStore {
  readonly client: Client;
  readonly index: string;
  /** Nodes by id, by filters, or both at once. */
  getNodes(which: { ids?: readonly string[]; filters?: Filters }, options?: CallOptions): Promise<Node[]>;
}

/** Documents of an index were refused. Code `STORE_FAILED`. */
export class StoreError extends HuiliuError {
  readonly failures: { id: string; type: string; reason: string }[];

  constructor(failures: StoreError["failures"]) {
    const [first] = failures;
    super(
      "STORE_FAILED",
      `${failures.length} nodes were refused; the first: ${first!.id}: ${first!.type}: ${first!.reason}`,
    );
    this.failures = failures;
  }
}

type Query = estypes.QueryDslQueryContainer;

/** Documents that one bulk request holds. */
const BATCH = 500;
/** Candidates of the lists that are fused, or picked from. */
const DEPTH = 100;
/** The largest result window. */
const PAGE = 10_000;

/**
 * Makes a store over an index, which is made when the first node is added. Modes: `default` (the nearest vectors, or text where there are
 * none), `text_search`, `hybrid` (both, fused by relative score; `alpha` is the vectors' share), `mmr`. Scores are Elasticsearch's.
 *
 * @example
 * const engine = await openEngine({ data: "./search" });
 * const store = elasticsearchStore({ client: engine.client(), index: "handbook" });
 * const index = await vectorStoreIndex({ documents, store, embedding });
 */
export function elasticsearchStore(options: ElasticsearchStoreOptions): ElasticsearchStore {
  const { client, index, vectorField = VECTOR_FIELD, textField = TEXT_FIELD, vectors = true } = options;

  async function search(body: estypes.SearchRequest, call: CallOptions): Promise<estypes.SearchHit[]> {
    const answer = await client.search({ index, ...body }, transport(call));
    return answer.hits.hits;
  }

  const toNode = (hit: estypes.SearchHit): NodeWithScore => ({
    node: sourceToNode(hit._id ?? "", hit._source, textField),
    ...(typeof hit._score === "number" ? { score: hit._score } : {}),
  });

  async function byText(query: VectorStoreQuery, size: number, call: CallOptions): Promise<NodeWithScore[]> {
    if (!query.query?.trim()) return [];
    const match: Query = { match: { [textField]: { query: query.query } } };
    const body = {
      query: { bool: { must: [match], filter: restrictions(query) } },
      size,
      _source: { excludes: [vectorField] },
    };
    return (await search(body, call)).map(toNode);
  }

  async function byVector(query: VectorStoreQuery, size: number, call: CallOptions): Promise<estypes.SearchHit[]> {
    const { embedding, mode } = query;
    if (!embedding) {
      throw new InvalidArgumentError(
        "query",
        query.query,
        `there is nothing to compare: the mode "${mode}" needs the question's vector`,
      );
    }
    if (isZero(embedding)) return [];
    const knn = {
      field: vectorField,
      query_vector: Array.from(embedding),
      k: size,
      num_candidates: Math.min(PAGE, size * 10),
      filter: restrictions(query),
    };
    return search({ knn, size, _source: mode === "mmr" ? true : { excludes: [vectorField] } }, call);
  }

  async function find(query: VectorStoreQuery, call: CallOptions): Promise<NodeWithScore[]> {
    const { mode, topK } = query;
    if (topK === 0) return [];
    // An empty question asks for what the filters leave.
    if (query.query === "" && !query.embedding) {
      const body = {
        query: { bool: { filter: restrictions(query) } },
        size: topK,
        _source: { excludes: [vectorField] },
      };
      return (await search(body, call)).map((hit) => ({ node: toNode(hit).node }));
    }
    if (mode === "text_search" || (mode === "default" && !vectors)) return byText(query, topK, call);
    if (mode === "default") return (await byVector(query, topK, call)).map(toNode);
    if (mode === "mmr") return marginal(await byVector(query, Math.max(DEPTH, topK), call), query);
    if (mode !== "hybrid") {
      throw new InvalidArgumentError(
        "mode",
        mode,
        `this store knows the modes default, text_search, hybrid and mmr, not "${mode}"`,
      );
    }
    const alpha = query.alpha ?? 0.5;
    if (!(alpha >= 0 && alpha <= 1)) throw new InvalidArgumentError("alpha", alpha, "alpha must be between 0 and 1");
    const depth = Math.max(DEPTH, topK);
    const [text, dense] = await Promise.all([
      byText(query, query.sparseTopK ?? depth, call),
      byVector(query, depth, call),
    ]);
    const lists = [
      { name: "text", nodes: text, weight: 1 - alpha },
      { name: "vector", nodes: dense.map(toNode), weight: alpha },
    ];
    return fuse(lists, "relative_score", (node) => node.id).slice(0, query.hybridTopK ?? topK);
  }

  function marginal(
    hits: estypes.SearchHit[],
    { embedding, mmrThreshold = 0.5, topK }: VectorStoreQuery,
  ): NodeWithScore[] {
    const stored = hits.map((hit) => (hit._source as Record<string, number[]>)[vectorField]!);
    return marginalRelevance(
      stored.map((vector) => cosine(embedding!, vector)),
      (a, b) => cosine(stored[a]!, stored[b]!),
      mmrThreshold,
      topK,
    ).map((place) => toNode(hits[place]!));
  }

  /** The first page of a query's hits; none where the index is missing. */
  async function page(query: Query, source: boolean, call: CallOptions): Promise<estypes.SearchHit[]> {
    const _source = source ? { excludes: [vectorField] } : false;
    return search({ query, size: PAGE, _source }, call).catch(nothingIfMissing);
  }

  async function remove(query: Query, call: CallOptions): Promise<void> {
    for (;;) {
      const ids = (await page(query, false, call)).map((hit) => hit._id!);
      for (let i = 0; i < ids.length; i += BATCH) {
        const operations = ids.slice(i, i + BATCH).map((_id) => ({ delete: { _index: index, _id } }));
        checked(await client.bulk({ operations }, transport(call)), [404]);
      }
      if (ids.length > 0) await client.indices.refresh({ index }, transport(call));
      if (ids.length < PAGE) return;
    }
  }

  const selection = (which: { ids?: readonly string[]; filters?: Filters }): Query => {
    const filter = [
      ...(which.ids ? [{ ids: { values: [...which.ids] } }] : []),
      ...optional(filtersToQuery(which.filters, METADATA_FIELD)),
    ];
    return { bool: { filter } };
  };

  return {
    client,
    index,
    storesText: true,
    isEmbeddingQuery: vectors,
    async add(nodes, call = {}) {
      if (nodes.length === 0) return [];
      await ensureIndex(options, nodes, call);
      for (let i = 0; i < nodes.length; i += BATCH) {
        const operations = nodes
          .slice(i, i + BATCH)
          .flatMap((item) => [{ index: { _index: index, _id: item.node.id } }, toSource(item, options)]);
        checked(await client.bulk({ operations }, transport(call)), []);
      }
      await client.indices.refresh({ index }, transport(call));
      return nodes.map(({ node }) => node.id);
    },
    async query(query, call = {}): Promise<VectorStoreResult> {
      const found = await find(query, call);
      return {
        nodes: found.map(({ node }) => node),
        ids: found.map(({ node }) => node.id),
        ...(found.every(({ score }) => score !== undefined)
          ? { similarities: found.map(({ score }) => score ?? 0) }
          : {}),
      };
    },
    async getNodes(which, call = {}) {
      if (!which.ids && !which.filters) {
        throw new InvalidArgumentError("which", which, "give ids, filters or both");
      }
      const hits = await page(selection(which), true, call);
      if (hits.length === PAGE) {
        throw new InvalidArgumentError("which", which, `these are ${PAGE} nodes or more: ask for fewer at a time`);
      }
      return hits.map((hit) => toNode(hit).node);
    },
    delete: (docId, call = {}) => remove(filtersToQuery({ ref_doc_id: docId }, METADATA_FIELD)!, call),
    async deleteNodes(which, call = {}) {
      if (which.ids || which.filters) await remove(selection(which), call);
    },
    async clear(call = {}) {
      await client.indices.delete({ index, ignore_unavailable: true }, transport(call));
    },
  };
}

function transport({ signal }: CallOptions): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}

function optional<T>(item: T | undefined): T[] {
  return item === undefined ? [] : [item];
}

/** What a question is restricted to, as queries that do not score. */
function restrictions({ filters, nodeIds, docIds }: VectorStoreQuery): Query[] {
  return [
    ...optional(filtersToQuery(filters, METADATA_FIELD)),
    ...(nodeIds ? [{ ids: { values: [...nodeIds] } }] : []),
    ...(docIds ? [filtersToQuery({ ref_doc_id: { in: [...docIds] } }, METADATA_FIELD)!] : []),
  ];
}

function toSource({ node, embedding }: EmbeddedNode, options: ElasticsearchStoreOptions): Record<string, unknown> {
  const { vectorField = VECTOR_FIELD, textField = TEXT_FIELD, vectors = true } = options;
  const { content, metadata } = nodeToSource(node);
  // A vector of zeros means nothing, and cannot be compared by its angle.
  const vector = vectors && embedding && !isZero(embedding) ? { [vectorField]: Array.from(embedding) } : {};
  return { [textField]: content, [METADATA_FIELD]: metadata, ...vector };
}

function checked(answer: estypes.BulkResponse, tolerated: number[]): void {
  if (!answer.errors) return;
  const failures = answer.items.flatMap((item) => {
    const [result] = Object.values(item);
    if (!result?.error || tolerated.includes(result.status)) return [];
    return [{ id: result._id ?? "", type: result.error.type, reason: result.error.reason ?? "" }];
  });
  if (failures.length > 0) throw new StoreError(failures);
}

function nothingIfMissing(error: unknown): estypes.SearchHit[] {
  if (error instanceof errors.ResponseError && error.statusCode === 404) return [];
  throw error;
}

async function ensureIndex(
  options: ElasticsearchStoreOptions,
  nodes: readonly EmbeddedNode[],
  call: CallOptions,
): Promise<void> {
  const { client, index } = options;
  if (await client.indices.exists({ index }, transport(call))) return;
  const dims = nodes.find((item) => item.embedding)?.embedding?.length;
  if ((options.vectors ?? true) && dims === undefined) {
    throw new InvalidArgumentError(
      "nodes",
      nodes.length,
      "the nodes have no vectors: embed them, or make the store with vectors: false",
    );
  }
  try {
    await client.indices.create({ index, mappings: mappings(options, dims) }, transport(call));
  } catch (error) {
    // Another process was faster.
    const exists =
      error instanceof errors.ResponseError && error.body?.error?.type === "resource_already_exists_exception";
    if (!exists) throw error;
  }
}

function mappings(options: ElasticsearchStoreOptions, dims: number | undefined): estypes.MappingTypeMapping {
  const {
    vectorField = VECTOR_FIELD,
    textField = TEXT_FIELD,
    vectors = true,
    similarity = "cosine",
    analyzer,
  } = options;
  const keyword: estypes.MappingProperty = { type: "keyword" };
  return {
    // What looks like a date in one document may be words in the next; JavaScript has one kind of number.
    date_detection: false,
    dynamic_templates: [
      { numbers: { path_match: `${METADATA_FIELD}.*`, match_mapping_type: "long", mapping: { type: "double" } } },
      { fractions: { path_match: `${METADATA_FIELD}.*`, match_mapping_type: "double", mapping: { type: "double" } } },
    ],
    properties: {
      [textField]: { type: "text", ...(analyzer ? { analyzer } : {}) },
      ...(vectors && dims !== undefined
        ? { [vectorField]: { type: "dense_vector", dims, index: true, similarity, index_options: { type: "hnsw" } } }
        : {}),
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
