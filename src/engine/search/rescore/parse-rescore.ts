/** `rescore` of a search: one second pass, or several one after the other (RescorerBuilder, QueryRescorerBuilder). */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { positionOf } from "../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../../query/dsl/index.ts";
import {
  contentError,
  errorAt,
  inField,
  isArray,
  isObject,
  readFloat,
  readInt,
  textOf,
  tokenName,
  wrongKind,
} from "../../query/dsl/read.ts";
import { suggestion } from "../../query/dsl/suggestion.ts";
import type { RescoreMode } from "./rescore.ts";

/** A second pass as it was asked for. */
export interface RescoreBuilder {
  readonly query: QueryBuilder;
  readonly windowSize: number;
  readonly queryWeight: number;
  readonly rescoreQueryWeight: number;
  readonly mode: RescoreMode;
}

const DEFAULT_WINDOW = 10;
const MODES: readonly RescoreMode[] = ["avg", "max", "min", "total", "multiply"];
const KEYS = ["rescore_query", "query_weight", "rescore_query_weight", "score_mode"];
/** What the reader of the object under `query` is called. */
const PARSER = "query";

/** @param body an object with `rescore`, an object or a list */
export function parseRescores(body: JsonObject, key: string): RescoreBuilder[] {
  const value = body[key];
  if (!isArray(value)) return [parsePass(value as JsonObject)];
  return value.map((item, at) => {
    if (isObject(item)) return parsePass(item);
    // The reader looks behind what is no object.
    const [around, next] = isArray(item) ? [item, 0] : [value, at + 1];
    if (next >= around.length) throw errorAt(around, "end", "unexpected token [END_ARRAY] after [null]");
    throw unsupported(`${tokenName(item)} before another value in rescore`);
  });
}

function parsePass(json: JsonObject): RescoreBuilder {
  let windowSize = DEFAULT_WINDOW;
  let pass: Omit<RescoreBuilder, "windowSize"> | undefined;
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (isObject(value)) {
      if (key !== "query") throw unknownType(json, key);
      pass = parseQueryPass(value);
    } else if (value === null || isArray(value)) {
      throw errorAt(json, { value: key }, `unexpected token [${tokenName(value)}] after [${key}]`);
    } else if (key === "window_size") windowSize = readInt(value, json, key);
    else throw errorAt(json, { value: key }, `rescore doesn't support [${key}]`);
  }
  if (pass === undefined) throw errorAt(json, "end", "missing rescore type");
  return { ...pass, windowSize };
}

function unknownType(json: JsonObject, key: string): Error {
  if (key === "learning_to_rank") return unsupported("rescore [learning_to_rank]");
  const place = positionOf(json, { value: key });
  const at = place ? `[${place.line}:${place.col}] ` : "";
  return new EngineError("named_object_not_found_exception", `${at}unknown field [${key}]`);
}

function parseQueryPass(json: JsonObject): Omit<RescoreBuilder, "windowSize"> {
  let query: QueryBuilder | undefined;
  let mode: RescoreMode = "total";
  const weights = { query_weight: 1, rescore_query_weight: 1 };
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (!KEYS.includes(key))
      throw contentError(json, { key }, `[${PARSER}] unknown field [${key}]${suggestion(key, KEYS)}`);
    if (key === "rescore_query") {
      if (!isObject(value)) throw wrongKind(PARSER, json, key);
      query = inField(PARSER, json, key, () => parseInnerQuery(json, key, 1));
    } else if (key === "score_mode") {
      if (typeof value !== "string") throw wrongKind(PARSER, json, key);
      mode = inField(PARSER, json, key, () => readMode(value));
    } else {
      if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind(PARSER, json, key);
      weights[key as keyof typeof weights] = inField(PARSER, json, key, () => readFloat(value, json, key));
    }
  }
  if (query === undefined) throw illegalArgument("rescore_query cannot be null");
  return { query, mode, queryWeight: weights.query_weight, rescoreQueryWeight: weights.rescore_query_weight };
}

function readMode(value: JsonValue): RescoreMode {
  const mode = MODES.find((known) => known === String(value).toLowerCase());
  if (mode === undefined) throw illegalArgument(`illegal score_mode [${String(value)}]`);
  return mode;
}
