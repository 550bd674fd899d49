import { expect, it } from "vitest";
import { openRest } from "../rest/rest-helper.ts";

it("what was deleted or replaced has no values of runtime fields, and its source is not asked for", async () => {
  const rest = await openRest();
  await rest("PUT", "/i", { mappings: { runtime: { k: { type: "keyword" }, n: { type: "long" } } } });
  const documents = ["a", "b", "c"].flatMap((id) => [{ index: { _index: "i", _id: id } }, { k: id, n: 1 }]);
  await rest("POST", "/_bulk?refresh=true", documents);
  await rest("DELETE", "/i/_doc/a?refresh=true");
  await rest("PUT", "/i/_doc/b?refresh=true", { k: "z", n: 2 });
  const query = { bool: { should: [{ term: { n: 1 } }, { exists: { field: "k" } }] } };
  const { status, body } = await rest("POST", "/i/_search", {
    query,
    sort: ["k"],
    aggs: { terms: { terms: { field: "k" } }, sum: { sum: { field: "n" } } },
  });
  expect(status).toBe(200);
  expect(body.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(["c", "b"]);
  expect(body.aggregations.terms.buckets.map((bucket: { key: string }) => bucket.key)).toEqual(["c", "z"]);
  expect(body.aggregations.sum.value).toBe(3);
  await rest.close();
});
