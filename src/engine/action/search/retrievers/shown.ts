/** What a compound retriever's list shows of itself, and what may not stand beside it: the same wherever the list was fused. */
import { LEAST_POSITIVE } from "../../../search/rank-fusion.ts";
import type { CompoundRequest } from "../request.ts";
import { type CompoundRetriever, nameOf, type Retriever } from "./types.ts";

/** A reranker's own is compared with what the model says. */
const ownMinScore = ({ minScore, fusion }: CompoundRetriever) =>
  fusion.type === "text_similarity_reranker" ? undefined : minScore;

/** The score that a document of the list must have: the retriever's, or, where one within it has some, any above 0. */
export function leastScore(retriever: CompoundRetriever): number | undefined {
  const inner = retriever.children.map((child) => (child.kind === "leaf" ? child.minScore : ownMinScore(child)));
  return ownMinScore(retriever) ?? (inner.some((each) => each !== undefined) ? LEAST_POSITIVE : undefined);
}

/** How many hits are shown; as Elasticsearch computes it, what is not given counts as -1. */
export function shownSize(
  { from = -1, size = -1 }: Pick<CompoundRequest, "from" | "size">,
  found: number,
): number | undefined {
  if (size + from > found) return Math.max(0, found - from);
  return size < 0 ? undefined : size;
}

export interface BesideCompound {
  readonly size: number | undefined;
  readonly scroll: boolean;
  /** `allow_partial_search_results`. */
  readonly partialResults: boolean;
}

/** CompoundRetrieverBuilder.validate */
export function compoundProblems(retriever: Retriever, beside: BesideCompound): string[] {
  if (retriever.kind === "leaf") return [];
  const { window, children } = retriever;
  const name = nameOf(retriever);
  const { size, scroll, partialResults } = beside;
  return [
    ...(size !== undefined && size > window
      ? [`[${name}] requires [rank_window_size: ${window}] be greater than or equal to [size: ${size}]`]
      : []),
    ...(partialResults ? [`cannot specify [${name}] and [allow_partial_search_results]`] : []),
    ...(scroll ? [`cannot specify [${name}] and [scroll]`] : []),
    ...children.flatMap((child) => compoundProblems(child, beside)),
  ];
}

export const searchFailedReason = (name: string, failed: readonly string[]): string =>
  `[${name}] search failed - retrievers '[${failed.join(", ")}]' returned errors. All failures are attached as suppressed exceptions.`;
