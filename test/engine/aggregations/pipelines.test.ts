/**
 * derivative and bucket_sort, which the recording node does not have: the numbers of Elasticsearch's documentation (sales of three months that
 * add up to 550, 60 and 375).
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

const SALES = [
  ["2015-01-01", 200],
  ["2015-01-15", 350],
  ["2015-02-10", 60],
  ["2015-03-01", 175],
  ["2015-03-20", 200],
] as const;

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
  const lines = SALES.flatMap(([date, price]) => [{ index: {} }, { date, price }]);
  const mappings = { properties: { date: { type: "date" }, price: { type: "double" } } };
  await send("PUT", "/sales", { mappings });
  await engine.request({
    method: "POST",
    path: "/sales/_bulk",
    query: { refresh: "true" },
    headers: { "content-type": "application/x-ndjson" },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
});
afterAll(() => engine.close());

async function send(method: string, path: string, body: object) {
  const answer = await engine.request({
    method,
    path,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return JSON.parse(answer.body);
}

/** Pipelines in a histogram of months that has the sum `sales`. */
async function months(aggs: object, histogram: object = {}) {
  const answer = await send("POST", "/sales/_search", {
    size: 0,
    aggs: {
      months: {
        date_histogram: { field: "date", calendar_interval: "month", format: "yyyy-MM", ...histogram },
        aggs: { sales: { sum: { field: "price" } }, ...aggs },
      },
    },
  });
  return answer.aggregations?.months.buckets ?? answer.error;
}

describe("derivative", () => {
  it("tells by how much a value differs from that of the bucket before", async () => {
    const buckets = await months({
      change: { derivative: { buckets_path: "sales" } },
      again: { derivative: { buckets_path: "change" } },
    });
    expect(buckets.map((bucket: { change?: object }) => bucket.change)).toEqual([
      undefined,
      { value: -490 },
      { value: 315 },
    ]);
    expect(buckets.map((bucket: { again?: object }) => bucket.again)).toEqual([undefined, undefined, { value: 805 }]);
  });

  it("counts by a unit of the x-axis", async () => {
    const buckets = await months({ change: { derivative: { buckets_path: "sales", unit: "day" } } });
    expect(buckets[1].change).toEqual({ value: -490, normalized_value: -15.806451612903226 });
    expect(buckets[2].change).toEqual({ value: 315, normalized_value: 11.25 });
  });

  it("stands in histograms without gaps only", async () => {
    const change = { derivative: { buckets_path: "sales" } };
    expect((await months({ change }, { min_doc_count: 1 })).reason).toBe(
      "Validation Failed: 1: parent histogram of derivative aggregation [change] must have min_doc_count of 0;",
    );
  });
});

describe("bucket_sort", () => {
  const keys = (buckets: { key_as_string: string }[]) => buckets.map(({ key_as_string }) => key_as_string);

  it("sorts and cuts the buckets around it", async () => {
    const top = { bucket_sort: { sort: [{ sales: { order: "desc" } }], size: 2 } };
    expect(keys(await months({ top }))).toEqual(["2015-01", "2015-03"]);
    expect(keys(await months({ top: { bucket_sort: { sort: ["_count", { _key: "desc" }] } } }))).toEqual([
      "2015-02",
      "2015-03",
      "2015-01",
    ]);
  });

  it("cuts without sorting", async () => {
    expect(keys(await months({ top: { bucket_sort: { from: 1, size: 1 } } }))).toEqual(["2015-02"]);
    expect(keys(await months({ top: { bucket_sort: { from: 3 } } }))).toEqual([]);
  });

  it("says when it would do nothing", async () => {
    expect((await months({ top: { bucket_sort: {} } })).reason).toContain("is configured to perform nothing");
  });
});
