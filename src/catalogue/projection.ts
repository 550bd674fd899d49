/**
 * Vectors as points of a plane: their principal components (PCA), found from the products of the vectors with each other, of which there are few,
 * by power iteration.
 */

export interface Projection {
  points: { x: number; y: number }[];
  /** How much of the vectors' spread each axis shows, 0 to 1. */
  shares: [number, number];
}

const ROUNDS = 200;
const CLOSE = 1e-9;

/** The same vectors always give the same points. Axes are turned so that the first vector has no negative coordinate. */
export function project(vectors: readonly ArrayLike<number>[]): Projection {
  const n = vectors.length;
  const products = centredProducts(vectors);
  let spread = 0;
  for (let i = 0; i < n; i++) spread += products[i * n + i]!;
  const first = strongest(products, n);
  remove(products, n, first);
  const second = strongest(products, n);
  const axis = ({ value, vector }: Component) => {
    const sign = (vector[0] ?? 0) < 0 ? -1 : 1;
    return Array.from(vector, (one) => one * Math.sqrt(value) * sign || 0);
  };
  const [x, y] = [axis(first), axis(second)];
  const share = ({ value }: Component) => (spread > 0 ? value / spread : 0);
  return { points: x.map((one, i) => ({ x: one, y: y[i]! })), shares: [share(first), share(second)] };
}

/** Products of the vectors, each without the mean of all. */
function centredProducts(vectors: readonly ArrayLike<number>[]): Float64Array {
  const n = vectors.length;
  const products = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const a = vectors[i]!;
    for (let j = i; j < n; j++) {
      const b = vectors[j]!;
      let sum = 0;
      for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
      products[i * n + j] = sum;
      products[j * n + i] = sum;
    }
  }
  const means = Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += products[i * n + j]!;
    return sum / n;
  });
  const mean = means.reduce((sum, one) => sum + one, 0) / n;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) products[i * n + j]! += mean - means[i]! - means[j]!;
  return products;
}

interface Component {
  value: number;
  vector: Float64Array;
}

/** The eigenvector of the largest eigenvalue. */
function strongest(matrix: Float64Array, n: number): Component {
  let vector = Float64Array.from({ length: n }, (_, i) => 1 + (i % 7) / 7 + i / n);
  let value = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += matrix[i * n + j]! * vector[j]!;
      next[i] = sum;
    }
    const length = Math.hypot(...next);
    if (!(length > CLOSE)) return { value: 0, vector: new Float64Array(n) };
    for (let i = 0; i < n; i++) next[i]! /= length;
    const still = round > 0 && Math.abs(length - value) < CLOSE * length;
    value = length;
    vector = next;
    if (still) break;
  }
  return { value, vector };
}

/** Takes a component out of the matrix. */
function remove(matrix: Float64Array, n: number, { value, vector }: Component): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix[i * n + j]! -= value * vector[i]! * vector[j]!;
}
