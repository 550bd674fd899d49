/** What the queries of places share: the field, the checks of coordinates, and points as requests write them. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { readPoint } from "../../mapping/geo/read-point.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import type { PointField } from "../lucene/geo.ts";
import type { Query } from "../types.ts";
import { type QueryContext, queryShardError } from "./builder.ts";
import { isArray } from "./read.ts";
import { checkSearchable } from "./term-level.ts";

/** What is done with coordinates that lie nowhere (GeoValidationMethod). */
export type ValidationMethod = "COERCE" | "IGNORE_MALFORMED" | "STRICT";

const METHODS: readonly ValidationMethod[] = ["COERCE", "IGNORE_MALFORMED", "STRICT"];

export function readValidationMethod(text: string): ValidationMethod {
  const method = METHODS.find((known) => known === text.toUpperCase());
  if (method !== undefined) return method;
  throw illegalArgument(`operator needs to be either [${METHODS.join(", ")}], but not [${text}]`);
}

/** A point within a request. Of a list, what is missing is NaN. */
export function requestPoint(value: JsonValue): GeoPoint {
  if (!isArray(value) || value.length === 2) return readPoint(value, { ignoreZ: false });
  if (value.length > 2) return readPoint(value.slice(0, 3), { ignoreZ: false });
  const [lon = Number.NaN] = value.map((item) => readPoint([item, 0], { ignoreZ: false }).lon);
  return { lat: Number.NaN, lon };
}

/** The coordinates that lie nowhere. */
export function coordinateErrors(points: readonly GeoPoint[]): { what: "latitude" | "longitude"; value: number }[] {
  return points.flatMap(({ lat, lon }) => [
    ...(lat >= -90 && lat <= 90 ? [] : [{ what: "latitude" as const, value: lat }]),
    ...(lon >= -180 && lon <= 180 ? [] : [{ what: "longitude" as const, value: lon }]),
  ]);
}

export interface GeoFieldOptions {
  readonly query: string;
  readonly field: string;
  readonly ignoreUnmapped: boolean;
  /** What is wrong with the coordinates; empty where they are not looked at. */
  readonly invalid: readonly string[];
}

/** Makes the query of a field of points. @throws for other fields, unmapped ones, and coordinates that lie nowhere */
export function onPoints(
  { query, field, ignoreUnmapped, invalid }: GeoFieldOptions,
  context: QueryContext,
  make: (field: PointField) => Query,
): Query {
  const mapped = context.mapping.field(field);
  if (mapped === undefined) {
    if (ignoreUnmapped) return matchNoneQuery("MatchNoDocsQuery");
    throw queryShardError(context, `failed to find geo field [${field}]`);
  }
  if (mapped.type !== "geo_point") {
    throw queryShardError(context, `Field [${field}] is of unsupported type [${mapped.type}] for [${query}] query`);
  }
  if (invalid.length > 0) {
    const list = invalid.map((reason, i) => `${i + 1}: [${query}] ${reason};`).join("");
    const cause = new EngineError("query_validation_exception", `Validation Failed: ${list}`);
    throw queryShardError(context, "couldn't validate latitude/ longitude values", cause);
  }
  checkSearchable(mapped);
  try {
    return make({ name: mapped.info.name, indexed: mapped.indexed, hasDocValues: mapped.hasDocValues });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw queryShardError(context, `Exception creating query on Field [${field}] ${error.reason}`, error);
  }
}
