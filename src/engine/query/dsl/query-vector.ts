/** A request's vector: checked against its field, and brought into the form of the stored ones. */
import { illegalArgument } from "../../errors.ts";
import { firstEndless, lengthError, preview } from "../../mapping/fields/vector-values.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import type { StoredVector, VectorShape } from "../../vectors/types.ts";

/** DenseVectorFieldMapper.EPS: a squared length this near to 1 counts as unit length. */
const UNIT_TOLERANCE = Math.fround(1e-3);

/** @throws what Elasticsearch says of a vector that does not fit */
export function queryVector(values: readonly number[], shape: VectorShape): StoredVector {
  const { dims, elementType } = shape;
  const found = elementType === "bit" ? values.length * 8 : values.length;
  if (found !== dims) {
    throw illegalArgument(
      `The query vector has a different number of dimensions [${found}] than the document vectors [${dims}].`,
    );
  }
  const floats = new Float32Array(values);
  const vector = elementType === "byte" || elementType === "bit" ? asBytes(floats) : checkedFloats(floats);
  const error = lengthError(vector, shape);
  if (error) throw error;
  return shape.similarity === "cosine" && vector instanceof Float32Array ? atUnitLength(vector) : vector;
}

function asBytes(floats: Float32Array): Int8Array {
  floats.forEach((value, i) => {
    // What is endless is no whole number either.
    if (value % 1 !== 0) {
      throw illegalArgument(
        `element_type [byte] vectors only support non-decimal values but found decimal value [${javaFloat(value)}] at dim [${i}];${preview(floats)}`,
      );
    }
    if (value < -128 || value > 127) {
      throw illegalArgument(
        `element_type [byte] vectors only support integers between [-128, 127] but found [${javaFloat(value)}] at dim [${i}];${preview(floats)}`,
      );
    }
  });
  return Int8Array.from(floats);
}

function checkedFloats(vector: Float32Array): Float32Array {
  const at = firstEndless(vector);
  if (at < 0) return vector;
  const kind = Number.isNaN(vector[at]) ? "NaN" : "infinite";
  throw illegalArgument(
    `element_type [float] vectors do not support ${kind} values but found [${javaFloat(vector[at])}] at dim [${at}];${preview(vector)}`,
  );
}

function atUnitLength(vector: Float32Array): Float32Array {
  let squared = 0;
  for (let i = 0; i < vector.length; i++) squared += vector[i] * vector[i];
  squared = Math.fround(squared);
  if (Math.abs(squared - 1) <= UNIT_TOLERANCE) return vector;
  const length = Math.fround(Math.sqrt(squared));
  return vector.map((value) => value / length);
}
