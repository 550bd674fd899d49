/**
 * Running a compound retriever: its leaves are searched for, their lists fused from the inside out, and the search becomes one for the
 * documents of the last list (CompoundRetrieverBuilder.rewrite, RankDocsRetrieverBuilder).
 */
import { EngineError } from "../../../errors.ts";
import { innerHitsOf } from "../../../query/dsl/index.ts";
import { rankedScore } from "../../../search/rank-fusion.ts";
import type { Slices } from "../../../slices.ts";
import { groupFilter } from "../collapsing.ts";
import { readInnerHits } from "../inner-hits/request.ts";
import { nearestOf } from "../nearest.ts";
import { queryPhase } from "../query-phase.ts";
import { DEFAULT_TRACKED, type SearchRequest } from "../request.ts";
import { type Shard, withGlobalStatistics } from "../shard.ts";
import { mergeHits } from "../sorting.ts";
import { fusedDocs, leafDocs } from "./fused-docs.ts";
import { isLeaf, type PlannedChild, type PlannedLeaf, type RetrieverPlan } from "./plan.ts";
import { rankDocsBuilder } from "./rank-docs.ts";
import { reranked } from "./rerank.ts";
import { leastScore, searchFailedReason, shownSize } from "./shown.ts";
import { explainedSource, matchingSource, type ResolvedChild } from "./sources.ts";
import { nameOf, type RankDoc } from "./types.ts";

/** A hit of a list: the place of its shard among those of the search, and its own there. */
export interface PlacedHit {
  readonly shard: number;
  readonly doc: number;
  readonly score: number;
}

/** The search for what a request's retriever found. */
export async function resolveRetriever(
  shards: readonly Shard[],
  request: SearchRequest,
  slices: Slices,
): Promise<SearchRequest> {
  const { plan, compound } = request;
  if (!plan || !compound) return request;
  const { docs, children } = await resolve(plan, shards, slices);
  const { explain, aggregations, trackTotalHits } = request;
  const counts = trackTotalHits > docs.length || trackTotalHits === DEFAULT_TRACKED;
  const source = explain ? explainedSource : matchingSource;
  // Where nobody asks what else matches, only the list is searched.
  const sources = aggregations || explain || counts ? children.map((child) => source(child, shards)) : undefined;
  const query = rankDocsBuilder(docs, shards, sources && { builders: sources, onlyRanked: false });
  const minScore = leastScore(plan.retriever);
  return {
    ...request,
    query,
    innerHits: [...innerHitsOf([query]).map(readInnerHits), ...request.innerHits],
    ...(minScore === undefined ? {} : { minScore }),
    size: shownSize(compound, docs.length) ?? request.size,
  };
}

interface Resolved {
  readonly docs: readonly RankDoc[];
  readonly children: readonly ResolvedChild[];
}

async function resolve(plan: RetrieverPlan, shards: readonly Shard[], slices: Slices): Promise<Resolved> {
  const { retriever, rerankers } = plan;
  const inner = new Map<PlannedChild, Resolved>();
  for (const child of plan.children) if (!isLeaf(child)) inner.set(child, await resolve(child, shards, slices));
  const { window } = retriever;
  const lists: (readonly PlacedHit[])[] = [];
  const failures: { readonly name: string; readonly error: EngineError }[] = [];
  for (const child of plan.children) {
    try {
      const list = isLeaf(child)
        ? await leafHits(child, shards, slices)
        : listOf(child, inner.get(child)!).slice(0, window);
      lists.push(await reranked(list, retriever, rerankers, shards, slices));
    } catch (error) {
      const own = error instanceof EngineError && !/^(unsupported_feature|task_cancelled)_exception$/.test(error.type);
      if (!own) throw error;
      failures.push({ name: nameOfChild(child), error });
    }
  }
  if (failures.length > 0) throw searchFailed(nameOf(retriever), failures);
  const children = plan.children.map(
    (child, i): ResolvedChild => (isLeaf(child) ? { leaf: child, docs: leafDocs(lists[i]) } : inner.get(child)!),
  );
  return { docs: fusedDocs(lists, retriever), children };
}

const nameOfChild = (child: PlannedChild) => (isLeaf(child) ? nameOf(child.retriever) : "rank_docs_retriever");

/** The list of a compound child as a search for it gives it. */
function listOf(child: RetrieverPlan, { docs }: Resolved): readonly PlacedHit[] {
  const least = leastScore(child.retriever) ?? 0;
  return docs.map((doc) => ({ ...doc, score: rankedScore(doc.score) })).filter(({ score }) => score >= least);
}

/** The best hits of a leaf, on the snapshots of the whole search. */
async function leafHits(
  { request }: PlannedLeaf,
  searched: readonly Shard[],
  slices: Slices,
): Promise<readonly PlacedHit[]> {
  // Named queries and searches for vectors are those of one search.
  const own = searched.map((shard) => ({ ...shard, context: { ...shard.context, named: [], searches: [] } }));
  const shards = request.globalStatistics ? withGlobalStatistics(own) : own;
  const nearest = await nearestOf(shards, request, shards.length, slices);
  const { results } = await queryPhase(nearest.shards, request, shards.length, slices);
  const hits = mergeHits(results, 0, request.size, request.collapse ? groupFilter(results) : undefined);
  const places = new Map(shards.map((shard, place) => [shard, place]));
  return hits.map(({ shard, doc, score }) => ({ shard: places.get(shard)!, doc, score }));
}

function searchFailed(name: string, failures: readonly { readonly name: string; readonly error: EngineError }[]) {
  const names = failures.map((failure) => failure.name);
  return new EngineError("status_exception", searchFailedReason(name, names), {
    status: Math.max(...failures.map(({ error }) => error.status)),
    metadata: { suppressed: failures.map(({ error }) => error) },
  });
}
