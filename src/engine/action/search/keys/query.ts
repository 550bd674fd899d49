/** `query`, `post_filter`, `knn`, and the query of the URL. */

import { illegalArgument } from "../../../errors.ts";
import type { JsonObject } from "../../../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../../../query/dsl/index.ts";
import { readKnnClauses } from "../../../search/parse-knn.ts";
import { urlQuery } from "../../url-query.ts";
import type { Draft } from "../request.ts";
import type { RequestFeature } from "./types.ts";

function readQuery(body: JsonObject, key: string, draft: Draft): QueryBuilder {
  const query = parseInnerQuery(body, key, 1);
  draft.queries.push(query);
  return query;
}

export const queryKeys: RequestFeature = {
  keys: {
    query: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.query = readQuery(body, key, draft);
      },
    },
    post_filter: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.postFilter = readQuery(body, key, draft);
      },
    },
    knn: {
      kinds: ["object", "list"],
      read(body, _key, draft) {
        draft.knnClauses = readKnnClauses(body);
      },
    },
  },
  params(params, draft, path) {
    const type = params.text("search_type");
    draft.globalStatistics = type === "dfs_query_then_fetch";
    if (type !== undefined && !["query_then_fetch", "dfs_query_then_fetch"].includes(type)) {
      throw illegalArgument(`No search type for [${type}]`);
    }
    const query = urlQuery(params, path);
    if (!query) return;
    draft.queries = [...draft.queries.filter((each) => each !== draft.query), query];
    draft.query = query;
  },
};
