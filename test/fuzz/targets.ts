/** The two engines that are compared, and how a world gets into them. */
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { type Answer, bulkDifference, differenceOf, refusalOf } from "./compare.ts";
import { INDEX } from "./query-strings.ts";
import type { FuzzRequest } from "./requests.ts";
import { answerOf } from "./scrolls.ts";
import type { Json, JsonMap, World } from "./world.ts";

export type Send = (method: string, path: string, body?: string) => Promise<Answer>;

export function remote(url: string): Send {
  const base = url.replace(/\/$/, "");
  return async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      body,
      headers: body === undefined ? {} : { "content-type": "application/json" },
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as Json) };
  };
}

export type Outcome =
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly feature: string }
  | { readonly kind: "different"; readonly text: string };

/** What happened to a world and to each of its requests. */
export interface Run {
  /** A difference (or refusal) in making or loading the index. */
  readonly setUp: Outcome;
  readonly requests: readonly Outcome[];
}

const lines = (batch: World["batches"][number]) =>
  batch
    .map(([action, body]) => `${JSON.stringify(action)}\n${body === undefined ? "" : `${JSON.stringify(body)}\n`}`)
    .join("");

/** Runs a world on both engines, in a fresh index that is deleted afterwards. */
export async function run(node: Send, index: string, world: World, requests: readonly FuzzRequest[]): Promise<Run> {
  const engine = await openEngine();
  const own: Send = async (method, path, body) => {
    const answer = await engine.request({
      method,
      path,
      body,
      headers: body === undefined ? {} : { "content-type": "application/json" },
    });
    return { status: answer.status, body: answer.body === "" ? null : (JSON.parse(answer.body) as Json) };
  };
  const both = (method: string, path: string, body?: string) =>
    Promise.all([node(method, path, body), own(method, path, body)]);
  const compared = ([expected, got]: readonly [Answer, Answer]): Outcome => {
    const refused = refusalOf(got.body);
    if (refused !== undefined && refusalOf(expected.body) === undefined) return { kind: "refused", feature: refused };
    const text = differenceOf(expected, got);
    return text === undefined ? { kind: "same" } : { kind: "different", text };
  };
  try {
    const made = await both("PUT", `/${index}`, JSON.stringify({ settings: world.settings, mappings: world.mappings }));
    const outcome = compared(made);
    if (outcome.kind !== "same") return { setUp: outcome, requests: [] };
    if (made[0].status !== 200) return { setUp: { kind: "same" }, requests: [] };
    for (const [at, batch] of world.batches.entries()) {
      if (batch.length === 0) continue;
      const [expected, got] = await both("POST", `/${index}/_bulk?refresh=true`, lines(batch));
      const refused = refusalOf(got.body);
      if (refused !== undefined) return { setUp: { kind: "refused", feature: refused }, requests: [] };
      const difference = bulkDifference(expected.body, got.body);
      if (difference !== undefined) {
        const place = difference.at < 0 ? "" : `, item ${difference.at}`;
        return { setUp: { kind: "different", text: `bulk ${at}${place}: ${difference.text}` }, requests: [] };
      }
    }
    const outcomes: Outcome[] = [];
    for (const request of requests) {
      const named = { ...request, body: JSON.parse(JSON.stringify(request.body).replaceAll(INDEX, index)) as JsonMap };
      outcomes.push(compared(await Promise.all([answerOf(node, index, named), answerOf(own, index, named)])));
    }
    return { setUp: { kind: "same" }, requests: outcomes };
  } finally {
    await node("DELETE", `/${index}`);
    await engine.close();
  }
}
