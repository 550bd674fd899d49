/** `retriever`: a search written as what finds its hits. `standard` and `knn` say in another form what a body says without them. */
import { EngineError, illegalArgument, parsingError, unsupported } from "../../../errors.ts";
import { positionOf } from "../../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { buildQuery, parseInnerQuery, type QueryBuilder } from "../../../query/dsl/index.ts";
import { contentError, errorAt, isArray, isObject } from "../../../query/dsl/read.ts";
import { booleanQuery } from "../../../query/lucene/boolean.ts";
import { type Draft, emptyDraft } from "../request.ts";
import { BODY_KEYS } from "./index.ts";
import type { RequestFeature } from "./types.ts";

/** Puts what a retriever says into the request. */
export type Retriever = (draft: Draft) => void;

type ReadRetriever = (json: JsonObject, around: JsonObject) => Retriever;

/** Known to Elasticsearch, or to its plugins. */
const REFUSED = ["rrf", "linear", "text_similarity_reranker", "rule", "random_reranker", "rescorer", "pinned"];

export const retrieverKeys: RequestFeature = {
  keys: {
    retriever: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.retriever = readRetriever(body, key);
      },
    },
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
    return beside.length > 0 ? [`cannot specify [retriever] and [${beside.join(", ")}]`] : [];
  },
};

/** RetrieverBuilder.parseInnerRetrieverBuilder */
function readRetriever(body: JsonObject, key: string): Retriever {
  const json = body[key] as JsonObject;
  const [name, second] = Object.keys(json);
  if (name === undefined) throw errorAt(json, "end", "retriever malformed, empty clause found");
  const inner = json[name];
  if (!isObject(inner)) {
    throw errorAt(json, { value: name }, `[${name}] retriever malformed, no [START_OBJECT] after retriever name`);
  }
  if (name !== "standard" && name !== "knn") throw unknownRetriever(json, name);
  const retriever = (name === "standard" ? readStandard : readKnn)(inner, json);
  if (second === undefined) return retriever;
  throw errorAt(json, { key: second }, `[${name}] malformed retriever, expected [END_OBJECT] but found [FIELD_NAME]`);
}

function unknownRetriever(json: JsonObject, name: string): EngineError {
  if (REFUSED.includes(name)) return unsupported(`retriever ${name}`);
  const place = positionOf(json, { value: name });
  const at = place ? `[${place.line}:${place.col}] ` : "";
  const cause = new EngineError("named_object_not_found_exception", `${at}unknown field [${name}]`);
  return parsingError(`unknown retriever [${name}]`, {
    cause,
    ...(place ? { metadata: { line: place.line, col: place.col } } : {}),
  });
}

const STANDARD = ["query", "sort", "search_after", "terminate_after", "min_score", "collapse"];

const readStandard: ReadRetriever = (json) => {
  const empty = emptyDraft();
  const own: Draft = { ...empty, queries: [] };
  let filters: readonly QueryBuilder[] = [];
  for (const key of Object.keys(json)) {
    if (key === "filter") filters = readFilters(json);
    else if (STANDARD.includes(key)) BODY_KEYS.get(key)!.read(json, key, own);
    else if (key !== "_name") throw contentError(json, { key }, `[standard] unknown field [${key}]`);
  }
  const query = filters.length === 0 ? own.query : filteredBy(own.query, filters);
  const { queries, query: _, ...rest } = own;
  // What none of its keys set stays as the body has it.
  const said = Object.entries(rest).filter(([key, value]) => value !== empty[key as keyof Draft]);
  return (draft) => {
    Object.assign(draft, Object.fromEntries(said), query ? { query } : {});
    draft.queries.push(...queries, ...filters);
  };
};

function readFilters(json: JsonObject): QueryBuilder[] {
  const value = json["filter"];
  if (isArray(value)) return value.map((_, i) => parseInnerQuery(value, i, 1));
  return [parseInnerQuery(json, "filter", 1)];
}

/** Without a query nothing scores. */
const filteredBy = (query: QueryBuilder | undefined, filters: readonly QueryBuilder[]): QueryBuilder => ({
  name: "bool",
  toQuery: (context) =>
    booleanQuery([
      ...(query ? [{ occur: "must", query: buildQuery(query, context) } as const] : []),
      ...filters.map((filter) => ({ occur: "filter", query: buildQuery(filter, context) }) as const),
    ]),
});

const KNN = ["field", "query_vector", "k", "num_candidates", "similarity", "filter", "_name"];

const readKnn: ReadRetriever = (json) => {
  const own = emptyDraft();
  const knn: { [key: string]: JsonValue } = {};
  for (const key of Object.keys(json)) {
    if (key === "min_score") BODY_KEYS.get(key)!.read(json, key, own);
    else if (KNN.includes(key)) knn[key] = json[key];
    else if (key === "query_vector_builder" || key === "rescore_vector") throw unsupported(`retriever knn.${key}`);
    else throw contentError(json, { key }, `[knn] unknown field [${key}]`);
  }
  const missing = ["field", "k", "num_candidates"].filter((key) => !(key in knn));
  if (missing.length > 0) throw illegalArgument(`Required [${missing.join(", ")}]`);
  if (!("query_vector" in knn)) {
    throw new EngineError("x_content_parse_exception", "Failed to build [knn] after last required field arrived", {
      cause: illegalArgument("either [query_vector] or [query_vector_builder] must be provided"),
    });
  }
  const { minScore } = own;
  return (draft) => {
    draft.knnBodies = [knn];
    if (minScore !== undefined) draft.minScore = minScore;
  };
};
