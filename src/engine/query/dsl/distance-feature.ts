/** distance_feature: documents by how near a date of theirs is to an origin. */
import { type EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { LONG_MAX, narrow } from "../../mapping/java-numbers.ts";
import type { MappedField } from "../../mapping/types.ts";
import { parseTime } from "../../time-value.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { longDistanceQuery } from "../lucene/distance-feature.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext } from "./builder.ts";
import { readDeclared } from "./compound.ts";
import type { QueryParser } from "./parse.ts";
import { contentError, inField, isArray, isObject, readLong, tokenName, wrongKind } from "./read.ts";
import { suggestion } from "./suggestion.ts";
import { checkSearchable } from "./term-level.ts";

const NAME = "distance_feature";
const REQUIRED = ["field", "origin", "pivot"] as const;
const KEYS = [...REQUIRED, "boost", "_name"];

interface Options {
  boost?: number;
  queryName?: string;
  field?: string;
  /** A number as its text. */
  origin?: string;
  pivot?: string;
}

/** Which kinds of values an option takes. */
function takes(key: string, value: JsonValue): boolean {
  const kind = tokenName(value);
  if (key === "origin") return kind !== "VALUE_NULL" && kind !== "VALUE_BOOLEAN";
  return kind === "VALUE_STRING" || (key === "boost" && kind === "VALUE_NUMBER");
}

function readOrigin(json: JsonObject): string {
  const { origin } = json;
  if (typeof origin === "string") return origin;
  if (isArray(origin) || isObject(origin)) throw unsupported("distance_feature on a geo_point");
  return String(readLong(origin, json, "origin"));
}

export const parseDistanceFeature: QueryParser = (json) => {
  const options: Options = {};
  for (const [key, value] of Object.entries(json)) {
    if (!KEYS.includes(key))
      throw contentError(json, { key }, `[${NAME}] unknown field [${key}]${suggestion(key, KEYS)}`);
    if (!takes(key, value)) throw wrongKind(NAME, json, key);
    if (key === "field" || key === "pivot") options[key] = value as string;
    else if (key === "origin") options.origin = inField(NAME, json, key, () => readOrigin(json));
    else inField(NAME, json, key, () => readDeclared(NAME, json, key, options));
  }
  const missing = REQUIRED.filter((name) => options[name] === undefined);
  if (missing.length > 0) throw illegalArgument(`Required [${missing.join(", ")}]`);
  const { field, origin, pivot } = options as Required<Options>;
  return makeBuilder(NAME, options, (context) => {
    const mapped = context.mapping.field(field);
    if (mapped === undefined) return matchNoneQuery(`Can't run [${NAME}] query on unmapped fields!`);
    return distanceQuery(mapped, origin, pivot, context);
  });
};

function distanceQuery(field: MappedField, origin: string, pivot: string, { now }: QueryContext): Query {
  if (field.type === "geo_point") throw unsupported("distance_feature on a geo_point");
  if (field.family !== "date") throw wrongType(field);
  checkSearchable(field);
  const at = field.rangeBound(origin, { now, roundUp: true }) as number | bigint;
  const time = pivotOf(pivot, field.type === "date_nanos");
  return longDistanceQuery({ field: field.info.name, origin: at, pivot: time, indexed: field.indexed });
}

/** In the field's unit, at most the greatest long. */
function pivotOf(text: string, nanos: boolean): number | bigint {
  const millis = parseTime(text, `${NAME}.pivot`);
  const whole = Number.isInteger(millis)
    ? BigInt(millis) * (nanos ? 1_000_000n : 1n)
    : BigInt(nanos ? Math.round(millis * 1e6) : Math.trunc(millis));
  return narrow(whole > LONG_MAX ? LONG_MAX : whole);
}

function wrongType({ type }: MappedField): EngineError {
  const only = `[${NAME}] query can only be run on a date, date_nanos or geo_point field type!`;
  return illegalArgument(`Illegal data type of [${type}]!${only}`);
}
