/** geo_distance: documents with a point within a distance of another one. */
import { illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { normalizePoint } from "../../mapping/geo/read-point.ts";
import { metresPer, parseDistance } from "../../mapping/geo/units.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { geoDistanceQuery } from "../lucene/geo.ts";
import { makeBuilder } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { coordinateErrors, onPoints, readValidationMethod, requestPoint, type ValidationMethod } from "./geo-field.ts";
import type { QueryParser } from "./parse.ts";
import {
  atOption,
  errorAt,
  isArray,
  isObject,
  readBoolean,
  readDouble,
  readText,
  textOf,
  throughBrackets,
} from "./read.ts";

const NAME = "geo_distance";

interface Options {
  boost?: number;
  queryName?: string;
  /** As written; a number is one of units. */
  distance?: string | number;
  unit: number;
  method: ValidationMethod;
  ignoreUnmapped: boolean;
  field?: string;
  lat: number;
  lon: number;
}

/** `arc` or `plane`: points are compared along the earth whichever it is. */
export function readDistanceType(text: string): "arc" | "plane" {
  const type = text.toLowerCase();
  if (type === "arc" || type === "plane") return type;
  throw illegalArgument(`No geo distance for [${text}]`);
}

function readOption(json: JsonObject, key: string, options: Options): boolean {
  const value = json[key] as JsonValue;
  if (key === "distance") options.distance = typeof value === "string" ? value : readDouble(value, json, key);
  else if (key === "unit") options.unit = metresPer(readText(json, key));
  else if (key === "distance_type") readDistanceType(readText(json, key));
  else if (key === "ignore_unmapped") options.ignoreUnmapped = readBoolean(value);
  else if (key === "validation_method") options.method = readValidationMethod(readText(json, key));
  else if (key.endsWith(".lat")) {
    options.lat = readDouble(value, json, key);
    options.field = key.slice(0, -4);
  } else if (key.endsWith(".lon")) {
    options.lon = readDouble(value, json, key);
    options.field = key.slice(0, -4);
  } else return readCommon(json, key, options);
  return true;
}

function readObject(json: JsonObject, field: string, options: Options): void {
  for (const key of Object.keys(json)) {
    for (const at of throughBrackets(json, key)) {
      const value = at[key];
      if (isObject(value)) throw unsupported(`an object as ${NAME}.${field}.${key}`);
      if (key === "lat" || key === "lon") options[key] = readDouble(value, at, key);
      else if (key === "geohash") Object.assign(options, requestPoint(textOf(value) ?? ""));
      else throw errorAt(json, { value: key }, `[${NAME}] query does not support [${field}]`);
    }
  }
}

export const parseGeoDistance: QueryParser = (json) => {
  const options: Options = {
    unit: 1,
    method: "STRICT",
    ignoreUnmapped: false,
    lat: Number.NaN,
    lon: Number.NaN,
  };
  for (const [key, value] of Object.entries(json)) {
    if (value === null) continue;
    if (isArray(value)) {
      options.field = key;
      Object.assign(options, requestPoint(value));
    } else if (isObject(value)) {
      if (options.field !== undefined) {
        const reason = `[${NAME}] query doesn't support multiple fields, found [${options.field}] and [${key}]`;
        throw errorAt(json, { value: key }, reason);
      }
      options.field = key;
      readObject(value, key, options);
    } else if (!readOption(json, key, options)) {
      if (options.field !== undefined) {
        throw errorAt(json, { value: key }, `failed to parse [${NAME}] query. unexpected field [${key}]`);
      }
      const text = readText(json, key);
      Object.assign(
        options,
        atOption(json, key, () => requestPoint(text)),
      );
      options.field = key;
    }
  }
  return builderOf(json, options);
};

function builderOf(json: JsonObject, options: Options) {
  const { distance, unit, field, lat, lon, method, ignoreUnmapped } = options;
  if (distance === undefined) throw errorAt(json, "end", `${NAME} requires 'distance' to be specified`);
  if (field === undefined || field === "") throw illegalArgument("fieldName must not be null or empty");
  if (distance === "") throw illegalArgument("distance must not be null or empty");
  const metres = typeof distance === "string" ? parseDistance(distance, unit) : distance * unit;
  if (metres <= 0) throw illegalArgument("distance must be greater than zero");
  const point: GeoPoint = { lat, lon };
  const invalid =
    method === "STRICT"
      ? coordinateErrors([point]).map(({ what, value }) => `center point ${what} is invalid: ${javaDouble(value)}`)
      : [];
  return makeBuilder(NAME, options, (context) =>
    onPoints({ query: NAME, field, ignoreUnmapped, invalid }, context, (points) =>
      geoDistanceQuery(points, method === "COERCE" ? normalizePoint(point) : point, metres),
    ),
  );
}
