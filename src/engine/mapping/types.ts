/**
 * What the mapping knows of a field, for the document parser and for queries. The mapping is above queries in the way of the data: it
 * turns values into their indexed form and knows no query classes.
 */
import type { GraphOptions } from "../analysis/concatenate-graph.ts";
import type { PrefixLengths } from "../analysis/index.ts";
import type { Analyzer, Normalizer } from "../analysis/types.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import type { DocBlock, FieldInfo } from "../segment/types.ts";
import type { VectorShape } from "../vectors/types.ts";
import type { CompletionContext } from "./completion-contexts.ts";
import type { DocValueFormat, DocValueFormatOptions } from "./doc-value-format.ts";
import type { ValueFetcherOf } from "./value-fetcher.ts";

/** Groups of field types that are indexed and queried alike. */
export type FieldFamily =
  | "text"
  | "keyword"
  | "number"
  | "boolean"
  | "date"
  | "ip"
  | "range"
  | "flattened"
  | "wildcard"
  | "vector"
  | "metadata"
  | "opaque";

/** An indexed value: a term, a number, or all values between two of either. */
export type IndexedValue = string | number | bigint;

export interface RangeBoundOptions {
  /** gt and lte round a date with date math or missing parts up (`lte: "2024-03-31"` covers the whole day). */
  readonly roundUp: boolean;
  /** Date format of the request, overriding the field's. */
  readonly format?: string;
  readonly timeZone?: string;
  /** The zone is that of a format of doc values (`ReadDateOptions`). */
  readonly ownZone?: boolean;
  /** Milliseconds since the epoch for `now`: one value for a whole request. */
  readonly now: number;
}

export interface MappedField {
  /** Full path, such as `user.name.keyword`. */
  readonly name: string;
  /** Type in the mapping, such as `text`, `half_float`, `dense_vector`. */
  readonly type: string;
  readonly family: FieldFamily;
  /** Where the field's terms, points, doc values, norms and vectors are found in a segment, under `info.name`. */
  readonly info: FieldInfo;
  /** Nested object that holds the field, if any. */
  readonly nestedPath: string | undefined;
  /** False for `index: false`: queries on it fail unless doc values can answer. */
  readonly indexed: boolean;
  readonly hasDocValues: boolean;
  /** Text fields: true when their terms are kept as doc values, so that hits can be sorted and grouped by them. */
  readonly fielddata?: boolean;
  /** Text fields: analyzers at index time, at search time, and for phrases. Keyword fields: none. */
  readonly indexAnalyzer?: Analyzer;
  readonly searchAnalyzer?: Analyzer;
  readonly searchQuoteAnalyzer?: Analyzer;
  readonly normalizer?: Normalizer;
  /** Text fields with `index_phrases`: the name under which their terms stand in pairs. */
  readonly phrases?: string | undefined;
  /** Text fields with `index_prefixes`: the name under which the beginnings of their terms stand, and how long those are. */
  readonly prefixes?: (PrefixLengths & { readonly field: string }) | undefined;
  /** Name of the similarity in the mapping; undefined means the index's default. */
  readonly similarity?: string;
  /** Vector fields. */
  readonly vector?: VectorShape & { readonly indexed: boolean };
  /** Fields whose texts are suggested: how what was typed is read. */
  readonly completion?: GraphOptions & {
    readonly contexts: readonly CompletionContext[];
    /** That of the texts' words; `searchAnalyzer` gives their readings. */
    readonly searchAnalyzer: Analyzer;
  };
  /**
   * The indexed form of a value in a term, terms or match query: a term for text and keyword fields (keyword: normalised), a number for
   * numbers, booleans (0 or 1) and dates in milliseconds; bigint beyond 2^53. A range for dates, whose shorter forms cover a span.
   * `undefined` when no document can match (1.5 on an integer field). Throws Elasticsearch's error for a malformed value.
   */
  termValue(
    value: JsonValue,
    options: { now: number },
  ): IndexedValue | { low: IndexedValue; high: IndexedValue } | undefined;
  /** The inclusive-exclusive-agnostic indexed form of a range bound; the query adds or subtracts one step for gt and lt through `nextUp`/`nextDown`. */
  rangeBound(value: JsonValue, options: RangeBoundOptions): string | number | bigint;
  nextUp(value: number | bigint): number | bigint;
  nextDown(value: number | bigint): number | bigint;
  /** What all terms of the field begin with: it shares them with others (keys of a `flattened` field). */
  readonly termPrefix?: string;
  /** Fields whose values are ranges: the outermost ends, the text (in the order of the values) under which an end is kept, and its neighbours. */
  readonly ranges?: {
    readonly least: IndexedValue;
    readonly greatest: IndexedValue;
    key(end: IndexedValue): string;
    /** The number that such a text stands for; missing where ends are no numbers. */
    readonly numberOf?: (key: string) => number;
    step(end: IndexedValue, steps: 1 | -1): IndexedValue;
    show(end: IndexedValue): string;
  };
  /** Decimals kept as longs: what a doc value is multiplied with to be the number. */
  readonly scale?: number;
  /** How doc values are printed. Throws Elasticsearch's error for options that the type does not take. */
  docValueFormat(options?: DocValueFormatOptions): DocValueFormat;
  /** How values of the source are printed in `fields`. Throws Elasticsearch's error for a format that the type does not take. */
  readonly valueFetcher: ValueFetcherOf;
  /** Runtime fields: values come from a document's source when they are asked for; no segment has them. */
  readonly runtime?: {
    /** Tells the field's definition from others. */
    readonly key: string;
    /** In the form of doc values, ascending. */
    values(source: JsonObject): readonly (string | number | bigint)[];
  };
  /** The field's options as get-mapping prints them (defaults left out, as Elasticsearch leaves them out). */
  toJson(): JsonObject;
}

/** A mapping at one moment: immutable; dynamic updates make a new one. */
export interface Mapping {
  field(name: string): MappedField | undefined;
  /** Concrete field names that match a pattern with `*` (or the name itself), multi-fields included, metadata fields not. */
  matchingFields(pattern: string): readonly MappedField[];
  fields(): readonly MappedField[];
  /** Paths that match a pattern with `*`, aliases and metadata fields included, with their part of the mapping. */
  definitions(pattern: string): readonly { readonly path: string; readonly json: JsonObject }[];
  /** Names of fields and of aliases that match a pattern with `*`, or the name itself where there is such a field; metadata fields not. */
  names(pattern: string): readonly string[];
  /** Where the source has the values of a field: its path, that of the field above a multi-field, and those that are copied to it. */
  sourcePaths(name: string): readonly string[];
  /** Object or nested object at a path (exists queries on objects ask for its sub-fields). */
  object(
    path: string,
  ): { readonly path: string; readonly nested: boolean; readonly includeInParent?: boolean } | undefined;
  /** The closest nested object that encloses the path (itself included when it is one). */
  nestedPathOf(path: string): string | undefined;
  nestedPaths(): readonly string[];
  /** As get-mapping prints it. */
  toJson(): JsonObject;
  /** The mapping with the runtime fields of a search (`runtime_mappings`), which hide others of their names. Throws Elasticsearch's errors. */
  withRuntime(fields: JsonObject): Mapping;
  /** `_routing.required`: writes and reads by id name a routing. */
  readonly routingRequired: boolean;
  /** What is kept of a source (`_source` in the mapping); undefined: nothing. */
  keptSource(bytes: Uint8Array): Uint8Array | undefined;
  /** Sources are kept at all. */
  readonly keepsSource: boolean;
  /** Names of runtime fields. */
  runtimeFields(): readonly MappedField[];
  /** Merges what put-mapping brings; throws Elasticsearch's conflict errors; returns the new mapping. */
  merge(update: JsonObject): Mapping;
  /**
   * Parses a document. `mapping` is another one than this when dynamic fields were found (to be stored with the document, in the same transaction).
   * @param source the bytes of the source, and its parsed form
   */
  parse(doc: { id: string; source: JsonObject; seqNo: number; version: number; routing?: string | undefined }): {
    block: DocBlock;
    mapping: Mapping;
  };
}
