/** Points in time and scrolls: opening, going on, closing. */

import { resolveIndices } from "../action/index-names.ts";
import { parseTime } from "../action/params.ts";
import { pointInTimeId, scrollId } from "../action/search/context-ids.ts";
import { closePointInTime, freeScroll, nextPage, openPointInTime } from "../action/search/index.ts";
import { validationFailed } from "../action/write.ts";
import { EngineError, illegalArgument } from "../errors.ts";
import type { JsonValue } from "../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import { contentError, errorAt, isArray, isObject, textOf, tokenName } from "../query/dsl/read.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import { type Action, bodyJson, indicesOptions, names } from "./call.ts";
import { readable } from "./search-actions.ts";

/** `index_filter`, all that an opening may bring. */
function readFilter(body: JsonValue | undefined): QueryBuilder | undefined {
  if (body === undefined) return undefined;
  if (!isObject(body)) {
    throw errorAt(body, "start", `Expected START_OBJECT but was: ${tokenName(body)}`);
  }
  for (const key of Object.keys(body)) {
    if (key !== "index_filter") {
      const known = suggestion(key, ["index_filter"]);
      throw contentError(body, { key }, `[open_point_in_time_request] unknown field [${key}]${known}`);
    }
  }
  return body["index_filter"] === undefined ? undefined : parseInnerQuery(body, "index_filter", 1);
}

export const openPit: Action = (call) => {
  const wanted = names(call, "index");
  const options = indicesOptions(call);
  const keepAlive = call.params.time("keep_alive");
  call.params.accept("preference", "routing", "max_concurrent_shard_requests", "allow_partial_search_results");
  const body = bodyJson(call);
  call.checkQueries(body);
  const filter = readFilter(body);
  const wrong = [
    ...(wanted.length === 0 ? ["[index] is not specified"] : []),
    ...(keepAlive === undefined ? ["[keep_alive] is not specified"] : []),
  ];
  return async () => {
    if (wrong.length > 0 || keepAlive === undefined) throw validationFailed(wrong);
    const indices = readable(resolveIndices(call.registry, wanted, options));
    return { body: await openPointInTime(call.registry, call.contexts, indices, { keepAlive, filter }) };
  };
};

export const closePit: Action = (call) => {
  const body = bodyJson(call);
  if (body === undefined) throw new EngineError("parse_exception", "request body or source parameter is required");
  if (!isObject(body)) throw illegalArgument("Malformed content, must start with an object");
  for (const key of Object.keys(body)) {
    if (key !== "id") {
      throw illegalArgument(
        `Unknown parameter [${key}] in request body or parameter is of the wrong type[FIELD_NAME] `,
      );
    }
    if (textOf(body[key]) === undefined) throw illegalArgument("the request must contain only [id field");
  }
  const text = textOf(body["id"]);
  if (text === undefined) throw illegalArgument("search context id is is not provided");
  const id = pointInTimeId(text);
  return () => {
    const [succeeded, freed] = closePointInTime(call.registry, call.contexts, id);
    return { status: freed > 0 ? 200 : 404, body: { succeeded, num_freed: freed } };
  };
};

const wrongType = (name: string, value: JsonValue) =>
  illegalArgument(
    `Unknown parameter [${name}] in request body or parameter is of the wrong type[${tokenName(value)}] `,
  );

export const scroll: Action = (call) => {
  let text = call.params.text("scroll_id");
  let keepAlive = call.params.time("scroll");
  const totalAsInt = call.params.flag("rest_total_hits_as_int") ?? false;
  const body = bodyJson(call);
  if (body !== undefined) {
    if (!isObject(body)) throw illegalArgument("Malformed content, must start with an object");
    for (const [key, value] of Object.entries(body)) {
      if (key === "scroll_id" && typeof value === "string") text = value;
      else if (key === "scroll" && typeof value === "string") keepAlive = parseTime(value, "scroll");
      else throw wrongType(key, value);
    }
  }
  return async () => {
    if (text === undefined) throw validationFailed(["scrollId is missing"]);
    const { signal } = call;
    const next = { id: scrollId(text), text, keepAlive, totalAsInt, signal };
    return { body: await nextPage(call.registry, call.contexts, next) };
  };
};

function scrollIds(body: JsonValue | undefined): string[] {
  if (body === undefined) return [];
  if (!isObject(body)) throw illegalArgument("Malformed content, must start with an object");
  return Object.entries(body).flatMap(([key, value]) => {
    if (key !== "scroll_id") throw wrongType(key, value);
    const element = isArray(value) ? "scroll_id array element" : "scroll_id element";
    return (isArray(value) ? value : [value]).map((each) => {
      const text = textOf(each);
      if (text === undefined) throw illegalArgument(`${element} should only contain scroll_id`);
      return text;
    });
  });
}

/** `_all` frees every scroll. */
export const clearScroll: Action = (call) => {
  const inPath = call.params.list("scroll_id") ?? [];
  const body = call.hasBody ? bodyJson(call) : undefined;
  const ids = body === undefined ? inPath : scrollIds(body);
  return () => {
    if (ids.length === 0) throw validationFailed(["no scroll ids specified"]);
    if (ids.includes("_all")) {
      // Elasticsearch does not say how many there were.
      call.contexts.freeAll("scroll");
      return { body: { succeeded: true, num_freed: 1 } };
    }
    const freed = ids.map(scrollId).reduce((sum, id) => sum + freeScroll(call.registry, call.contexts, id), 0);
    return { status: freed > 0 ? 200 : 404, body: { succeeded: true, num_freed: freed } };
  };
};
