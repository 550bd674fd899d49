import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";

// What an intervals query answers: ../recorded/intervals.json. Here: the work that it refuses to do.
describe("intervals", () => {
  let engine: Engine;
  const send = (method: string, path: string, body: unknown) =>
    engine.request({
      method,
      path,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const search = async (rule: unknown) => {
    const { status, body } = await send("POST", "/i/_search", { query: { intervals: { t: rule } } });
    return { status, body: JSON.parse(body) };
  };
  beforeAll(async () => {
    engine = await openEngine();
    await send("PUT", "/i", { mappings: { properties: { t: { type: "text" } } } });
    const terms = Array.from({ length: 4097 }, (_, i) => `p${i}`);
    await send("PUT", "/i/_doc/1?refresh=true", { t: `${terms.join(" ")} a b` });
  });
  afterAll(() => engine.close());

  it.each([
    [{ prefix: { prefix: "p" } }, "p*"],
    [{ wildcard: { pattern: "p*" } }, "p*"],
    [{ regexp: { pattern: "p.*" } }, "p.*"],
    [{ range: { gte: "p", lt: "q" } }, "{p,q}"],
  ])("of more terms than may be searched fail: %j", async (rule, pattern) => {
    const { status, body } = await search(rule);
    expect(status).toBe(500);
    expect(body.error.root_cause).toEqual([
      {
        type: "illegal_state_exception",
        reason: `Automaton [${pattern}] expanded to too many terms (limit 4096)`,
      },
    ]);
  });

  it("of as many terms as may be searched find them", async () => {
    const { body } = await search({ range: { gt: "p", lt: "p999" } });
    expect(body.hits.total.value).toBe(1);
  });

  it("fail where disjunctions within a phrase have too many combinations", async () => {
    const phrase = { match: { query: "a b", ordered: true, max_gaps: 0 } };
    const either = { any_of: { intervals: [phrase, { match: { query: "a" } }] } };
    const of = (count: number) =>
      search({ all_of: { intervals: Array(count).fill(either), ordered: true, max_gaps: 0 } });
    expect((await of(6)).body.hits.total.value).toBe(0);
    const { status, body } = await of(13);
    expect(status).toBe(400);
    expect(body.error.root_cause[0].reason).toBe("failed to create query: Too many disjunctions to expand");
  });

  it("refuse what is not supported by name", async () => {
    const script = { script: { source: "interval.start > 1" } };
    const { status, body } = await search({ match: { query: "a b", filter: script } });
    expect(status).toBe(400);
    expect(body.error.type).toBe("unsupported_feature_exception");
    expect(body.error.reason).toContain("script filters of intervals");
  });
});
