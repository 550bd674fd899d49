/** Boxes as requests write them: by sides, by two opposite corners, or in WKT (GeoBoundingBox). */
import { EngineError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { geohashCell, isGeohash } from "../../mapping/geo/read-point.ts";
import type { GeoBox } from "../lucene/geo.ts";
import { requestPoint } from "./geo-field.ts";
import { located, readDouble, readText } from "./read.ts";

const SIDES = ["top", "bottom", "left", "right"] as const;
type Side = (typeof SIDES)[number];

const CORNERS: Readonly<Record<string, readonly [Side, Side]>> = {
  top_left: ["top", "left"],
  bottom_right: ["bottom", "right"],
  top_right: ["top", "right"],
  bottom_left: ["bottom", "left"],
};

/** @throws parse_exception and what its values say */
export function readBox(json: JsonObject): GeoBox {
  const sides: Partial<Record<Side, number>> = {};
  let envelope: GeoBox | undefined;
  for (const [key, value] of Object.entries(json)) {
    const side = SIDES.find((name) => name === key);
    if (key === "wkt") envelope = readEnvelope(json, key);
    else if (side !== undefined) sides[side] = readDouble(value, json, key);
    else if (Object.hasOwn(CORNERS, key)) {
      const [vertical, horizontal] = CORNERS[key];
      const { lat, lon } = cornerOf(value, vertical, horizontal);
      sides[vertical] = lat;
      sides[horizontal] = lon;
    } else {
      const reason = `failed to parse bounding box. unexpected field [${key}]`;
      throw located(new EngineError("parse_exception", reason), json, { value: key });
    }
  }
  const { top = Number.NaN, bottom = Number.NaN, left = Number.NaN, right = Number.NaN } = sides;
  if (envelope === undefined) return { top, bottom, left, right };
  if (Object.keys(sides).length > 0) {
    const reason =
      "failed to parse bounding box. Conflicting definition found using well-known text and explicit corners.";
    throw located(new EngineError("parse_exception", reason), json, "end");
  }
  return envelope;
}

const NUMBER = String.raw`([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)`;
const ENVELOPE = new RegExp(
  String.raw`^\s*bbox\s*\(\s*${Array(4).fill(NUMBER).join(String.raw`\s*,\s*`)}\s*\)\s*$`,
  "i",
);

/** `BBOX (left, right, top, bottom)` */
function readEnvelope(json: JsonObject, key: string): GeoBox {
  const text = readText(json, key);
  const fail = (more = "") =>
    located(new EngineError("parse_exception", `failed to parse WKT bounding box${more}`), json, { value: key });
  const match = ENVELOPE.exec(text);
  if (match === null) {
    const shape = /^\s*(point|linestring|polygon|multi\w+|geometrycollection)\b/i.exec(text);
    throw fail(shape === null ? "" : `. [${shape[1].toUpperCase()}] found. expected [ENVELOPE]`);
  }
  const [left, right, top, bottom] = match.slice(1).map(Number);
  if (top < bottom) throw fail();
  return { top, bottom, left, right };
}

/** A geohash stands for the corner of its cell that makes the box larger. */
function cornerOf(value: JsonValue, vertical: Side, horizontal: Side): GeoPoint {
  if (typeof value !== "string" || !isGeohash(value)) return requestPoint(value);
  const { south, north, west, east } = geohashCell(value);
  return { lat: vertical === "top" ? north : south, lon: horizontal === "right" ? east : west };
}
