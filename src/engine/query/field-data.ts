/**
 * Values of fields by document, as functions of scores read them (Elasticsearch's IndexFieldData): numbers as doubles, whatever the type,
 * and values as the bytes of their text.
 */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
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
  if (field.type === "scaled_float") {
    // ScaledFloatFieldMapper multiplies by the inverse.
    const inverse = 1 / Number(field.toJson()["scaling_factor"]);
    return (value) => value * inverse;
  }
  return (value) => value;
}

/** The numbers of a field. @throws for a field whose values are none, in the words of Java's cast */
export function numbersOf(field: MappedField, indexName: string): Numbers {
  checkFieldData(field, indexName);
  if (field.name === "_seq_no") return ({ segment }) => one((doc) => segment.seqNo(doc));
  if (field.name === "_version") return ({ segment }) => one((doc) => segment.version(doc));
  if (!isNumeric(field)) throw notNumeric(field);
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
export function isNumeric({ family, name }: MappedField): boolean {
  return family === "number" || family === "boolean" || family === "date" || name === "_seq_no" || name === "_version";
}

/** Classes of the values that are no numbers. */
function dataClass({ family, type, name }: MappedField): string {
  const plain = "org.elasticsearch.index.fielddata.plain";
  if (name === "_index") return `${plain}.ConstantIndexFieldData`;
  if (family === "text") return `${plain}.PagedBytesIndexFieldData`;
  if (family === "range") return `${plain}.BinaryIndexFieldData`;
  if (family === "wildcard") return `${plain}.StringBinaryIndexFieldData`;
  if (family === "vector") return "org.elasticsearch.index.mapper.vectors.VectorIndexFieldData";
  if (type === "geo_point") return `${plain}.LatLonPointIndexFieldData`;
  if (type === "binary") return `${plain}.BytesBinaryIndexFieldData`;
  return `${plain}.SortedSetOrdinalsIndexFieldData`;
}

function notNumeric(field: MappedField): EngineError {
  const [is, asked] = [dataClass(field), "org.elasticsearch.index.fielddata.IndexNumericFieldData"];
  const reason = `class ${is} cannot be cast to class ${asked} (${is} and ${asked} are in unnamed module of loader 'app')`;
  return new EngineError("class_cast_exception", reason, { status: 500 });
}

const WITHOUT_DATA: ReadonlySet<string> = new Set([
  "_doc_count",
  "_field_names",
  "_nested_path",
  "_routing",
  "_source",
]);

/** @throws where Elasticsearch does not load values by document */
export function checkFieldData(field: MappedField, indexName: string): void {
  const { name, type, family } = field;
  if (name === "_id") {
    throw illegalArgument(
      "Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: " +
        "indices.id_field_data.enabled",
    );
  }
  if (WITHOUT_DATA.has(name)) throw illegalArgument(`Fielddata is not supported on field [${name}] of type [${name}]`);
  if (family === "metadata") return;
  if (family === "text") {
    if (field.fielddata) return;
    throw illegalArgument(
      `Fielddata is disabled on [${name}] in [${indexName}]. Text fields are not optimised for operations that require per-document field ` +
        "data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. " +
        `Alternatively, set fielddata=true on [${name}] in order to load field data by uninverting the inverted index. Note that this can ` +
        "use significant memory.",
    );
  }
  if (!field.hasDocValues && family !== "vector") {
    throw illegalArgument(
      `Can't load fielddata on [${name}] because fielddata is unsupported on fields of type [${type}]. Use doc values instead.`,
    );
  }
}

const encoder = new TextEncoder();

/** What text a field's values have as bytes: numbers as Java prints them, the smallest first. */
export function firstBytesOf(field: MappedField, indexName: string): FirstBytes {
  checkFieldData(field, indexName);
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
  if (family === "vector") {
    const reason = "String representation of doc values for vector fields is not supported";
    throw new EngineError("unsupported_operation_exception", reason, { status: 500, metadata: { phase: "shard" } });
  }
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
    return (doc) => (column?.has(doc) ? encoder.encode(text(column.start(doc))) : undefined);
  };
}

function hexBytes(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
