/**
 * Replays recorded scenes: requests with what Elasticsearch 8.17.4 answered. The engine may refuse a feature by name
 * (`unsupported_feature_exception`): refusals are counted and printed. Every other difference is a failure.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../src/elasticsearch/engine.ts";
import { differenceOf, isRefusal, type Json, type JsonMap, shown } from "./cases-compare.ts";

interface Step {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query?: JsonMap;
  readonly body?: Json;
  /** A body that is sent as it stands. */
  readonly raw?: string;
  readonly status: number;
  readonly expected: Json;
  /** Values of the answer that later steps name as `${…}`. */
  readonly save?: Record<string, string>;
  readonly keep?: readonly string[];
  readonly ignore?: readonly string[];
}

interface Scene {
  readonly name: string;
  readonly index?: Record<string, Json>;
  readonly docs?: readonly { readonly index: string; readonly id: string; readonly source: Json }[];
  readonly requests: readonly Step[];
}

interface Answer {
  readonly status: number;
  readonly body: Json;
}

async function send(
  engine: Engine,
  method: string,
  path: string,
  query?: JsonMap,
  body?: Json,
  raw?: string,
): Promise<Answer> {
  const lines = Array.isArray(body);
  let text = raw;
  if (text === undefined && lines) text = `${body.map((line) => JSON.stringify(line)).join("\n")}\n`;
  if (text === undefined && body !== undefined && body !== null) text = JSON.stringify(body);
  const answer = await engine.request({
    method,
    path: encodeURI(path),
    query: Object.fromEntries(
      Object.entries(query ?? {}).map(([key, value]) => [
        key,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ),
    headers: text === undefined ? {} : { "content-type": lines ? "application/x-ndjson" : "application/json" },
    body: text,
  });
  if (answer.body === "") return { status: answer.status, body: null };
  return {
    status: answer.status,
    body: answer.headers["content-type"].includes("json") ? (JSON.parse(answer.body) as Json) : answer.body,
  };
}

/** Creates the scene's indices and loads its documents. @returns the refusal, if there was one */
async function prepare(engine: Engine, scene: Scene): Promise<Answer | undefined> {
  for (const [name, body] of Object.entries(scene.index ?? {})) {
    const made = await send(engine, "PUT", `/${name}`, undefined, body);
    if (isRefusal(made.body)) return made;
    expect(made, `creating ${name}`).toMatchObject({ status: 200 });
  }
  const lines = (scene.docs ?? []).flatMap((doc): Json[] => [
    { index: { _index: doc.index, _id: doc.id } },
    doc.source,
  ]);
  if (lines.length === 0) return undefined;
  const loaded = await send(engine, "POST", "/_bulk", { refresh: "true" }, lines);
  if (isRefusal(loaded.body)) return loaded;
  expect(loaded.body, "loading documents").toMatchObject({ errors: false });
  for (const name of Object.keys(scene.index ?? {})) {
    await send(engine, "POST", `/${name}/_flush`);
    await send(engine, "POST", `/${name}/_forcemerge`, { max_num_segments: "1" });
    await send(engine, "POST", `/${name}/_refresh`);
  }
  return undefined;
}

function filled<T extends Json | JsonMap | string | undefined>(value: T, saved: ReadonlyMap<string, Json>): T {
  if (value === undefined || saved.size === 0) return value;
  const text = JSON.stringify(value).replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    saved.has(name) ? JSON.stringify(saved.get(name)).slice(1, -1) : whole,
  );
  return JSON.parse(text) as T;
}

const changesState = ({ method, path }: Step) =>
  method !== "GET" && method !== "HEAD" && !/_(search|count|analyze|msearch|explain|mget|field_caps)\b/.test(path);

const folder = new URL("./cases/", import.meta.url);
const topics = readdirSync(folder).filter((file) => file.endsWith(".json"));

describe.each(topics.map((file) => file.slice(0, -5)))("%s", (topic) => {
  const scenes = JSON.parse(readFileSync(new URL(`${topic}.json`, folder), "utf8")) as Scene[];
  const refused = new Map<string, number>();
  let passed = 0;
  const refuse = (name: string) => refused.set(name, (refused.get(name) ?? 0) + 1);

  afterAll(() => {
    const total = [...refused.values()].reduce((sum, count) => sum + count, 0);
    const list = [...refused].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
    console.info(`${topic}: ${passed} as recorded, ${total} refused${total === 0 ? "" : ` (${list.join("; ")})`}`);
  });

  it.each(scenes.map((scene) => [scene.name, scene] as const))("%s", async (_, scene) => {
    const engine = await openEngine();
    try {
      const missing = await prepare(engine, scene);
      if (missing !== undefined) {
        for (const _step of scene.requests) refuse(isRefusal(missing.body)!);
        return;
      }
      const saved = new Map<string, Json>();
      const wrong: string[] = [];
      let stateRefused: string | undefined;
      for (const step of scene.requests) {
        const { method } = step;
        const answer = await send(
          engine,
          method,
          filled(step.path, saved),
          filled(step.query, saved),
          filled(step.body, saved),
          step.raw,
        );
        for (const [name, path] of Object.entries(step.save ?? {})) {
          saved.set(
            name,
            path.split(".").reduce<Json>((value, key) => (value as JsonMap | null)?.[key] ?? null, answer.body),
          );
        }
        const difference = differenceOf(step, answer);
        if (difference === undefined) {
          passed++;
          continue;
        }
        const refusal = isRefusal(answer.body);
        if (refusal !== undefined && changesState(step)) stateRefused ??= refusal;
        // What follows a change that was refused has another state before it.
        const reason = refusal ?? (stateRefused === undefined ? undefined : `after ${stateRefused}`);
        if (reason !== undefined) refuse(reason);
        else wrong.push(`${step.name} (${method} ${step.path}): ${difference}; answer ${shown(answer.body)}`);
      }
      expect(wrong, wrong.join("\n")).toEqual([]);
    } finally {
      await engine.close();
    }
  });
});
