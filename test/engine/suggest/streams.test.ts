import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

// Expected answers: Elasticsearch 8.17.4. An analyzer that is analysing the phrase cannot filter a candidate at the same time; the default of an
// index whose settings have none is the analyzer `standard`.
const WORLDS = {
  plain: { mappings: { properties: { t: { type: "text" } } } },
  named: { mappings: { properties: { t: { type: "text", analyzer: "standard" } } } },
  own: {
    settings: { analysis: { analyzer: { default: { type: "standard" }, other: { type: "standard" } } } },
    mappings: { properties: { t: { type: "text" } } },
  },
};
const FILTERS = {
  plain: { standard: 500, default: 500, whitespace: 200 },
  named: { standard: 500, default: 500, whitespace: 200 },
  own: { standard: 200, default: 500, other: 200 },
};

const headers = { "content-type": "application/json" };

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
  for (const [name, body] of Object.entries(WORLDS)) {
    await engine.request({ method: "PUT", path: `/${name}`, headers, body: JSON.stringify(body) });
    await engine.request({
      method: "POST",
      path: `/${name}/_doc`,
      query: { refresh: "true" },
      headers,
      body: JSON.stringify({ t: "annual leave policy" }),
    });
  }
});
afterAll(() => engine.close());

describe.each(Object.entries(FILTERS))("an index with analyzers: %s", (index, filters) => {
  test.each(Object.entries(filters))("pre_filter %s: %i", async (filter, expected) => {
    const generator = { field: "t", pre_filter: filter };
    const { status, body } = await engine.request({
      method: "POST",
      path: `/${index}/_search`,
      headers,
      body: JSON.stringify({
        suggest: { x: { text: "anual leave polcy", phrase: { field: "t", direct_generator: [generator] } } },
      }),
    });
    expect(status).toBe(expected);
    if (expected === 500)
      expect(JSON.stringify(body)).toContain("TokenStream contract violation: close() call missing");
  });
});
