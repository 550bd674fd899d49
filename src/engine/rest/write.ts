/** Writing responses: JSON with sources passed through byte for byte, or indented as `?pretty` asks. */
import { parseJson } from "../json/parse.ts";
import { JsonNumber } from "../json/types.ts";
import type { ResponseValue } from "./types.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

type Fields = { readonly [key: string]: ResponseValue | undefined };

function scalar(value: null | boolean | number | string | JsonNumber): string {
  if (value === null) return "null";
  if (value instanceof JsonNumber) return value.text;
  if (typeof value !== "number") return JSON.stringify(value);
  // As Jackson quotes them.
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? "-0.0" : String(value);
}

/** Keys of most answers, as they are written. */
const QUOTED: ReadonlyMap<string, string> = new Map(
  "took timed_out _shards total successful skipped failed hits value relation max_score _index _id _score _source sort"
    .split(" ")
    .map((key) => [key, `"${key}":`]),
);

const quoted = (key: string): string => QUOTED.get(key) ?? `${JSON.stringify(key)}:`;

const isScalar = (value: ResponseValue): value is null | boolean | number | string | JsonNumber =>
  value === null || typeof value !== "object" || value instanceof JsonNumber;

export function writeCompact(value: ResponseValue): string {
  if (isScalar(value)) return scalar(value);
  if (value instanceof Uint8Array) return decoder.decode(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += text === "" ? writeCompact(item) : `,${writeCompact(item)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value)) {
    const inner = (value as Fields)[key];
    if (inner === undefined) continue;
    text += text === "" ? quoted(key) : `,${quoted(key)}`;
    text += writeCompact(inner);
  }
  return `{${text}}`;
}

/** Jackson's default indentation: two spaces, a space on both sides of a colon. */
function writePretty(value: ResponseValue, indent: string): string {
  if (isScalar(value)) return scalar(value);
  if (value instanceof Uint8Array) return writePretty(parseJson(value), indent);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[ ]";
    return `[\n${value.map((item) => inner + writePretty(item, inner)).join(",\n")}\n${indent}]`;
  }
  const parts: string[] = [];
  for (const [key, item] of Object.entries(value as Fields)) {
    if (item !== undefined) parts.push(`${inner}${JSON.stringify(key)} : ${writePretty(item, inner)}`);
  }
  return parts.length === 0 ? "{ }" : `{\n${parts.join(",\n")}\n${indent}}`;
}

/** Writes a response. Pretty responses end with a line break. */
export function writeResponse(value: ResponseValue, pretty: boolean): string {
  return pretty ? `${writePretty(value, "")}\n` : writeCompact(value);
}
