/** `docvalue_fields`: values from the columns, each printed by its field's format. */
import { illegalArgument, unsupported } from "../../../errors.ts";
import { settingOf } from "../../../index/settings.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { type DocValueFormat, printFloat } from "../../../mapping/doc-value-format.ts";
import { checkFielddata } from "../../../mapping/fielddata.ts";
import { hashOrder, javaDouble } from "../../../mapping/java-text.ts";
import { METADATA_FIELDS } from "../../../mapping/metadata.ts";
import type { MappedField } from "../../../mapping/types.ts";
import { shardError } from "../../../query/dsl/index.ts";
import type { LeafReader } from "../../../segment/types.ts";
import { matchesSimple } from "../../../simple-match.ts";
import { storedLength } from "../../../vectors/types.ts";
import type { Shard } from "../shard.ts";
import type { FieldAndFormat } from "./field-and-format.ts";
import { readValues } from "./field-fetcher.ts";

/** A document of a segment: a root, or a nested one with what is its own of the root's source, in its place. */
export interface Doc {
  readonly leaf: LeafReader;
  readonly local: number;
  object(): JsonObject;
}

export type DocValueReader = (doc: Doc) => JsonValue[];

const DEFAULT_LIMIT = 100;

/** The fields of names and patterns; the last format of a field is its own. @throws shard errors */
export function docValueFields(shard: Shard, wanted: readonly FieldAndFormat[]): ReadonlyMap<string, FieldAndFormat> {
  const { mapping } = shard.context;
  const fields = new Map<string, FieldAndFormat>();
  for (const item of wanted) {
    if (item.otherwise) continue;
    const pattern = item.field;
    const names = mapping.names(pattern);
    const metadata = [...METADATA_FIELDS.keys()].filter((name) => matchesName(pattern, name));
    for (const name of hashOrder([...names, ...metadata])) fields.set(name, item);
  }
  const limit = Number(settingOf(shard.index.settings, "max_docvalue_fields_search") ?? DEFAULT_LIMIT);
  if (fields.size > limit) {
    throw shardError(
      illegalArgument(
        `Trying to retrieve too many docvalue_fields. Must be less than or equal to: [${limit}] but was [${fields.size}]. ` +
          "This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.",
      ),
    );
  }
  for (const item of wanted) if (item.otherwise && !fields.has(item.field)) fields.set(item.field, item);
  return fields;
}

function matchesName(pattern: string, name: string): boolean {
  return pattern.includes("*") ? matchesSimple(pattern, name) : pattern === name;
}

/** How a field's values are read. @throws for a field without doc values, or a format that it does not take */
export function docValueReader(shard: Shard, name: string, format: string | undefined): DocValueReader {
  const field = shard.context.mapping.field(name)!;
  const printer = field.docValueFormat(format === undefined ? {} : { format });
  checkFielddata(field, shard.index.name);
  if (field.family === "metadata") return metadataReader(shard, field.name);
  if (field.family === "range") throw unsupported(`docvalue_fields of a field of type [${field.type}]`);
  if (field.family === "vector") return field.indexed ? vectorReader(field) : sourceReader(shard, field);
  if (field.info.docValues === "none") return sourceReader(shard, field);
  const own = columnReader(field, printer);
  const reader: DocValueReader = field.runtime ? (doc) => own({ ...doc, leaf: withColumns(shard, doc.leaf) }) : own;
  // Points are sorted as the texts that they are printed as.
  return field.type === "geo_point" ? (doc) => (reader(doc) as string[]).sort() : reader;
}

/** The searcher's segment has the columns of runtime fields too. */
function withColumns({ searcher }: Shard, { docBase }: LeafReader): LeafReader {
  return searcher.leaves.find((leaf) => leaf.docBase === docBase)!;
}

function columnReader({ info, termPrefix = "" }: MappedField, printer: DocValueFormat): DocValueReader {
  return ({ leaf: { segment }, local }) => {
    const values: JsonValue[] = [];
    if (info.docValues === "ordinals") {
      const column = segment.ordinals(info.name);
      if (!column?.has(local)) return values;
      for (let i = column.start(local); i < column.end(local); i++) {
        const term = column.term(column.ord(i));
        if (term.startsWith(termPrefix)) values.push(printer.format(term));
      }
      return values;
    }
    const column = segment.numeric(info.name);
    if (!column?.has(local)) return values;
    for (let i = column.start(local); i < column.end(local); i++) {
      const value = column.value(i);
      values.push(printer.format(column.kind === "long" && !Number.isSafeInteger(value) ? column.bigint(i) : value));
    }
    return values;
  };
}

function metadataReader(shard: Shard, name: string): DocValueReader {
  if (name === "_index") return () => [shard.index.name];
  if (name === "_seq_no") return ({ leaf, local }) => [leaf.segment.seqNo(local)];
  if (name === "_version") return ({ leaf, local }) => [leaf.segment.version(local)];
  return ({ leaf, local }) => ordinalsOf(leaf, name, local);
}

/** A vector as it was given: those of cosine fields are kept at unit length, and their length beside them. */
function vectorReader({ info }: MappedField): DocValueReader {
  return ({ leaf, local }) => {
    const column = leaf.segment.vectors(info.name);
    const ord = column === undefined ? -1 : column.ord(local);
    if (column === undefined || ord < 0) return [];
    const magnitude = column.magnitude(ord);
    const length = storedLength(column.shape);
    const vector = column.data.subarray(ord * length, (ord + 1) * length);
    if (vector instanceof Int8Array) return [Array.from(vector)];
    return [Array.from(vector, (value) => printFloat(magnitude === 1 ? value : Math.fround(value * magnitude)))];
  };
}

/** Types whose values are in the source alone. */
function sourceReader(shard: Shard, field: MappedField): DocValueReader {
  const fetcher = field.valueFetcher();
  const paths = shard.context.mapping.sourcePaths(field.name);
  return (doc) => {
    const { values } = readValues(fetcher, paths, doc.object());
    if (field.family === "vector") return values.length === 0 ? [] : [values.map((value) => printFloat(Number(value)))];
    return field.type === "binary" ? distinctBytes(values) : sortedPoints(values);
  };
}

/** Different values in the order of their bytes. */
function distinctBytes(values: readonly JsonValue[]): string[] {
  const decoded = new Set(values.map((value) => atob(String(value).replace(/[\u0000- ]/g, ""))));
  return [...decoded].sort((a, b) => (a < b ? -1 : 1)).map((bytes) => btoa(bytes));
}

/** Points as the columns of Elasticsearch have them, in the order of their texts. */
function sortedPoints(values: readonly JsonValue[]): string[] {
  const shown = values.map((value) => {
    const [lon, lat] = ((value as JsonObject)["coordinates"] as readonly JsonValue[]).map(Number);
    return `${javaDouble(quantized(lat, 180))}, ${javaDouble(quantized(lon, 360))}`;
  });
  return shown.sort();
}

/** GeoEncodingUtils: a coordinate in 32 bits, rounded down. @param range degrees from the least to the greatest */
function quantized(degrees: number, range: number): number {
  const step = range / 2 ** 32;
  return Math.min(Math.floor(degrees / step), 2 ** 31 - 1) * step;
}

/** The texts of a column. */
export function ordinalsOf({ segment }: LeafReader, name: string, local: number): string[] {
  const column = segment.ordinals(name);
  const values: string[] = [];
  if (!column?.has(local)) return values;
  for (let i = column.start(local); i < column.end(local); i++) values.push(column.term(column.ord(i)));
  return values;
}
