import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRest, type TestRest } from "./rest-helper.ts";

let rest: TestRest;
beforeEach(async () => {
  rest = await openRest();
  const settings = { number_of_replicas: 0 };
  const properties = {
    t: { type: "text" },
    n: { type: "integer" },
    ne: { type: "nested", properties: { k: { type: "keyword" } } },
  };
  await rest("PUT", "/a", {
    settings,
    mappings: { properties },
    aliases: { small: { filter: { range: { n: { lt: 2 } } } }, both: {} },
  });
  await rest("PUT", "/b", { settings, mappings: { properties: { t: { type: "text" } } }, aliases: { both: {} } });
  await rest("POST", "/_bulk?refresh=true", [
    { index: { _index: "a", _id: "1" } },
    { t: "quick brown fox", n: 1, ne: [{ k: "x" }, { k: "y" }] },
    { index: { _index: "a", _id: "2" } },
    { t: "quick fox fox", n: 2 },
    { index: { _index: "b", _id: "3" } },
    { t: "lazy fox" },
  ]);
});
afterEach(() => rest.close());

const ids = async (target: string, body?: unknown) => {
  const { body: answer } = await rest("POST", target, body);
  return answer.hits.hits.map((hit: { _id: string }) => hit._id);
};
const query = (inner: unknown) => ({ query: inner });

describe("searches", () => {
  it("answer in Elasticsearch's shape", async () => {
    const { status, body } = await rest("GET", "/a/_search?size=1&_source=n", query({ match: { t: "fox" } }));
    expect(status).toBe(200);
    expect(body).toEqual({
      took: expect.any(Number),
      timed_out: false,
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      hits: {
        total: { value: 2, relation: "eq" },
        max_score: expect.any(Number),
        hits: [{ _index: "a", _id: "2", _score: body.hits.max_score, _source: { n: 2 } }],
      },
    });
  });

  it("have no best score without hits to return", async () => {
    expect((await rest("POST", "/a/_search", { size: 0 })).body.hits).toMatchObject({ max_score: null, hits: [] });
    expect((await rest("POST", "/a/_search", { size: 0, from: 3 })).body.hits.max_score).toBeNull();
  });

  it("go over several indices, patterns and aliases", async () => {
    expect((await ids("/_search")).sort()).toEqual(["1", "2", "3"]);
    expect((await ids("/both/_search")).sort()).toEqual(["1", "2", "3"]);
    expect(await ids("/a,b/_search", query({ match: { t: "lazy" } }))).toEqual(["3"]);
    expect(await ids("/zz*/_search")).toEqual([]);
  });

  it("keep to an alias's filter, but not when the index is named too", async () => {
    expect(await ids("/small/_search")).toEqual(["1"]);
    expect((await ids("/small,a/_search")).sort()).toEqual(["1", "2"]);
    expect((await rest("GET", "/small/_count")).body.count).toBe(1);
    expect((await rest("GET", "/_cat/count/a?h=count")).text).toBe("2\n");
  });

  it("see a document after a refresh", async () => {
    await rest("PUT", "/a/_doc/9", { t: "late" });
    expect(await ids("/a/_search", query({ match: { t: "late" } }))).toEqual([]);
    await rest("POST", "/a/_refresh");
    expect(await ids("/a/_search", query({ match: { t: "late" } }))).toEqual(["9"]);
  });

  it("name the shard that fails, and answer for the others", async () => {
    const bad = query({ bool: { must: [{ match: { t: "fox" } }], must_not: [{ range: { n: { gte: "x" } } }] } });
    const alone = await rest("POST", "/a/_search", bad);
    expect(alone.status).toBe(400);
    expect(alone.body.error).toMatchObject({
      type: "search_phase_execution_exception",
      reason: "all shards failed",
      phase: "query",
      grouped: true,
      root_cause: [
        { type: "query_shard_exception", reason: 'failed to create query: For input string: "x"', index: "a" },
      ],
      failed_shards: [{ shard: 0, index: "a", reason: { caused_by: { type: "number_format_exception" } } }],
    });
    const together = await rest("POST", "/a,b/_search", bad);
    expect(together).toMatchObject({ status: 200, body: { _shards: { total: 2, successful: 1, failed: 1 } } });
    expect(together.body._shards.failures[0]).toMatchObject({ index: "a", reason: { type: "query_shard_exception" } });
  });

  it("find nested documents by the id of their root", async () => {
    expect(await ids("/a/_search", query({ nested: { path: "ne", query: { ids: { values: ["1"] } } } }))).toEqual([
      "1",
    ]);
    expect(await ids("/a/_search", query({ nested: { path: "ne", query: { term: { _id: "1" } } } }))).toEqual(["1"]);
    expect(await ids("/a/_search", query({ ids: { values: ["1"] } }))).toEqual(["1"]);
  });
});

// Expected outcomes: Elasticsearch 8.17.4.
describe("a mistake beside a clause that matches nothing", () => {
  const mistake = { term: { n: "x" } };
  it.each([
    { match_none: {} },
    { term: { zz: 1 } },
    { terms: { n: [] } },
    { range: { zz: { gte: 1 } } },
    { exists: { field: "zz" } },
    { ids: {} },
    { term: { _index: "other" } },
    { constant_score: { filter: { term: { zz: 1 } } } },
    { boosting: { positive: { match_none: {} }, negative: mistake, negative_boost: 0.5 } },
    { bool: { should: [{ match_none: {} }] } },
    { bool: { must_not: [{ match_all: {} }] } },
  ])("is not found beside %j", async (none) => {
    expect((await rest("POST", "/a/_search", query({ bool: { must: [mistake, none] } }))).body.hits.total.value).toBe(
      0,
    );
  });

  it.each([
    { bool: { must: [mistake, { match: { zz: "a" } }] } },
    { bool: { must: [mistake, { nested: { path: "ne", query: { match_none: {} } } }] } },
    { bool: { must: [mistake, { dis_max: { queries: [{ match_none: {} }] } }] } },
    { bool: { should: [{ match_none: {} }], must_not: [mistake] } },
    { bool: { should: [{ match_none: {} }, mistake] } },
  ])("is found in %j", async (inner) => {
    expect((await rest("POST", "/a/_search", query(inner))).body.error.root_cause[0].type).toBe(
      "query_shard_exception",
    );
  });
});

describe("match under an analyzer of its own", () => {
  it("asks a field without analysis for each of the terms", async () => {
    await rest("PUT", "/c", { mappings: { properties: { k: { type: "keyword" }, n: { type: "integer" } } } });
    await rest("PUT", "/c/_doc/1?refresh=true", { k: "red car", n: 7 });
    const matches = (match: unknown) => ids("/c/_search", query({ match }));
    expect(await matches({ k: { query: "red car" } })).toEqual(["1"]);
    expect(await matches({ k: { query: "red car", analyzer: "whitespace" } })).toEqual([]);
    expect(await matches({ n: { query: "5 7", analyzer: "whitespace" } })).toEqual(["1"]);
    expect(await matches({ n: { query: "5 7", analyzer: "whitespace", operator: "and" } })).toEqual([]);
  });
});

describe("counts", () => {
  it("count what matches", async () => {
    expect((await rest("GET", "/_count")).body).toEqual({
      count: 3,
      _shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
    });
    expect((await rest("POST", "/a/_count", query({ match: { t: "brown" } }))).body.count).toBe(1);
  });

  it.each([
    [{ size: 1 }, "parsing_exception", "request does not support [size]"],
    [query({}), "parsing_exception", "Failed to parse"],
    [query({ bool: { shall: [] } }), "parsing_exception", "Failed to parse"],
    [query({ matches: {} }), "parsing_exception", "unknown query [matches] did you mean any of [match, match_all]?"],
    [[], "parsing_exception", undefined],
  ])("of %j fail", async (body, type, reason) => {
    const answer = await rest("POST", "/a/_count", JSON.stringify(body));
    expect(answer.body.error.type).toBe(type);
    if (reason !== undefined) expect(answer.body.error.reason).toBe(reason);
  });
});

describe("a query in the URL", () => {
  it("says what is deleted, whatever the body asks for", async () => {
    const all = { query: { match_all: {} } };
    expect((await rest("POST", "/a/_delete_by_query?q=brown&df=t&refresh=true", all)).body).toMatchObject({
      deleted: 1,
    });
    expect((await ids("/_search")).sort()).toEqual(["2", "3"]);
    expect(
      (await rest("POST", "/a/_delete_by_query?q=quick+red&default_operator=AND&refresh=true")).body,
    ).toMatchObject({
      deleted: 0,
    });
  });

  it("is missing where only its options are given", async () => {
    const { status, body } = await rest("POST", "/a/_delete_by_query?df=t", { query: { match_all: {} } });
    expect(status).toBe(400);
    expect(body.error.reason).toBe(
      "request [/a/_delete_by_query] contains parameters [df] but missing query string parameter 'q'.",
    );
    expect((await ids("/a/_search")).sort()).toEqual(["1", "2"]);
  });
});
