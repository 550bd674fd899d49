/** Distances of documents' points from others: what decays, distance features and sorts are made of. */
import { arcDistance } from "../mapping/geo/distance.ts";
import { decodeLatitude, decodeLongitude, type GeoPoint } from "../mapping/geo/encoding.ts";
import { halvesOf } from "../segment/index.ts";
import type { LeafReader } from "../segment/types.ts";

/** The points of a document, from the south. */
export type LeafPoints = (doc: number) => GeoPoint[];

/** Of a field in one segment; undefined where no document has one. */
export function leafPoints({ segment }: LeafReader, field: string): LeafPoints | undefined {
  const column = segment.numeric(field);
  if (column === undefined) return undefined;
  const { high, low } = halvesOf(column);
  return (doc) => {
    const points: GeoPoint[] = [];
    if (!column.has(doc)) return points;
    for (let i = column.start(doc); i < column.end(doc); i++) {
      points.push({ lat: decodeLatitude(high(i)), lon: decodeLongitude(low(i)) });
    }
    return points;
  };
}

/** Metres between two points along the earth. */
export function metresBetween(a: GeoPoint, b: GeoPoint): number {
  return arcDistance(a.lat, a.lon, b.lat, b.lon);
}
