/** `standard` and `knn`: they say in another form what a body says without them. */
import { EngineError, illegalArgument, unsupported } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { boolOf, type QueryBuilder } from "../../../query/dsl/index.ts";
import { inField, isArray, isObject, located, textOf, wrongKind } from "../../../query/dsl/read.ts";
import { readKnn as readKnnSearch } from "../../../search/parse-knn.ts";
import { BODY_KEYS } from "../keys/index.ts";
import { type Draft, emptyDraft } from "../request.ts";
import { noOptions, readOption, unknownField } from "./parse.ts";
import type { LeafRetriever } from "./types.ts";

const scalar = (value: JsonValue) => typeof value !== "boolean" && textOf(value) !== undefined;

/** Keys that a body has too, with what their values may be. */
const STANDARD: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  query: isObject,
  sort: (value) => isObject(value) || isArray(value),
  search_after: (value) => isObject(value) || isArray(value),
  terminate_after: scalar,
  collapse: isObject,
};

export function readStandard(json: JsonObject): LeafRetriever {
  const empty = emptyDraft();
  const own: Draft = { ...empty, queries: [] };
  const options = noOptions();
  for (const key of Object.keys(json)) {
    if (readOption("standard", json, key, options)) continue;
    if (!Object.hasOwn(STANDARD, key)) throw unknownField("standard", json, key);
    if (!STANDARD[key](json[key])) throw wrongKind("standard", json, key);
    inField("standard", json, key, () => BODY_KEYS.get(key)!.read(json, key, own));
  }
  const { queries, query, ...rest } = own;
  // What none of its keys set stays as the body has it.
  const said = Object.entries(rest).filter(([key, value]) => value !== empty[key as keyof Draft]);
  return {
    ...options,
    kind: "leaf",
    name: "standard",
    json,
    ...(query ? { query } : {}),
    queries: [...queries, ...options.filters],
    ...(own.searchAfter
      ? { onlyAlone: "search_after" }
      : own.terminateAfter > 0
        ? { onlyAlone: "terminate_after" }
        : {}),
    apply(draft, filters) {
      const { minScore } = options;
      const wanted = filters.length === 0 && minScore === undefined ? query : filteredBy(query, filters);
      Object.assign(draft, Object.fromEntries(said), wanted ? { query: wanted } : {});
      if (minScore !== undefined) draft.minScore = minScore;
      draft.queries.push(...queries, ...filters);
    },
  };
}

/** Without a query nothing scores; without any it is everything. */
const filteredBy = (query: QueryBuilder | undefined, filters: readonly QueryBuilder[]): QueryBuilder | undefined =>
  query === undefined && filters.length === 0
    ? undefined
    : boolOf([
        ...(query ? [{ occur: "must", builder: query } as const] : []),
        ...filters.map((builder) => ({ occur: "filter", builder }) as const),
      ]);

const KNN = ["field", "query_vector", "k", "num_candidates", "similarity"];

export function readKnn(json: JsonObject): LeafRetriever {
  const options = noOptions();
  const knn: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(json)) {
    if (readOption("knn", json, key, options)) {
      if (key !== "min_score") knn[key] = json[key];
    } else if (KNN.includes(key)) knn[key] = json[key];
    else if (key === "query_vector_builder" || key === "rescore_vector") throw unsupported(`retriever knn.${key}`);
    else throw unknownField("knn", json, key);
  }
  const missing = ["field", "k", "num_candidates"].filter((key) => !(key in knn));
  if (missing.length > 0) throw located(illegalArgument(`Required [${missing.join(", ")}]`), json, "end");
  if (!("query_vector" in knn)) {
    throw new EngineError("x_content_parse_exception", "Failed to build [knn] after last required field arrived", {
      cause: illegalArgument("either [query_vector] or [query_vector_builder] must be provided"),
    });
  }
  return {
    ...options,
    kind: "leaf",
    name: "knn",
    json: knn,
    queries: options.filters,
    apply(draft) {
      // Elasticsearch reads `min_score` here, and leaves it at that.
      draft.knn = [readKnnSearch(knn)(0)];
    },
  };
}
