/** Types of Elasticsearch's modules, which the recorded node lacks: expected values follow ScaledFloatFieldMapper and WildcardFieldMapper. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { errorOf, mappingOf, parseDoc, printed } from "./support.ts";

const headers = { "content-type": "application/json" };

describe("scaled_float and wildcard in searches", () => {
  let engine: Engine;
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await engine.request(
      body === undefined ? { method, path } : { method, path, headers, body: JSON.stringify(body) },
    );
    return JSON.parse(answer.body) as { hits?: { hits: { _id: string; _score: number }[] } };
  };
  const hits = async (query: unknown) => {
    const { hits } = await send("POST", "/m/_search", { query });
    return Object.fromEntries((hits?.hits ?? []).map(({ _id, _score }) => [_id, _score]));
  };
  beforeAll(async () => {
    engine = await openEngine();
    await send("PUT", "/m", {
      mappings: {
        properties: { price: { type: "scaled_float", scaling_factor: 100 }, w: { type: "wildcard", ignore_above: 5 } },
      },
    });
    await send("PUT", "/m/_doc/1", { price: 1.005, w: "abc" });
    await send("PUT", "/m/_doc/2", { price: "2.5", w: ["abc", "xyz"] });
    await send("PUT", "/m/_doc/3", { price: [-1.006, ""], w: "too long" });
    await send("POST", "/m/_refresh");
  });
  afterAll(() => engine.close());

  it("finds the rounded value", async () => {
    // 1.005 × 100 is 100.49999999999999 as a double.
    expect(await hits({ term: { price: 1 } })).toEqual({ 1: 1 });
    expect(await hits({ term: { price: 1.004 } })).toEqual({ 1: 1 });
    expect(await hits({ term: { price: -1.01 } })).toEqual({ 3: 1 });
    expect(await hits({ terms: { price: [1, 2.5] } })).toEqual({ 1: 1, 2: 1 });
  });
  it("rounds bounds into the range", async () => {
    expect(await hits({ range: { price: { gt: 1 } } })).toEqual({ 2: 1 });
    expect(await hits({ range: { price: { gte: 1 } } })).toEqual({ 1: 1, 2: 1 });
    expect(await hits({ range: { price: { gt: 0.999 } } })).toEqual({ 1: 1, 2: 1 });
    expect(await hits({ range: { price: { lt: 1.001 } } })).toEqual({ 1: 1, 3: 1 });
    expect(await hits({ range: { price: { lt: 1 } } })).toEqual({ 3: 1 });
  });
  it("finds whole values of a wildcard field, each worth the same", async () => {
    expect(await hits({ term: { w: "abc" } })).toEqual({ 1: 1, 2: 1 });
    expect(await hits({ terms: { w: ["xyz", "no"] } })).toEqual({ 2: 1 });
    expect(await hits({ range: { w: { gt: "abc" } } })).toEqual({ 2: 1 });
    expect(await hits({ exists: { field: "w" } })).toEqual({ 1: 1, 2: 1 });
    expect(await hits({ term: { w: { value: "ABC", case_insensitive: true } } })).toEqual({ 1: 1, 2: 1 });
  });
});

describe("scaled_float", () => {
  const price = (parameters: object) => ({ properties: { price: { type: "scaled_float", ...parameters } } });
  it("prints its parameters", () => {
    const mapping = mappingOf(price({ scaling_factor: 100, null_value: 1 }));
    expect(printed(mapping)).toEqual({
      properties: { price: { type: "scaled_float", scaling_factor: 100.0, null_value: 1.0 } },
    });
  });
  it("asks for a factor that is a positive number", () => {
    expect(errorOf(() => mappingOf(price({})))?.message).toContain("misses required parameter [scaling_factor]");
    expect(errorOf(() => mappingOf(price({ scaling_factor: -1 })))?.message).toContain(
      "[scaling_factor] must be a positive number, got [-1.0]",
    );
  });
  it("refuses what is no finite number", () => {
    const mapping = mappingOf(price({ scaling_factor: 10 }));
    for (const value of ["NaN", "Infinity", "x", true, { a: 1 }]) {
      expect(errorOf(() => parseDoc(mapping, { price: value }))?.type).toBe("document_parsing_exception");
    }
    const lenient = mappingOf(price({ scaling_factor: 10, ignore_malformed: true }));
    expect(errorOf(() => parseDoc(lenient, { price: "x" }))).toBeUndefined();
  });
});
