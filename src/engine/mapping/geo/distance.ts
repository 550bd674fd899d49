/**
 * Distances on the earth as Elasticsearch computes them: by the haversine formula over tables (Lucene's SloppyMath), so that they agree to
 * the last bit, or on a plane.
 */

/** Mean radius of the earth in metres (WGS 84). */
const RADIUS = 6_371_008.7714;
const TO_RADIANS = 0.017453292519943295;

const radians = (degrees: number) => degrees * TO_RADIANS;

const wide = new DataView(new ArrayBuffer(8));

function doubleOf(bits: bigint): number {
  wide.setBigInt64(0, bits);
  return wide.getFloat64(0);
}

// The circle in 2048 steps; its length in two parts, for an exact rest.
const STEPS = 1 << 11;
const HALF_PI_HIGH = doubleOf(0x3ff921fb54400000n);
const HALF_PI_LOW = doubleOf(0x3dd0b4611a626331n);
const STEP_HIGH = (4 * HALF_PI_HIGH) / STEPS;
const STEP_LOW = (4 * HALF_PI_LOW) / STEPS;
const STEPS_PER_RADIAN = 1 / (STEP_HIGH + STEP_LOW);
const MOST_FOR_TABLE = (((2 ** 31 - 1) >> 9) / STEPS_PER_RADIAN) * 0.99;

// Arc sines up to 73°, beyond which the tables' series is too coarse.
const ASIN_MOST = Math.sin(radians(73));
const ASIN_STEPS = 1 << 13;
const ASIN_STEP = ASIN_MOST / ASIN_STEPS;
const STEPS_PER_ASIN = 1 / ASIN_STEP;

interface Tables {
  readonly sin: Float64Array;
  readonly cos: Float64Array;
  /** The arc sine at a step and its first four derivatives over their factorials. */
  readonly asin: readonly Float64Array[];
}

let tables: Tables | undefined;

/** Made at the first distance. */
function makeTables(): Tables {
  const sin = new Float64Array(STEPS + 1);
  const cos = new Float64Array(STEPS + 1);
  for (let i = 0; i <= STEPS; i++) {
    const angle = i * STEP_HIGH + i * STEP_LOW;
    sin[i] = i === STEPS / 2 || i === STEPS ? 0 : Math.sin(angle);
    cos[i] = i === STEPS / 4 || i === (3 * STEPS) / 4 ? 0 : Math.cos(angle);
  }
  const asin = Array.from({ length: 5 }, () => new Float64Array(ASIN_STEPS + 1));
  for (let i = 0; i <= ASIN_STEPS; i++) {
    const x = i * ASIN_STEP;
    const inverse = 1 / (1 - x * x);
    const half = Math.sqrt(inverse);
    const [threeHalves, fiveHalves] = [half * inverse, half * inverse * inverse];
    asin[0][i] = Math.asin(x);
    asin[1][i] = half;
    asin[2][i] = x * threeHalves * (1 / 2);
    asin[3][i] = (1 + 2 * x * x) * fiveHalves * (1 / 6);
    asin[4][i] = (5 + 2 * x * (2 + x * (5 - 2 * x))) * (fiveHalves * inverse) * (1 / 24);
  }
  return { sin, cos, asin };
}

function cosine(radiant: number): number {
  const angle = Math.abs(radiant);
  if (angle > MOST_FOR_TABLE) return Math.cos(angle);
  const { sin, cos } = (tables ??= makeTables());
  const step = Math.trunc(angle * STEPS_PER_RADIAN + 0.5);
  const rest = angle - step * STEP_HIGH - step * STEP_LOW;
  const at = step & (STEPS - 1);
  return (
    cos[at] + rest * (-sin[at] + rest * (-cos[at] * (1 / 2) + rest * (sin[at] * (1 / 6) + rest * cos[at] * (1 / 24))))
  );
}

// fdlibm's rational approximation near 1.
const P = [
  0.16666666666666666, -0.3255658186224009, 0.20121253213486293, -0.04005553450067941, 0.0007915349942898145,
  3.479331075960212e-5,
];
const Q = [-2.403394911734414, 2.0209457602335057, -0.6882839716054533, 0.07703815055590194];

/** Of 0 to 1. */
function arcSine(sine: number): number {
  if (sine <= ASIN_MOST) {
    const [value, first, second, third, fourth] = (tables ??= makeTables()).asin;
    const at = Math.trunc(sine * STEPS_PER_ASIN + 0.5);
    const rest = sine - at * ASIN_STEP;
    return value[at] + rest * (first[at] + rest * (second[at] + rest * (third[at] + rest * fourth[at])));
  }
  if (sine === 1) return Math.PI / 2;
  if (!(sine < 1)) return Number.NaN;
  const t = (1 - sine) * 0.5;
  const p = t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * (P[4] + t * P[5])))));
  const q = 1 + t * (Q[0] + t * (Q[1] + t * (Q[2] + t * Q[3])));
  const s = Math.sqrt(t);
  const z = s + s * (p / q);
  return HALF_PI_HIGH - (z + z - HALF_PI_LOW);
}

/** A number that grows with the distance and is cheaper (SloppyMath.haversinSortKey). */
export function haversinSortKey(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const [x1, x2] = [radians(lat1), radians(lat2)];
  const h1 = 1 - cosine(x1 - x2);
  const h2 = 1 - cosine(radians(lon1 - lon2));
  wide.setFloat64(0, h1 + cosine(x1) * cosine(x2) * h2);
  // The last bits would tell apart what is equally far.
  wide.setUint8(7, wide.getUint8(7) & 0xf8);
  return wide.getFloat64(0);
}

function metresOfKey(key: number): number {
  return RADIUS * 2 * arcSine(Math.min(1, Math.sqrt(key * 0.5)));
}

/** Metres along the earth (GeoUtils.arcDistance). */
export function arcDistance(lat1: number, lon1: number, lat2: number, lon2: number): number {
  return metresOfKey(haversinSortKey(lat1, lon1, lat2, lon2));
}

/** Metres on a plane: fast, and wrong over long ways and near the poles (GeoUtils.planeDistance). */
export function planeDistance(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const x = (lon2 - lon1) * TO_RADIANS * Math.cos(((lat2 + lat1) / 2) * TO_RADIANS);
  const y = (lat2 - lat1) * TO_RADIANS;
  return Math.sqrt(x * x + y * y) * RADIUS;
}

/** The greatest sort key of the places within a radius (GeoUtils.distanceQuerySortKey in Lucene). */
export function sortKeyOfRadius(radius: number): number {
  const most = metresOfKey(Number.MAX_VALUE);
  if (radius >= most) return most;
  let low = 0n;
  wide.setFloat64(0, Number.MAX_VALUE);
  let high = wide.getBigInt64(0);
  while (low <= high) {
    const middle = (low + high) >> 1n;
    const key = doubleOf(middle);
    const metres = metresOfKey(key);
    if (metres === radius) return key;
    if (metres > radius) high = middle - 1n;
    else low = middle + 1n;
  }
  return doubleOf(low);
}
