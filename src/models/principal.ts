/** Principal components: the directions in which vectors differ most. */

export interface Components {
  mean: Float64Array;
  /** `count` directions of length one, at right angles, those of most variance first; one after the other. */
  directions: Float64Array;
  count: number;
}

/** Called between slices of work; may throw. */
type Pause = () => Promise<void>;

/** Rows that are added up between two looks at the pause. */
const SLICE = 64;
const ROUNDS = 24;

/**
 * The first components of rows of length `size`, by orthogonal iteration on the covariance (Golub and Van Loan, Matrix Computations, 8.2.4).
 */
export async function principalComponents(
  rows: readonly Float32Array[],
  size: number,
  count: number,
  pause: Pause,
): Promise<Components> {
  const mean = new Float64Array(size);
  for (const row of rows) for (let i = 0; i < size; i++) mean[i]! += row[i]! / rows.length;
  const covariance = new Float64Array(size * size);
  const centred = new Float64Array(size);
  for (const [n, row] of rows.entries()) {
    if (n % SLICE === 0) await pause();
    for (let i = 0; i < size; i++) centred[i] = row[i]! - mean[i]!;
    for (let i = 0; i < size; i++) {
      const x = centred[i]!;
      for (let j = i, at = i * size + i; j < size; j++, at++) covariance[at]! += x * centred[j]!;
    }
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) covariance[i * size + j] = covariance[j * size + i]!;

  // Any directions will do to begin with; the same ones give the same result.
  let basis = Float64Array.from({ length: count * size }, (_, i) => Math.sin(i * i + 1));
  orthonormalise(basis, size, count);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(count * size);
    for (let k = 0; k < count; k++) {
      if (k % SLICE === 0) await pause();
      const from = basis.subarray(k * size, (k + 1) * size);
      const to = next.subarray(k * size, (k + 1) * size);
      for (let i = 0; i < size; i++) {
        let sum = 0;
        for (let j = 0, at = i * size; j < size; j++, at++) sum += covariance[at]! * from[j]!;
        to[i] = sum;
      }
    }
    basis = next;
    orthonormalise(basis, size, count);
  }
  return { mean, directions: basis, count };
}

/** Gram-Schmidt, modified. A direction that the others span becomes zero. */
function orthonormalise(basis: Float64Array, size: number, count: number): void {
  for (let k = 0; k < count; k++) {
    const row = basis.subarray(k * size, (k + 1) * size);
    const before = Math.hypot(...row);
    for (let l = 0; l < k; l++) {
      const other = basis.subarray(l * size, (l + 1) * size);
      let dot = 0;
      for (let i = 0; i < size; i++) dot += row[i]! * other[i]!;
      for (let i = 0; i < size; i++) row[i]! -= dot * other[i]!;
    }
    const after = Math.hypot(...row);
    const factor = after > 1e-9 * before ? 1 / after : 0;
    for (let i = 0; i < size; i++) row[i]! *= factor;
  }
}

/** A row's places along the directions. */
export function project(row: Float32Array, { mean, directions, count }: Components): Float64Array {
  const out = new Float64Array(count);
  const size = mean.length;
  for (let k = 0; k < count; k++) {
    let sum = 0;
    for (let i = 0, at = k * size; i < size; i++, at++) sum += (row[i]! - mean[i]!) * directions[at]!;
    out[k] = sum;
  }
  return out;
}
