/** The two engines that are compared, and how a world gets into them. */
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { type Answer, bulkDifference, differenceOf, refusalOf } from "./compare.ts";
import { INDEX } from "./query-strings.ts";
import type { FuzzRequest } from "./requests.ts";
import { answerOf } from "./sequences.ts";
import type { Json, World } from "./world.ts";

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

/** Requests of a world that are under way at once: most of the time is waiting for the node. */
const AT_ONCE = 4;

/** Runs a world on both engines, in fresh indices that are deleted afterwards. */
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
  /** @returns what differs in making the index or writing to it, or undefined when it stands on both sides */
  async function setUp(name: string, { settings, mappings, aliases, batches }: World): Promise<Outcome | undefined> {
    const definition = JSON.stringify({ settings, mappings, ...(aliases && { aliases }) }).replaceAll(INDEX, index);
    const made = await both("PUT", `/${name}`, definition);
    const outcome = compared(made);
    if (outcome.kind !== "same" || made[0].status !== 200) return outcome;
    for (const [at, batch] of batches.entries()) {
      if (batch.length === 0) continue;
      const [expected, got] = await both("POST", `/${name}/_bulk?refresh=true`, lines(batch));
      const refused = refusalOf(got.body);
      if (refused !== undefined) return { kind: "refused", feature: refused };
      const difference = bulkDifference(expected.body, got.body);
      if (difference === undefined) continue;
      const place = difference.at < 0 ? "" : `, item ${difference.at}`;
      return { kind: "different", text: `bulk ${at}${place}: ${difference.text}` };
    }
    return undefined;
  }
  const names = [index, ...(world.other === undefined ? [] : [`${index}-b`])];
  try {
    for (const [at, each] of [world, world.other].entries()) {
      const outcome = each === undefined ? undefined : await setUp(names[at], each);
      if (outcome !== undefined) return { setUp: outcome, requests: [] };
    }
    const outcomes: Outcome[] = [];
    const left = requests.entries();
    const ask = async () => {
      for (const [at, request] of left) {
        const named = JSON.parse(JSON.stringify(request).replaceAll(INDEX, index)) as FuzzRequest;
        outcomes[at] = compared(await Promise.all([answerOf(node, index, named), answerOf(own, index, named)]));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    return { setUp: { kind: "same" }, requests: outcomes };
  } finally {
    await node("DELETE", `/${names.join(",")}?ignore_unavailable=true`);
    await engine.close();
  }
}
