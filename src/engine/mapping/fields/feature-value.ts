/** Weights of tokens as Lucene's FeatureField keeps them: as a frequency, of which the float's lower bits are left out. */
import { illegalArgument } from "../../errors.ts";
import { javaFloat } from "../java-text.ts";

export const FLOAT_DROPPED_BITS = 15;

/** Float.MIN_NORMAL */
const LEAST_NORMAL = 1.17549435e-38;

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** @throws what Lucene says of a weight that is not positive and finite */
export function featureFrequency(field: string, token: string, weight: number): number {
  float[0] = weight;
  if (!Number.isFinite(float[0])) {
    const found = javaFloat(float[0]);
    throw illegalArgument(`featureValue must be finite, got: ${found} for feature ${token} on field ${field}`);
  }
  if (float[0] < Math.fround(LEAST_NORMAL)) {
    throw illegalArgument(
      `featureValue must be a positive normal float, got: ${javaFloat(float[0])} for feature ${token} on field ${field} which is less than the minimum positive normal float: 1.17549435E-38`,
    );
  }
  return bits[0] >> FLOAT_DROPPED_BITS;
}
