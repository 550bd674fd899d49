/** Searches that go on: `scroll` of the URL, `pit`, and the `slice` of either. */
import { type EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject } from "../../../json/types.ts";
import { contentError, inField, isObject, readInt, textOf, wrongKind } from "../../../query/dsl/read.ts";
import { suggestion } from "../../../query/dsl/suggestion.ts";
import { type Params, parseTime } from "../../params.ts";
import { pointInTimeId } from "../context-ids.ts";
import type { Draft, PointInTime } from "../request.ts";
import type { Slice } from "../slice.ts";
import type { RequestFeature } from "./types.ts";

function text(parser: string, json: JsonObject, key: string): string {
  const value = json[key];
  if (typeof value !== "string") throw wrongKind(parser, json, key);
  return value;
}

function unknown(parser: string, json: JsonObject, key: string, known: readonly string[]): EngineError {
  return contentError(json, { key }, `[${parser}] unknown field [${key}]${suggestion(key, known)}`);
}

function readPointInTime(json: JsonObject): PointInTime {
  let id: PointInTime["id"] | undefined;
  let keepAlive: number | undefined;
  for (const key of Object.keys(json)) {
    if (key === "id") {
      const given = text("pit", json, key);
      id = inField("pit", json, key, () => pointInTimeId(given));
    } else if (key === "keep_alive") {
      const given = text("pit", json, key);
      keepAlive = inField("pit", json, key, () => parseTime(given, "keep_alive"));
    } else throw unknown("pit", json, key, ["id", "keep_alive"]);
  }
  if (!id) throw illegalArgument("point in time id is not provided");
  return { id, text: String(json["id"]), ...(keepAlive === undefined ? {} : { keepAlive }) };
}

function readSlice(json: JsonObject): Slice {
  const slice: { -readonly [K in keyof Slice]: Slice[K] } = { id: -1, max: -1 };
  for (const key of Object.keys(json)) {
    if (key === "field") slice.field = text("slice", json, key);
    else if (key === "id" || key === "max") {
      if (typeof json[key] === "boolean" || textOf(json[key]) === undefined) throw wrongKind("slice", json, key);
      inField("slice", json, key, () => setPart(slice, key, readInt(json[key])));
    } else throw unknown("slice", json, key, ["field", "id", "max"]);
  }
  return slice;
}

function setPart(slice: { id: number; max: number }, key: "id" | "max", value: number): void {
  if (key === "id" && value < 0) throw illegalArgument("id must be greater than or equal to 0");
  if (key === "max" && value <= 1) throw illegalArgument("max must be greater than 1");
  slice[key] = value;
  if (slice.id === -1 || slice.max === -1 || slice.id < slice.max) return;
  throw illegalArgument("max must be greater than id");
}

/** Parameters of the URL that a point in time does not stand beside. */
function besidePointInTime(params: Params): string[] {
  const wrong: string[] = [];
  if (params.text("index")) {
    wrong.push("[indices] cannot be used with point in time. Do not specify any index with point in time.");
  }
  const lenient = params.text("ignore_unavailable") === "true" || params.text("allow_no_indices") === "false";
  const wildcards = params.text("expand_wildcards") ?? "open";
  if (lenient || wildcards !== "open") wrong.push("[indicesOptions] cannot be used with point in time");
  for (const name of ["routing", "preference"]) {
    if (params.text(name) !== undefined) wrong.push(`[${name}] cannot be used with point in time`);
  }
  if (params.flag("ccs_minimize_roundtrips")) {
    wrong.push("[ccs_minimize_roundtrips] cannot be used with point in time");
  }
  return wrong;
}

function scrolling(draft: Draft): string[] {
  const { tracking, from, size, searchAfter, requestCache } = draft;
  const wrong: string[] = [];
  if (tracking !== undefined && tracking !== Number.POSITIVE_INFINITY) {
    wrong.push("disabling [track_total_hits] is not allowed in a scroll context");
  }
  if (from > 0) wrong.push("using [from] is not allowed in a scroll context");
  if (size === 0) wrong.push("[size] cannot be [0] in a scroll context");
  if (draft.rescores.length > 0) wrong.push("using [rescore] is not allowed in a scroll context");
  if (searchAfter) wrong.push("[search_after] cannot be used in a scroll context");
  if (draft.collapse) wrong.push("cannot use `collapse` in a scroll context");
  if (requestCache) wrong.push("[request_cache] cannot be used in a scroll context");
  if (draft.pit) wrong.push("using [point in time] is not allowed in a scroll context");
  return wrong;
}

export const contextKeys: RequestFeature = {
  keys: {
    pit: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.pit = readPointInTime(body[key] as JsonObject);
      },
    },
    slice: {
      kinds: ["object"],
      read(body, key, draft) {
        if (isObject(body[key])) draft.slice = readSlice(body[key]);
      },
    },
  },
  params(params, draft) {
    const scroll = params.time("scroll");
    if (scroll !== undefined) draft.scroll = scroll;
    draft.requestCache = params.flag("request_cache") ?? false;
    if (draft.pit) draft.besidePit = besidePointInTime(params);
  },
  validate(draft) {
    const { scroll, pit, slice, sorts } = draft;
    const wrong = scroll === undefined ? [] : scrolling(draft);
    if (!pit && sorts.some(({ name }) => name === "_shard_doc")) {
      wrong.push("[_shard_doc] sort field cannot be used without [point in time]");
    }
    if (slice && scroll === undefined && !pit) {
      wrong.push("[slice] can only be used with [scroll] or [point-in-time] requests");
    }
    return [...wrong, ...(draft.besidePit ?? [])];
  },
};
