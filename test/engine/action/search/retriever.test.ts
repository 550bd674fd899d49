import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";

// Expected answers: Elasticsearch 8.17.4.
let engine: Engine;
const send = (method: string, path: string, body?: unknown) =>
  engine.request({
    method,
    path,
    query: {},
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const search = async (body: object) => {
  const { body: text } = await send("POST", "/retrieved/_search", body);
  return JSON.parse(text);
};
const hits = async (retriever: object, rest: object = {}) => {
  const { hits, error } = await search({ retriever, ...rest });
  return error ?? hits.hits.map(({ _id, _score }: { _id: string; _score: number | null }) => [_id, _score]);
};

beforeAll(async () => {
  engine = await openEngine();
  const index_options = { type: "flat" };
  await send("PUT", "/retrieved", {
    mappings: {
      properties: {
        t: { type: "text" },
        g: { type: "keyword" },
        n: { type: "integer" },
        v: { type: "dense_vector", dims: 2, similarity: "cosine", index_options },
      },
    },
  });
  const documents = [
    { t: "a b", g: "x", n: 1, v: [1, 2] },
    { t: "a", g: "y", n: 2, v: [2, 1] },
    { t: "b c", g: "x", n: 3, v: [-1, 2] },
    { t: "a a", g: "x", n: 4, v: [1, 1] },
  ];
  for (const [i, document] of documents.entries()) await send("PUT", `/retrieved/_doc/${i}`, document);
  await send("POST", "/retrieved/_refresh");
});
afterAll(() => engine.close());

const query = { match: { t: "a b" } };

describe("standard", () => {
  it.each([
    [
      { query },
      [
        ["0", 0.9918565],
        ["2", 0.6548753],
        ["3", 0.47148448],
        ["1", 0.43250346],
      ],
    ],
    [
      {},
      [
        ["0", 1],
        ["1", 1],
        ["2", 1],
        ["3", 1],
      ],
    ],
    [
      { query, filter: [{ term: { g: "x" } }, { range: { n: { gt: 1 } } }] },
      [
        ["2", 0.6548753],
        ["3", 0.47148448],
      ],
    ],
    [
      { filter: { term: { g: "x" } } },
      [
        ["0", 0],
        ["2", 0],
        ["3", 0],
      ],
    ],
    [
      { query, sort: [{ n: "desc" }], search_after: [3] },
      [
        ["1", null],
        ["0", null],
      ],
    ],
    [
      { query, min_score: "0.5", _name: "q" },
      [
        ["0", 0.9918565],
        ["2", 0.6548753],
      ],
    ],
    [{ query, terminate_after: 1 }, [["0", 0.9918565]]],
  ])("%j", async (standard, wanted) => {
    expect(await hits({ standard })).toEqual(wanted);
  });

  it("is paged, filtered afterwards and aggregated as any search", async () => {
    const answer = await search({
      retriever: { standard: { query } },
      post_filter: { term: { g: "x" } },
      from: 1,
      size: 1,
      aggs: { g: { terms: { field: "g" } } },
    });
    expect(answer.hits.total.value).toBe(3);
    expect(answer.hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(["2"]);
    expect(answer.aggregations.g.buckets.map(({ doc_count }: { doc_count: number }) => doc_count)).toEqual([3, 1]);
  });
});

describe("knn", () => {
  const near = { field: "v", query_vector: [1, 1], k: 3, num_candidates: 5 };
  it.each([
    [
      { ...near, k: 2, min_score: 0.97 },
      [
        ["3", 1],
        ["0", 0.97434163],
      ],
    ],
    [
      { ...near, filter: { term: { g: "x" } }, similarity: 0.5 },
      [
        ["3", 1],
        ["0", 0.97434163],
      ],
    ],
  ])("%j", async (knn, wanted) => {
    expect(await hits({ knn })).toEqual(wanted);
  });

  it("names its hits", async () => {
    const { hits: found } = await search({ retriever: { knn: { ...near, _name: "near" } } });
    expect(found.hits[0].matched_queries).toEqual(["near"]);
  });
});

describe("what is wrong", () => {
  const vector = { field: "v", query_vector: [1, 1] };
  it.each([
    [{}, "parsing_exception", "retriever malformed, empty clause found"],
    [{ foo: {} }, "parsing_exception", "unknown retriever [foo]"],
    [{ standard: 3 }, "parsing_exception", "[standard] retriever malformed, no [START_OBJECT] after retriever name"],
    [
      { standard: {}, knn: {} },
      "parsing_exception",
      "[standard] malformed retriever, expected [END_OBJECT] but found [FIELD_NAME]",
    ],
    [{ standard: { foo: 1 } }, "x_content_parse_exception", "[1:27] [standard] unknown field [foo]"],
    [{ knn: vector }, "illegal_argument_exception", "Required [k, num_candidates]"],
    [
      { knn: { ...vector, k: 2, num_candidates: 5, boost: 2 } },
      "x_content_parse_exception",
      "[1:80] [knn] unknown field [boost]",
    ],
    [
      { knn: { field: "v", k: 2, num_candidates: 5 } },
      "x_content_parse_exception",
      "Failed to build [knn] after last required field arrived",
    ],
    [
      { knn: { ...vector, k: 3, num_candidates: 2 } },
      "illegal_argument_exception",
      "[num_candidates] cannot be less than [k]",
    ],
    [{ knn: { ...vector, k: 0, num_candidates: 2 } }, "illegal_argument_exception", "[k] must be greater than 0"],
    [
      { rescorer: { retriever: {} } },
      "unsupported_feature_exception",
      "[retriever rescorer] is not supported by the embedded engine",
    ],
  ])("%j", async (retriever, type, reason) => {
    expect(await hits(retriever)).toMatchObject({ type, reason });
  });

  it("stands beside what it takes the place of", async () => {
    const answer = await search({
      retriever: { standard: { query } },
      knn: { field: "v", query_vector: [1, 1], k: 2, num_candidates: 5 },
      query,
      sort: ["n"],
      search_after: [1],
      terminate_after: 2,
      rescore: { query: { rescore_query: { match_all: {} } } },
    });
    expect(answer.error.reason).toBe(
      "Validation Failed: 1: cannot specify [retriever] and [query, knn, search_after, terminate_after, sort, rescore];",
    );
  });
});
