/**
 * Values of fields by document, as functions of scores read them (Elasticsearch's IndexFieldData): numbers as doubles, whatever the type,
 * and values as the bytes of their text.
 */
import { EngineError, unsupported } from "../errors.ts";
import { checkFielddata } from "../mapping/fielddata.ts";
import { javaDouble } from "../mapping/java-text.ts";
import type { MappedField } from "../mapping/types.ts";
import type { LeafReader, NumericColumn } from "../segment/types.ts";

/** The numbers of a document, ascending. */
export interface LeafNumbers {
  count(doc: number): number;
  /** @param index from 0 */
  value(doc: number, index: number): number;
}

export type Numbers = (leaf: LeafReader) => LeafNumbers;

/** The first value of a document as bytes; undefined where it has none. */
export type FirstBytes = (leaf: LeafReader) => (doc: number) => Uint8Array | undefined;

const NO_NUMBERS: LeafNumbers = { count: () => 0, value: () => 0 };

/** Of a field that no document has. */
export const noNumbers: Numbers = () => NO_NUMBERS;

const one = (value: (doc: number) => number): LeafNumbers => ({ count: () => 1, value });

/** A column's value as Elasticsearch computes with it: scaled numbers as they were. */
function converter(field: MappedField): (value: number) => number {
  if (field.scale === undefined) return (value) => value;
  // ScaledFloatFieldMapper multiplies by the inverse.
  const inverse = 1 / field.scale;
  return (value) => value * inverse;
}

/** The numbers of a field. @throws for a field whose values are none, in the words of Java's cast */
export function numbersOf(field: MappedField, indexName: string): Numbers {
  checkFielddata(field, indexName);
  if (field.name === "_seq_no") return ({ segment }) => one((doc) => segment.seqNo(doc));
  if (field.name === "_version") return ({ segment }) => one((doc) => segment.version(doc));
  if (!isNumeric(field)) throw castError(dataClass(field), "IndexNumericFieldData");
  const convert = converter(field);
  const nanos = field.type === "date_nanos";
  return ({ segment }) => {
    const column = segment.numeric(field.info.name);
    if (column === undefined) return NO_NUMBERS;
    return {
      count: (doc) => column.end(doc) - column.start(doc),
      value: nanos
        ? (doc, index) => millisOf(column, column.start(doc) + index)
        : (doc, index) => convert(column.value(column.start(doc) + index)),
    };
  };
}

/** Nanoseconds do not fit into a double. */
function millisOf(column: NumericColumn, index: number): number {
  return Number(column.bigint(index) / 1_000_000n);
}

/** Whether a field's values are numbers (IndexNumericFieldData). */
export function isNumeric({ family, name }: Pick<MappedField, "family" | "name">): boolean {
  return family === "number" || family === "boolean" || family === "date" || name === "_seq_no" || name === "_version";
}

/** The class of a field's values by document. */
export function dataClass({ family, type, name }: MappedField): string {
  const plain = "org.elasticsearch.index.fielddata.plain";
  if (isNumeric({ family, name })) return `${plain}.SortedNumericIndexFieldData`;
  if (name === "_index") return `${plain}.ConstantIndexFieldData`;
  if (family === "text") return `${plain}.PagedBytesIndexFieldData`;
  if (family === "range") return `${plain}.BinaryIndexFieldData`;
  if (family === "wildcard") return `${plain}.StringBinaryIndexFieldData`;
  if (family === "vector") return "org.elasticsearch.index.mapper.vectors.VectorIndexFieldData";
  if (type === "geo_point") return `${plain}.LatLonPointIndexFieldData`;
  if (type === "binary") return `${plain}.BytesBinaryIndexFieldData`;
  return `${plain}.SortedSetOrdinalsIndexFieldData`;
}

/** What Java says of values of another kind than the one that was asked for. */
export function castError(is: string, wanted: "IndexNumericFieldData" | "IndexGeoPointFieldData"): EngineError {
  const asked = `org.elasticsearch.index.fielddata.${wanted}`;
  const reason = `class ${is} cannot be cast to class ${asked} (${is} and ${asked} are in unnamed module of loader 'app')`;
  return new EngineError("class_cast_exception", reason, { status: 500 });
}

const encoder = new TextEncoder();

/** What text a field's values have as bytes: numbers as Java prints them. */
export function firstBytesOf(field: MappedField, indexName: string): FirstBytes {
  checkFielddata(field, indexName);
  const { family, name, info } = field;
  if (name === "_seq_no")
    return ({ segment }) =>
      (doc) =>
        encoder.encode(String(segment.seqNo(doc)));
  if (name === "_version")
    return ({ segment }) =>
      (doc) =>
        encoder.encode(String(segment.version(doc)));
  if (name === "_index") return () => () => encoder.encode(indexName);
  if (isNumeric(field)) return numberBytes(field);
  if (family === "keyword" || family === "text" || name === "_ignored") {
    return ({ segment }) => {
      const column = segment.ordinals(info.name);
      return (doc) => (column?.has(doc) ? encoder.encode(column.term(column.ord(column.start(doc)))) : undefined);
    };
  }
  if (family === "ip") {
    return ({ segment }) => {
      const column = segment.ordinals(info.name);
      return (doc) => (column?.has(doc) ? hexBytes(column.term(column.ord(column.start(doc)))) : undefined);
    };
  }
  if (field.type === "geo_point") return pointBytes(field);
  if (family === "vector") return vectorBytes;
  throw unsupported(`random_score with a field of type [${field.type}]`);
}

function numberBytes(field: MappedField): FirstBytes {
  const { type, info } = field;
  const convert = converter(field);
  return ({ segment }) => {
    const column = segment.numeric(info.name);
    const text = (index: number) => {
      if (type === "scaled_float") return javaDouble(convert((column as NumericColumn).value(index)));
      if (column?.kind === "double") return javaDouble(column.value(index));
      if (type === "date_nanos") return String(millisOf(column as NumericColumn, index));
      return String((column as NumericColumn).bigint(index));
    };
    return (doc) => (column?.has(doc) ? encoder.encode(firstText(column, doc, text)) : undefined);
  };
}

/** Vectors have no text, which is told to whoever looks at the first one: a query whose scores nobody wants does not. */
const vectorBytes: FirstBytes = () => {
  const reason = "String representation of doc values for vector fields is not supported";
  throw new EngineError("unsupported_operation_exception", reason, { status: 500, metadata: { phase: "shard" } });
};

function pointBytes({ info, docValueFormat }: MappedField): FirstBytes {
  const { format } = docValueFormat();
  return ({ segment }) => {
    const column = segment.numeric(info.name);
    if (column === undefined) return () => undefined;
    const text = (index: number) => String(format(column.bigint(index)));
    return (doc) => (column.has(doc) ? encoder.encode(firstText(column, doc, text)) : undefined);
  };
}

/** Of the texts of a document's values the first in their order, which is not that of numbers. */
function firstText(column: NumericColumn, doc: number, text: (index: number) => string): string {
  let first = text(column.start(doc));
  for (let index = column.start(doc) + 1; index < column.end(doc); index++) {
    const next = text(index);
    if (next < first) first = next;
  }
  return first;
}

function hexBytes(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
