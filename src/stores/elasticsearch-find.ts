/** How a store over an index is asked, mode by mode. */
import type { estypes } from "@elastic/elasticsearch";
import { METADATA_FIELD, sourceToNode } from "../elasticsearch/layout.ts";
import { filtersToQuery, fuse, type NamedList } from "../retrieval/index.ts";
import {
  type CallOptions,
  cosine,
  embedSparseTexts,
  InvalidArgumentError,
  isZero,
  marginalRelevance,
  type NodeWithScore,
  type SparseEmbeddingModel,
  type VectorStoreQuery,
} from "../schema/index.ts";
import { type StoreIndexOptions, storeFields, transport } from "./elasticsearch-index.ts";

export type Query = estypes.QueryDslQueryContainer;

/**
 * How `hybrid` makes one list of two:
 * - `relative_score`: scores scaled to 0 … 1 within each list, weighted by `alpha` and added;
 * - `rrf`: Elasticsearch's reciprocal rank fusion, computed here, so that no licence is needed;
 * - `sum`: Elasticsearch adds the raw scores of both, in one request.
 */
export type HybridFusion = "relative_score" | "rrf" | "sum";

/** The ways in which a store fuses words and vectors. */
export const HYBRID_FUSIONS: readonly HybridFusion[] = ["relative_score", "rrf", "sum"];

export interface StoreSearchOptions extends StoreIndexOptions {
  /** Gives texts weighted terms: for the mode `sparse`, and for the list beside the vectors in `hybrid`. */
  sparse?: SparseEmbeddingModel;
  /** Default `relative_score`. */
  hybrid?: HybridFusion;
  /** Of `rrf`: how little the first ranks stand out (default 60), and hits of each list that count (default 100, and at least `topK`). */
  rrf?: { rankConstant?: number; rankWindowSize?: number };
}

/** What a question may have for this store alone, in `storeOptions`. */
export interface ElasticsearchQueryOptions {
  /** Beside the filters. */
  filter?: Query | readonly Query[];
  /** Changes the body of each search before size and source are put into it and it is sent. */
  customQuery?: (body: estypes.SearchRequest, question: string | undefined) => estypes.SearchRequest;
}

/** Candidates of the lists that are fused, or picked from. */
const DEPTH = 100;
/** The largest result window. */
export const PAGE = 10_000;
const RANK_CONSTANT = 60;

export type Find = (query: VectorStoreQuery, call: CallOptions) => Promise<NodeWithScore[]>;

export function storeSearch(options: StoreSearchOptions): Find {
  const { client, index, vectors = true, sparse, hybrid = "relative_score" } = options;
  const fields = storeFields(options);
  const excludes = [fields.vector, fields.sparse];

  async function search(body: estypes.SearchRequest, query: VectorStoreQuery, size: number, call: CallOptions) {
    const { customQuery } = own(query);
    const asked = customQuery ? customQuery(body, query.query) : body;
    const _source = query.mode === "mmr" ? true : { excludes };
    const answer = await client.search({ index, ...asked, size, _source }, transport(call));
    return answer.hits.hits;
  }

  const toNode = (hit: estypes.SearchHit): NodeWithScore => ({
    node: sourceToNode(hit._id ?? "", hit._source, fields.text),
    ...(typeof hit._score === "number" ? { score: hit._score } : {}),
  });

  const textQuery = (query: VectorStoreQuery): Query | undefined =>
    query.query?.trim() ? { match: { [fields.text]: { query: query.query } } } : undefined;

  async function sparseQuery(query: VectorStoreQuery, call: CallOptions): Promise<Query | undefined> {
    if (!sparse) {
      throw new InvalidArgumentError(
        "mode",
        query.mode,
        `the mode "sparse" needs a model of weighted terms: give the store \`sparse\``,
      );
    }
    if (!query.query?.trim()) return undefined;
    const [vector] = await embedSparseTexts(sparse, [query.query], { kind: "query", ...call });
    if (Object.keys(vector!).length === 0) return undefined;
    return { sparse_vector: { field: fields.sparse, query_vector: { ...vector } } };
  }

  async function byQuery(scored: Query | undefined, query: VectorStoreQuery, size: number, call: CallOptions) {
    if (!scored) return [];
    const body = { query: { bool: { must: [scored], filter: restrictions(query) } } };
    return (await search(body, query, size, call)).map(toNode);
  }

  function knnOf(query: VectorStoreQuery, size: number): estypes.KnnSearch | undefined {
    const { embedding, mode } = query;
    if (!embedding) {
      throw new InvalidArgumentError(
        "query",
        query.query,
        vectors
          ? `there is nothing to compare: the mode "${mode}" needs the question's vector`
          : `this store keeps no vectors, which the mode "${mode}" compares`,
      );
    }
    if (isZero(embedding)) return undefined;
    return {
      field: fields.vector,
      query_vector: Array.from(embedding),
      k: size,
      num_candidates: Math.min(PAGE, size * 10),
      filter: restrictions(query),
    };
  }

  async function byVector(query: VectorStoreQuery, size: number, call: CallOptions): Promise<estypes.SearchHit[]> {
    const knn = knnOf(query, size);
    return knn ? search({ knn }, query, size, call) : [];
  }

  /** The two queries that `hybrid` is of: the vectors' (or the terms', where there are none), and the terms' (or the text's). */
  async function bothOf(query: VectorStoreQuery, call: CallOptions) {
    if (!vectors && !sparse) throw incompatible(query, "the text alone: give the store vectors, or `sparse`");
    const terms = sparse ? await sparseQuery(query, call) : undefined;
    return vectors
      ? { first: "vector", second: sparse ? "sparse" : "text", terms: sparse ? terms : textQuery(query) }
      : { first: "sparse", second: "text", terms: textQuery(query), instead: terms };
  }

  async function byBoth(query: VectorStoreQuery, call: CallOptions): Promise<NodeWithScore[]> {
    const { alpha = 0.5, topK, hybridTopK } = query;
    if (!(alpha >= 0 && alpha <= 1)) throw new InvalidArgumentError("alpha", alpha, "alpha must be between 0 and 1");
    if (query.alpha !== undefined && hybrid !== "relative_score") {
      throw new InvalidArgumentError(
        "alpha",
        alpha,
        `alpha weighs relative scores; this store's hybrid is "${hybrid}"`,
      );
    }
    const both = await bothOf(query, call);
    const size = hybridTopK ?? topK;
    if (hybrid === "sum") return sum(both, query, size, call);
    const depth = Math.max(DEPTH, topK);
    const window = hybrid === "rrf" ? Math.max(options.rrf?.rankWindowSize ?? depth, size) : depth;
    const [second, first] = await Promise.all([
      byQuery(both.terms, query, query.sparseTopK ?? window, call),
      vectors
        ? byVector(query, window, call).then((hits) => hits.map(toNode))
        : byQuery(both.instead, query, window, call),
    ]);
    const lists: NamedList[] = [
      { name: both.second, nodes: second, weight: 1 - alpha },
      { name: both.first, nodes: first, weight: alpha },
    ];
    const fused =
      hybrid === "rrf" ? reciprocal(lists, options.rrf?.rankConstant) : fuse(lists, hybrid, (node) => node.id);
    return fused.slice(0, size);
  }

  async function sum(
    { terms, instead }: Awaited<ReturnType<typeof bothOf>>,
    query: VectorStoreQuery,
    size: number,
    call: CallOptions,
  ): Promise<NodeWithScore[]> {
    if (query.sparseTopK !== undefined) {
      throw new InvalidArgumentError(
        "sparseTopK",
        query.sparseTopK,
        'the hybrid "sum" has one list: give it hybridTopK',
      );
    }
    const knn = vectors ? knnOf(query, size) : undefined;
    const should = [terms, instead].filter((item) => item !== undefined);
    if (!knn && should.length === 0) return [];
    const either: Query = should.length > 1 ? { bool: { should, minimum_should_match: 1 } } : should[0]!;
    const matching: Query = { bool: { must: [either], filter: restrictions(query) } };
    const body = { ...(knn ? { knn } : {}), ...(should.length > 0 ? { query: matching } : {}) };
    return (await search(body, query, size, call)).map(toNode);
  }

  function marginal(
    hits: estypes.SearchHit[],
    { embedding, mmrThreshold = 0.5, topK }: VectorStoreQuery,
  ): NodeWithScore[] {
    const stored = hits.map((hit) => (hit._source as Record<string, number[]>)[fields.vector]!);
    return marginalRelevance(
      stored.map((vector) => cosine(embedding!, vector)),
      (a, b) => cosine(stored[a]!, stored[b]!),
      mmrThreshold,
      topK,
    ).map((place) => toNode(hits[place]!));
  }

  return async (query, call) => {
    const { mode, topK } = query;
    own(query);
    if (topK === 0) return [];
    if (query.embedding && (mode === "sparse" || (mode === "default" && !vectors && sparse))) {
      throw new InvalidArgumentError("embedding", undefined, "weighted terms are compared here, not a vector");
    }
    // An empty question asks for what the filters leave.
    if (query.query === "" && !query.embedding) {
      const body = { query: { bool: { filter: restrictions(query) } } };
      return (await search(body, query, topK, call)).map((hit) => ({ node: toNode(hit).node }));
    }
    switch (mode) {
      case "text_search":
        return byQuery(textQuery(query), query, topK, call);
      case "sparse":
        return byQuery(await sparseQuery(query, call), query, topK, call);
      case "default":
        if (vectors) return (await byVector(query, topK, call)).map(toNode);
        return byQuery(sparse ? await sparseQuery(query, call) : textQuery(query), query, topK, call);
      case "mmr":
        return marginal(await byVector(query, Math.max(DEPTH, topK), call), query);
      case "hybrid":
        return byBoth(query, call);
      default:
        throw incompatible(query, "the modes default, text_search, sparse, hybrid and mmr");
    }
  };
}

function incompatible({ mode }: VectorStoreQuery, known: string): InvalidArgumentError {
  return new InvalidArgumentError("mode", mode, `this store knows ${known}; "${mode}" is not for it`);
}

/** Elasticsearch's reciprocal rank fusion: 1 / (constant + rank), rank from 1. Equal scores stay in the lists' order. */
function reciprocal(lists: readonly NamedList[], constant = RANK_CONSTANT): NodeWithScore[] {
  const fused = new Map<string, NodeWithScore & { score: number }>();
  for (const { name, nodes } of lists) {
    nodes.forEach(({ node, score }, i) => {
      const known = fused.get(node.id) ?? { node, score: 0, ranks: [] };
      const rank = { list: name, rank: i + 1, ...(score === undefined ? {} : { score }) };
      fused.set(node.id, {
        ...known,
        score: known.score + 1 / (constant + rank.rank),
        ranks: [...(known.ranks ?? []), rank],
      });
    });
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}

const OWN_OPTIONS = ["filter", "customQuery"];

function own({ storeOptions = {} }: VectorStoreQuery): ElasticsearchQueryOptions {
  const unknown = Object.keys(storeOptions).find((name) => !OWN_OPTIONS.includes(name));
  if (unknown === undefined) return storeOptions;
  throw new InvalidArgumentError(
    `storeOptions.${unknown}`,
    storeOptions[unknown],
    `this store knows no option "${unknown}": known are ${OWN_OPTIONS.join(" and ")}`,
  );
}

/** What a question is restricted to, as queries that do not score. */
function restrictions(query: VectorStoreQuery): Query[] {
  const { filters, nodeIds, docIds } = query;
  const { filter = [] } = own(query);
  return [
    ...optional(filtersToQuery(filters, METADATA_FIELD)),
    ...(nodeIds ? [{ ids: { values: [...nodeIds] } }] : []),
    ...(docIds ? [filtersToQuery({ ref_doc_id: { in: [...docIds] } }, METADATA_FIELD)!] : []),
    ...[filter].flat(),
  ];
}

export function optional<T>(item: T | undefined): T[] {
  return item === undefined ? [] : [item];
}
