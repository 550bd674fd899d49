/** The numbers of a field as Lucene keeps them in doc values: longs, and the bits of fractions in an order that is theirs. */
import { METADATA_NAMES } from "../../mapping/metadata.ts";
import type { QueryContext } from "../../query/dsl/index.ts";
import type { LeafReader } from "../../segment/types.ts";
import { metadataSource } from "./metadata-sources.ts";
import { type NumericSource, numericSource } from "./numeric-field.ts";

const view = new DataView(new ArrayBuffer(8));

/** NumericUtils.doubleToSortableLong. */
function sortableDouble(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  return bits ^ ((bits >> 63n) & 0x7fffffffffffffffn);
}

/** NumericUtils.floatToSortableInt. */
function sortableFloat(value: number): bigint {
  view.setFloat32(0, value);
  const bits = view.getInt32(0);
  return BigInt(bits ^ ((bits >> 31) & 0x7fffffff));
}

/** HalfFloatPoint.halfFloatToSortableShort of a value that half a float holds. */
function sortableHalf(value: number): bigint {
  const bits = (halfBits(value) << 16) >> 16;
  return BigInt(bits ^ ((bits >> 15) & 0x7fff));
}

function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  if (size < 2 ** -14) return sign | Math.round(size / 2 ** -24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | Math.round((size / 2 ** exponent - 1) * 1024);
}

/** The numbers of a document, by segment; undefined for a field that has none. */
export function numericBits(
  name: string,
  context: QueryContext,
): ((leaf: LeafReader) => (doc: number) => bigint[]) | undefined {
  const source = sourceOf(name, context);
  if (source?.kind !== "number") return undefined;
  const convert = converter(source);
  return (leaf) => {
    const column = source.column(leaf);
    return (doc) => {
      if (!column?.has(doc)) return [];
      const found: bigint[] = [];
      for (let i = column.start(doc); i < column.end(doc); i++) {
        found.push(column.kind === "double" ? convert(column.value(i)) : column.bigint(i));
      }
      return found;
    };
  };
}

function sourceOf(name: string, context: QueryContext) {
  if (METADATA_NAMES.includes(name)) {
    return name === "_seq_no" || name === "_version" ? metadataSource(name, context) : undefined;
  }
  const field = context.mapping.field(name);
  return field?.hasDocValues ? numericSource(field) : undefined;
}

function converter({ typeName }: NumericSource): (value: number) => bigint {
  if (typeName === "half_float") return sortableHalf;
  return typeName === "float" ? sortableFloat : sortableDouble;
}
