/** geo_bounding_box: documents with a point in a box of latitudes and longitudes. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { normalizePoint } from "../../mapping/geo/read-point.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { type GeoBox, geoBoxQuery } from "../lucene/geo.ts";
import { makeBuilder } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { readBox } from "./geo-box.ts";
import { coordinateErrors, onPoints, readValidationMethod, type ValidationMethod } from "./geo-field.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, isObject, located, locatedAt, placeOf, readBoolean, readText, throughBrackets } from "./read.ts";

const NAME = "geo_bounding_box";

function failed(reason: string): EngineError {
  return new EngineError("parse_exception", `failed to parse [${NAME}] query. ${reason}`);
}

function boxOf(json: JsonObject): GeoBox {
  try {
    return readBox(json);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    const place = placeOf(error);
    const own = failed(`[${error.reason}]`);
    throw place ? locatedAt(own, place) : own;
  }
}

export const parseGeoBoundingBox: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  let field: string | undefined;
  let box: GeoBox | undefined;
  let method: ValidationMethod = "STRICT";
  let ignoreUnmapped = false;
  for (const key of Object.keys(json)) {
    for (const at of throughBrackets(json, key)) {
      const value = at[key];
      if (isObject(value)) {
        box = boxOf(value);
        field = key;
      } else if (key === "validation_method") method = readValidationMethod(readText(at, key));
      else if (key === "ignore_unmapped") ignoreUnmapped = readBoolean(value);
      else if (key === "type") readText(at, key);
      else if (!readCommon(at, key, options)) {
        throw errorAt(json, { value: key }, `failed to parse [${NAME}] query. unexpected field [${key}]`);
      }
    }
  }
  if (box === undefined || field === undefined) throw failed("bounding box not provided");
  const [name, corners] = [field, box];
  try {
    checkCorners(corners);
  } catch (error) {
    throw error instanceof EngineError ? located(error, json, "end") : error;
  }
  const invalid = method === "STRICT" ? invalidCorners(corners) : [];
  return makeBuilder(NAME, options, (context) =>
    onPoints({ query: NAME, field: name, ignoreUnmapped, invalid }, context, (points) =>
      geoBoxQuery(points, method === "COERCE" ? coerced(corners) : corners),
    ),
  );
};

function checkCorners({ top, left, bottom, right }: GeoBox): void {
  const sides = [
    ["top latitude", top],
    ["left longitude", left],
    ["bottom latitude", bottom],
    ["right longitude", right],
  ] as const;
  for (const [what, value] of sides) {
    if (!Number.isFinite(value)) throw illegalArgument(`${what} is invalid: ${javaDouble(value)}`);
  }
  if (top < bottom) {
    throw illegalArgument(`top is below bottom corner: ${javaDouble(top)} vs. ${javaDouble(bottom)}`);
  }
}

function invalidCorners({ top, left, bottom, right }: GeoBox): string[] {
  const sides = [
    ["top", "left"],
    ["bottom", "right"],
  ] as const;
  return [
    { lat: top, lon: left },
    { lat: bottom, lon: right },
  ].flatMap((corner, i) =>
    coordinateErrors([corner]).map(({ what, value }) => {
      const side = sides[i][what === "latitude" ? 0 : 1];
      return `${side} ${what} is invalid: ${javaDouble(value)}`;
    }),
  );
}

/** Corners beyond the poles and the date line stand for places; a box all around the earth stays one. */
function coerced({ top, left, bottom, right }: GeoBox): GeoBox {
  const around = (right - left) % 360 === 0 && right > left;
  const [first, second] = [
    normalizePoint({ lat: top, lon: left }, !around),
    normalizePoint({ lat: bottom, lon: right }, !around),
  ];
  return {
    top: first.lat,
    bottom: second.lat,
    left: around ? -180 : first.lon,
    right: around ? 180 : second.lon,
  };
}
