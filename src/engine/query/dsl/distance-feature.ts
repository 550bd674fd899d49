/** distance_feature: documents by how near a date or a place of theirs is to an origin. */
import { type EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { parseDistance } from "../../mapping/geo/units.ts";
import { LONG_MAX, narrow } from "../../mapping/java-numbers.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
import { parseTime } from "../../time-value.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { longDistanceQuery } from "../lucene/distance-feature.ts";
import { geoDistanceFeatureQuery } from "../lucene/geo-distance-feature.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext } from "./builder.ts";
import { readDeclared } from "./compound.ts";
import { requestPoint } from "./geo-field.ts";
import type { QueryParser } from "./parse.ts";
import { inField, isArray, isObject, readLong, tokenName, unknownKey, wrongKind } from "./read.ts";
import { checkSearchable } from "./term-level.ts";

const NAME = "distance_feature";
const REQUIRED = ["field", "origin", "pivot"] as const;
const KEYS = [...REQUIRED, "boost", "_name"];

/** As it is written; a date may be a number. */
type Origin = string | bigint | GeoPoint;

interface Options {
  boost?: number;
  queryName?: string;
  field?: string;
  origin?: Origin;
  pivot?: string;
}

/** Which kinds of values an option takes. */
function takes(key: string, value: JsonValue): boolean {
  const kind = tokenName(value);
  if (key === "origin") return kind !== "VALUE_NULL" && kind !== "VALUE_BOOLEAN";
  return kind === "VALUE_STRING" || (key === "boost" && kind === "VALUE_NUMBER");
}

function readOrigin(json: JsonObject): Origin {
  const { origin } = json;
  if (typeof origin === "string") return origin;
  if (isArray(origin) || isObject(origin)) return requestPoint(origin);
  return readLong(origin, json, "origin");
}

export const parseDistanceFeature: QueryParser = (json) => {
  const options: Options = {};
  for (const [key, value] of Object.entries(json)) {
    if (!KEYS.includes(key)) throw unknownKey(NAME, json, key, KEYS);
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

function distanceQuery(field: MappedField, origin: Origin, pivot: string, { now }: QueryContext): Query {
  const isGeo = field.type === "geo_point";
  if (field.family !== "date" && !isGeo) throw wrongType(field);
  checkSearchable(field);
  if (isGeo) {
    const { info, indexed, hasDocValues } = field;
    return geoDistanceFeatureQuery({ name: info.name, indexed, hasDocValues }, placeOf(origin), parseDistance(pivot));
  }
  const at = field.rangeBound(textOf(origin), { now, roundUp: true }) as number | bigint;
  const time = pivotOf(pivot, field.type === "date_nanos");
  return longDistanceQuery({ field: field.info.name, origin: at, pivot: time, indexed: field.indexed });
}

/** What a date is read of: a place as it is printed, which is none. */
function textOf(origin: Origin): string {
  return typeof origin === "object" ? `${javaDouble(origin.lat)}, ${javaDouble(origin.lon)}` : String(origin);
}

function placeOf(origin: Origin): GeoPoint {
  if (typeof origin === "string") return requestPoint(origin);
  if (typeof origin === "object") return origin;
  const must = "Must be of type [geo_point] or [string] for geo_point fields!";
  throw illegalArgument(`Illegal type [class java.lang.Long] for [origin]! ${must}`);
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
