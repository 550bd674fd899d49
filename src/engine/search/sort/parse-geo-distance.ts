/** Reads `_geo_distance` of a `sort`. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { JsonNumber } from "../../json/types.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { metresPer } from "../../mapping/geo/units.ts";
import { readDistanceType } from "../../query/dsl/geo-distance.ts";
import { readValidationMethod, requestPoint } from "../../query/dsl/geo-field.ts";
import { errorAt, isArray, isObject, readBoolean, readText, tokenName } from "../../query/dsl/read.ts";
import { type GeoDistanceSort, geoDistanceSort } from "./geo-distance-sort.ts";
import { parseNestedSort, readMode, readOrder } from "./parse-sort.ts";
import type { SortBuilder } from "./types.ts";

const NAME = "_geo_distance";

type Draft = { -readonly [K in keyof GeoDistanceSort]: GeoDistanceSort[K] };

/** @param json has the options under `key` */
export function parseGeoDistanceSort(json: JsonObject, key: string): SortBuilder {
  const options = json[key];
  const points: GeoPoint[] = [];
  const draft: Partial<Draft> = {};
  if (isObject(options)) for (const name of Object.keys(options)) readOption(options, name, draft, points);
  if (points.length === 0) throw illegalArgument("Geo distance sorting needs at least one point.");
  const { field = "", unit = 1, distance = "arc", descending = false } = draft;
  const { method = "STRICT", ignoreUnmapped = false, mode, nested } = draft;
  if (mode === "sum") throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  return geoDistanceSort({
    field,
    points,
    unit,
    distance,
    descending,
    method,
    ignoreUnmapped,
    ...(mode === undefined ? {} : { mode }),
    ...(nested === undefined ? {} : { nested }),
  });
}

function readOption(json: JsonObject, key: string, draft: Partial<Draft>, points: GeoPoint[]): void {
  const value = json[key];
  if (value === null) return;
  if (isArray(value)) {
    points.push(...pointsOf(value));
    draft.field = key;
  } else if (isObject(value)) {
    if (key === "nested") {
      draft.nested = parseNestedSort(json, key);
      return;
    }
    onlyField(json, key, draft);
    points.push(requestPoint(value));
  } else if (key === "order") draft.descending = readOrder(readText(json, key));
  else if (key === "unit") draft.unit = metresPer(readText(json, key));
  else if (key === "distance_type") draft.distance = readDistanceType(readText(json, key));
  else if (key === "validation_method") draft.method = readValidationMethod(readText(json, key));
  else if (key === "mode") draft.mode = readMode(readText(json, key));
  else if (key === "ignore_unmapped") draft.ignoreUnmapped = readBoolean(value);
  else if (key === "sort_mode") throw replaced();
  else if (typeof value === "string") {
    onlyField(json, key, draft);
    points.push(requestPoint(value));
  } else throw misplaced(json, key, draft.field);
}

function replaced(): EngineError {
  const reason = "deprecated fields not supported here but got [sort_mode] which has been replaced with [mode]";
  return new EngineError("unsupported_operation_exception", reason, { status: 500 });
}

/** A number or a boolean where no option has one. */
function misplaced(json: JsonObject, key: string, field: string | undefined): EngineError {
  if (field === undefined) {
    const reason = 'Cannot invoke "String.equals(Object)" because "fieldName" is null';
    return new EngineError("null_pointer_exception", reason, { status: 500 });
  }
  if (field === key) {
    return errorAt(json, { value: key }, `Only geohashes of type string supported for field [${key}]`);
  }
  return errorAt(json, { value: key }, `[${NAME}] does not support [${key}]`);
}

function onlyField(json: JsonObject, key: string, draft: Partial<Draft>): void {
  if (draft.field !== undefined && draft.field !== key) {
    throw errorAt(json, { value: key }, `Trying to reset fieldName to [${key}], already set to [${draft.field}].`);
  }
  draft.field = key;
}

/** Points in a list: a number is the longitude of one, whose latitude is the next. */
function pointsOf(list: readonly JsonValue[]): GeoPoint[] {
  const points: GeoPoint[] = [];
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (!isNumber(item)) {
      points.push(requestPoint(item));
      continue;
    }
    const lat = list[++i];
    if (!isNumber(lat)) {
      const token = i < list.length ? tokenName(lat) : "END_ARRAY";
      const reason = `geo point parsing: expected second number but got [${token}] instead`;
      throw new EngineError("parse_exception", reason);
    }
    points.push({ lat: Number(lat), lon: Number(item) });
  }
  return points;
}

const isNumber = (value: JsonValue | undefined): value is number | JsonNumber =>
  typeof value === "number" || value instanceof JsonNumber;
