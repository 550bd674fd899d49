import { Client, errors } from "@elastic/elasticsearch";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { fusingTransport } from "../../src/elasticsearch/fusing-transport.ts";
import recorded from "../engine/action/search/recorded/compound-retrievers.json" with { type: "json" };
import { fakeCluster } from "./fake-cluster.ts";

/** A cluster whose licence lacks the retrievers: the engine behind a server that answers as the licence does. */
let engine: Engine;
let cluster: Awaited<ReturnType<typeof fakeCluster>>;
let refusal: "licence" | "version" | "none" = "licence";
let client: Client;
/** The same client over the engine, which has them. */
let own: Client;

const model = {
  rerank: async (query: string, texts: string[]) =>
    texts.map((text, index) => {
      const words = query.split(" ").filter((word) => text.includes(word));
      return { index, score: 5 * words.length - text.length / 8 };
    }),
};

const FEATURES: Readonly<Record<string, string>> = {
  rrf: "Reciprocal Rank Fusion (RRF)",
  linear: "linear retriever",
  text_similarity_reranker: "text_similarity_reranker",
};

function refused(body: string): { status: number; body: object } | undefined {
  if (refusal === "none") return undefined;
  const name = /"(rrf|linear|text_similarity_reranker)":/.exec(body)?.[1];
  if (name === undefined) return undefined;
  const error =
    refusal === "licence"
      ? {
          type: "security_exception",
          reason: `current license is non-compliant for [${FEATURES[name]}]`,
          "license.expired.feature": FEATURES[name],
        }
      : { type: "parsing_exception", reason: `unknown retriever [${name}]`, line: 1, col: 15 };
  const status = refusal === "licence" ? 403 : 400;
  return { status, body: { error: { root_cause: [error], ...error }, status } };
}

beforeAll(async () => {
  engine = await openEngine({ rerankers: { x: model } });
  own = engine.client();
  const flat = { type: "flat" } as const;
  const v = { type: "dense_vector", dims: 2, similarity: "l2_norm", index_options: flat } as const;
  const t = { type: "text" } as const;
  await own.indices.create({
    index: "r",
    mappings: { properties: { t, k: { type: "keyword" }, n: { type: "integer" }, v } },
  });
  await own.indices.create({ index: "r2", mappings: { properties: { t, n: { type: "keyword" } } } });
  const documents = [
    ["r", "1", { t: "red apple", k: "a", n: 1, v: [1, 0] }],
    ["r", "2", { t: "green apple tree", k: "b", n: 2, v: [0, 1] }],
    ["r", "3", { t: "red car", k: "a", n: 3, v: [1, 1] }],
    ["r", "4", { k: "b", n: 4, v: [5, 5] }],
    ["r", "5", { t: "apple apple red pie", k: "c", n: 5 }],
    ["r2", "1", { t: "apple", n: "zz" }],
    ["r2", "9", { t: "big apple" }],
  ] as const;
  for (const [index, id, document] of documents) await own.index({ index, id, document });
  await own.indices.refresh();
  cluster = await fakeCluster(engine, ({ body, path }) => (path.endsWith("/_search") ? refused(body) : undefined));
});
beforeEach(() => {
  refusal = "licence";
  cluster.seen.length = 0;
  client = new Client({ node: cluster.url, maxRetries: 0, Transport: fusingTransport({ rerankers: { x: model } }) });
});
afterAll(async () => {
  await client.close();
  await cluster.close();
  await engine.close();
});

type Answered = { hits?: unknown; error?: { type: string; reason: string }; aggregations?: unknown };

async function ask(through: Client, path: string, body: object): Promise<Answered & Record<string, unknown>> {
  try {
    return await through.transport.request({ method: "POST", path, body: body as never });
  } catch (error) {
    if (error instanceof errors.ResponseError) return error.body as Answered & Record<string, unknown>;
    throw error;
  }
}

/** Errors within errors name the nodes; of those type and reason are enough. */
const comparable = ({ hits, aggregations, error, ...rest }: Answered & Record<string, unknown>) => ({
  hits,
  aggregations,
  error: error && [error.type, error.reason.replace(/^\[1:\d+\]/, "")],
  pit: rest["pit_id"],
});

// Reasons are the engine's own, and infinite scores cannot be asked for.
const answerable = recorded.filter(
  ({ path, body }) => !path.includes("?") && !/"explain"|"rank_constant": -1/.test(body),
);

it.each(answerable)("answers as the engine does: $path $body", async ({ path, body }) => {
  const request = JSON.parse(body) as { retriever: object };
  expect(comparable(await ask(client, path, request))).toEqual(comparable(await ask(own, path, request)));
});

const rrf = {
  rrf: { retrievers: [{ standard: { query: { match: { t: "apple" } } } }, { standard: { query: { match_all: {} } } }] },
};
const search = { index: "r", retriever: rrf, _source: false } as const;
const ids = ({ hits }: { hits: { hits: { _id?: string | undefined }[] } }) => hits.hits.map(({ _id }) => _id);

describe("a cluster", () => {
  it.each(["licence", "version"] as const)("without the retrievers by its %s is asked for them once", async (kind) => {
    refusal = kind;
    expect(ids(await client.search(search))).toEqual(["1", "2", "5", "3", "4"]);
    const asked = () => cluster.seen.filter(({ body }) => body.includes('"rrf"')).length;
    expect(asked()).toBe(1);
    await client.search(search);
    expect(asked()).toBe(1);
  });

  it("that has them answers alone", async () => {
    refusal = "none";
    expect(ids(await client.search(search))).toEqual(["1", "2", "5", "3", "4"]);
    expect(cluster.seen.filter(({ path }) => path.endsWith("_search"))).toHaveLength(1);
  });

  it("keeps no point in time that nobody asked for", async () => {
    await client.search(search);
    await client
      .search({ ...search, retriever: { rrf: { retrievers: [{ standard: { query: { term: { n: "x" } } } }] } } })
      .catch(() => undefined);
    const opened = cluster.seen.filter(({ method, path }) => method === "POST" && path.endsWith("_pit"));
    const closed = cluster.seen.filter(({ method, path }) => method === "DELETE" && path === "/_pit");
    expect([opened.length, closed.length]).toEqual([2, 2]);
  });

  it("is searched at the point in time that was asked for", async () => {
    const { id } = await own.openPointInTime({ index: "r", keep_alive: "1m" });
    const { index: _, ...rest } = search;
    const answer = await client.search({ ...rest, pit: { id } });
    expect(ids(answer)).toEqual(["1", "2", "5", "3", "4"]);
    expect(answer.pit_id).toBe(id);
    await own.closePointInTime({ id });
  });

  it("refuses other things as before", async () => {
    refusal = "none";
    await expect(client.search({ ...search, index: "nothing" })).rejects.toMatchObject({ statusCode: 404 });
    refusal = "licence";
    await expect(client.search({ ...search, index: "nothing" })).rejects.toMatchObject({ statusCode: 404 });
  });
});

it("gives the whole answer where that is wanted, and takes the page from the URL", async () => {
  const { body, statusCode } = await client.search({ ...search, size: 2, from: 1 }, { meta: true });
  expect([statusCode, ids(body)]).toEqual([200, ["2", "5"]]);
  const paged = await client.transport.request({
    method: "POST",
    path: "/r/_search",
    querystring: { size: 1 },
    body: { retriever: rrf } as never,
  });
  expect(ids(paged as never)).toEqual(["1"]);
});

it("does not explain", async () => {
  await expect(client.search({ ...search, explain: true })).rejects.toThrow("explain");
});

it("ends with its caller", async () => {
  const controller = new AbortController();
  controller.abort();
  await expect(client.search(search, { signal: controller.signal })).rejects.toThrow(/abort/i);
});
