/** Requests with the node's answers, by topic: `NAME.json` beside this file. `record.ts` asks the node again. */
import { readdirSync, readFileSync } from "node:fs";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

export interface Recorded {
  readonly settings?: JsonMap;
  readonly mappings: JsonMap;
  /** INDEX in their names, and in paths, stands for the index. */
  readonly aliases?: JsonMap;
  /** Documents of one bulk request each, a refresh after it; ids are their numbers. */
  readonly batches: readonly (readonly JsonMap[])[];
  readonly requests: readonly { readonly api: string; readonly body?: JsonMap; readonly answer: Json }[];
}

export const FOLDER = new URL("./", import.meta.url);

export function topics(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -5));
}

export function readTopic(topic: string): Recorded {
  return JSON.parse(readFileSync(new URL(`${topic}.json`, FOLDER), "utf8"));
}

/** Of the index, or, with a slash before it, of others. */
export const pathOf = (api: string, index: string): string =>
  api.startsWith("/") ? api.replaceAll("INDEX", index) : `/${index}/${api}`;

export type Send = (method: string, path: string, body?: string) => Promise<{ status: number; body: string }>;

export async function load(
  send: Send,
  index: string,
  { settings, mappings, aliases, batches }: Recorded,
): Promise<void> {
  const made = { settings: { number_of_shards: 1, number_of_replicas: 0, ...settings }, mappings, aliases };
  const { status, body } = await send("PUT", `/${index}`, JSON.stringify(made).replaceAll("INDEX", index));
  if (status !== 200) throw new Error(body);
  let id = 0;
  for (const batch of batches) {
    const lines = batch.map((doc) => `${JSON.stringify({ index: { _id: String(id++) } })}\n${JSON.stringify(doc)}\n`);
    const written = await send("POST", `/${index}/_bulk?refresh=true`, lines.join(""));
    if (written.status !== 200 || written.body.includes('"errors":true')) throw new Error(written.body);
  }
}

/** What is compared of an answer: everything but times, names of nodes and of the index. Hits of a search: id, score, explanation, what they are sorted by. */
export function essence(status: number, text: string, index: string): Json {
  const body = JSON.parse(text.replaceAll(index, "INDEX")) as JsonMap;
  const hits = body.hits as { total?: JsonMap; hits: JsonMap[] } | undefined;
  if (hits === undefined) return { status, ...(clean(body) as JsonMap) };
  return {
    total: hits.total === undefined ? null : hits.total.value,
    hits: hits.hits.map(({ _id, _score, _explanation, matched_queries, sort }) =>
      [_id, _score, _explanation, matched_queries, sort].filter((part) => part !== undefined),
    ),
  };
}

const LEFT_OUT = ["took", "node", "_node", "_shard", "index_uuid", "_shards"];

function clean(value: Json): Json {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value === "string")
    return value.replace(/\n at \[Source.*/s, "").replace(/\[INDEX\/[\w-]{22}\]/g, "[INDEX]");
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, clean(inner)]));
}
