/** `geo_point`: every form that Elasticsearch reads is checked, kept in the source and found by `exists`; no query looks at where it lies. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { printDouble } from "../doc-value-format.ts";
import { parseJavaDouble } from "../java-numbers.ts";
import { javaDouble, javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { booleanParameter, metaParameter, parameter } from "../parameters.ts";
import {
  docValuesParameter,
  indexParameter,
  indexSettingFlag,
  makeField,
  scalarText,
  storeParameter,
  ValueError,
} from "./common.ts";

interface Point {
  readonly lat: number;
  readonly lon: number;
}

interface Reading {
  readonly ignoreZ: boolean;
}

function failed(reason: string, cause?: unknown): EngineError {
  return new EngineError("parse_exception", reason, { cause });
}

const GEOHASH = "0123456789bcdefghjkmnpqrstuvwxyz";

/** The south-western corner of a cell of the geohash grid. */
function fromGeohash(text: string): Point {
  const fail = (reason: string) => failed(reason, illegalArgument(reason));
  if (text === "") throw fail("empty geohash");
  const ranges = { lon: [-180, 180], lat: [-90, 90] };
  let even = true;
  for (const symbol of text) {
    const bits = GEOHASH.indexOf(symbol);
    if (bits < 0) throw fail(`unsupported symbol [${symbol}] in geohash [${text}]`);
    for (let mask = 16; mask > 0; mask >>= 1) {
      const range = even ? ranges.lon : ranges.lat;
      const middle = (range[0] + range[1]) / 2;
      range[(bits & mask) === 0 ? 1 : 0] = middle;
      even = !even;
    }
  }
  return { lat: ranges.lat[0], lon: ranges.lon[0] };
}

function number(value: JsonValue, name: string): number {
  if (typeof value === "number") return value;
  if (value instanceof JsonNumber) return Number(value.text);
  try {
    return parseJavaDouble(scalarText(value));
  } catch (error) {
    throw failed(`[${name}] must be a valid double value`, error);
  }
}

function checkZ(z: number, { ignoreZ }: Reading): void {
  if (!ignoreZ) {
    throw failed(
      `Exception parsing coordinates: found Z value [${javaDouble(z)}] but [ignore_z_value] parameter is [false]`,
    );
  }
}

function fromText(text: string, options: Reading): Point {
  if (text.toLowerCase().includes("point")) return fromWkt(text, options);
  if (!text.includes(",")) return fromGeohash(text);
  const parts = text.split(",");
  if (parts.length > 3) throw failed(`failed to parse [${parts.length}], expected 2 or 3 coordinates but found: [{}]`);
  const [lat, lon, z] = parts.map((part, at) => {
    try {
      return parseJavaDouble(part);
    } catch (error) {
      throw failed(`${["latitude", "longitude", "z"][at]} must be a number`, at === 0 ? undefined : error);
    }
  });
  if (z !== undefined) checkZ(z, options);
  return { lat, lon };
}

function fromWkt(text: string, options: Reading): Point {
  const match = /^\s*point\s*(?:z\s*)?\(\s*(\S+)\s+(\S+?)(?:\s+(\S+?))?\s*\)\s*$/i.exec(text);
  if (match === null) throw failed("Invalid WKT format", illegalArgument(`Invalid WKT format: ${text}`));
  const [lon, lat, z] = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  if (Number.isNaN(lon) || Number.isNaN(lat)) throw failed("Invalid WKT format");
  if (z !== undefined) checkZ(z, options);
  return { lat: lat as number, lon: lon as number };
}

function fromNumbers(values: readonly JsonValue[], options: Reading): Point {
  if (values.length < 2 || values.length > 3) throw failed("geo_point expected");
  const [lon, lat, z] = values.map((value) => number(value, "geo_point"));
  if (z !== undefined) checkZ(z, options);
  return { lat, lon };
}

function fromObject(value: JsonObject, options: Reading): Point {
  let [lat, lon]: (number | undefined)[] = [];
  let [type, coordinates]: (JsonValue | undefined)[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (key === "lat") lat = number(inner, "latitude");
    else if (key === "lon") lon = number(inner, "longitude");
    else if (key === "z") checkZ(number(inner, "z"), options);
    else if (key === "type") type = inner;
    else if (key === "coordinates") coordinates = inner;
    else throw failed(`field [${key}] not supported - must be one of: lon, lat, z, type, coordinates`);
  }
  if (lat !== undefined || lon !== undefined) {
    if (type !== undefined || coordinates !== undefined)
      throw failed("field must be either lat/lon or type/coordinates");
    if (lat === undefined || lon === undefined) throw failed(`Required [${lat === undefined ? "lat" : "lon"}]`);
    return { lat, lon };
  }
  if (type === undefined && coordinates === undefined)
    throw failed("field must be either lat/lon, geohash string or type/coordinates");
  if (type === undefined || coordinates === undefined)
    throw failed(`Required [${type === undefined ? "type" : "coordinates"}]`);
  if (javaText(type).toLowerCase() !== "point") throw failed("[type] for geo_point can only be 'Point'");
  return fromNumbers(Array.isArray(coordinates) ? (coordinates as JsonValue[]) : [coordinates], options);
}

function readPoint(value: JsonValue, options: Reading): Point {
  if (typeof value === "string") return fromText(value, options);
  if (Array.isArray(value)) return fromNumbers(value as JsonValue[], options);
  if (value === null || typeof value !== "object" || value instanceof JsonNumber) throw failed("geo_point expected");
  return fromObject(value as JsonObject, options);
}

function checkBounds({ lat, lon }: Point, field: string): void {
  if (!(lat >= -90 && lat <= 90)) throw illegalArgument(`illegal latitude value [${javaDouble(lat)}] for ${field}`);
  if (!(lon >= -180 && lon <= 180)) throw illegalArgument(`illegal longitude value [${javaDouble(lon)}] for ${field}`);
}

/** Formats of `fields`. */
const PRINTERS: ReadonlyMap<string, (point: Point) => JsonValue> = new Map([
  [
    "geojson",
    ({ lat, lon }: Point): JsonValue => ({ coordinates: [printDouble(lon), printDouble(lat)], type: "Point" }),
  ],
  ["wkt", ({ lat, lon }: Point): JsonValue => `POINT (${javaDouble(lon)} ${javaDouble(lat)})`],
]);

const isNumber = (value: JsonValue | undefined) => typeof value === "number" || value instanceof JsonNumber;

export const geoPointType: FieldType = {
  type: "geo_point",
  parameters: [
    docValuesParameter,
    storeParameter,
    indexSettingFlag("ignore_malformed", "index.mapping.ignore_malformed", false),
    booleanParameter("ignore_z_value", true, { updateable: true }),
    parameter<Point | undefined>(
      "null_value",
      undefined,
      (value) => (value === null ? undefined : readPoint(value, { ignoreZ: true })),
      {
        acceptsNull: true,
        updateable: true,
        print: (point) => ({ lat: printDouble(point?.lat ?? 0), lon: printDouble(point?.lon ?? 0) }),
      },
    ),
    indexParameter,
    metaParameter,
  ],
  // Elasticsearch gives them the point's geohash.
  refuses: (what, name) => (what === "fields" ? unsupported(`multi-fields of geo_point field [${name}]`) : undefined),
  create: (options) => {
    const { get, path } = options;
    const indexed = get<boolean>("index");
    const hasDocValues = get<boolean>("doc_values");
    const ignoreMalformed = get<boolean>("ignore_malformed");
    const ignoreZ = get<boolean>("ignore_z_value");
    const nullValue = get<Point | undefined>("null_value");
    const info: FieldInfo = { name: path, index: "none", norms: false, docValues: "none", points: "none" };
    const refuse = (): never => {
      throw illegalArgument(
        `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${path}]`,
      );
    };
    /** The points of a value. */
    const points = (value: JsonValue, at: readonly number[]): Point[] => {
      if (value === null) return [];
      if (Array.isArray(value) && !isNumber(value[0])) {
        return (value as JsonValue[]).flatMap((item, i) => points(item, [...at, i]));
      }
      try {
        const point = readPoint(value, { ignoreZ });
        if (!ignoreMalformed) checkBounds(point, path);
        return [point];
      } catch (error) {
        if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
        const structure = typeof value === "object" && !(value instanceof JsonNumber);
        throw new ValueError(error, { path: at, which: structure ? "end" : "start", anonymous: true });
      }
    };
    /** What cannot be read is passed over. */
    const readable = (value: JsonValue): Point[] => {
      if (Array.isArray(value) && !isNumber(value[0])) return (value as JsonValue[]).flatMap(readable);
      try {
        return points(value, []);
      } catch {
        return [];
      }
    };
    return makeField({
      options,
      type: "geo_point",
      family: "opaque",
      info,
      indexed,
      hasDocValues,
      existsBy: "_field_names",
      recordsName: indexed || hasDocValues || get<boolean>("store"),
      takesStructures: true,
      nullValue: nullValue === undefined ? undefined : { lat: nullValue.lat, lon: nullValue.lon },
      addValue: (_doc, value) => {
        try {
          return points(value, []).length > 0 ? false : undefined;
        } catch (error) {
          if (ignoreMalformed) return true;
          throw error;
        }
      },
      valueFetcher: ({ format = "geojson" } = {}) => {
        const print = PRINTERS.get(format);
        if (print === undefined) throw illegalArgument(`Unrecognized geometry format [${format}].`);
        const known = nullValue === undefined ? undefined : { lat: nullValue.lat, lon: nullValue.lon };
        return { kind: "whole", nullValue: known, readAll: (value) => readable(value).map(print) };
      },
      termValue: refuse,
      rangeBound: refuse,
    });
  },
};
