/**
 * Retrievers: from a question to nodes with scores, best first. Each is an object with one method, made by a function; anything with
 * that method can take its place. Those over an index send one request of the DSL through the official client.
 */
import type { Client, estypes } from "@elastic/elasticsearch";
import { sourceToNode, TEXT_FIELD, VECTOR_FIELD } from "../elasticsearch/layout.ts";
import {
  type CallOptions,
  callOptions,
  type EmbeddingModel,
  type Filters,
  InvalidArgumentError,
  isZero,
  meanVector,
  type NodeWithScore,
  type QueryBundle,
  type Retriever,
  step,
} from "../schema/index.ts";
import { defineRetriever, type RetrieveInput, type RetrieverFrame } from "./define.ts";
import { filtersToQuery } from "./filters.ts";
import { rawSimilarity, scoresByVectors, type VectorSimilarity } from "./similarity.ts";

type Query = estypes.QueryDslQueryContainer;

/** An index as retrievers need it: where it is, and which of its fields hold what. A collection is one. */
export interface SearchableIndex {
  readonly client: Client;
  readonly index: string;
  /** Fields of a full-text query with their weights. Default `["content"]`. */
  readonly textFields?: readonly string[];
  /** Default `embedding`. `windows.vector` where a passage counts by its best window. */
  readonly vectorField?: string;
  readonly embedding?: EmbeddingModel;
  /** How the index compares vectors. Where it is known, hits of vectors have their `similarity` beside the score. */
  readonly similarity?: VectorSimilarity;
}

/** What retrievers over an index of the engine take: how many nodes, and filters. */
export interface IndexRetrieverOptions extends RetrieverFrame {
  /** Default 10, as a search without `size`. */
  topK?: number;
  filters?: Filters;
}

/**
 * Any body of the DSL: `body` makes it from the question; `size` and `_source` have defaults.
 *
 * @example dslRetriever(collection, ({ query }) => ({ query: { match_phrase: { content: query } } }))
 */
export function dslRetriever(
  target: SearchableIndex,
  body: (input: RetrieveInput) => estypes.SearchRequest | undefined | Promise<estypes.SearchRequest | undefined>,
  frame: RetrieverFrame = { name: "dsl" },
): Retriever {
  return defineRetriever(async (input) => {
    const request = await body(input);
    if (!request) return [];
    const answer = await target.client.search(
      {
        index: target.index,
        _source: { excludes: [VECTOR_FIELD, "windows"] },
        track_total_hits: false,
        ...request,
      },
      input.signal ? { signal: input.signal } : {},
    );
    const { similarity } = target;
    if (!similarity || !scoresByVectors(request)) return answer.hits.hits.map((hit) => hitToNode(hit));
    return answer.hits.hits.map((hit) => ({
      ...hitToNode(hit),
      ...(typeof hit._score === "number" ? { similarity: rawSimilarity(hit._score, similarity) } : {}),
    }));
  }, frame);
}

/** A hit of the DSL as a node with its score. */
export function hitToNode(hit: estypes.SearchHit): NodeWithScore {
  return {
    node: sourceToNode(hit._id ?? "", hit._source),
    ...(typeof hit._score === "number" ? { score: hit._score } : {}),
    ...(hit.highlight ? { highlights: hit.highlight } : {}),
  };
}

/** Full text: BM25 over the collection's text fields, their scores added. */
export function bm25Retriever(target: SearchableIndex, options: IndexRetrieverOptions = {}): Retriever {
  const topK = checkedTopK(options.topK);
  return dslRetriever(target, (input) => bm25Request(target, input, { ...options, topK }), {
    name: "bm25",
    ...options,
  });
}

/** The request for the best of a full-text question; none where nothing can match, and for nothing. */
export function bm25Request(
  target: SearchableIndex,
  { query, filters }: QueryBundle,
  options: IndexRetrieverOptions & { topK: number },
): estypes.SearchRequest | undefined {
  if (query.trim() === "" || options.topK === 0) return undefined;
  return { query: textQuery(target, query, allFilters(options.filters, filters)), size: options.topK };
}

/** The full-text query of a question, with filters that do not score. */
export function textQuery(target: SearchableIndex, text: string, filters: Query[]): Query {
  const query: Query = {
    multi_match: { query: text, fields: [...(target.textFields ?? [TEXT_FIELD])], type: "most_fields" },
  };
  return filters.length ? { bool: { must: [query], filter: filters } } : query;
}

/** The nearest vectors. A question that the model knows nothing of finds nothing. */
export function vectorRetriever(target: SearchableIndex, options: IndexRetrieverOptions = {}): Retriever {
  const topK = checkedTopK(options.topK);
  return dslRetriever(target, (input) => vectorRequest(target, input, { ...options, topK }), {
    name: "vector",
    ...options,
  });
}

/** The request for the nearest of a question's vector; none where it has no meaning, and for nothing. */
export async function vectorRequest(
  target: SearchableIndex,
  input: QueryBundle & CallOptions,
  options: IndexRetrieverOptions & { topK: number },
): Promise<estypes.SearchRequest | undefined> {
  const { topK } = options;
  if (topK === 0) return undefined;
  const vector = await questionVector(target, input);
  if (!vector) return undefined;
  const filters = allFilters(options.filters, input.filters);
  return {
    knn: {
      field: target.vectorField ?? VECTOR_FIELD,
      query_vector: vector,
      k: topK,
      num_candidates: Math.min(10_000, topK * 10),
      ...(filters.length ? { filter: filters } : {}),
    },
    size: topK,
  };
}

/** The question's vector: as given, or the mean of the texts' to embed; undefined where there is none or it means nothing. */
async function questionVector(
  target: SearchableIndex,
  input: QueryBundle & CallOptions,
): Promise<number[] | undefined> {
  if (input.embedding) return isZero(input.embedding) ? undefined : Array.from(input.embedding);
  const texts = (input.embeddingTexts ?? [input.query]).filter((text) => text.trim() !== "");
  if (texts.length === 0) return undefined;
  const model = target.embedding;
  if (!model) {
    throw new InvalidArgumentError(
      "embedding",
      undefined,
      "a vector retriever needs an embedding model: give the index one, or the question its `embedding`",
    );
  }
  const vectors = await step(
    callOptions(input),
    { kind: "embed", name: model.name, attributes: { texts: texts.length } },
    (own) => model.embed(texts, { kind: "query", ...own }),
  );
  const mean = meanVector(model, vectors);
  if (isZero(mean)) return undefined;
  // Several unit vectors have a shorter mean, which a dot product would refuse.
  if (vectors.length > 1 && model.similarity === "dot_product") {
    const length = Math.hypot(...mean);
    for (let i = 0; i < mean.length; i++) mean[i]! /= length;
  }
  return Array.from(mean);
}

/** The retriever's filters and the question's own: both hold. */
function allFilters(...filters: (Filters | undefined)[]): Query[] {
  return filters.map((item) => filtersToQuery(item)).filter((item) => item !== undefined);
}

/** @throws InvalidArgumentError unless it is a whole number from 0 to 10,000 (the largest result window) */
export function checkedTopK(topK: number | undefined, fallback = 10): number {
  const value = topK ?? fallback;
  if (!Number.isInteger(value) || value < 0 || value > 10_000) {
    throw new InvalidArgumentError("topK", topK, `topK must be a whole number from 0 to 10000, not ${String(topK)}`);
  }
  return value;
}
