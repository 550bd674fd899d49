/** Reading an aggregation's body as Elasticsearch's ObjectParser does: a table of keys, each with the kinds of value that it takes. */
import { type EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { parseJavaDouble } from "../../mapping/java-numbers.ts";
import {
  contentError,
  inField,
  isArray,
  isObject,
  located,
  readBoolean,
  readInt,
  textOf,
  tokenName,
  wrongKind,
} from "../../query/dsl/read.ts";
import { suggestion } from "../../query/dsl/suggestion.ts";

/** Reads the value of a key. @param parser name of the aggregation in errors */
export type FieldReader<T> = (json: JsonObject, key: string, parser: string) => T;

type Kind = "string" | "number" | "boolean" | "null" | "object" | "array";

function kindOf(value: JsonValue | undefined): Kind {
  if (value === null || value === undefined) return "null";
  if (isArray(value)) return "array";
  if (isObject(value)) return "object";
  return typeof value === "string" ? "string" : typeof value === "boolean" ? "boolean" : "number";
}

/** A value of certain kinds; what fails in it is told with the place of the key's value. */
export function field<T>(
  kinds: readonly Kind[],
  read: (value: JsonValue, json: JsonObject, key: string) => T,
): FieldReader<T> {
  return (json, key, parser) => {
    if (!kinds.includes(kindOf(json[key]))) throw wrongKind(parser, json, key);
    return inField(parser, json, key, () => read(json[key], json, key));
  };
}

export const text: FieldReader<string> = field(["string"], (value) => value as string);

export const textOrNull: FieldReader<string | undefined> = field(["string", "null"], (value) =>
  value === null ? undefined : (value as string),
);

export const int: FieldReader<number> = field(["number", "string"], (value, json, key) => readInt(value, json, key));

export const double: FieldReader<number> = field(["number", "string"], (value) => parseJavaDouble(textOf(value)!));

export const bool: FieldReader<boolean> = field(["boolean", "string"], (value) => readBoolean(value));

/** An int with a lower limit, whose error names the aggregation. */
export const intFrom = (least: number, check: (value: number) => string): FieldReader<number> =>
  field(["number", "string"], (value, json, key) => {
    const number = readInt(value, json, key);
    if (number < least) throw illegalArgument(check(number));
    return number;
  });

/** What Elasticsearch knows and this engine does not. */
export const refused =
  (feature: string): FieldReader<never> =>
  () => {
    throw unsupported(feature);
  };

/** The token behind an item of a list: some of Elasticsearch's readers look there when the item is none that they take. */
export function nextToken(
  list: readonly JsonValue[],
  at: number,
): { readonly name: string; readonly place: { readonly value: number } | "end" } {
  if (at + 1 >= list.length) return { name: "END_ARRAY", place: "end" };
  return { name: tokenName(list[at + 1]), place: { value: at + 1 } };
}

export type Fields<T> = { readonly [K in keyof T]-?: FieldReader<T[K]> };

/** The reader stands at the value when it finds that nobody knows the key: errors around this one name that place. */
export function unknownField(parser: string, json: JsonObject, key: string, known: readonly string[]): EngineError {
  const error = contentError(json, { key }, `[${parser}] unknown field [${key}]${suggestion(key, known)}`);
  return located(error, json, { value: key });
}

/** Reads an object by a table; an unknown key is an error. */
export function readObject<T extends object>(
  parser: string,
  json: JsonObject,
  fields: { readonly [K in keyof T]-?: FieldReader<T[K]> },
): Partial<T> {
  const read: { [key: string]: unknown } = {};
  for (const key of Object.keys(json)) {
    if (!Object.hasOwn(fields, key)) {
      throw unknownField(parser, json, key, Object.keys(fields));
    }
    read[key] = (fields as { readonly [key: string]: FieldReader<unknown> })[key](json, key, parser);
  }
  return read as Partial<T>;
}
