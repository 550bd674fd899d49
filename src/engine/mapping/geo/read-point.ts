/** Points as Elasticsearch reads them, in documents and in requests (GeoUtils.parseGeoPoint): six forms of writing a latitude and a longitude. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import { scalarText } from "../fields/common.ts";
import { parseJavaDouble } from "../java-numbers.ts";
import { javaDouble, javaText } from "../java-text.ts";
import type { GeoPoint } from "./encoding.ts";
import { GEOHASH_ALPHABET } from "./geohash.ts";

export interface Reading {
  readonly ignoreZ: boolean;
  /** Whether the numbers of a list may be written as text. */
  readonly lenient?: boolean;
}

/** What Elasticsearch says of text that is no point. */
function failed(reason: string, cause?: unknown): EngineError {
  return new EngineError("parse_exception", reason, { cause });
}

/** A cell of the geohash grid. */
export interface GeohashCell {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

export function geohashCell(text: string): GeohashCell {
  const fail = (reason: string) => failed(reason, illegalArgument(reason));
  if (text === "") throw fail("empty geohash");
  const ranges = { lon: [-180, 180], lat: [-90, 90] };
  let even = true;
  for (const symbol of text) {
    const bits = GEOHASH_ALPHABET.indexOf(symbol);
    if (bits < 0) throw fail(`unsupported symbol [${symbol}] in geohash [${text}]`);
    for (let mask = 16; mask > 0; mask >>= 1) {
      const range = even ? ranges.lon : ranges.lat;
      const middle = (range[0] + range[1]) / 2;
      range[(bits & mask) === 0 ? 1 : 0] = middle;
      even = !even;
    }
  }
  const [[south, north], [west, east]] = [ranges.lat, ranges.lon];
  return { south, north, west, east };
}

/** A geohash stands for the south-western corner of its cell. */
function fromGeohash(text: string): GeoPoint {
  const { south, west } = geohashCell(text);
  return { lat: south, lon: west };
}

/** Whether a text is a geohash: neither two numbers nor WKT. */
export function isGeohash(text: string): boolean {
  return !text.toLowerCase().includes("point") && !text.includes(",");
}

function number(value: JsonValue, name: string): number {
  if (typeof value === "number") return value;
  if (value instanceof JsonNumber) return Number(value.text);
  if (typeof value === "object") throw failed(`${name} must be a number`);
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

function fromText(text: string, options: Reading): GeoPoint {
  if (isGeohash(text)) return fromGeohash(text);
  if (text.toLowerCase().includes("point")) return fromWkt(text, options);
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

const NUMBER = String.raw`([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)`;
const WKT = new RegExp(String.raw`^\s*point\s*\(\s*${NUMBER}\s+${NUMBER}(?:\s+${NUMBER})?\s*\)\s*$`, "i");

function fromWkt(text: string, { ignoreZ }: Reading): GeoPoint {
  const invalid = (cause: EngineError) => failed("Invalid WKT format", cause);
  // An empty point lies where the equator meets the prime meridian.
  if (/^\s*point\s+empty\s*$/i.test(text)) return { lat: 0, lon: 0 };
  const match = WKT.exec(text);
  if (match === null) throw invalid(failed(`no point: ${text}`));
  const [lon, lat, z] = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  if (z !== undefined && !ignoreZ) {
    throw invalid(illegalArgument(`found Z value [${javaDouble(z)}] but [ignore_z_value] parameter is [${ignoreZ}]`));
  }
  return { lat: lat as number, lon: lon as number };
}

function fromNumbers(values: readonly JsonValue[], options: Reading): GeoPoint {
  if (values.length < 2 || values.length > 3) throw failed("geo_point expected");
  const [lon, lat, z] = values.map((value) => {
    if (options.lenient) return number(value, "geo_point");
    if (typeof value !== "number" && !(value instanceof JsonNumber)) throw failed("numeric value expected");
    return Number(value);
  });
  if (z !== undefined) checkZ(z, options);
  return { lat, lon };
}

function fromObject(value: JsonObject, options: Reading): GeoPoint {
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
    const given = (degrees: number | undefined): degrees is number => degrees !== undefined && !Number.isNaN(degrees);
    if (!given(lat) || !given(lon)) throw failed(`Required [${given(lat) ? "lon" : "lat"}]`);
    return { lat, lon };
  }
  if (type === undefined && coordinates === undefined)
    throw failed("field must be either lat/lon, geohash string or type/coordinates");
  if (type === undefined || coordinates === undefined)
    throw failed(`Required [${type === undefined ? "type" : "coordinates"}]`);
  if (javaText(type).toLowerCase() !== "point") throw failed("[type] for geo_point can only be 'Point'");
  const list = Array.isArray(coordinates) ? (coordinates as JsonValue[]) : [coordinates];
  if (list.length < 2) throw failed("[coordinates] must contain at least two values");
  return fromNumbers(list, options);
}

/** A point in any of its forms. @throws parse_exception */
export function readPoint(value: JsonValue, options: Reading): GeoPoint {
  if (typeof value === "string") return fromText(value, options);
  if (Array.isArray(value)) return fromNumbers(value as JsonValue[], options);
  if (value === null || typeof value !== "object" || value instanceof JsonNumber) throw failed("geo_point expected");
  return fromObject(value as JsonObject, options);
}

/** The place that a point beyond the poles or the date line stands for (GeoUtils.normalizePoint). @param wrapLon false: the longitude stays as it is */
export function normalizePoint({ lat, lon }: GeoPoint, wrapLon = true): GeoPoint {
  const beyondPole = lat > 90 || lat < -90;
  const wraps = wrapLon && (lon > 180 || lon < -180 || beyondPole);
  let [latitude, longitude] = [lat, lon];
  if (beyondPole) {
    latitude = centred(lat);
    const over = latitude > 90 || latitude < -90;
    if (over) {
      latitude = (latitude < 0 ? -180 : 180) - latitude;
      // On the other side of the earth.
      longitude += wraps || centred(longitude) <= 0 ? 180 : -180;
    }
  }
  return { lat: latitude, lon: wraps ? centred(longitude) : longitude };
}

/** Degrees above -180, at most 180. */
function centred(degrees: number): number {
  let rest = degrees % 360;
  if (rest <= 0) rest += 360;
  return rest > 180 ? rest - 360 : rest;
}
