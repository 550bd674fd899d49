/** What a compound retriever is going to search for: a request for each leaf, with the filters of the retrievers around it. */
import { illegalArgument } from "../../../errors.ts";
import type { QueryBuilder } from "../../../query/dsl/index.ts";
import { finished } from "../parse-request.ts";
import { emptyDraft, type SearchRequest } from "../request.ts";
import type { Rerankers } from "./rerank.ts";
import type { CompoundRetriever, LeafRetriever } from "./types.ts";

export interface RetrieverPlan {
  readonly retriever: CompoundRetriever;
  readonly children: readonly PlannedChild[];
  readonly rerankers: Rerankers;
}

export interface PlannedLeaf {
  readonly retriever: LeafRetriever;
  /** Its own, and those of the retrievers around it. */
  readonly filters: readonly QueryBuilder[];
  readonly request: SearchRequest;
}

export type PlannedChild = PlannedLeaf | RetrieverPlan;

export const isLeaf = (child: PlannedChild): child is PlannedLeaf => "request" in child;

/** The request with the plan of its retriever, where that is a compound one. */
export function planned(request: SearchRequest, rerankers: Rerankers = {}): SearchRequest {
  if (!request.compound) return request;
  const plan = planOf(request.compound.retriever, [], rerankers);
  return { ...request, plan, queries: [...request.queries, ...queriesOf(plan)] };
}

function planOf(retriever: CompoundRetriever, around: readonly QueryBuilder[], rerankers: Rerankers): RetrieverPlan {
  const { children, window } = retriever;
  const filters = [...retriever.filters, ...around];
  if (window < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${window}]`);
  const plans = children.map((child) =>
    child.kind === "compound" ? planOf(child, filters, rerankers) : leafPlan(child, retriever, filters),
  );
  if (plans.length === 0) throw illegalArgument("sources must not be null or empty");
  return { retriever, children: plans, rerankers };
}

/** CompoundRetrieverBuilder.createSearchSourceBuilder */
function leafPlan(
  leaf: LeafRetriever,
  { window, fusion }: CompoundRetriever,
  around: readonly QueryBuilder[],
): PlannedLeaf {
  if (leaf.onlyAlone) {
    throw illegalArgument(`[${leaf.onlyAlone}] cannot be used in children of compound retrievers`);
  }
  const draft = emptyDraft();
  const filters = [...leaf.filters, ...around];
  leaf.apply(draft, filters);
  draft.size = window;
  draft.trackTotalHits = -1;
  if (fusion.type === "linear") draft.trackScores = true;
  const request = finished(draft);
  const knn = request.knn.map((each) => ({ ...each, filters }));
  return { retriever: leaf, filters, request: { ...request, knn, innerHits: [] } };
}

function queriesOf({ retriever, children }: RetrieverPlan): readonly QueryBuilder[] {
  const inner = children.flatMap((child) => (isLeaf(child) ? child.retriever.queries : queriesOf(child)));
  return [...retriever.filters, ...inner];
}
