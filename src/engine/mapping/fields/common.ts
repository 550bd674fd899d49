/** What the field types share. */
import type { Analyzer, Normalizer } from "../../analysis/types.ts";
import { EngineError, illegalArgument } from "../../errors.ts";
import type { Location } from "../../json/parse.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { type DocValueFormat, RAW_TEXT, refuseFormat } from "../doc-value-format.ts";
import { javaText } from "../java-text.ts";
import type { CreateFieldOptions, ExistsBy, IndexedField } from "../model.ts";
import { booleanParameter, type Parameter } from "../parameters.ts";
import type { FieldFamily, MappedField } from "../types.ts";
import { valuesBy } from "../value-fetcher.ts";

/** Text of a scalar as Elasticsearch's parser gives it: numbers as they were written. */
export function scalarText(value: JsonValue): string {
  return typeof value === "string" ? value : value instanceof JsonNumber ? value.text : String(value);
}

/** Text of a scalar in a query: Elasticsearch has read it as a Java object, and asks that for its text (`1.50` is 1.5). */
export const queryText = (value: JsonValue): string => javaText(value);

export function isStructure(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !(value instanceof JsonNumber);
}

/** Name of a scalar's token in messages. */
export function tokenName(value: JsonValue): string {
  if (value === null) return "VALUE_NULL";
  if (typeof value === "string") return "VALUE_STRING";
  if (typeof value === "boolean") return value ? "VALUE_TRUE" : "VALUE_FALSE";
  if (Array.isArray(value)) return "START_ARRAY";
  return isInteger(value)
    ? "VALUE_NUMBER_INT"
    : value instanceof JsonNumber || typeof value === "number"
      ? "VALUE_NUMBER_FLOAT"
      : "START_OBJECT";
}

/** What fields of text say to an object; the document parser adds the place. */
export const EXPECTED_TEXT = "Expected text but found START_OBJECT";

/** True for a number written without fraction and exponent. */
export function isInteger(value: JsonValue): boolean {
  return typeof value === "number"
    ? Number.isInteger(value) && Math.abs(value) < 1e21
    : value instanceof JsonNumber && value.integer;
}

/** An error at a place of its own, inside a structured value (the path below the value, and which end of it). */
export class ValueError extends Error {
  readonly error: EngineError;
  readonly path: readonly (string | number)[];
  readonly which: "start" | "end" | "key";
  /** The error says itself where it is, in its reason. */
  readonly placed: boolean;
  /** The same, as `line` and `col`. */
  readonly located: boolean;
  /** The error around it names neither document nor value. */
  readonly anonymous: boolean;
  /** What is shown of the value; default: the value. */
  readonly preview: { readonly value: JsonValue } | undefined;
  /** The error speaks for itself: nothing is put around it. */
  readonly asItIs: boolean;
  /** False: the message is not about the field as a whole ("failed to parse: …"). */
  readonly aboutField: boolean;
  constructor(
    error: EngineError,
    options: {
      path?: readonly (string | number)[];
      which?: "start" | "end" | "key";
      aboutField?: boolean;
      placed?: boolean;
      located?: boolean;
      anonymous?: boolean;
      preview?: { readonly value: JsonValue };
      asItIs?: boolean;
    },
  ) {
    super(error.message);
    this.error = error;
    this.path = options.path ?? [];
    this.which = options.which ?? "start";
    this.placed = options.placed ?? false;
    this.located = options.located ?? false;
    this.anonymous = options.anonymous ?? false;
    this.preview = options.preview;
    this.asItIs = options.asItIs ?? false;
    this.aboutField = options.aboutField ?? true;
  }
}

export function contentError(reason: string, at?: Location): EngineError {
  return new EngineError("x_content_parse_exception", at === undefined ? reason : `[${at.line}:${at.col}] ${reason}`);
}

export const indexParameter: Parameter = booleanParameter("index", true);
export const docValuesParameter: Parameter = booleanParameter("doc_values", true);
export const storeParameter: Parameter = booleanParameter("store", false);

/** Parameters that print only themselves and change nothing that a search sees. */
export function indexSettingFlag(name: string, setting: string, fallback: boolean): Parameter {
  return booleanParameter(
    name,
    (_get, context) => {
      const value = context.setting?.(setting);
      return value === undefined ? fallback : value === "true";
    },
    { updateable: true },
  );
}

export interface FieldParts {
  readonly options: CreateFieldOptions;
  readonly type: string;
  readonly family: FieldFamily;
  readonly info: FieldInfo;
  readonly indexed: boolean;
  readonly hasDocValues: boolean;
  readonly fielddata?: boolean;
  readonly existsBy: ExistsBy;
  /** Default: where the field is indexed or stored. */
  readonly recordsName?: boolean;
  readonly namesIgnored?: true;
  readonly addValue: IndexedField["addValue"];
  readonly termValue: MappedField["termValue"];
  readonly rangeBound: MappedField["rangeBound"];
  readonly nextUp?: MappedField["nextUp"];
  readonly nextDown?: MappedField["nextDown"];
  /** Default: text as it stands. */
  readonly docValueFormat?: MappedField["docValueFormat"];
  readonly scale?: number;
  /** Default: values as they stand. */
  readonly valueFetcher?: MappedField["valueFetcher"];
  readonly nullValue?: JsonValue;
  readonly takesStructures?: boolean;
  readonly readsNull?: true;
  readonly valuesOfFields?: IndexedField["valuesOfFields"];
  readonly ranges?: MappedField["ranges"];
  readonly termPrefix?: string;
  /** Default: the path. */
  readonly name?: string;
  readonly keyed?: IndexedField["keyed"];
  readonly indexAnalyzer?: Analyzer;
  readonly searchAnalyzer?: Analyzer;
  readonly searchQuoteAnalyzer?: Analyzer;
  readonly normalizer?: Normalizer;
  readonly phrases?: string | undefined;
  readonly prefixes?: MappedField["prefixes"];
  readonly similarity?: string;
  readonly vector?: MappedField["vector"];
  readonly completion?: MappedField["completion"];
}

/** Fills a field up with what does not depend on its type. */
export function makeField(parts: FieldParts): IndexedField {
  const { options, ...own } = parts;
  return {
    nextUp: notNumeric(parts.type),
    nextDown: notNumeric(parts.type),
    valueFetcher: valuesBy(options.path, parts.type, (value) => value, parts.nullValue),
    docValueFormat: plainFormat(options.path, parts.type, RAW_TEXT),
    recordsName: parts.indexed || (options.has("store") && options.get<boolean>("store")),
    ...own,
    name: parts.name ?? options.path,
    nestedPath: options.nestedPath,
    toJson: options.printed,
  };
}

/** A format without options. */
export function plainFormat(name: string, type: string, format: DocValueFormat): MappedField["docValueFormat"] {
  return (options = {}) => {
    refuseFormat(name, type, options);
    return format;
  };
}

function notNumeric(type: string) {
  return (): never => {
    throw illegalArgument(`Fields of type [${type}] have no next value`);
  };
}
