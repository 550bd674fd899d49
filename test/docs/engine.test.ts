// The page on the engine is made from the engine's tables, and they hold no name twice.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { enginePage } from "../../scripts/lib/engine-page.ts";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { UNSUPPORTED_FIELD_TYPES } from "../../src/engine/mapping/registry.ts";
import { SUPPORTED_QUERIES, UNSUPPORTED_QUERIES } from "../../src/engine/query/dsl/index.ts";

test("docs/engine.md is what npm run docs:engine writes", async () => {
  const page = await readFile(new URL("../../docs/engine.md", import.meta.url), "utf8");
  expect(page).toBe(enginePage());
});

test("no query is both answered and refused", () => {
  expect(SUPPORTED_QUERIES.filter((name) => UNSUPPORTED_QUERIES.includes(name))).toEqual([]);
});

test("what the page calls refused is refused by name", async () => {
  const engine = await openEngine();
  try {
    const send = (method: string, path: string, body: unknown) =>
      engine.request({
        method,
        path,
        query: {},
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    await send("PUT", "/refusals", {});
    for (const name of UNSUPPORTED_QUERIES) {
      const { status, body } = await send("POST", "/refusals/_search", { query: { [name]: {} } });
      expect([name, status, String(body)]).toEqual([
        name,
        400,
        expect.stringContaining("unsupported_feature_exception"),
      ]);
      expect(String(body)).toContain(name);
    }
    for (const type of UNSUPPORTED_FIELD_TYPES) {
      const { status, body } = await send("PUT", "/refusals/_mapping", { properties: { field: { type } } });
      expect([type, status, String(body)]).toEqual([
        type,
        400,
        expect.stringContaining("unsupported_feature_exception"),
      ]);
      expect(String(body)).toContain(type);
    }
  } finally {
    await engine.close();
  }
});
