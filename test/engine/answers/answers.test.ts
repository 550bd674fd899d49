/** Requests in their order, with what Elasticsearch 8.17.4 answers to each; what differs from run to run is left out of both. */
import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import blocks from "./blocks.json" with { type: "json" };
import completions from "./completions.json" with { type: "json" };
import hiddenIds from "./hidden-ids.json" with { type: "json" };
import inTime from "./in-time.json" with { type: "json" };
import maskedFields from "./masked-fields.json" with { type: "json" };
import oneBucket from "./one-bucket.json" with { type: "json" };
import putOff from "./put-off.json" with { type: "json" };
import ranges from "./ranges.json" with { type: "json" };
import significantText from "./significant-text.json" with { type: "json" };
import zones from "./zones.json" with { type: "json" };

type Step = readonly [method: string, path: string, body: string | null, answer: unknown];

const VARYING = new Set([
  ..."took _node node _shard index_uuid stack_trace creation_date uuid version include total successful".split(" "),
  ..."routing provided_name _shards".split(" "),
]);

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !VARYING.has(key))
      .map(([key, inner]) => [key, comparable(inner)]),
  );
}

async function replay(steps: readonly Step[], before: readonly Step[] = []) {
  const engine = await openEngine();
  const send = async ([method, path, body]: Step) => {
    const headers = { "content-type": body?.endsWith("\n") ? "application/x-ndjson" : "application/json" };
    return JSON.parse((await engine.request({ method, path, headers, ...(body === null ? {} : { body }) })).body);
  };
  for (const step of before) await send(step);
  for (const step of steps) {
    const [method, path, body, wanted] = step;
    const answer = comparable(await send(step));
    if (wanted !== "") expect([method, path, body, answer]).toEqual([method, path, body, wanted]);
  }
  await engine.close();
}

describe("as Elasticsearch answers", () => {
  it("blocks of an index", async () => {
    const documents = [1, 2, 3, 4, 5].map((id): Step => ["PUT", `/r/_doc/${id}?refresh`, `{"n":${id}}`, ""]);
    await replay(blocks as unknown as readonly Step[], documents);
  });

  it("completions of one weight, fields over completions, and types of fields over others", () =>
    replay(completions as unknown as readonly Step[]));

  it("aggregations of ranges", () => replay(ranges as unknown as readonly Step[]));

  it("what fails only where somebody looks at it", () => replay(inTime as unknown as readonly Step[]));

  it("what is put off until there are documents, and counts of hits of which none is wanted", () =>
    replay(putOff as unknown as readonly Step[]));

  it("what collects one bucket only", () => replay(oneBucket as unknown as readonly Step[]));

  it("seconds since the epoch in a zone", () => replay(zones as unknown as readonly Step[]));

  it("hits of which nothing stored is asked for", () => replay(hiddenIds as unknown as readonly Step[]));

  it("significant words of all types of fields", () => replay(significantText as unknown as readonly Step[]));

  it("marks of terms that spans and intervals take from another field", () =>
    replay(maskedFields as unknown as readonly Step[]));
});
