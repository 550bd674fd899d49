/**
 * URL parameters. Each action asks for those that it knows; what nobody asked for is an error that names it, as in Elasticsearch.
 */
import { type Params, parseBoolean, parseTime } from "../action/params.ts";
import { EngineError, illegalArgument } from "../errors.ts";

export { type Params, parseBoolean, parseTime };

export function createParams(values: ReadonlyMap<string, string>): Params {
  /** With repetitions: hardly anybody looks at it. */
  const asked: string[] = [];
  const text = (name: string) => {
    asked.push(name);
    return values.get(name);
  };
  const whole = (name: string, kind: string, least: bigint, most: bigint) => {
    const value = text(name);
    if (value === undefined) return undefined;
    const number = /^[+-]?\d+$/.test(value) ? BigInt(value.replace(/^\+/, "")) : undefined;
    if (number === undefined || number < least || number > most) {
      throw illegalArgument(`Failed to parse ${kind} parameter [${name}] with value [${value}]`, {
        cause: new EngineError("number_format_exception", `For input string: "${value}"`),
      });
    }
    return Number(number);
  };
  return {
    has: (name) => values.has(name),
    text,
    flag(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      return value === "" || parseBoolean(value);
    },
    int: (name) => whole(name, "int", -(2n ** 31n), 2n ** 31n - 1n),
    long: (name) => whole(name, "long", -(2n ** 63n), 2n ** 63n - 1n),
    list(name) {
      const value = text(name);
      return value === undefined ? undefined : value.split(",").filter((part) => part !== "");
    },
    time(name) {
      const value = text(name);
      return value === undefined ? undefined : parseTime(value, name);
    },
    accept(...names) {
      asked.push(...names);
    },
    unknown: () => [...values.keys()].filter((name) => !asked.includes(name)).sort(),
    known: () => [...new Set(asked)],
  };
}

/** Decodes percent escapes as Elasticsearch does: bytes that are not UTF-8 become U+FFFD; in queries `+` is a space. */
export function decodeComponent(value: string, plusAsSpace: boolean): string {
  if (!value.includes("%") && !(plusAsSpace && value.includes("+"))) return value;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let at = 0; at < value.length; at++) {
    const char = value[at];
    if (char === "+" && plusAsSpace) bytes.push(32);
    else if (char !== "%") {
      let end = at + 1;
      while (end < value.length && value[end] !== "%" && !(plusAsSpace && value[end] === "+")) end++;
      for (const byte of encoder.encode(value.slice(at, end))) bytes.push(byte);
      at = end - 1;
    } else {
      const digits = value.slice(at + 1, at + 3);
      if (digits.length < 2) throw illegalArgument(`unterminated escape sequence at end of string: ${value}`);
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) {
        throw illegalArgument(`invalid escape sequence \`%${digits}' at index ${at} of: ${value}`);
      }
      bytes.push(Number.parseInt(digits, 16));
      at += 2;
    }
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/** Decodes a query string; of parameters that come twice the last one counts. */
export function parseQuery(query: string | Readonly<Record<string, string>> | undefined): Map<string, string> {
  if (query === undefined) return new Map();
  if (typeof query !== "string") return new Map(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const values = new Map<string, string>();
  for (const part of query.split(/[&;]/)) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    values.set(decodeComponent(name, true), equals < 0 ? "" : decodeComponent(part.slice(equals + 1), true));
  }
  return values;
}
