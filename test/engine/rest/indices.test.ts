import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRest, type TestRest } from "./rest-helper.ts";

let rest: TestRest;
beforeEach(async () => {
  rest = await openRest();
});
afterEach(() => rest.close());

describe("indices", () => {
  it("are created, shown and deleted", async () => {
    const mappings = { properties: { t: { type: "text" } } };
    expect(
      await rest("PUT", "/books", { mappings, settings: { number_of_replicas: 0 }, aliases: { shelf: {} } }),
    ).toMatchObject({
      status: 200,
      body: { acknowledged: true, shards_acknowledged: true, index: "books" },
    });
    expect((await rest("GET", "/books")).body).toMatchObject({
      books: {
        aliases: { shelf: {} },
        mappings,
        settings: { index: { number_of_shards: "1", number_of_replicas: "0", provided_name: "books" } },
      },
    });
    expect((await rest("HEAD", "/books")).status).toBe(200);
    expect((await rest("DELETE", "/books")).body).toEqual({ acknowledged: true });
    expect((await rest("HEAD", "/books")).status).toBe(404);
  });

  it("are created once", async () => {
    await rest("PUT", "/books");
    const { status, body } = await rest("PUT", "/books");
    expect([status, body.error.type]).toEqual([400, "resource_already_exists_exception"]);
    expect(body.error.reason).toMatch(/^index \[books\/[\w-]{22}\] already exists$/);
  });

  it.each([
    ["/Upper", {}, "invalid_index_name_exception"],
    ["/-x", {}, "invalid_index_name_exception"],
    ["/a%20b", {}, "invalid_index_name_exception"],
    ["/..", {}, "invalid_index_name_exception"],
    ["/%2e%2e%2fetc", {}, "invalid_index_name_exception"],
    [`/${"x".repeat(300)}`, {}, "invalid_index_name_exception"],
    ["/x", { mapings: {} }, "parse_exception"],
    ["/x", { settings: 1 }, "parse_exception"],
    ["/x", { mappings: { _doc: {} } }, "illegal_argument_exception"],
    ["/x", { aliases: { "a*": {} } }, "invalid_alias_name_exception"],
    ["/x", "[]", "not_x_content_exception"],
    ["/x", '{"a', "x_content_parse_exception"],
  ])("PUT %s %j fails", async (target, body, type) => {
    const answer = await rest("PUT", target, body);
    expect(answer.body.error.type).toBe(type);
    expect(answer.status).toBe(type === "not_x_content_exception" ? 500 : 400);
  });

  it("show settings by name and flat", async () => {
    await rest("PUT", "/a", { settings: { number_of_replicas: 0 } });
    expect((await rest("GET", "/a/_settings/index.number_of_*")).body).toEqual({
      a: { settings: { index: { number_of_shards: "1", number_of_replicas: "0" } } },
    });
    expect((await rest("GET", "/a/_settings?flat_settings=true")).body.a.settings["index.number_of_shards"]).toBe("1");
  });

  it("take new fields and show each field's mapping", async () => {
    await rest("PUT", "/a");
    expect(
      (await rest("PUT", "/a/_mapping", { properties: { o: { properties: { k: { type: "keyword" } } } } })).body,
    ).toEqual({ acknowledged: true });
    expect((await rest("GET", "/a/_mapping/field/o.*,zz")).body).toEqual({
      a: { mappings: { "o.k": { full_name: "o.k", mapping: { k: { type: "keyword" } } } } },
    });
    expect((await rest("PUT", "/a/_mapping")).body.error.reason).toBe("request body is required");
    expect((await rest("PUT", "/none/_mapping", {})).status).toBe(404);
  });
});

describe("index expressions", () => {
  beforeEach(async () => {
    for (const name of ["a1", "a2", "b1"])
      await rest("PUT", `/${name}`, {
        settings: { number_of_replicas: 0 },
        aliases: name === "b1" ? { shelf: {} } : {},
      });
    await rest("PUT", "/hidden", { settings: { hidden: true } });
  });
  const seen = async (expression: string) => {
    const { body } = await rest(
      "GET",
      `/${expression.replace("?", "/_settings?")}${expression.includes("?") ? "" : "/_settings"}`,
    );
    return body.error ? body.error.reason : Object.keys(body).join(" ");
  };

  it.each([
    ["a1", "a1"],
    ["a1,b1", "a1 b1"],
    ["b1,a1,a*", "a1 a2 b1"],
    ["a*", "a1 a2"],
    ["*", "a1 a2 b1"],
    ["_all", "a1 a2 b1"],
    ["*?expand_wildcards=all", "a1 a2 b1 hidden"],
    ["*?expand_wildcards=none", ""],
    ["hidden", "hidden"],
    ["*,-a*", "b1"],
    ["a*,-a2", "a1"],
    ["shelf", "b1"],
    ["she*", "b1"],
    ["zz*", ""],
    ["zz*?allow_no_indices=false", "no such index [zz*]"],
    ["a1,zz", "no such index [zz]"],
    ["a1,zz?ignore_unavailable=true", "a1"],
    [
      "a1,-a2",
      "no such index [-a2] and if you intended to exclude this index, ensure that you use wildcards that include it before explicitly excluding it",
    ],
    ["*?expand_wildcards=shut", "No valid expand wildcard value [shut]"],
    ["a1?ignore_unavailable=maybe", "Could not convert [ignore_unavailable] to boolean"],
    ["_nothing", "Invalid index name [_nothing], must not start with '_'."],
    ["far:a1", "no such remote cluster: [far]"],
  ])("%s: %s", async (expression, expected) => expect(await seen(expression)).toBe(expected));

  it("delete no index by an alias", async () => {
    expect((await rest("DELETE", "/shelf")).body.error.reason).toBe(
      "The provided expression [shelf] matches an alias, specify the corresponding concrete indices instead.",
    );
    expect((await rest("DELETE", "/zz*")).body).toEqual({ acknowledged: true });
    expect((await rest("DELETE", "/zz")).status).toBe(404);
  });

  it("write through an alias with one index", async () => {
    expect((await rest("PUT", "/shelf/_doc/1?require_alias=true", {})).body._index).toBe("b1");
    expect((await rest("GET", "/shelf/_doc/1")).body).toMatchObject({ _index: "b1", found: true });
  });
});

describe("aliases", () => {
  beforeEach(async () => {
    await rest("PUT", "/a", { aliases: { one: {}, two: { filter: { term: { n: 1 } }, routing: "5" } } });
    await rest("PUT", "/b");
  });

  it("are shown by index and by name", async () => {
    expect((await rest("GET", "/_alias/one")).body).toEqual({ a: { aliases: { one: {} } } });
    expect((await rest("GET", "/_alias")).body).toMatchObject({ a: { aliases: {} }, b: { aliases: {} } });
    expect((await rest("GET", "/a/_alias/t*")).body.a.aliases.two).toEqual({
      filter: { term: { n: 1 } },
      index_routing: "5",
      search_routing: "5",
    });
    expect((await rest("HEAD", "/_alias/one")).status).toBe(200);
  });

  it("that are missing are named", async () => {
    expect(await rest("GET", "/_alias/zz")).toMatchObject({
      status: 404,
      body: { error: "alias [zz] missing", status: 404 },
    });
    expect(await rest("GET", "/_alias/one,zz")).toMatchObject({ status: 404, body: { a: { aliases: { one: {} } } } });
    expect((await rest("GET", "/_alias/zz*")).body).toEqual({});
  });
});

describe("what a cluster of one says", () => {
  it("is what the official clients look for", async () => {
    const { body, headers } = await rest("GET", "/");
    expect(body).toMatchObject({
      name: "huiliu",
      tagline: "You Know, for Search",
      version: { number: "8.17.4", build_flavor: "default" },
    });
    expect(headers["x-elastic-product"]).toBe("Elasticsearch");
  });

  it("is yellow with replicas, green without", async () => {
    await rest("PUT", "/a", { settings: { number_of_replicas: 0 } });
    expect((await rest("GET", "/_cluster/health")).body).toMatchObject({ status: "green", active_shards: 1 });
    await rest("PUT", "/b");
    expect((await rest("GET", "/_cluster/health")).body).toMatchObject({ status: "yellow", unassigned_shards: 1 });
    expect(await rest("GET", "/_cluster/health/b?wait_for_status=green&timeout=1s")).toMatchObject({
      status: 408,
      body: { timed_out: true },
    });
    expect((await rest("GET", "/_cluster/health/a?level=indices")).body.indices.a.status).toBe("green");
  });

  it("comes as tables", async () => {
    await rest("PUT", "/a", { settings: { number_of_replicas: 0 } });
    await rest("PUT", "/bbb");
    expect((await rest("GET", "/_cat/indices?h=index,rep&v&s=index:desc")).text).toBe(
      "index rep\nbbb     1\na       0\n",
    );
    expect((await rest("GET", "/_cat/indices/a?h=health,index&format=json")).body).toEqual([
      { health: "green", index: "a" },
    ]);
    expect((await rest("GET", "/_cat/health")).text).toMatch(
      /^\d+ \d\d:\d\d:\d\d huiliu yellow 1 1 2 2 0 0 1 0 0 - 66\.7%\n$/,
    );
    expect((await rest("GET", "/_cat/indices?s=zz")).body.error.reason).toBe("Unable to sort by unknown sort key `zz`");
  });
});

describe("paths and methods", () => {
  it.each([
    ["DELETE", "/a/_search", "Incorrect HTTP method for uri [/a/_search] and method [DELETE], allowed: [GET, POST]"],
    ["PUT", "/a/_doc", "Incorrect HTTP method for uri [/a/_doc] and method [PUT], allowed: [POST]"],
    ["GET", "/a/_update/1", "Incorrect HTTP method for uri [/a/_update/1] and method [GET], allowed: [POST]"],
    ["POST", "/a", "Incorrect HTTP method for uri [/a] and method [POST], allowed: [GET, PUT, DELETE, HEAD]"],
    ["DELETE", "/_bulk", "Incorrect HTTP method for uri [/_bulk] and method [DELETE], allowed: [POST, PUT]"],
  ])("%s %s is the wrong method", async (method, target, error) => {
    expect(await rest(method, target)).toMatchObject({ status: 405, body: { error, status: 405 } });
  });

  it.each([
    ["POST", "/a/_serch"],
    ["PUT", "/a/thing/1"],
    ["GET", "/a/b/c/d"],
    ["GET", "//a/_count"],
  ])("%s %s has no handler", async (method, target) => {
    expect(await rest(method, target)).toMatchObject({
      status: 400,
      body: { error: `no handler found for uri [${target}] and method [${method}]` },
    });
  });

  it.each([
    ["POST", "/_mtermvectors", "_mtermvectors"],
    ["POST", "/a/_shrink/b", "_shrink"],
    ["POST", "/_reindex", "_reindex"],
    ["GET", "/_cat/shards/a", "_cat/shards"],
    ["GET", "/_cluster/settings", "_cluster"],
    ["PUT", "/_index_template/x", "_index_template"],
  ])("%s %s is refused by its name", async (method, target, name) => {
    expect((await rest(method, target)).body.error).toMatchObject({
      type: "unsupported_feature_exception",
      reason: `[${name}] is not supported by the embedded engine`,
    });
  });

  it("refuse a body where none is read", async () => {
    await rest("PUT", "/a");
    expect((await rest("POST", "/a/_refresh", {})).body.error.reason).toBe(
      "request [POST /a/_refresh] does not support having a body",
    );
  });

  it("print errors indented, with a trace on request", async () => {
    const { text, body } = await rest("GET", "/none?pretty&error_trace=true");
    expect(text).toContain('\n  "error" : {\n    "root_cause" : [\n');
    expect(body.error.stack_trace).toContain("no such index [none]");
  });
});
