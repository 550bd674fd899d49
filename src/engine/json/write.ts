/** The JSON writer: the counterpart of `parseJson`, so that what was read without loss is written without loss. */
import { JsonNumber, type JsonObject, type JsonValue } from "./types.ts";

/**
 * Writes a value as compact JSON. `JsonNumber` keeps its text; numbers that JSON cannot write (NaN, infinities) become strings, as
 * Elasticsearch prints them; keys whose value is `undefined` are left out.
 */
export function writeJson(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "null";
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? (Object.is(value, -0) ? "-0.0" : String(value)) : `"${value}"`;
    case "boolean":
      return value ? "true" : "false";
    default:
  }
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) {
    let out = "[";
    for (let i = 0; i < value.length; i++) out += (i === 0 ? "" : ",") + writeJson(value[i]);
    return `${out}]`;
  }
  let out = "{";
  const object = value as JsonObject;
  for (const key of Object.keys(object)) {
    const inner = object[key];
    if (inner === undefined) continue;
    out += `${(out === "{" ? "" : ",") + JSON.stringify(key)}:${writeJson(inner)}`;
  }
  return `${out}}`;
}
