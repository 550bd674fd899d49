/** multi_terms, which the recording node does not have: what Elasticsearch's documentation says of it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

const SALES = [
  { genre: "rock", product: "Product A", quantity: 100, at: "2024-01-01" },
  { genre: "rock", product: "Product A", quantity: 50, at: "2024-01-01" },
  { genre: "rock", product: "Product B", quantity: 120.5, at: "2024-01-02" },
  { genre: ["jazz", "electronic"], product: "Product B", quantity: 1, at: "2024-01-02" },
  { genre: "jazz", quantity: 7 },
];

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
  const keyword = { type: "keyword" };
  const properties = { genre: keyword, product: keyword, quantity: { type: "double" }, at: { type: "date" } };
  await send("PUT", "/sales", JSON.stringify({ mappings: { properties } }));
  const lines = SALES.flatMap((sale) => [{ index: {} }, sale]).map((line) => `${JSON.stringify(line)}\n`);
  await send("POST", "/sales/_bulk", lines.join(""), { refresh: "true" });
});
afterAll(() => engine.close());

async function send(method: string, path: string, body: string, query: Record<string, string> = {}) {
  const type = body.endsWith("\n") ? "application/x-ndjson" : "application/json";
  const answer = await engine.request({ method, path, query, headers: { "content-type": type }, body });
  return JSON.parse(answer.body);
}

async function multiTerms(options: object, aggs: object = {}) {
  const body = { size: 0, aggs: { both: { multi_terms: options, aggs } } };
  const answer = await send("POST", "/sales/_search", JSON.stringify(body));
  return answer.aggregations?.both ?? answer.error;
}

it("counts combinations of values, and leaves out documents that lack one of them", async () => {
  expect(await multiTerms({ terms: [{ field: "genre" }, { field: "product" }] })).toEqual({
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: 0,
    buckets: [
      { key: ["rock", "Product A"], key_as_string: "rock|Product A", doc_count: 2 },
      { key: ["electronic", "Product B"], key_as_string: "electronic|Product B", doc_count: 1 },
      { key: ["jazz", "Product B"], key_as_string: "jazz|Product B", doc_count: 1 },
      { key: ["rock", "Product B"], key_as_string: "rock|Product B", doc_count: 1 },
    ],
  });
});

it("takes a value in the place of a missing one", async () => {
  const { buckets } = await multiTerms({ terms: [{ field: "genre" }, { field: "product", missing: "none" }] });
  expect(buckets).toContainEqual({ key: ["jazz", "none"], key_as_string: "jazz|none", doc_count: 1 });
});

it("orders by what is computed within the buckets", async () => {
  const options = { terms: [{ field: "genre" }, { field: "product" }], order: { q: "desc" }, size: 2 };
  const { buckets, sum_other_doc_count } = await multiTerms(options, { q: { sum: { field: "quantity" } } });
  expect(buckets.map(({ key_as_string, q }: { key_as_string: string; q: object }) => [key_as_string, q])).toEqual([
    ["rock|Product A", { value: 150 }],
    ["rock|Product B", { value: 120.5 }],
  ]);
  expect(sum_other_doc_count).toBe(2);
});

it("prints numbers and dates in their formats", async () => {
  const { buckets } = await multiTerms({
    terms: [{ field: "at", format: "dd.MM.yyyy" }, { field: "quantity" }],
    size: 1,
  });
  expect(buckets).toEqual([{ key: ["01.01.2024", 50], key_as_string: "01.01.2024|50.0", doc_count: 1 }]);
});

it("needs two fields", async () => {
  expect((await multiTerms({ terms: [{ field: "genre" }] })).reason).toContain("must be present and have at least 2");
});
