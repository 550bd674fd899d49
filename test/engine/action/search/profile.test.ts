import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";

interface Recorded {
  readonly mappings: Readonly<Record<string, object>>;
  readonly documents: Readonly<Record<string, readonly object[]>>;
  /** Names of the lists of keys, which are many and long. */
  readonly breakdowns: Readonly<Record<string, string>>;
  readonly cases: readonly { readonly index: string; readonly body: object; readonly profile: unknown }[];
}

// Recorded from Elasticsearch 8.17.4: what is in a profile, without times and without addresses of objects.
const FILES: readonly Recorded[] = ["profile", "profile-requests"].map((name) =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8")),
);
const RECORDED = FILES.flatMap(({ breakdowns, cases }) => cases.map((each) => ({ ...each, breakdowns })));

let engine: Engine;
const send = async (method: string, path: string, body?: unknown) => {
  const headers = { "content-type": "application/json" };
  const answer = await engine.request({ method, path, query: {}, headers, body: JSON.stringify(body) });
  return JSON.parse(answer.body);
};
const profiled = (index: string, body: object) => send("POST", `/${index}/_search`, { ...body, profile: true });

/** A profile without what is another one at each call. */
function shape(value: unknown, breakdowns: Recorded["breakdowns"]): unknown {
  if (Array.isArray(value)) return value.map((each) => shape(each, breakdowns));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (["time_in_nanos", "rewrite_time", "vector_operations_count"].includes(key)) return [key, 0];
      if (key === "breakdown") return [key, breakdowns[Object.keys(each).sort().join(" ")]];
      return [key, ["id", "node_id", "index"].includes(key) ? key : shape(each, breakdowns)];
    }),
  );
}

beforeAll(async () => {
  engine = await openEngine();
  for (const { mappings, documents } of FILES) {
    for (const [index, properties] of Object.entries(mappings)) {
      await send("PUT", `/${index}`, { mappings: { properties } });
      for (const [i, document] of documents[index].entries()) {
        await send("PUT", `/${index}/_doc/${i + 1}`, document);
      }
      await send("POST", `/${index}/_refresh`);
      await send("POST", `/${index}/_forcemerge`);
    }
  }
});
afterAll(() => engine.close());

describe("profile", () => {
  it.each(RECORDED)("of $body in $index", async ({ index, body, profile, breakdowns }) => {
    const answer = await profiled(index, body);
    expect(answer.error).toBeUndefined();
    expect(shape(answer.profile, breakdowns)).toEqual(profile);
    // In the same order, as it is read by eye.
    expect(JSON.stringify(shape(answer.profile, breakdowns))).toBe(JSON.stringify(profile));
  });

  it("changes neither hits nor scores", async () => {
    for (const { index, body } of RECORDED) {
      const { hits } = await send("POST", `/${index}/_search`, body);
      expect((await profiled(index, body)).hits, JSON.stringify(body)).toEqual(hits);
    }
  });

  it("counts what was done", async () => {
    const { profile } = await profiled("plain", { query: { match: { t: "red fox" } } });
    const [{ searches, fetch, id, index }] = profile.shards;
    const [{ breakdown, time_in_nanos, children }] = searches[0].query;
    expect([id, index]).toEqual(["[huiliu][plain][0]", "plain"]);
    expect(breakdown).toMatchObject({
      create_weight_count: 1,
      next_doc_count: 6,
      score_count: 5,
      count_weight_count: 0,
    });
    expect(time_in_nanos).toBeGreaterThan(0);
    expect(children.map((child: { breakdown: object }) => child.breakdown)).toMatchObject([
      { create_weight_count: 1, score_count: 5 },
      { create_weight_count: 1, score_count: 5 },
    ]);
    expect(fetch.breakdown).toMatchObject({ load_stored_fields_count: 5, load_source_count: 5, next_reader_count: 1 });
    expect(fetch.children[1].breakdown).toMatchObject({ process_count: 5, next_reader_count: 1 });
  });

  it("is by shard, in the order of the indices", async () => {
    const { profile } = await profiled("plain,nested", { query: { match: { t: "red" } }, size: 1 });
    expect(profile.shards.map(({ index }: { index: string }) => index)).toEqual(["nested", "plain"]);
    expect(profile.shards.filter(({ fetch }: { fetch?: unknown }) => fetch)).toHaveLength(1);
  });

  it("is not there where it is not asked for", async () => {
    expect(await send("POST", "/plain/_search", { profile: false })).not.toHaveProperty("profile");
    const { error } = await send("POST", "/plain/_search", { profile: "x" });
    expect(error.reason).toBe("Failed to parse value [x] as only [true] or [false] are allowed.");
  });

  it("shows of an index without documents what it would show of any", async () => {
    await send("PUT", "/none", { mappings: { properties: { t: { type: "text" }, k: { type: "keyword" } } } });
    const queries = async (body: object) => {
      const { profile } = await profiled("none", body);
      return profile.shards[0].searches[0].query.map(({ type, description }: { type: string; description: string }) => [
        type,
        description,
      ]);
    };
    // As Elasticsearch 8.17.4 shows them.
    expect(await queries({})).toEqual([["MatchAllDocsQuery", "*:*"]]);
    expect(await queries({ query: { match: { t: "red" } } })).toEqual([["TermQuery", "t:red"]]);
    expect(await queries({ query: { bool: { must_not: [{ exists: { field: "k" } }] } } })).toEqual([
      ["MatchNoDocsQuery", 'MatchNoDocsQuery("FILTER or MUST clause also in MUST_NOT")'],
    ]);
  });
});
