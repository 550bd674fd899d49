import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { ROUTES } from "../../src/engine/rest/routes.ts";
import { mayDo } from "../../src/server/access/caller.ts";
import { createKey } from "../../src/server/access/keys.ts";
import { ROUTE_NEEDS } from "../../src/server/access/rules.ts";
import { type Serving, serve } from "../../src/server/serve.ts";

/**
 * Two servers: one with the documents of two tenants, one with those of the first alone. Its key must not tell them apart, whatever it asks.
 * Documents of the second are written last, so that those of the first are the same in both, sequence numbers included.
 */
interface Place {
  folder: string;
  engine: Engine;
  server: Serving;
  admin: string;
  tenant: string;
}

const MARK = "zebrasecret";
const FILTER = { term: { tenant: "a" } };

const document = (tenant: string, i: number) => ({
  tenant,
  title: tenant === "a" ? `common words ${i}` : `common ${MARK} words ${i}`,
  tag: tenant === "a" ? `tag${i % 3}` : `${MARK}${i % 3}`,
  n: tenant === "a" ? i : 987_654_321 + i,
  when: tenant === "a" ? `2024-01-0${1 + (i % 9)}` : "1999-12-31",
  ip: tenant === "a" ? `10.0.0.${i}` : "192.168.77.77",
  at: tenant === "a" ? { lat: 1, lon: i } : { lat: 60, lon: 60 },
  vector: tenant === "a" ? [1, i / 10] : [0.9, 0.9],
  parts: [
    { text: tenant === "a" ? `part ${i}` : `part ${MARK}`, size: i },
    { text: "part", size: 1 },
  ],
});

const mappings = {
  properties: {
    tenant: { type: "keyword" },
    title: { type: "text" },
    tag: { type: "keyword" },
    n: { type: "long" },
    when: { type: "date" },
    ip: { type: "ip" },
    at: { type: "geo_point" },
    vector: { type: "dense_vector", dims: 2, similarity: "l2_norm", index_options: { type: "hnsw" } },
    parts: { type: "nested", properties: { text: { type: "text" }, size: { type: "integer" } } },
  },
};

async function open(tenants: string[]): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "huiliu-tenant-"));
  const admin = createKey(folder, { name: "admin", role: "admin" }).encoded;
  const tenant = createKey(folder, { name: "a", role: "read", filter: FILTER }).encoded;
  const engine = await openEngine({ data: folder });
  const client = engine.client();
  await client.indices.create({ index: "docs", mappings: mappings as never, aliases: { all: {} } });
  for (const each of tenants) {
    // Several segments, some documents deleted.
    for (const round of [0, 1]) {
      const operations = Array.from({ length: 12 }, (_, i) => [
        { index: { _id: `${each}${round * 12 + i}` } },
        document(each, round * 12 + i),
      ]).flat();
      await client.bulk({ index: "docs", operations, refresh: true });
    }
    await client.delete({ index: "docs", id: `${each}3`, refresh: true });
  }
  const server = await serve({
    engine,
    port: 0,
    collection: "notes",
    openCollection: (name, on, { write = false, create = false }) =>
      openCollection(name, { elasticsearch: on, readOnly: !write, create }),
  });
  const call = caller({ server, admin } as Place, "admin");
  await call("PUT", "/_huiliu/collections/notes", {});
  const texts = tenants.map((each) => ({
    id: `${each}.md`,
    text: each === "a" ? "Annual leave is ten days." : `Annual leave: ${MARK}.`,
    metadata: { tenant: each },
  }));
  for (const each of texts) {
    await call("POST", "/_huiliu/collections/notes/documents", { documents: [each] });
    for (;;) {
      const { text } = await call("GET", "/_huiliu/jobs");
      if (!/"(?:waiting|running)"/.test(text)) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return { folder, engine, server, admin, tenant };
}

async function close({ engine, server, folder }: Place) {
  await server.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}

const caller =
  (place: Place, as: "admin" | "tenant" | string) =>
  async (method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> => {
    const key = as === "admin" ? place.admin : as === "tenant" ? place.tenant : as;
    const lines = Array.isArray(body);
    const response = await fetch(`${place.server.url}${path}`, {
      method,
      headers: {
        authorization: `ApiKey ${key}`,
        ...(body === undefined ? {} : { "content-type": lines ? "application/x-ndjson" : "application/json" }),
      },
      ...(body === undefined
        ? {}
        : { body: lines ? body.map((line) => `${JSON.stringify(line)}\n`).join("") : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };

/** Without what is chance: times, and ids of contexts and indices. */
const plain = (text: string) =>
  text
    .replaceAll(/"took":\d+/g, '"took":0')
    .replaceAll(/"(_scroll_id|pit_id|id|index_uuid|uuid|_na_)":"[A-Za-z0-9_=-]{20,}"/g, '"$1":"?"')
    .replaceAll(/\d{10} \d\d:\d\d:\d\d/g, "?")
    .replaceAll(/\([A-Za-z0-9_-]{16}, read\)/g, "(?, read)");

/** Scores follow the words of all documents, which docs/server.md says: here nothing scores. */
const constant = (query: object) => ({ constant_score: { filter: query } });
const everything = { size: 100, sort: ["n"], track_total_hits: true };

const SEARCHES: Record<string, object> = {
  "all documents": { ...everything, query: { match_all: {} } },
  "counted only": { size: 0, track_total_hits: true },
  "a word of the others": { query: constant({ match: { title: MARK } }) },
  "a word of both": { query: constant({ match: { title: "common" } }), highlight: { fields: { "*": {} } } },
  "the others by id": { query: { ids: { values: ["b1", "a1"] } } },
  wildcards: { query: { wildcard: { tag: "*" } }, fields: ["*"], docvalue_fields: ["tag", "n"], sort: ["n"] },
  "query strings": { query: constant({ query_string: { query: "*:* AND NOT tenant:a" } }) },
  "more like one of the others": {
    query: constant({
      more_like_this: { fields: ["title"], like: [{ _index: "docs", _id: "b1" }], min_term_freq: 1, min_doc_freq: 1 },
    }),
  },
  "terms that one of the others has": { query: { terms: { tag: { index: "docs", id: "b1", path: "tag" } } } },
  "nested documents": {
    query: { nested: { path: "parts", query: constant({ match: { "parts.text": "part" } }), inner_hits: {} } },
    sort: ["n"],
  },
  "nearest vectors": { knn: { field: "vector", query_vector: [0.9, 0.9], k: 5, num_candidates: 50 }, _source: true },
  "nearest vectors among the others": {
    knn: { field: "vector", query_vector: [0.9, 0.9], k: 5, num_candidates: 50, filter: { term: { tenant: "b" } } },
  },
  "a vector query": { query: { knn: { field: "vector", query_vector: [0.9, 0.9], num_candidates: 50 } } },
  "a retriever": { retriever: { standard: { query: constant({ match_all: {} }) } } },
  "retrievers fused": {
    retriever: {
      rrf: {
        retrievers: [
          { standard: { query: constant({ match: { title: "common" } }) } },
          { knn: { field: "vector", query_vector: [0.9, 0.9], k: 5, num_candidates: 50 } },
        ],
      },
    },
  },
  "a second pass": {
    query: constant({ match_all: {} }),
    rescore: { window_size: 50, query: { rescore_query: constant({ match: { title: MARK } }) } },
  },
  collapsed: {
    query: constant({ match_all: {} }),
    collapse: { field: "tenant", inner_hits: { name: "all", size: 50 } },
  },
  "sorted from the top": { sort: [{ n: "desc" }], size: 3 },
  "sorted by distance": { sort: [{ _geo_distance: { at: [60, 60], order: "asc" } }], size: 3 },
  "after the last of its own": { sort: [{ n: "asc" }], search_after: [23] },
  "filtered afterwards": { post_filter: { term: { tenant: "b" } }, aggs: { t: { terms: { field: "tenant" } } } },
  "a function of the score": {
    query: { function_score: { query: constant({ match_all: {} }), field_value_factor: { field: "n" } } },
  },
  "of all indices": { size: 0, indices_boost: [{ docs: 2 }], query: { match_all: {} } },
};

const AGGREGATIONS: Record<string, object> = {
  terms: { terms: { field: "tag" } },
  "terms of numbers": { terms: { field: "n", size: 50 } },
  "rare terms": { rare_terms: { field: "tag", max_doc_count: 50 } },
  "multi terms": { multi_terms: { terms: [{ field: "tag" }, { field: "tenant" }] } },
  cardinality: { cardinality: { field: "tag" } },
  global: { global: {}, aggs: { t: { terms: { field: "tag" } }, top: { top_hits: { size: 50, sort: ["n"] } } } },
  filter: { filter: { term: { tenant: "b" } }, aggs: { n: { max: { field: "n" } } } },
  filters: { filters: { other_bucket: true, filters: { b: { term: { tenant: "b" } } } } },
  min: { min: { field: "when" } },
  max: { max: { field: "n" } },
  sum: { sum: { field: "n" } },
  stats: { extended_stats: { field: "n" } },
  percentiles: { percentiles: { field: "n" } },
  ranks: { percentile_ranks: { field: "n", values: [987_654_321] } },
  deviation: { median_absolute_deviation: { field: "n" } },
  weighted: { weighted_avg: { value: { field: "n" }, weight: { field: "n" } } },
  values: { value_count: { field: "tag" } },
  histogram: { histogram: { field: "n", interval: 1, min_doc_count: 1 } },
  days: { date_histogram: { field: "when", calendar_interval: "day" } },
  "days by themselves": { auto_date_histogram: { field: "when", buckets: 5 } },
  clusters: { variable_width_histogram: { field: "n", buckets: 3 } },
  ranges: { range: { field: "n", ranges: [{ from: 0 }] } },
  addresses: { ip_range: { field: "ip", ranges: [{ mask: "0.0.0.0/0" }] } },
  missing: { missing: { field: "nothing" } },
  composite: {
    composite: { size: 100, sources: [{ t: { terms: { field: "tag" } } }, { n: { terms: { field: "n" } } }] },
  },
  nested: {
    nested: { path: "parts" },
    aggs: {
      s: { sum: { field: "parts.size" } },
      back: { reverse_nested: {}, aggs: { t: { terms: { field: "tag" } } } },
    },
  },
  sampled: { sampler: { shard_size: 100 }, aggs: { t: { terms: { field: "tag" } } } },
  best: { terms: { field: "tenant" }, aggs: { n: { max: { field: "n" } }, top: { top_hits: { size: 1 } } } },
};

/** What a filter cannot hold back. */
const REFUSED: Record<string, object> = {
  "an error that names a word": { query: { span_multi: { match: { prefix: { tag: "zebra" } } } } },
  "an error that names a value": {
    query: { bool: { filter: { function_score: { field_value_factor: { field: "n", factor: -1 }, min_score: 1 } } } },
  },
  "the first of all words": { query: { prefix: { tag: { value: "z", rewrite: "top_terms_1" } } } },
  "the nearest of all words": { aggs: { f: { filter: { fuzzy: { tag: { value: "zebra", max_expansions: 1 } } } } } },
  "what is wrapped up": { query: { wrapper: { query: "eyJtYXRjaF9hbGwiOnt9fQ==" } } },
  suggestions: { suggest: { s: { text: "zebrasecre", term: { field: "title" } } } },
  profiles: { profile: true },
  "runtime fields": { runtime_mappings: { x: { type: "keyword" } } },
  "statistics by name": { stats: ["x"] },
  "significant terms": { aggs: { s: { significant_terms: { field: "tag" } } } },
  "significant words": { aggs: { s: { global: {}, aggs: { t: { significant_text: { field: "title" } } } } } },
  "terms that none of its documents has": { aggs: { t: { terms: { field: "tag", min_doc_count: 0 } } } },
  "the same in text": { aggregations: { t: { terms: { field: "tag", min_doc_count: "0" } } } },
};

/** Whatever a route takes: its variables filled in, with bodies that mean something to some route. */
function probes(method: string, path: string): { path: string; body?: unknown }[] {
  const filled = ["docs", "*", "all", "docs,notes*"].flatMap((index) =>
    ["b1", "a1"].map((id) =>
      path
        .replace("{index}", encodeURIComponent(index))
        .replace("{id}", id)
        .replace(/\{(fields|name|metric|block|scroll_id|type)\}/, "*"),
    ),
  );
  const bodies: unknown[] = [
    undefined,
    { query: { match_all: {} } },
    { ids: ["b1", "a1"] },
    { docs: [{ _index: "docs", _id: "b1" }] },
    { field: "title", text: "words" },
    { doc: { title: "changed" }, doc_as_upsert: true },
    [{ index: "docs" }, { query: { match_all: {} }, sort: ["n"] }],
    [{ index: { _index: "docs", _id: "b1" } }, { tenant: "a" }],
  ];
  return [...new Set(filled)].flatMap((each) =>
    (method === "GET" || method === "HEAD" ? bodies.slice(0, 1) : bodies).map((body) => ({
      path: method === "GET" && path.includes("_search") ? `${each}?q=*:*&sort=n` : each,
      ...(body === undefined ? {} : { body }),
    })),
  );
}

describe("a key with a filter", () => {
  let both: Place;
  let alone: Place;
  beforeAll(async () => {
    [both, alone] = await Promise.all([open(["a", "b"]), open(["a"])]);
  });
  afterAll(async () => {
    await close(both);
    await close(alone);
  });

  /** Asks both servers; gives what they answered alike. */
  async function same(method: string, path: string, body?: unknown) {
    const answers = [];
    for (const place of [both, alone]) {
      const { status, text } = await caller(place, "tenant")(method, path, body);
      answers.push({ status, text: plain(text) });
    }
    expect(answers[0], `${method} ${path} ${JSON.stringify(body)}`).toEqual(answers[1]);
    expect(answers[0]!.text).not.toMatch(/zebrasecret[^"]|9876543|192\.168\.77/);
    return answers[0]!;
  }

  it("is not given what the other tenant has, which others are", async () => {
    const { text } = await caller(both, "admin")("POST", "/docs/_search", SEARCHES["all documents"]);
    expect(text).toContain(MARK);
    expect(JSON.parse(text).hits.total.value).toBe(46);
    const own = await same("POST", "/docs/_search", SEARCHES["all documents"]);
    expect(JSON.parse(own.text).hits.total.value).toBe(23);
  });

  it.each(Object.entries(SEARCHES))("searches its own: %s", async (_, body) => {
    expect((await same("POST", "/docs/_search", body)).status).toBe(200);
    await same("POST", "/_msearch", [{ index: "docs" }, body]);
    await same("POST", "/all/_search", body);
  });

  it.each(Object.entries(AGGREGATIONS))("aggregates its own: %s", async (_, aggregation) => {
    expect((await same("POST", "/docs/_search", { size: 0, aggs: { x: aggregation } })).status).toBe(200);
  });

  it.each(Object.entries(REFUSED))("is refused %s", async (_, body) => {
    expect(await same("POST", "/docs/_search", body)).toMatchObject({ status: 403 });
    expect((await same("POST", "/_msearch", [{ index: "docs" }, body])).status).toBe(403);
  });

  it("is refused the same where a query stands alone", async () => {
    const query = { constant_score: { filter: { span_multi: { match: { prefix: { tag: "zebra" } } } } } };
    for (const path of ["/docs/_count", "/docs/_explain/a1", "/_count"])
      expect((await same("POST", path, { query })).status, path).toBe(403);
    expect((await same("POST", "/docs/_pit?keep_alive=1m", { index_filter: query })).status).toBe(403);
    const retriever = { standard: { query, filter: [query] } };
    expect((await same("POST", "/docs/_search", { retriever })).status).toBe(403);
  });

  it("goes on with its own scrolls and points in time, and with nobody else's", async () => {
    const admin = caller(both, "admin");
    const tenant = caller(both, "tenant");
    const open = JSON.parse((await admin("POST", "/docs/_search?scroll=1m", { size: 1 })).text)._scroll_id;
    expect((await tenant("POST", "/_search/scroll", { scroll_id: open })).status).toBe(404);
    expect((await tenant("DELETE", "/_search/scroll/_all")).status).toBe(200);
    expect((await admin("POST", "/_search/scroll", { scroll_id: open })).status).toBe(200);
    const { id } = JSON.parse((await admin("POST", "/docs/_pit?keep_alive=1m")).text);
    expect((await tenant("POST", "/_search", { pit: { id } })).status).toBe(404);
    const own = JSON.parse((await tenant("POST", "/docs/_search?scroll=1m", { size: 20, sort: ["n"] })).text);
    const rest = JSON.parse((await tenant("POST", "/_search/scroll", { scroll_id: own._scroll_id })).text);
    expect(own.hits.hits.length + rest.hits.hits.length).toBe(23);
    const pit = JSON.parse((await tenant("POST", "/docs/_pit?keep_alive=1m")).text);
    expect(JSON.parse((await tenant("POST", "/_search", { pit: { id: pit.id } })).text).hits.total.value).toBe(23);
  });

  it("sees a document when the filter matches it after a refresh, and no more when it does not", async () => {
    const admin = caller(both, "admin");
    const tenant = caller(both, "tenant");
    await admin("PUT", "/docs/_doc/moving?refresh=true", { tenant: "a", n: 50 });
    expect((await tenant("GET", "/docs/_doc/moving")).status).toBe(200);
    await admin("PUT", "/docs/_doc/moving", { tenant: "b", n: 50 });
    expect((await tenant("GET", "/docs/_doc/moving")).text).not.toContain('"tenant":"b"');
    await admin("POST", "/docs/_refresh");
    expect((await tenant("GET", "/docs/_doc/moving")).status).toBe(404);
    await admin("DELETE", "/docs/_doc/moving?refresh=true");
  });

  it("cannot tell by any of Elasticsearch's routes that there is more, and cannot write", async () => {
    const statuses = new Map<string, Set<number>>();
    for (const [methods, paths] of ROUTES) {
      for (const method of methods.split(" ")) {
        for (const path of paths.split(" ")) {
          const route = `${method} ${path}`;
          const needs = ROUTE_NEEDS.get(route);
          expect(needs, `${route} has no rule in access/rules.ts`).toBeDefined();
          const allowed = mayDo({ role: "read", view: { owner: "a", filter: "{}" }, label: "" }, needs);
          for (const { path: target, body } of probes(method, path)) {
            const { status } = await same(method, target, body);
            statuses.set(route, (statuses.get(route) ?? new Set()).add(status));
            if (!allowed) expect(status, route).toBe(403);
          }
        }
      }
    }
    // The probes reach what is allowed.
    expect([...statuses.get("POST /{index}/_search")!]).toContain(200);
    expect([...statuses.get("GET /{index}/_doc/{id}")!]).toEqual([404, 200]);
    expect([...statuses.get("POST /_mget")!]).toContain(200);
    // Nothing was written.
    expect(JSON.parse((await caller(both, "admin")("GET", "/docs/_count")).text).count).toBe(46);
  });

  it("is refused what Elasticsearch has and the engine has not", async () => {
    for (const path of ["/_sql", "/docs/_termvectors/b1", "/docs/_terms_enum", "/_nodes", "/docs/_disk_usage"])
      for (const method of ["GET", "POST", "PUT", "DELETE"])
        expect([400, 403, 405]).toContain((await same(method, path, method === "GET" ? undefined : {})).status);
  });

  it("finds and asks by the product's routes among its own, and is refused the others", async () => {
    const filtered = createKey(both.folder, {
      name: "notes",
      role: "read",
      filter: { term: { "metadata.tenant.keyword": "a" } },
    });
    const tenant = caller(both, filtered.encoded);
    for (const { method, path, id, needs } of both.server.product.routes) {
      expect(needs, `the route ${id} does not say what it needs`).toBeDefined();
      const target = `/_huiliu${path.replace("{name}", "notes").replace(/\{\w+\}/, "b.md")}`;
      const bodies =
        method === "post" || method === "put"
          ? [{ query: "annual leave" }, { question: "annual leave" }, {}]
          : [undefined];
      for (const body of bodies) {
        const { status, text } = await tenant(method.toUpperCase(), target, body);
        expect(text, id).not.toContain(MARK);
        if (needs!.role !== "none" && needs!.filtered !== true) expect(status, id).toBe(403);
      }
    }
    const found = await tenant("POST", "/_huiliu/collections/notes/search", { query: "annual leave" });
    expect(JSON.parse(found.text).hits.map(({ text }: { text: string }) => text)).toEqual([
      "Annual leave is ten days.",
    ]);
    const everything = await caller(both, "admin")("POST", "/_huiliu/collections/notes/search", {
      query: "annual leave",
    });
    expect(JSON.parse(everything.text).hits).toHaveLength(2);
  });

  it("asks over MCP among its own: there are no tools that list or read documents", async () => {
    const filtered = createKey(both.folder, {
      name: "mcp",
      role: "read",
      filter: { term: { "metadata.tenant.keyword": "a" } },
    });
    const rpc = async (method: string, params: object) => {
      const response = await fetch(`${both.server.url}/_mcp/notes`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${filtered.encoded}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return response.text();
    };
    const tools = JSON.parse(await rpc("tools/list", {})).result.tools.map(({ name }: { name: string }) => name);
    expect(tools.sort()).toEqual(["ask", "search"]);
    for (const name of ["search", "ask", "get", "list", "analyze"]) {
      const args = { query: "annual leave", question: "annual leave", document: "b.md" };
      const text = await rpc("tools/call", {
        name,
        arguments:
          name === "search"
            ? { query: args.query }
            : name === "ask"
              ? { question: args.question }
              : { document: args.document },
      });
      expect(text).not.toContain(MARK);
      if (name === "search") expect(text).toContain("ten days");
    }
    expect(await rpc("resources/list", {})).toContain("error");
    expect(await rpc("resources/read", { uri: "huiliu://notes/documents/b.md" })).toContain("error");
  });
});
