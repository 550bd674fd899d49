/** Documents with a point in a region: by the points' latitudes where there are such, and each candidate by its values. */

import { illegalArgument } from "../../errors.ts";
import { haversinSortKey, sortKeyOfRadius } from "../../mapping/geo/distance.ts";
import {
  decodeLatitude,
  decodeLongitude,
  decodePoint,
  encodeLatitude,
  encodeLongitude,
  type GeoPoint,
} from "../../mapping/geo/encoding.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { halvesOf } from "../../segment/index.ts";
import { type DocIterator, type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import type { Query } from "../types.ts";
import { iteratorQuery } from "./iterator.ts";

/** A field of points that is searched. */
export interface PointField {
  readonly name: string;
  readonly indexed: boolean;
  readonly hasDocValues: boolean;
}

/** A region by encoded coordinates. */
interface Region {
  /** No point of it lies outside these latitudes. */
  readonly south: number;
  readonly north: number;
  contains(lat: number, lon: number): boolean;
}

const MIN_INT = -(2 ** 31);
const MAX_INT = 2 ** 31 - 1;

/** Lucene's texts of a query by points and of the same by doc values. */
interface Texts {
  readonly points: string;
  readonly values: string;
  /** Whether the points are those of a range, of which is known which documents can have them. */
  readonly range: boolean;
}

function regionQuery({ name, indexed, hasDocValues }: PointField, region: Region, texts: Texts): Query {
  const { points, values, range } = texts;
  const both = `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${values})`;
  const text = indexed ? points : values;
  return iteratorQuery(text, (leaf) => documentsIn(leaf, name, indexed, region), {
    ...(indexed && hasDocValues ? { description: both, explained: values, className: "IndexOrDocValuesQuery" } : {}),
    ...(indexed && range ? { field: name } : {}),
  });
}

function documentsIn({ segment }: LeafReader, name: string, indexed: boolean, region: Region): DocIterator | undefined {
  const column = segment.numeric(name);
  if (column === undefined) return undefined;
  const { south, north, contains } = region;
  const candidates = indexed
    ? segment.points(name)?.range(BigInt(south) << 32n, (BigInt(north) << 32n) | 0xffffffffn)
    : column.iterator();
  if (candidates === undefined) return undefined;
  const { high, low } = halvesOf(column);
  return filteredIterator(candidates, (doc) => {
    for (let i = column.start(doc); i < column.end(doc); i++) {
      const lat = high(i);
      if (lat >= south && lat <= north && contains(lat, low(i))) return true;
    }
    return false;
  });
}

/** Those of some documents that match, each looked at when its turn comes. */
function filteredIterator(documents: DocIterator, matches: (doc: number) => boolean): DocIterator {
  const settle = (candidate: number): number => {
    let doc = candidate;
    while (doc !== NO_MORE_DOCS && !matches(doc)) doc = documents.nextDoc();
    return doc;
  };
  return {
    docID: () => documents.docID(),
    nextDoc: () => settle(documents.nextDoc()),
    advance: (target) => settle(documents.advance(target)),
    cost: () => documents.cost(),
  };
}

/** Within metres of a point (LatLonPointDistanceQuery). */
export function geoDistanceQuery(field: PointField, given: GeoPoint, metres: number): Query {
  checkLatitude(given.lat);
  checkLongitude(given.lon);
  // Elasticsearch compares with the centre as it would be indexed.
  const centre = decodePoint(encodeLatitude(given.lat), encodeLongitude(given.lon));
  if (!Number.isFinite(metres)) throw illegalArgument(`radiusMeters: '${javaDouble(metres)}' is invalid`);
  const most = sortKeyOfRadius(metres);
  // A degree is 111.2 km; a little more, for what the encoding loses.
  const degrees = metres / 111_000 + 1e-6;
  const [low, high] = [centre.lat - degrees, centre.lat + degrees];
  const region: Region = {
    south: low <= -90 ? MIN_INT : encodeLatitude(low),
    north: high >= 90 ? MAX_INT : encodeLatitude(high),
    contains: (lat, lon) => haversinSortKey(decodeLatitude(lat), decodeLongitude(lon), centre.lat, centre.lon) <= most,
  };
  const [place, radius] = [`${javaDouble(centre.lat)},${javaDouble(centre.lon)}`, `${javaDouble(metres)} meters`];
  return regionQuery(field, region, {
    points: `${field.name}:${place} +/- ${radius}`,
    values: `${field.name}:INTERSECTS:geometries([CIRCLE([${place}] radius = ${radius})])`,
    range: false,
  });
}

export interface GeoBox {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** In a box whose sides belong to it as they are encoded; where its left is east of its right, it lies across the date line. */
export function geoBoxQuery(field: PointField, { top, left, bottom, right }: GeoBox): Query {
  for (const lat of [bottom, top]) checkLatitude(lat);
  for (const lon of [left, right]) checkLongitude(lon);
  const [south, north] = [encodeLatitude(bottom), encodeLatitude(top)];
  const [west, east] = [encodeLongitude(left), encodeLongitude(right)];
  const across = right < left;
  const contains = across
    ? (_lat: number, lon: number) => lon >= west || lon <= east
    : (_lat: number, lon: number) => lon >= west && lon <= east;
  return regionQuery(field, { south, north, contains }, boxTexts(field.name, { south, north, west, east, across }));
}

export function checkLatitude(lat: number): void {
  if (lat >= -90 && lat <= 90) return;
  throw illegalArgument(`invalid latitude ${javaDouble(lat)}; must be between -90.0 and 90.0`);
}

export function checkLongitude(lon: number): void {
  if (lon >= -180 && lon <= 180) return;
  throw illegalArgument(`invalid longitude ${javaDouble(lon)}; must be between -180.0 and 180.0`);
}

interface EncodedBox {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  readonly across: boolean;
}

function boxTexts(field: string, { south, north, west, east, across }: EncodedBox): Texts {
  const [minLat, maxLat] = [south, north].map((lat) => javaDouble(decodeLatitude(lat)));
  const shown = (lon: number) => javaDouble(decodeLongitude(lon));
  const box = (from: number, to: number) => `${field}:[${minLat} TO ${maxLat}],[${shown(from)} TO ${shown(to)}]`;
  return {
    points: across ? `ConstantScore(${box(MIN_INT, east)} ${box(west, MAX_INT)})` : box(west, east),
    values: `${field}:box(minLat=${minLat}, maxLat=${maxLat}, minLon=${shown(west)}, maxLon=${shown(east)})`,
    range: true,
  };
}
