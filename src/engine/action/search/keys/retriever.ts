/** `retriever`: a search written as what finds its hits. */

import type { Draft } from "../request.ts";
import { readRetriever } from "../retrievers/parse.ts";
import { type CompoundRetriever, nameOf, type Retriever } from "../retrievers/types.ts";
import type { RequestFeature } from "./types.ts";

export const retrieverKeys: RequestFeature = {
  keys: {
    retriever: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.retriever = readRetriever(body, key);
      },
    },
  },
  params(params, draft) {
    draft.partialResults = params.flag("allow_partial_search_results") ?? false;
  },
  validate(draft) {
    if (!draft.retriever) return [];
    const given: readonly (readonly [string, boolean])[] = [
      ["query", draft.query !== undefined],
      ["knn", draft.knnBodies.length > 0],
      ["search_after", draft.searchAfter !== undefined],
      ["terminate_after", draft.terminateAfter > 0],
      ["sort", draft.sorts.length > 0],
      ["rescore", draft.rescores.length > 0],
    ];
    const beside = given.filter(([, there]) => there).map(([name]) => name);
    const wrong = beside.length > 0 ? [`cannot specify [retriever] and [${beside.join(", ")}]`] : [];
    return [...wrong, ...problemsOf(draft.retriever, draft)];
  },
};

/** CompoundRetrieverBuilder.validate */
function problemsOf(retriever: Retriever, draft: Draft): string[] {
  if (retriever.kind === "leaf") return [];
  const { window, children }: CompoundRetriever = retriever;
  const name = nameOf(retriever);
  const { size, scroll, partialResults } = draft;
  return [
    ...(draft.sizeGiven && size > window
      ? [`[${name}] requires [rank_window_size: ${window}] be greater than or equal to [size: ${size}]`]
      : []),
    ...(partialResults ? [`cannot specify [${name}] and [allow_partial_search_results]`] : []),
    ...(scroll === undefined ? [] : [`cannot specify [${name}] and [scroll]`]),
    ...children.flatMap((child) => problemsOf(child, draft)),
  ];
}
