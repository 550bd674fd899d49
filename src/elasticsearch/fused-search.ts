/**
 * A compound retriever (`rrf`, `linear`, `text_similarity_reranker`) computed beside a cluster that has none: its leaves are searched for on
 * one point in time, their lists fused here with the engine's formulas, and one more search asks for the documents of the fused list. What the
 * cluster answers to that search is the answer.
 */

import type { Reranker } from "../engine/action/search/index.ts";
import { leastScore, searchFailedReason, shownSize } from "../engine/action/search/retrievers/shown.ts";
import {
  type CompoundRetriever,
  type LeafRetriever,
  nameOf,
  type Retriever,
} from "../engine/action/search/retrievers/types.ts";
import { writeJson } from "../engine/json/write.ts";
import {
  linearFusion,
  type RankedHit,
  rankedScore,
  reciprocalRankFusion,
  rerankedHits,
} from "../engine/search/rank-fusion.ts";
import { type Json, type JsonBody, QueryFailed, withoutName } from "./fused-json.ts";

/** A hit of a list, and where it is found. */
export interface FoundHit extends RankedHit {
  readonly index: string;
  readonly id: string;
}

export interface FusedSearch {
  readonly retriever: CompoundRetriever;
  /** The request's body, without its retriever. */
  readonly body: JsonBody;
  /** Sends a search of the point in time. @throws QueryFailed for an error of the search */
  search(body: JsonBody): Promise<JsonBody>;
  readonly rerankers: Readonly<Record<string, Reranker>>;
  readonly signal: AbortSignal | undefined;
}

/** The last search: for what the retriever found. */
export async function fusedRequest(fused: FusedSearch): Promise<JsonBody> {
  const { retriever, body } = fused;
  const { hits, sources } = await resolve(retriever, [], fused);
  const { track_total_hits: tracked, from, size, aggs, aggregations, ...rest } = body;
  const counts = tracked === undefined || tracked === true || tracked === "true" || Number(tracked) > hits.length;
  const wanted = aggs !== undefined || aggregations !== undefined || counts;
  const shown = shownSize({ from: numberOf(from), size: numberOf(size) }, hits.length);
  const minScore = leastScore(retriever);
  if (hits.some(({ score }) => !Number.isFinite(score))) {
    throw new QueryFailed(
      "unsupported_feature_exception",
      "scores that are infinite cannot be asked for beside a cluster",
    );
  }
  return {
    ...rest,
    ...(tracked === undefined ? {} : { track_total_hits: tracked }),
    ...(aggs === undefined ? {} : { aggs }),
    ...(aggregations === undefined ? {} : { aggregations }),
    ...(from === undefined ? {} : { from }),
    ...(shown === undefined ? {} : { size: shown }),
    ...(minScore === undefined ? {} : { min_score: minScore }),
    query: rankedQuery(hits, wanted ? sources() : undefined),
  };
}

const numberOf = (value: Json | undefined) => (value === undefined ? undefined : Number(value));

interface Resolved {
  readonly hits: readonly FoundHit[];
  /** Queries for all that its retrievers match. */
  sources(): Json[];
}

async function resolve(retriever: CompoundRetriever, around: readonly Json[], fused: FusedSearch): Promise<Resolved> {
  const filters = [...filtersOf(retriever), ...around];
  const { children, window } = retriever;
  if (children.length === 0) throw new QueryFailed("illegal_argument_exception", "sources must not be null or empty");
  if (window < 0) {
    throw new QueryFailed("illegal_argument_exception", `[size] parameter cannot be negative, found [${window}]`);
  }
  for (const child of children) checkLeaf(child);
  const inner = new Map<Retriever, Resolved>();
  for (const child of children) {
    if (child.kind === "compound") inner.set(child, await resolve(child, filters, fused));
  }
  const answers = await Promise.all(
    children.map(async (child): Promise<Answer> => {
      try {
        const list =
          child.kind === "leaf"
            ? await leafHits(child, filters, retriever, fused)
            : listOf(child, inner.get(child)!).slice(0, window);
        return { list: await reranked(list, retriever, fused) };
      } catch (error) {
        if (error instanceof QueryFailed) return { failed: error, name: nameOf(child) };
        throw error;
      }
    }),
  );
  const failures = answers.flatMap((each) => ("failed" in each ? [each] : []));
  if (failures.length > 0) throw searchFailed(nameOf(retriever), failures);
  const lists = answers.map((each) => ("list" in each ? each.list : []));
  return {
    hits: fusedHits(lists, retriever),
    sources: () =>
      children.map((child, i) =>
        child.kind === "leaf"
          ? leafSource(child, filters, lists[i])
          : { bool: { should: inner.get(child)!.sources() } },
      ),
  };
}

type Answer = { readonly list: readonly FoundHit[] } | { readonly failed: QueryFailed; readonly name: string };

function checkLeaf(child: Retriever): void {
  if (child.kind === "compound" || child.onlyAlone === undefined) return;
  const reason = `[${child.onlyAlone}] cannot be used in children of compound retrievers`;
  throw new QueryFailed("illegal_argument_exception", reason);
}

function fusedHits(
  lists: readonly (readonly FoundHit[])[],
  { fusion, window }: CompoundRetriever,
): readonly FoundHit[] {
  if (fusion.type === "rrf") return reciprocalRankFusion(lists, { constant: fusion.constant, window });
  if (fusion.type === "linear") return linearFusion(lists, fusion.lists, window);
  return lists[0];
}

function listOf(child: CompoundRetriever, { hits }: Resolved): readonly FoundHit[] {
  const least = leastScore(child) ?? 0;
  return hits.map((hit) => ({ ...hit, score: rankedScore(hit.score) })).filter(({ score }) => score >= least);
}

const plain = (json: Parameters<typeof writeJson>[0]) => JSON.parse(writeJson(json)) as Json;

function filtersOf({ json }: Retriever): readonly Json[] {
  const { filter } = json;
  if (filter === undefined) return [];
  const own = plain(filter);
  return Array.isArray(own) ? own : [own];
}

/** The best hits of a leaf. */
async function leafHits(
  leaf: LeafRetriever,
  around: readonly Json[],
  { window, fusion }: CompoundRetriever,
  { search }: FusedSearch,
): Promise<FoundHit[]> {
  const { filter: _filter, _name, ...own } = plain(leaf.json) as JsonBody;
  const filters = [...filtersOf(leaf), ...around];
  const { query, sort, ...rest } = own;
  const common = { size: window, track_total_hits: false, _source: false, sort: [...sorts(sort), "_shard_doc"] };
  const least = leaf.minScore === undefined ? {} : { min_score: leaf.minScore };
  const scored = fusion.type === "linear" ? { track_scores: true } : {};
  const body: JsonBody =
    leaf.name === "knn"
      ? { ...common, ...least, ...scored, knn: { ...own, filter: [...filters] } }
      : { ...common, ...scored, ...rest, ...filteredQuery(query, filters) };
  const { hits } = (await search(body)) as unknown as { hits: { hits: ShownHit[] } };
  return hits.hits.map(placed);
}

function sorts(given: Json | undefined): Json[] {
  if (given === undefined) return ["_score"];
  return Array.isArray(given) ? given : [given];
}

function filteredQuery(query: Json | undefined, filters: readonly Json[]): JsonBody {
  if (filters.length === 0) return query === undefined ? {} : { query };
  return { query: { bool: { ...(query === undefined ? {} : { must: [query] }), filter: [...filters] } } };
}

interface ShownHit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | string | null;
  readonly sort: readonly Json[];
  readonly fields?: { readonly [name: string]: readonly Json[] };
}

/** `_shard_doc` holds the number of the shard in its upper half. */
function placed({ _index: index, _id: id, _score, sort }: ShownHit): FoundHit {
  const place = Number(sort.at(-1));
  const score = _score === null ? Number.NaN : Math.fround(Number(_score));
  return { index, id, score, shard: Math.floor(place / 2 ** 32), doc: place % 2 ** 32 };
}

/** What a leaf matches; with filters nothing scores. */
function leafSource(leaf: LeafRetriever, around: readonly Json[], list: readonly FoundHit[]): Json {
  const name = leaf.queryName === undefined ? {} : { _name: leaf.queryName };
  if (leaf.name === "knn") return { bool: { filter: [hitsQuery(list)], ...name } };
  const filters = [...filtersOf(leaf), ...around];
  const { query } = plain(leaf.json) as JsonBody;
  if (query === undefined && filters.length > 0)
    throw new QueryFailed("illegal_argument_exception", "inner bool query clause cannot be null");
  if (query === undefined) {
    const reason = `Cannot invoke "org.elasticsearch.index.query.QueryBuilder.queryName(String)" because "qb" is null`;
    throw new QueryFailed("null_pointer_exception", reason, 500);
  }
  if (filters.length > 0) return { bool: { filter: [query, ...filters], ...name } };
  // The retriever's name takes the place of the query's.
  return { bool: { must: [withoutName(query)], ...name } };
}

/** Documents by their indices and ids. */
function hitsQuery(hits: readonly Pick<FoundHit, "index" | "id">[]): Json {
  if (hits.length === 0) return { match_none: {} };
  const byIndex = new Map<string, string[]>();
  for (const { index, id } of hits) byIndex.set(index, [...(byIndex.get(index) ?? []), id]);
  const should = [...byIndex].map(
    ([index, values]): Json => ({ bool: { filter: [{ term: { _index: index } }, { ids: { values } }] } }),
  );
  return should.length === 1 ? should[0] : { bool: { should } };
}

/** The list's documents with their scores, and without one what its sources match. */
function rankedQuery(hits: readonly FoundHit[], sources: readonly Json[] | undefined): Json {
  const byScore = new Map<number, FoundHit[]>();
  for (const hit of hits) {
    const score = rankedScore(hit.score);
    byScore.set(score, [...(byScore.get(score) ?? []), hit]);
  }
  const should = [...byScore].map(([boost, same]): Json => ({ constant_score: { filter: hitsQuery(same), boost } }));
  if (sources === undefined) return should.length === 0 ? { match_none: {} } : { bool: { should } };
  return { bool: { should, filter: [{ bool: { should: [...sources] } }] } };
}

/** The hits of a list in the order of a reranking model of this side. */
async function reranked(
  hits: readonly FoundHit[],
  { fusion, window, minScore }: CompoundRetriever,
  { rerankers, search, signal }: FusedSearch,
): Promise<readonly FoundHit[]> {
  if (fusion.type !== "text_similarity_reranker") return hits;
  const { inferenceId, field } = fusion;
  if (!Object.hasOwn(rerankers, inferenceId)) {
    throw new QueryFailed("resource_not_found_exception", `Inference endpoint not found [${inferenceId}]`, 404);
  }
  if (hits.length === 0) return [];
  const body = { query: hitsQuery(hits), size: hits.length, _source: false, fields: [field], track_total_hits: false };
  const { hits: found } = (await search(body)) as unknown as { hits: { hits: ShownHit[] } };
  const texts = new Map(
    found.hits.map(({ _index, _id, fields }) => [`${_index} ${_id}`, fields?.[field]?.[0] ?? undefined]),
  );
  const shown = hits.flatMap((hit) => {
    const text = texts.get(`${hit.index} ${hit.id}`);
    return text === undefined || text === null
      ? []
      : [{ hit, text: typeof text === "string" ? text : JSON.stringify(text) }];
  });
  if (shown.length === 0) return [];
  const scored = await rerankers[inferenceId].rerank(
    fusion.text,
    shown.map(({ text }) => text),
    signal ? { signal } : {},
  );
  const relevance: number[] = [];
  for (const { index, score } of scored) relevance[index] = score;
  if (relevance.length !== shown.length || !shown.every((_, i) => Number.isFinite(relevance[i]))) {
    const reason = `Reranker input document count and returned score count mismatch: [${shown.length}] vs [${scored.length}]`;
    throw new QueryFailed("illegal_state_exception", reason, 500);
  }
  return rerankedHits(
    shown.map(({ hit }) => hit),
    relevance,
    { window, minScore },
  );
}

function searchFailed(name: string, failures: readonly { readonly failed: QueryFailed; readonly name: string }[]) {
  const reason = searchFailedReason(
    name,
    failures.map((each) => each.name),
  );
  const status = Math.max(...failures.map(({ failed }) => failed.status));
  const suppressed = failures.map(({ failed }) => failed.described());
  return new QueryFailed("status_exception", reason, status, { suppressed });
}
