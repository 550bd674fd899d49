/** `geo_point`: places, in any of the forms that Elasticsearch reads. A column and points hold them as Lucene encodes them. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { addNumber } from "../doc-buffer.ts";
import { type DocValue, type DocValueFormat, printDouble } from "../doc-value-format.ts";
import { decodePoint, encodePoint, type GeoPoint } from "../geo/encoding.ts";
import { normalizePoint, readPoint } from "../geo/read-point.ts";
import { narrow } from "../java-numbers.ts";
import { javaDouble } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { booleanParameter, metaParameter, parameter } from "../parameters.ts";
import {
  docValuesParameter,
  indexParameter,
  indexSettingFlag,
  makeField,
  plainFormat,
  storeParameter,
  ValueError,
} from "./common.ts";

/** @throws illegal_argument_exception for what lies nowhere */
function checkBounds({ lat, lon }: GeoPoint, field: string): void {
  if (lat > 90 || lat < -90) throw illegalArgument(`illegal latitude value [${javaDouble(lat)}] for ${field}`);
  if (lon > 180 || lon < -180) throw illegalArgument(`illegal longitude value [${javaDouble(lon)}] for ${field}`);
  if (Number.isNaN(lat)) throw illegalArgument("invalid latitude NaN; must be between -90.0 and 90.0");
  if (Number.isNaN(lon)) throw illegalArgument("invalid longitude NaN; must be between -180.0 and 180.0");
}

/** Of malformed points, those that still stand for a place. */
function normalized(point: GeoPoint): GeoPoint {
  if (Number.isFinite(point.lat) && Number.isFinite(point.lon)) return normalizePoint(point);
  throw illegalArgument("cannot normalize the point - not a number");
}

/** A point of the column as `docvalue_fields` have it. */
const POINT_FORMAT: DocValueFormat = {
  raw: false,
  format: (value) => shown(pointOf(value)),
  sortValue: (value) => shown(pointOf(value)),
};

const shown = ({ lat, lon }: GeoPoint) => `${javaDouble(lat)}, ${javaDouble(lon)}`;

function pointOf(value: DocValue): GeoPoint {
  const encoded = BigInt(value);
  return decodePoint(Number(encoded >> 32n), Number(BigInt.asIntN(32, encoded)));
}

/** Formats of `fields`. */
const PRINTERS: ReadonlyMap<string, (point: GeoPoint) => JsonValue> = new Map([
  [
    "geojson",
    ({ lat, lon }: GeoPoint): JsonValue => ({ coordinates: [printDouble(lon), printDouble(lat)], type: "Point" }),
  ],
  ["wkt", ({ lat, lon }: GeoPoint): JsonValue => `POINT (${javaDouble(lon)} ${javaDouble(lat)})`],
]);

const isNumber = (value: JsonValue | undefined) => typeof value === "number" || value instanceof JsonNumber;

export const geoPointType: FieldType = {
  type: "geo_point",
  parameters: [
    docValuesParameter,
    storeParameter,
    indexSettingFlag("ignore_malformed", "index.mapping.ignore_malformed", false),
    booleanParameter("ignore_z_value", true, { updateable: true }),
    parameter<GeoPoint | undefined>(
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
    const nullValue = get<GeoPoint | undefined>("null_value");
    // Points are compared one by one, even where there are no doc values for others.
    const kept = indexed || hasDocValues;
    const info: FieldInfo = {
      name: path,
      index: "none",
      norms: false,
      docValues: kept ? "long" : "none",
      points: indexed ? "long" : "none",
    };
    const refuse = (): never => {
      throw illegalArgument(
        `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${path}]`,
      );
    };
    const read = (value: JsonValue, lenient: boolean): GeoPoint => {
      const point = readPoint(value, { ignoreZ, lenient });
      if (ignoreMalformed) return normalized(point);
      checkBounds(point, path);
      return point;
    };
    /** Takes the points of a value, apart from those that are ignored. True when there are such. */
    const readEach = (value: JsonValue, at: readonly number[], take: (point: GeoPoint) => void): boolean => {
      if (value === null) return false;
      if (Array.isArray(value) && !isNumber(value[0])) {
        let ignored = false;
        for (const [i, item] of (value as JsonValue[]).entries()) ignored = readEach(item, [...at, i], take) || ignored;
        return ignored;
      }
      try {
        take(read(value, at.length === 0));
        return false;
      } catch (error) {
        if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
        if (ignoreMalformed) return true;
        const structure = typeof value === "object" && !(value instanceof JsonNumber);
        throw new ValueError(error, { path: at, which: structure ? "end" : "start", anonymous: true });
      }
    };
    /** What cannot be read is passed over. */
    const readable = (value: JsonValue): GeoPoint[] => {
      if (Array.isArray(value) && !isNumber(value[0])) return (value as JsonValue[]).flatMap(readable);
      try {
        return value === null ? [] : [read(value, true)];
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
      existsBy: hasDocValues ? "docValues" : "_field_names",
      takesStructures: true,
      nullValue: nullValue === undefined ? undefined : { lat: nullValue.lat, lon: nullValue.lon },
      addValue: (doc, value) => {
        let found = false;
        const ignored = readEach(value, [], (point) => {
          found = true;
          if (kept) addNumber(doc, info, narrow(encodePoint(point)));
        });
        return ignored ? true : found ? false : undefined;
      },
      docValueFormat: plainFormat(path, "geo_point", POINT_FORMAT),
      valueFetcher: ({ format = "geojson" } = {}) => {
        const print = PRINTERS.get(format);
        if (print === undefined) throw illegalArgument(`Unrecognized geometry format [${format}].`);
        return { kind: "whole", nullValue: undefined, readAll: (value) => readable(value).map(print) };
      },
      termValue: refuse,
      rangeBound: refuse,
    });
  },
};
