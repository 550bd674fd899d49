/** Reads the body and the URL of a search as Elasticsearch reads them. */
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { innerHitsOf } from "../../query/dsl/index.ts";
import { errorAt, isArray, isObject, tokenName } from "../../query/dsl/read.ts";
import { knnInnerHits } from "../../search/knn.ts";
import type { Params } from "../params.ts";
import { withGroupField } from "./collapsing.ts";
import { readHitOptions, readInnerHits } from "./inner-hits/request.ts";
import { BODY_KEYS, FEATURES } from "./keys/index.ts";
import { retrieverKeys } from "./keys/retriever.ts";
import type { Kind } from "./keys/types.ts";
import { type Draft, emptyDraft, finishedSource, type SearchRequest } from "./request.ts";

/** The URL's parameters win over the body. */
export function parseSearchRequest(body: JsonValue | undefined, params: Params, path: string): SearchRequest {
  const draft = emptyDraft();
  if (body !== undefined) {
    if (!isObject(body)) throw errorAt(body, "start", `Expected [START_OBJECT] but found [${tokenName(body)}]`);
    for (const key of Object.keys(body)) readKey(body, key, draft);
  }
  draft.knn = draft.knnClauses.map((build) => build(draft.size));
  // What is wrong in them is told before what is wrong in the URL, which may put another query in the place of theirs.
  shownIn(draft);
  for (const { params: read } of FEATURES) read?.(params, draft, path);
  const { retriever } = draft;
  // What stands beside a retriever is wrong before it says its part, all else afterwards.
  const beside = retrieverKeys.validate?.(draft) ?? [];
  if (retriever?.kind === "leaf") retriever.apply(draft, retriever.filters);
  const problems: string[] = [];
  for (const feature of FEATURES) {
    if (feature.validate) problems.push(...(feature === retrieverKeys ? beside : feature.validate(draft)));
  }
  draft.problems = problems;
  const request = finished(draft);
  if (retriever?.kind !== "compound") return request;
  const from = draft.fromGiven ? draft.from : undefined;
  return { ...request, compound: { retriever, from, size: draft.sizeGiven ? draft.size : undefined } };
}

/** What is shown of hits within hits and of groups. */
function shownIn({ query, postFilter, knn, collapse }: Pick<Draft, "query" | "postFilter" | "knn" | "collapse">) {
  const inner = innerHitsOf([query, postFilter].filter((builder) => builder !== undefined));
  return {
    innerHits: [...inner, ...knn.flatMap((each) => knnInnerHits(each) ?? [])].map(readInnerHits),
    groupHits: (collapse?.groupHits ?? []).map((group) => ({ ...group, shown: readHitOptions(group.hits) })),
  };
}

/** What only shows when everything is read. */
export function finished(draft: Draft): SearchRequest {
  const { collapse, knn } = draft;
  const { innerHits, groupHits } = shownIn(draft);
  const read: Omit<SearchRequest, "collapse"> = draft;
  return {
    ...read,
    ...(collapse ? { collapse: { ...collapse, groupHits } } : {}),
    docValueFields: withGroupField(draft.docValueFields, collapse?.field),
    source: finishedSource(draft),
    innerHits,
    queries: knn.length === 0 ? draft.queries : [...draft.queries, ...knn.flatMap(({ filters }) => filters)],
    globalStatistics: draft.globalStatistics || knn.length > 0,
  };
}

function readKey(body: JsonObject, key: string, draft: Draft): void {
  const value = body[key];
  if (value === null) throw errorAt(body, { value: key }, `Unknown key for a VALUE_NULL in [${key}].`);
  const reader = BODY_KEYS.get(key);
  if (!reader?.kinds.includes(kindOf(value))) {
    throw errorAt(body, { value: key }, `Unknown key for a ${tokenName(value)} in [${key}].`);
  }
  reader.read(body, key, draft);
}

function kindOf(value: JsonValue): Kind {
  return isArray(value) ? "list" : isObject(value) ? "object" : "scalar";
}
