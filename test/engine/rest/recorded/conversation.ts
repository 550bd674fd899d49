/**
 * Conversations: requests, one a line (`METHOD PATH [BODY]`; in a body `\n` is a line break), and beside them what Elasticsearch 8.17.4
 * answered. What differs from run to run is left out of both.
 */
import { readFileSync } from "node:fs";

export interface Request {
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

export function requestsOf(text: string): Request[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, method, path, body] = /^(\S+) (\S+)(?: (.*))?$/.exec(line) as RegExpExecArray;
    const bulk = path.includes("_bulk") ? "\n" : "";
    return { line, method, path, body: body === undefined ? undefined : body.replaceAll("\\n", "\n") + bulk };
  });
}

export const contentType = ({ path }: Request) =>
  path.includes("_bulk") ? "application/x-ndjson" : "application/json";

/** Ids that an engine gave out, in their order: `$1` in a request is the first of them. */
export function withIds(text: string | undefined, ids: readonly string[]): string | undefined {
  return text?.replace(/\$(\d)/g, (_, n) => ids[Number(n) - 1] ?? "");
}

/** Notes the id of a scroll or a point in time that an answer brings. */
export function noteId(answer: string, ids: string[]): void {
  const [, id] = /^\{"(?:_scroll_id|id)":"([^"]{20,})"/.exec(answer) ?? [];
  if (id !== undefined && !ids.includes(id)) ids.push(id);
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const CHANGING = new Set([
  "took",
  "uuid",
  "index_uuid",
  "creation_date",
  "node",
  "cluster_uuid",
  "version",
  "_scroll_id",
  "pit_id",
]);

function stable(value: Json, key = ""): Json {
  if (Array.isArray(value)) return value.map((item) => stable(item));
  // Scores may differ in their last digit.
  if (typeof value === "number" && key.endsWith("score")) return Number(value.toPrecision(6));
  // What is recorded as JSON has lost the sign of −0.
  if (value === 0) return 0;
  if (typeof value === "string") {
    return value
      .replace(/(?<=No search context found for id \[)\d+/, "N")
      .replaceAll(/(?<=CustomAnalyzer@)[0-9a-f]+/g, "N");
  }
  if (value === null || typeof value !== "object") return value;
  if (typeof value.id === "string" && value.id.length > 20) return stable({ ...value, id: "an id" }, key);
  const kept = Object.keys(value)
    .filter((name) => !CHANGING.has(name) || (name === "version" && typeof value[name] === "number"))
    .sort();
  return Object.fromEntries(kept.map((name) => [name, stable(value[name], name)]));
}

/** An answer as it is compared. */
export function answerOf(status: number, body: string): { status: number; body: Json } {
  let parsed: Json = body;
  try {
    parsed = JSON.parse(body) as Json;
  } catch {
    // Plain text.
  }
  return { status, body: stable(parsed) };
}

export const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
