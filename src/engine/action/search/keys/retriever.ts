/** `retriever`: a search written as what finds its hits. */

import { readRetriever } from "../retrievers/parse.ts";
import { compoundProblems } from "../retrievers/shown.ts";
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
    const partial = params.flag("allow_partial_search_results");
    draft.partialResults = partial ?? false;
    draft.partialAllowed = partial ?? true;
  },
  validate(draft) {
    if (!draft.retriever) return [];
    const given: readonly (readonly [string, boolean])[] = [
      ["query", draft.query !== undefined],
      ["knn", draft.knn.length > 0],
      ["search_after", draft.searchAfter !== undefined],
      ["terminate_after", draft.terminateAfter > 0],
      ["sort", draft.sorts.length > 0],
      ["rescore", draft.rescores.length > 0],
    ];
    const beside = given.filter(([, there]) => there).map(([name]) => name);
    const wrong = beside.length > 0 ? [`cannot specify [retriever] and [${beside.join(", ")}]`] : [];
    const { sizeGiven, size, scroll, partialResults } = draft;
    const beneath = { size: sizeGiven ? size : undefined, scroll: scroll !== undefined, partialResults };
    return [...wrong, ...compoundProblems(draft.retriever, beneath)];
  },
};
