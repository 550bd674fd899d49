/** The indices that the recorded aggregations are about; two batches make two segments. */
import { readFileSync } from "node:fs";

export interface World {
  readonly index: object;
  /** Lines of one bulk request each. */
  readonly batches: readonly (readonly object[])[];
}

export const FOLDER = new URL("./", import.meta.url);

export const WORLDS: Readonly<Record<string, World>> = JSON.parse(readFileSync(new URL("worlds.json", FOLDER), "utf8"));

/** A request: its aggregations, or its whole body behind `!`; a line `@name` says which index follows. With the node's answer. */
export interface Recorded {
  readonly target: string;
  readonly body: string;
  readonly answer: string;
}

export type Send = (method: string, path: string, body?: string) => Promise<{ status: number; body: string }>;

/** @param suffix of the indices' names, where others use the node too */
export async function loadWorlds(send: Send, suffix = ""): Promise<void> {
  for (const [plain, { index, batches }] of Object.entries(WORLDS)) {
    const name = plain + suffix;
    await send("DELETE", `/${name}`);
    const made = await send("PUT", `/${name}`, JSON.stringify(index));
    if (made.status !== 200) throw new Error(made.body);
    for (const batch of batches) {
      const lines = batch.map((line) => `${JSON.stringify(line)}\n`).join("");
      const written = await send("POST", `/${name}/_bulk?refresh=true`, lines);
      if (written.body.includes('"errors":true')) throw new Error(written.body);
    }
  }
}

/** What is compared: the aggregations as text, so that the order and the form of numbers count; errors without names of nodes. */
export function essence(status: number, text: string): string {
  const start = text.indexOf('"aggregations":');
  // Characters beyond the first plane are written in two ways.
  if (start >= 0) return unescaped(text.slice(start, -1));
  return `${status} ${text
    .replace(/"took":\d+,/, "")
    .replace(/"(?:node|index_uuid)":"[^"]*"/g, '""')
    .replace(/\\n at \[Source.*?column: \d+\]/g, "")}`;
}

const unescaped = (text: string) =>
  text.replace(/\\u([dD][89a-fA-F][0-9a-fA-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** @param lines of a topic's file */
export function requestsOf(lines: string): { target: string; body: string }[] {
  const requests: { target: string; body: string }[] = [];
  let target = Object.keys(WORLDS)[0];
  for (const line of lines.split("\n")) {
    if (line.startsWith("@")) target = line.slice(1).trim();
    else if (line.trim() !== "")
      requests.push({ target, body: line.startsWith("!") ? line.slice(1) : `{"size":0,"aggs":${line}}` });
  }
  return requests;
}

export function pathOf(target: string, suffix = ""): string {
  const [indices, query] = target.split("?");
  const names = indices.split(",").map((name) => name + suffix);
  return `/${names.join(",")}/_search${query === undefined ? "" : `?${query}`}`;
}
