/** Parameters of field types: reading, defaults, merging and printing, by the rules of Elasticsearch's parametrised mappers. */
import { EngineError, illegalArgument, mapperParsing } from "../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { javaText } from "./java-text.ts";
import type { MappingContext } from "./model.ts";

export interface ParameterPlace {
  readonly field: string;
  readonly type: string;
  readonly context: MappingContext;
}

/** What one parameter of a field type is. Values are compared by `===`, structured ones by their printed form. */
export interface Parameter {
  readonly name: string;
  /** The value when it is not given, which may depend on other parameters. */
  readonly default: (get: (name: string) => unknown, context: MappingContext) => unknown;
  readonly updateable: boolean;
  readonly acceptsNull: boolean;
  readonly read: (value: JsonValue, place: ParameterPlace) => unknown;
  readonly print: (value: unknown) => JsonValue;
  /** As a conflict shows it. */
  readonly show: (value: unknown) => string;
  /** Printed although it has its default value. */
  readonly always?: (get: (name: string) => unknown) => boolean;
  /** A value is looked at when fields are built, after all parameters of the mapping are read: only then its mistakes are told. */
  readonly late?: true | undefined;
  /** An update that is allowed although the parameter is fixed. */
  readonly canMerge?: (from: unknown, to: unknown) => boolean;
}

interface Options<T> {
  readonly late?: true;
  readonly updateable?: boolean;
  readonly acceptsNull?: boolean;
  readonly always?: (get: (name: string) => unknown) => boolean;
  readonly canMerge?: (from: unknown, to: unknown) => boolean;
  readonly print?: (value: T) => JsonValue;
  readonly show?: (value: T) => string;
}

export function parameter<T>(
  name: string,
  fallback: T | ((get: (name: string) => unknown, context: MappingContext) => T),
  read: (value: JsonValue, place: ParameterPlace) => T,
  options: Options<T> = {},
): Parameter {
  return {
    name,
    default: typeof fallback === "function" ? (fallback as Parameter["default"]) : () => fallback,
    updateable: options.updateable === true,
    acceptsNull: options.acceptsNull === true,
    read,
    print: (options.print as Parameter["print"]) ?? ((value) => value as JsonValue),
    show: (options.show as Parameter["show"]) ?? ((value) => javaText(value as JsonValue)),
    always: options.always,
    late: options.late,
    canMerge: options.canMerge,
  };
}

export function booleanParameter(
  name: string,
  fallback: boolean | ((get: (name: string) => unknown, context: MappingContext) => boolean),
  options: Options<boolean> = {},
): Parameter {
  return parameter(name, fallback, readBoolean, options);
}

/** Elasticsearch takes true and false, or their words. */
export function readBoolean(value: JsonValue): boolean {
  if (typeof value === "boolean") return value;
  const text = javaText(value);
  if (text === "true") return true;
  if (text === "false") return false;
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
}

export function readInteger(value: JsonValue): number {
  const number =
    typeof value === "string" ? Number(value) : typeof value === "object" && value !== null ? Number(value) : value;
  if (
    typeof number !== "number" ||
    !Number.isFinite(number) ||
    (typeof value === "string" && !/^[-+]?\d+$/.test(value))
  ) {
    throw new EngineError("number_format_exception", `For input string: "${javaText(value)}"`);
  }
  return Math.trunc(number);
}

export function integerParameter(name: string, fallback: number, options: Options<number> = {}): Parameter {
  return parameter(name, fallback, readInteger, options);
}

export function enumParameter(
  name: string,
  fallback: string | ((get: (name: string) => unknown) => string),
  accepted: readonly string[],
  options: Options<string> = {},
): Parameter {
  return parameter(
    name,
    fallback,
    (value) => {
      const text = javaText(value);
      if (accepted.includes(text)) return text;
      throw mapperParsing(`Unknown value [${text}] for field [${name}] - accepted values are [${accepted.join(", ")}]`);
    },
    options,
  );
}

/** `meta`: up to five short strings. */
export const metaParameter: Parameter = parameter<JsonObject | undefined>(
  "meta",
  undefined,
  (value, { field }) => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof JsonNumber) {
      throw mapperParsing(`[meta] must be an object, got ${javaClass(value)}[${javaText(value)}] for field [${field}]`);
    }
    const object = value as JsonObject;
    const keys = Object.keys(object);
    if (keys.length > 5)
      throw mapperParsing(`[meta] can't have more than 5 entries, but got ${keys.length} on field [${field}]`);
    for (const key of keys) {
      const inner = object[key];
      if (key.length > 20)
        throw mapperParsing(`[meta] keys can't be longer than 20 chars, but got [${key}] for field [${field}]`);
      if (inner === null) throw mapperParsing(`[meta] values can't be null (field [${field}])`);
      if (typeof inner !== "string") {
        throw mapperParsing(
          `[meta] values can only be strings, but got ${javaClass(inner)}[${javaText(inner)}] for field [${field}]`,
        );
      }
      if (inner.length > 50) {
        throw mapperParsing(`[meta] values can't be longer than 50 chars, but got [${inner}] for field [${field}]`);
      }
    }
    return keys.length === 0 ? undefined : object;
  },
  { updateable: true },
);

function javaClass(value: JsonValue): string {
  if (value === null) return "null";
  if (typeof value === "string") return "String";
  if (typeof value === "boolean") return "Boolean";
  if (typeof value === "number")
    return Number.isInteger(value) ? (Math.abs(value) < 2 ** 31 ? "Integer" : "Long") : "Double";
  if (value instanceof JsonNumber) return value.integer ? "BigInteger" : "Double";
  return Array.isArray(value) ? "ArrayList" : "LinkedHashMap";
}

/** True when two values of a parameter are the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}
