/** The knn query and the knn of a search: options, filters, nested vectors, and what is wrong with them. */
import type { Scene, Step } from "./scenes.ts";
import { create, load, search } from "./support.ts";

const vector = (options: object = {}) => ({
  type: "dense_vector",
  dims: 2,
  similarity: "l2_norm",
  index_options: { type: "flat" },
  ...options,
});

const WORLD: readonly Step[] = [
  create({
    v: vector(),
    c: vector({ similarity: "cosine", index_options: { type: "int8_hnsw" } }),
    b: vector({ element_type: "byte" }),
    ni: { type: "dense_vector", dims: 2, index: false },
    nd: { type: "dense_vector" },
    t: { type: "text" },
    g: { type: "keyword" },
    p: {
      type: "nested",
      properties: { v: vector(), k: { type: "keyword" }, q: { type: "nested", properties: { v: vector() } } },
    },
  }),
  load(
    Array.from({ length: 20 }, (_, i) => ({
      v: [i, i / 2],
      c: [20 - i, i + 1],
      ...(i % 4 === 0 ? {} : { b: [i, -i] }),
      t: `w${i % 3}`,
      g: i % 2 ? "a" : "b",
      p: [
        { v: [i, 1], k: "x", q: [{ v: [1, i] }, { v: [2, i] }] },
        { v: [i + 1, 1], k: "y" },
      ],
    })),
  ),
];

const near = (more: object = {}) => ({ field: "v", query_vector: [3, 1], ...more });
const query = (more: object = {}, rest: object = {}) => search({ query: { knn: near(more) }, ...rest });
const top = (more: object = {}, rest: object = {}) =>
  search({ knn: near({ k: 3, num_candidates: 10, ...more }), ...rest });
const inside = (path: string, inner: object) => ({ nested: { path, query: inner } });
const nested = (more: object = {}) => ({ knn: near({ field: "p.v", k: 3, num_candidates: 5, ...more }) });

const OPTIONS: readonly object[] = [
  { k: 0 },
  { k: -1 },
  { k: 5, num_candidates: 3 },
  { num_candidates: 0 },
  { num_candidates: 10001 },
  { k: 10001 },
  { k: null },
  { k: "3" },
  { k: 2.7 },
  { k: true },
  { num_candidates: "5" },
  { boost: 2 },
  { boost: "2" },
  { zz: 1 },
  { rescore_vector: { oversample: 2 } },
  { similarity: 1.2 },
  { similarity: null },
  { filter: { term: { g: "a" } } },
  { filter: [{ term: { g: "a" } }, { match: { t: "w1" } }] },
  { filter: { match_none: {} } },
  { filter: { term: { nope: 1 } } },
  { filter: { nope: {} } },
  { filter: null },
  { filter: [] },
  { filter: { nested: { path: "p", query: { term: { "p.k": "x" } } } } },
  { query_vector: null },
  { query_vector: [1] },
  { query_vector: "aa" },
  { query_vector: [[1]] },
  { query_vector: [1e39, 1] },
  { field: 5 },
  { field: ["v"] },
  { field: "nope" },
  { field: "t" },
  { field: "ni" },
  { field: "nd" },
  { field: "p" },
  { field: "_id" },
  { field: "c" },
  { field: "b" },
  { _name: 5 },
  { _name: "near" },
];

const requests: readonly Step[] = [
  query(),
  query({}, { size: 3 }),
  query({}, { size: 0 }),
  query({ num_candidates: 4 }, { size: 2 }),
  query({ k: 3 }, { size: 2 }),
  query({ k: 12 }, { size: 5 }),
  query({ k: 3 }, { from: 1, size: 1 }),
  search({ query: { knn: {} } }),
  search({ query: { knn: { field: "v" } } }),
  search({ query: { knn: { query_vector: [1, 2] } } }),
  search({ query: { bool: { filter: { knn: near({ k: 3 }) }, should: { match: { t: "w1" } } } } }),
  search({ query: { bool: { must_not: { knn: near({ k: 15 }) } } } }),
  search({ query: { bool: { should: [{ knn: near({ k: 3, _name: "n" }) }, { match: { t: "w1" } }] } } }),
  search({ query: { constant_score: { filter: { knn: near({ k: 2 }) }, boost: 3 } } }),
  query({ k: 3, filter: { knn: near({ query_vector: [10, 5], k: 6 }) } }),
  search({ post_filter: { knn: near({ k: 3 }) } }),
  query({ k: 9, similarity: 2 }, { min_score: 0.3 }),
  top({ filter: { knn: near({ query_vector: [10, 5], k: 6 }) } }),
  top({ field: "nope", filter: { knn: near({ query_vector: [10, 5], k: 6 }) } }),
  top({ similarity: 1 }, { query: { match: { t: "w1" } } }),
  ["POST", "/vec/_count", { query: { knn: near({ k: 3 }) } }],
  ["POST", "/vec/_count", { query: { knn: near() } }],
];

const nestedRequests: readonly Step[] = [
  query({ field: "p.v", k: 3 }),
  search({ query: inside("p", nested()) }),
  search({ query: inside("p", nested({ filter: { term: { g: "a" } } })) }),
  search({ query: inside("p", nested({ filter: { term: { "p.k": "x" } } })) }),
  search({ query: inside("p", { knn: near({ k: 3 }) }) }),
  search({ query: inside("p.q", nested({ field: "p.q.v", query_vector: [1, 3] })) }),
  search({ query: inside("p", inside("p.q", nested({ field: "p.q.v", query_vector: [1, 3] }))) }),
  search({ query: inside("p", nested({ field: "p.q.v", query_vector: [1, 3] })) }),
  search({ query: inside("p", { bool: { must: [nested()], filter: [{ term: { "p.k": "x" } }] } }) }),
  search({ query: inside("p", { bool: { should: [nested(), { term: { "p.k": "y" } }] } }), size: 4 }),
  top({ field: "p.v" }),
  top({ field: "p.v", boost: 2, similarity: 0.5 }),
  top({ field: "p.q.v", query_vector: [1, 3] }),
  top({ field: "p.v", filter: { term: { "p.k": "x" } } }),
  top({ field: "p.v", filter: inside("p", { term: { "p.k": "x" } }) }),
  top({ field: "p.v", filter: { match: { t: "w1" } } }, { query: { match: { t: "w2" } } }),
];

const EXPLAINED: readonly object[] = [
  { query: { knn: near({ k: 2 }) } },
  { query: { knn: near({ k: 2, boost: 3 }) } },
  { query: { knn: near({ k: 9, similarity: 1 }) } },
  { query: { bool: { should: [{ match: { t: "w0" } }, { knn: near({ k: 2 }) }] } } },
  { query: inside("p", nested({ k: 2 })) },
  { knn: near({ k: 2, num_candidates: 5, boost: 2 }) },
  { knn: near({ k: 2, num_candidates: 5 }), query: { match: { t: "w0" } } },
  { knn: near({ field: "p.v", k: 2, num_candidates: 5 }) },
];

const knn = { knn: near({ k: 3 }) };

const explanations: readonly Step[] = [
  ...EXPLAINED.map((body) => search({ ...body, explain: true, size: 2 })),
  ["POST", "/vec/_explain/3", { query: knn }],
  ["POST", "/vec/_explain/19", { query: knn }],
  ["POST", "/vec/_validate/query?explain=true", { query: knn }],
  ["POST", "/vec/_validate/query?explain=true", { query: { knn: near({ k: 3, filter: { term: { g: "a" } } }) } }],
  ["POST", "/vec/_validate/query?explain=true", { query: { knn: near({ field: "b", similarity: 2 }) } }],
  ["POST", "/vec/_validate/query?explain=true", { query: inside("p", nested()) }],
];

const deletions: readonly Step[] = [
  ["DELETE", "/vec/_doc/3?refresh=true"],
  query({ k: 3 }),
  search({ query: inside("p", nested()) }),
  top({ field: "p.v" }),
  top({ filter: { term: { g: "a" } } }),
];

export const KNN_SCENES: readonly Scene[] = [
  { name: "knn options", steps: [...WORLD, ...OPTIONS.map((options) => query(options))] },
  {
    name: "knn options of a search",
    steps: [...WORLD, ...OPTIONS.filter((options) => !("boost" in options)).map((options) => top(options))],
  },
  { name: "knn requests", steps: [...WORLD, ...requests] },
  { name: "knn of nested vectors", steps: [...WORLD, ...nestedRequests] },
  { name: "knn explained", steps: [...WORLD, ...explanations] },
  { name: "knn after deletions", steps: [...WORLD, ...deletions] },
];
