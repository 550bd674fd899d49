/** Vectors in documents: arrays of numbers, or bytes as hexadecimal text, with Elasticsearch's checks of them. */
import { EngineError, illegalArgument, parsingError } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { ElementType, StoredVector, VectorShape } from "../../vectors/types.ts";
import { javaFloat } from "../java-text.ts";
import { EXPECTED_TEXT, isStructure, scalarText, tokenName, ValueError } from "./common.ts";

/** How far the squared length of a vector may be from 1 where unit length is asked for. */
const UNIT_TOLERANCE = 1e-4;

/** The document's description stands for `{doc}` until the parser, which knows it, fills it in. */
const DOC = "document with id '{id}'";

function failed(reason: string, index: number | "end" | "start"): ValueError {
  const path = typeof index === "number" ? [index] : [];
  return new ValueError(illegalArgument(reason), { path, which: index === "end" ? "end" : "start", aboutField: false });
}

const isNumber = (value: JsonValue): value is number | JsonNumber =>
  typeof value === "number" || value instanceof JsonNumber;

/** Dimensions that a first document gives to a field without them. */
export function inferredDims(value: JsonValue, elementType: ElementType): number | undefined {
  const bits = elementType === "bit" ? 8 : 1;
  if (typeof value === "string") return elementType === "float" ? undefined : (value.length / 2) * bits;
  return Array.isArray(value) ? value.length * bits : undefined;
}

/** @param shape undefined dimensions: those of the value */
export function readVector(value: JsonValue, path: string, dims: number, elementType: ElementType): StoredVector {
  if (elementType === "float") return readFloats(value, path, dims);
  return readBytes(value, path, dims, elementType);
}

function wrongDims(path: string, found: number, dims: number, which: "start" | "end"): ValueError {
  return failed(
    `The [dense_vector] field [${path}] in doc [${DOC}] has a different number of dimensions [${found}] than defined in the mapping [${dims}]`,
    which,
  );
}

/** The numbers of an array, in order. */
function* numbersOf(
  value: readonly JsonValue[],
  path: string,
  length: number,
  dims: number,
): Generator<[number, number | JsonNumber]> {
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    if (!isNumber(item)) {
      throw new ValueError(
        parsingError(`Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${tokenName(item)}]`),
        { path: [i], aboutField: false, located: true },
      );
    }
    if (i >= length) {
      throw failed(
        `The [dense_vector] field [${path}] in doc [${DOC}] has more dimensions than defined in the mapping [${dims}]`,
        i,
      );
    }
    yield [i, item];
  }
}

/** Takes over as many plain numbers as there is room for. @returns whether that was all */
function fill(vector: Float32Array, value: readonly JsonValue[]): boolean {
  if (value.length !== vector.length) return false;
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    if (typeof item !== "number") return false;
    vector[i] = item;
  }
  return true;
}

function readFloats(value: JsonValue, path: string, dims: number): Float32Array {
  if (!Array.isArray(value)) {
    const found = isStructure(value) ? "FIELD_NAME" : "END_OBJECT";
    throw new ValueError(
      parsingError(`Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${found}]`),
      { aboutField: false, located: true },
    );
  }
  const vector = new Float32Array(dims);
  if (!fill(vector, value)) for (const [i, item] of numbersOf(value, path, dims, dims)) vector[i] = Number(item);
  if (value.length < dims) throw wrongDims(path, value.length, dims, "end");
  const bad = firstEndless(vector);
  if (bad >= 0) {
    const kind = Number.isNaN(vector[bad]) ? "NaN" : "infinite";
    throw failed(
      `element_type [float] vectors do not support ${kind} values but found [${javaFloat(vector[bad])}] at dim [${bad}];${preview(vector)}`,
      "end",
    );
  }
  return vector;
}

/** The first that is infinite or no number; -1: none. */
export function firstEndless(vector: Float32Array): number {
  for (let i = 0; i < vector.length; i++) if (!(Math.abs(vector[i]) < Number.POSITIVE_INFINITY)) return i;
  return -1;
}

function readBytes(value: JsonValue, path: string, dims: number, elementType: "byte" | "bit"): Int8Array {
  const bits = elementType === "bit" ? 8 : 1;
  const length = dims / bits;
  if (typeof value === "string") return readHex(value, path, dims, bits);
  if (!Array.isArray(value)) throw notBytes(value);
  const vector = new Int8Array(length);
  for (const [i, item] of numbersOf(value, path, length, dims)) {
    // A whole number as Java's int, which stops at its ends.
    const float = Math.fround(Number(item));
    if (float % 1 !== 0) {
      const text = javaFloat(float);
      throw failed(
        `element_type [${elementType}] vectors only support non-decimal values but found decimal value [${text}] at dim [${i}];`,
        i,
      );
    }
    if (float < -128 || float > 127) {
      const int = Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, float));
      throw failed(
        `element_type [${elementType}] vectors only support integers between [-128, 127] but found [${int}] at dim [${i}];`,
        i,
      );
    }
    vector[i] = float;
  }
  if (value.length < length) throw wrongDims(path, value.length * bits, dims, "end");
  return vector;
}

function notBytes(value: JsonValue): ValueError {
  if (isStructure(value)) return new ValueError(illegalArgument(EXPECTED_TEXT), { aboutField: false });
  const kind = typeof value === "boolean" ? "VALUE_BOOLEAN" : "VALUE_NUMBER";
  return new ValueError(parsingError(`Unsupported type [${kind}] for provided value [${scalarText(value)}]`), {
    aboutField: false,
    located: true,
  });
}

function readHex(text: string, path: string, dims: number, bits: number): Int8Array {
  let bytes: Int8Array;
  try {
    bytes = bytesOfHex(text);
  } catch (error) {
    throw error instanceof EngineError ? new ValueError(error, { aboutField: false }) : error;
  }
  if (bytes.length * bits !== dims) throw wrongDims(path, bytes.length * bits, dims, "start");
  return bytes;
}

/** java.util.HexFormat.parseHex */
export function bytesOfHex(text: string): Int8Array {
  if (text.length % 2 !== 0) {
    throw illegalArgument(`string length not even: ${text.length}`);
  }
  const bytes = new Int8Array(text.length / 2);
  for (let i = 0; i < text.length; i++) {
    const digit = Number.parseInt(text[i], 16);
    if (Number.isNaN(digit)) {
      const code = text.charCodeAt(i);
      throw new EngineError("number_format_exception", `not a hexadecimal digit: "${text[i]}" = ${code}`);
    }
    bytes[i >> 1] |= digit << (i % 2 === 0 ? 4 : 0);
  }
  return bytes;
}

/** Elasticsearch shows the first five values. */
export function preview(vector: StoredVector): string {
  const first = Array.from(vector.subarray(0, 5));
  const shown = (vector instanceof Int8Array ? first.map(String) : first.map(javaFloat)).join(", ");
  return ` Preview of invalid vector: [${shown}${vector.length > 5 ? ", ..." : ""}]`;
}

/** Why the similarity does not take a vector: no direction, or not of unit length. */
export function lengthError(vector: StoredVector, { similarity, elementType }: VectorShape): EngineError | undefined {
  if (elementType === "bit" || (similarity !== "cosine" && similarity !== "dot_product")) return undefined;
  let squared = 0;
  for (let i = 0; i < vector.length; i++) squared += vector[i] * vector[i];
  squared = Math.fround(squared);
  if (similarity === "cosine" && squared === 0) {
    return illegalArgument(`The [cosine] similarity does not support vectors with zero magnitude.${preview(vector)}`);
  }
  if (similarity === "dot_product" && vector instanceof Float32Array && Math.abs(squared - 1) > UNIT_TOLERANCE) {
    return illegalArgument(`The [dot_product] similarity can only be used with unit-length vectors.${preview(vector)}`);
  }
  return undefined;
}

export function checkLength(vector: StoredVector, shape: VectorShape): void {
  const error = lengthError(vector, shape);
  if (error) throw new ValueError(error, { which: "end", aboutField: false });
}
