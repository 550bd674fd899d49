/** Geohashes: cells of a grid that halves longitudes and latitudes in turn, five halvings to a character (Elasticsearch's Geohash). */
import { encodeLatitude, encodeLongitude, type GeoPoint } from "./encoding.ts";

export const GEOHASH_ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";
export const MAX_GEOHASH = 12;

const clamped = (value: number) => Math.max(0, Math.min(2 ** 32 - 1, value + 2 ** 31));

/** Halvings of longitudes and of latitudes in so many characters. */
const halvings = (level: number) => ({ lon: Math.ceil((level * 5) / 2), lat: Math.floor((level * 5) / 2) });

interface Cell {
  readonly lon: number;
  readonly lat: number;
}

function textOf({ lon, lat }: Cell, level: number): string {
  const bits = halvings(level);
  const bitOf = (value: number, at: number) => Math.floor(value / 2 ** at) % 2;
  let text = "";
  for (let i = 0; i < level; i++) {
    let symbol = 0;
    for (let j = 0; j < 5; j++) {
      const halving = i * 5 + j;
      const place = halving >> 1;
      const bit = halving % 2 === 0 ? bitOf(lon, bits.lon - 1 - place) : bitOf(lat, bits.lat - 1 - place);
      symbol = symbol * 2 + bit;
    }
    text += GEOHASH_ALPHABET[symbol];
  }
  return text;
}

function cellOf(geohash: string): Cell {
  let [lon, lat] = [0, 0];
  let even = true;
  for (const symbol of geohash) {
    const value = GEOHASH_ALPHABET.indexOf(symbol);
    for (let mask = 16; mask > 0; mask >>= 1) {
      const bit = (value & mask) === 0 ? 0 : 1;
      if (even) lon = lon * 2 + bit;
      else lat = lat * 2 + bit;
      even = !even;
    }
  }
  return { lon, lat };
}

/** The cell of a point, with so many characters. */
export function geohashOf({ lat, lon }: GeoPoint, level: number): string {
  const bits = halvings(level);
  const cut = (encoded: number, left: number) => Math.floor(clamped(encoded) / 2 ** (32 - left));
  return textOf({ lon: cut(encodeLongitude(lon), bits.lon), lat: cut(encodeLatitude(lat), bits.lat) }, level);
}

/** The cells around one, of its size: none beyond the poles, and round the earth. */
export function geohashNeighbours(geohash: string): string[] {
  const { lon, lat } = cellOf(geohash);
  const bits = halvings(geohash.length);
  const [columns, rows] = [2 ** bits.lon, 2 ** bits.lat];
  const found: string[] = [];
  for (const dy of [1, 0, -1]) {
    for (const dx of [-1, 0, 1]) {
      const row = lat + dy;
      if ((dx === 0 && dy === 0) || row < 0 || row >= rows) continue;
      found.push(textOf({ lon: (lon + dx + columns) % columns, lat: row }, geohash.length));
    }
  }
  return found;
}

const EQUATOR = 2 * Math.PI * 6_378_137;
const POLAR = Math.PI * 6_356_752.314245;

/** Characters of a geohash whose cell is about so wide (GeoUtils.geoHashLevelsForPrecision). */
export function geohashLevel(metres: number): number {
  const width = metres / (1 + POLAR / EQUATOR);
  const bits = Math.ceil(Math.log2(Math.ceil(EQUATOR / width)));
  const whole = Math.floor(bits / 5);
  const rest = bits % 5;
  return Math.max(1, 2 * whole + (rest > 0 ? 1 : 0) + (rest > 3 ? 1 : 0) - 1);
}
