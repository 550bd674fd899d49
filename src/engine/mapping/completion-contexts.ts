/** Contexts of completions: what a document says beside its texts, and a suggestion may ask for (CategoryContextMapping, GeoContextMapping). */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import type { DocBuffer } from "./doc-buffer.ts";
import { isStructure, ValueError } from "./fields/common.ts";
import { decodePoint } from "./geo/encoding.ts";
import { geohashLevel, geohashOf, MAX_GEOHASH } from "./geo/geohash.ts";
import { readPoint } from "./geo/read-point.ts";
import { parseDistance } from "./geo/units.ts";
import { javaText } from "./java-text.ts";
import type { MappedField } from "./types.ts";

export interface CategoryContext {
  readonly type: "category";
  readonly name: string;
  /** A field of the document whose values are contexts too. */
  readonly path: string | undefined;
}

export interface GeoContext {
  readonly type: "geo";
  readonly name: string;
  readonly path: string | undefined;
  /** Characters of a geohash. */
  readonly precision: number;
}

export type CompletionContext = CategoryContext | GeoContext;

/** Ends a context before what is completed. */
export const CONTEXT_END = "\u001d";

const MOST_CONTEXTS = 10;
const DEFAULT_PRECISION = 6;

const parseError = (reason: string) => new EngineError("parse_exception", reason);

/** Reads the parameter `contexts` of a mapping. */
export function readContexts(value: JsonValue): readonly CompletionContext[] {
  if (!isStructure(value)) throw parseError("expected a list or an entry of context mapping");
  if (!Array.isArray(value)) return [readContext(value as JsonObject)];
  if (value.length > MOST_CONTEXTS) {
    throw illegalArgument(`Limit of completion field contexts [${MOST_CONTEXTS}] has been exceeded`);
  }
  if (value.length === 0) throw parseError("expected at least one context mapping");
  return value.map((item) => {
    if (isStructure(item) && !Array.isArray(item)) return readContext(item as JsonObject);
    throw notAnEntry(item);
  });
}

function notAnEntry(item: JsonValue): EngineError {
  const name = typeof item === "string" ? "String" : typeof item === "boolean" ? "Boolean" : "Integer";
  const module = "is in module java.base of loader 'bootstrap'";
  const both = `(java.lang.${name} and java.util.Map ${module.replace("is", "are")})`;
  return new EngineError(
    "class_cast_exception",
    `class java.lang.${name} cannot be cast to class java.util.Map ${both}`,
  );
}

function readContext(json: JsonObject): CompletionContext {
  const { name: given, type: kind, path: from, precision, ...others } = json;
  const required = (value: JsonValue | undefined, key: string) => {
    if (value === undefined || value === null) throw parseError(`missing [${key}] in context mapping`);
    return javaText(value);
  };
  const name = required(given, "name");
  const type = required(kind, "type").toLowerCase();
  const path = from === undefined || from === null ? undefined : javaText(from);
  if (type !== "category" && type !== "geo") throw illegalArgument(`No context type for [${type}]`);
  const unknown = {
    ...others,
    ...(precision !== undefined && (type === "category" || precision === null) ? { precision } : {}),
  };
  if (Object.keys(unknown).length > 0) {
    const shown = Object.entries(unknown).map(([key, value]) => `[${key} : ${javaText(value)}]`);
    throw mapperParsing(`Mapping definition for [${name}] has unsupported parameters:  ${shown.join(" ")}`);
  }
  if (type === "category") return { type, name, path };
  return { type, name, path, precision: precision === undefined ? DEFAULT_PRECISION : mappedPrecision(precision) };
}

/** A number of characters, or a distance. */
function mappedPrecision(value: JsonValue): number {
  const level =
    typeof value === "number" || value instanceof JsonNumber
      ? Math.trunc(Number(value instanceof JsonNumber ? value.text : value))
      : geohashLevel(parseDistance(javaText(value)));
  if (level < 1 || level > MAX_GEOHASH) throw unsupported(`precision [${level}] of a geo context`);
  return level;
}

export const printContexts = (contexts: readonly CompletionContext[]): JsonValue =>
  contexts.map((context) => ({
    name: context.name,
    type: context.type.toUpperCase(),
    ...(context.type === "geo" ? { precision: context.precision } : {}),
    ...(context.path === undefined ? {} : { path: context.path }),
  }));

/** The contexts that a completion brings, by name. */
export type GivenContexts = ReadonlyMap<string, readonly string[]>;

type Path = readonly (string | number)[];

const failed = (error: EngineError, path: Path, which: "start" | "key" | "end" = "start") =>
  new ValueError(error, { path, which, aboutField: false });

/** `contexts` of an input of a document. */
export function readGivenContexts(
  value: JsonValue,
  path: Path,
  contexts: readonly CompletionContext[],
  tokenOf: (value: JsonValue) => string,
): GivenContexts {
  if (!isStructure(value) || Array.isArray(value)) {
    throw failed(illegalArgument(`contexts must be an object or an array , but was [${tokenOf(value)}]`), path);
  }
  const given = new Map<string, readonly string[]>();
  for (const [name, item] of Object.entries(value as JsonObject)) {
    const context = contexts.find((each) => each.name === name);
    const place = [...path, name];
    if (context === undefined) throw failed(unknownContext(name, contexts), place, "key");
    const values = context.type === "category" ? categories(item, place, tokenOf) : cells(item, place, context);
    given.set(name, [...(given.get(name) ?? []), ...values]);
  }
  return given;
}

export function unknownContext(name: string, contexts: readonly CompletionContext[]): EngineError {
  const names = contexts.map((each) => each.name).join(", ");
  return illegalArgument(`Unknown context name [${name}], must be one of [${names}]`);
}

function categories(value: JsonValue, path: Path, tokenOf: (value: JsonValue) => string): readonly string[] {
  const known = "string, number or boolean";
  if (!Array.isArray(value)) {
    if (value !== null && !isStructure(value)) return [javaText(value)];
    const reason = `contexts must be a ${known} or a list of ${known}, but was [${tokenOf(value)}]`;
    throw failed(parseError(reason), path);
  }
  return value.map((item: JsonValue, at) => {
    if (item !== null && !isStructure(item)) return javaText(item);
    throw failed(parseError(`context array must have ${known} values, but was [${tokenOf(item)}]`), [...path, at]);
  });
}

const isNumber = (value: JsonValue | undefined) => typeof value === "number" || value instanceof JsonNumber;

/** Points, or a geohash, which is cut. */
function cells(value: JsonValue, path: Path, { precision }: GeoContext): readonly string[] {
  if (typeof value === "string") return [value.slice(0, precision)];
  if (!Array.isArray(value)) return [cellOf(value, path, precision)];
  if (!isNumber(value[0])) return value.map((item: JsonValue, at) => cellOf(item, [...path, at], precision));
  if (!isNumber(value[1])) throw failed(parseError("latitude must be a numeric value"), path);
  if (value.length > 2) throw failed(parseError("only two values [lon, lat] expected"), path);
  return [cellOf(value, path, precision)];
}

function cellOf(value: JsonValue, path: Path, precision: number): string {
  try {
    return geohashOf(readPoint(value, { ignoreZ: true }), precision);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw failed(error, path, isStructure(value) ? "end" : "start");
  }
}

/** Contexts of a document's other fields. @throws where a field holds what can be none */
export function contextsOfDocument(doc: DocBuffer, context: CompletionContext): readonly string[] {
  const { path } = context;
  if (path === undefined) return [];
  const numbers = valuesOf(doc.numbers, path);
  if (context.type === "category") return categoriesOfDocument(doc, path, doc.fieldOf?.(path));
  return (numbers ?? []).map((encoded) => {
    const bits = BigInt(encoded);
    const point = decodePoint(Number(bits >> 32n), Number(BigInt.asIntN(32, bits)));
    return geohashOf(point, context.precision);
  });
}

function valuesOf<V>(fields: ReadonlyMap<{ readonly name: string }, V> | undefined, path: string): V | undefined {
  for (const [field, values] of fields ?? []) if (field.name === path) return values;
  return undefined;
}

const bits = new DataView(new ArrayBuffer(8));

/** Numbers as their doc values are: Elasticsearch takes them for text. */
const NUMBERS: { readonly [type: string]: (value: number | bigint) => string } = {
  ...Object.fromEntries(["long", "integer", "short", "byte", "date"].map((type) => [type, String])),
  double(value) {
    bits.setFloat64(0, Number(value));
    const long = bits.getBigInt64(0);
    return String(long ^ ((long >> 63n) & 0x7fffffffffffffffn));
  },
  float(value) {
    bits.setFloat32(0, Number(value));
    const int = bits.getInt32(0);
    return String(int ^ ((int >> 31) & 0x7fffffff));
  },
};

function categoriesOfDocument(doc: DocBuffer, path: string, field: MappedField | undefined): readonly string[] {
  const terms = valuesOf(doc.terms, path)?.terms;
  const numbers = valuesOf(doc.numbers, path);
  const ordinals = valuesOf(doc.ordinals, path);
  if (field?.type === "text") return doc.texts?.get(path) ?? [];
  if (field?.type === "keyword") return terms ?? ordinals ?? [];
  if ((terms ?? numbers ?? ordinals) === undefined || field?.type === "binary") return [];
  const shown = field?.hasDocValues ? NUMBERS[field.type] : undefined;
  if (shown && numbers) return numbers.map(shown);
  throw illegalArgument(`Failed to parse context field [${path}], only keyword and text fields are accepted`);
}

/** A context as it stands before what is completed. @param which of the field's contexts it is */
export function contextPrefix(which: number, context: string): string {
  const at = context.indexOf(CONTEXT_END);
  if (at >= 0) {
    // Elasticsearch writes the number of the context before it.
    const shown = `${String.fromCharCode(which)}${context}`;
    throw illegalArgument(
      `Illegal value [${shown}] UTF-16 codepoint [0x1d] at position ${at + 1} is a reserved character`,
    );
  }
  if (context.includes("\u0000")) throw unsupported("a context of a completion with a NUL");
  // A NUL ends what is matched.
  return `${String.fromCharCode(which + 1)}${context}`;
}
