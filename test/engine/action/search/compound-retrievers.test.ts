import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";
import recorded from "./recorded/compound-retrievers.json" with { type: "json" };

// Answers: Elasticsearch 8.17.4's compound retriever, with the formulas of rrf, linear (8.18) and text_similarity_reranker put into it.
let engine: Engine;

/** A model: 5 for each word of the question that a text holds, less an eighth of its length. */
const model = {
  rerank: async (query: string, texts: string[]) =>
    texts.map((text, index) => {
      const words = query.split(" ").filter((word) => text.includes(word));
      return { index, score: 5 * words.length - text.length / 8 };
    }),
};
const broken = {
  async rerank(): Promise<never> {
    throw Object.assign(new Error("no such model"), { name: "IllegalStateException" });
  },
};
const forgetful = { rerank: async () => [{ index: 0, score: 1 }] };
const hanging = {
  rerank: (_: string, __: string[], { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("stopped")));
    }),
};

const send = async (method: string, path: string, body: string, signal?: AbortSignal) => {
  const headers = { "content-type": "application/json" };
  const answer = await engine.request({ method, path, headers, body, ...(signal ? { signal } : {}) });
  return JSON.parse(answer.body);
};
const search = (retriever: object, rest: object = {}, path = "/r/_search", signal?: AbortSignal) =>
  send("POST", path, JSON.stringify({ retriever, ...rest }), signal);

beforeAll(async () => {
  engine = await openEngine({ rerankers: { x: model, broken, forgetful, hanging } });
  const vector = { type: "dense_vector", dims: 2, similarity: "l2_norm", index_options: { type: "flat" } };
  const r = { t: { type: "text" }, k: { type: "keyword" }, n: { type: "integer" }, v: vector };
  await send("PUT", "/r", JSON.stringify({ mappings: { properties: r } }));
  await send(
    "PUT",
    "/r2",
    JSON.stringify({ mappings: { properties: { t: { type: "text" }, n: { type: "keyword" } } } }),
  );
  const documents: readonly [path: string, source: string][] = [
    ["/r/_doc/1", '{"t":"red apple","k":"a","n":1,"v":[1,0]}'],
    ["/r/_doc/2", '{"t":"green apple tree","k":"b","n":2,"v":[0,1]}'],
    ["/r/_doc/3", '{"t":"red car","k":"a","n":3,"v":[1,1]}'],
    ["/r/_doc/4", '{"k":"b","n":4,"v":[5,5]}'],
    ["/r/_doc/5", '{"t":"apple apple red pie","k":"c","n":5}'],
    ["/r2/_doc/1", '{"t":"apple","n":"zz"}'],
    ["/r2/_doc/9", '{"t":"big apple"}'],
  ];
  for (const [path, source] of documents) await send("PUT", path, source);
  await send("POST", "/_refresh", "");
});
afterAll(() => engine.close());

/** Without what differs from run to run. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (value !== null && typeof value === "object") {
    const kept = Object.entries(value).filter(
      ([key]) => !["took", "_node", "node", "_shard", "index_uuid"].includes(key),
    );
    return Object.fromEntries(kept.map(([key, inner]) => [key, comparable(inner)]));
  }
  return value;
}

it.each(recorded)("answers $path $body", async ({ path, body, answer }) => {
  expect(comparable(await send("POST", path, body))).toEqual(answer);
});

const apple = { standard: { query: { match: { t: "apple" } } } };
const everything = { standard: { query: { match_all: {} } } };
const rerank = (inference_id: string, rest: object = {}) => ({
  text_similarity_reranker: { inference_id, inference_text: "red", field: "t", retriever: apple, ...rest },
});

describe("min_score", () => {
  it.each(["rrf", "linear"])("leaves out documents of %s that score less", async (name) => {
    const retrievers = name === "rrf" ? [apple, everything] : [{ retriever: apple }, { retriever: everything }];
    const all = (await search({ [name]: { retrievers } })).hits.hits as { _id: string; _score: number }[];
    const third = all[2]._score;
    const { hits } = await search({ [name]: { retrievers, min_score: third } });
    expect(hits.hits).toEqual(all.slice(0, 3));
    expect(hits.total).toEqual({ value: 3, relation: "eq" });
  });

  it("holds within another retriever", async () => {
    const inner = { linear: { retrievers: [{ retriever: everything, weight: 0.5 }], min_score: 0.6 } };
    expect((await search({ rrf: { retrievers: [inner] } }, { track_total_hits: false })).hits.hits).toEqual([]);
  });
});

describe("a reranking model", () => {
  const cause = async (retriever: object) => (await search(retriever)).error.suppressed[0].caused_by;

  it("that is not there is named", async () => {
    expect(await cause(rerank("unknown"))).toEqual({
      type: "resource_not_found_exception",
      reason: "Inference endpoint not found [unknown]",
    });
    expect(await cause(rerank("toString"))).toMatchObject({ type: "resource_not_found_exception" });
  });

  it("has to score all texts", async () => {
    expect(await cause(rerank("forgetful"))).toEqual({
      type: "illegal_state_exception",
      reason: "Reranker input document count and returned score count mismatch: [3] vs [1]",
    });
  });

  it("is not asked where there is no text", async () => {
    const retriever = { standard: { query: { term: { k: "b" } }, filter: { range: { n: { gt: 3 } } } } };
    const { hits } = await search(rerank("broken", { retriever }), { track_total_hits: false });
    expect(hits.hits).toEqual([]);
  });

  it("is left alone when the caller goes away", async () => {
    const controller = new AbortController();
    const answer = search(rerank("hanging"), {}, "/r/_search", controller.signal);
    setTimeout(() => controller.abort(), 10);
    expect((await answer).error.type).toBe("task_cancelled_exception");
  });
});

it("searches one snapshot, also at a point in time", async () => {
  const { id } = await send("POST", "/r,r2/_pit?keep_alive=1m", "");
  await send("PUT", "/r2/_doc/7?refresh", '{"t":"apple"}');
  const retriever = { rrf: { retrievers: [apple, everything] } };
  const { hits } = await send("POST", "/_search", JSON.stringify({ retriever, pit: { id }, size: 9 }));
  expect(hits.hits.map(({ _index, _id }: { _index: string; _id: string }) => `${_index} ${_id}`)).toEqual([
    "r 1",
    "r 2",
    "r 5",
    "r2 1",
    "r2 9",
    "r 3",
    "r 4",
  ]);
  await send("DELETE", "/r2/_doc/7?refresh", "");
});

it("stands in an _msearch", async () => {
  const body = JSON.stringify({ retriever: { rrf: { retrievers: [apple, everything] } }, size: 1, _source: false });
  const { responses } = await send("POST", "/r/_msearch", `{}\n${body}\n{"index":"r2"}\n${body}\n`);
  expect(responses.map(({ hits }: { hits: { hits: unknown } }) => hits.hits)).toEqual([
    [{ _index: "r", _id: "1", _score: 0.032522473 }],
    [{ _index: "r2", _id: "1", _score: 0.032786883 }],
  ]);
});

it("is not changed by indices_boost", async () => {
  const retriever = { rrf: { retrievers: [apple, everything] } };
  const plain = await search(retriever, {}, "/r,r2/_search");
  expect((await search(retriever, { indices_boost: [{ r2: 9 }] }, "/r,r2/_search")).hits).toEqual(plain.hits);
});

it("marks the words of every retriever, whichever found the hit", async () => {
  const filtered = { standard: { query: { match: { t: "apple" } }, filter: { term: { k: "c" } } } };
  const { hits } = await search({ rrf: { retrievers: [filtered, everything] } }, { highlight: { fields: { t: {} } } });
  const marked = hits.hits.map(({ _id, highlight }: { _id: string; highlight?: { t: string[] } }) => [
    _id,
    highlight?.t,
  ]);
  expect(marked).toEqual([
    ["5", ["<em>apple</em> <em>apple</em> red pie"]],
    ["1", ["red <em>apple</em>"]],
    ["2", ["green <em>apple</em> tree"]],
    ["3", undefined],
    ["4", undefined],
  ]);
});

it("shows ranked documents that score nothing before those that only match", async () => {
  const named = { standard: { query: { match: { t: "apple" } }, min_score: 0.4 } };
  const retrievers = [{ retriever: named, weight: 0 }];
  const { hits } = await search({ linear: { retrievers } }, { track_total_hits: true });
  expect(hits.hits.map(({ _id, _score }: { _id: string; _score: number }) => [_id, _score])).toEqual([
    ["1", 1.4e-45],
    ["5", 1.4e-45],
  ]);
  const least = await search({
    linear: { retrievers: [{ retriever: apple, normalizer: "minmax" }], rank_window_size: 3 },
  });
  expect(least.hits.hits.at(-1)).toMatchObject({ _id: "2", _score: 1.4e-45 });
});
