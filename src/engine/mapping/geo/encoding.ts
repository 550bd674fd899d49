/** Latitudes and longitudes as Lucene indexes them (GeoEncodingUtils): 32 bits each, cut towards the south-west. */

/** A place, in degrees. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

const LAT_STEP = 180 / 2 ** 32;
const LON_STEP = 360 / 2 ** 32;

/** The largest double below: 90° and 180° cannot be encoded. */
const below = (degrees: number, limit: number) =>
  degrees === limit ? limit - 2 ** (limit === 90 ? -46 : -45) : degrees;

export const encodeLatitude = (lat: number) => Math.floor(below(lat, 90) / LAT_STEP);
export const encodeLongitude = (lon: number) => Math.floor(below(lon, 180) / LON_STEP);
export const decodeLatitude = (encoded: number) => encoded * LAT_STEP;
export const decodeLongitude = (encoded: number) => encoded * LON_STEP;

/** A point as one long: the latitude in the upper half, so that points sort by it. */
export function encodePoint({ lat, lon }: GeoPoint): bigint {
  return (BigInt(encodeLatitude(lat)) << 32n) | BigInt(encodeLongitude(lon) >>> 0);
}

/** A point as it was before it was indexed, apart from what the encoding loses. */
export function decodePoint(latitude: number, longitude: number): GeoPoint {
  return { lat: decodeLatitude(latitude), lon: decodeLongitude(longitude) };
}
