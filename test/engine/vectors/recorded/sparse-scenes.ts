/** Tokens with weights: documents, and what a node without the query of x-pack can ask of them. */
import type { Scene, Step } from "./scenes.ts";
import { create, load, search } from "./support.ts";

const put = (source: string): Step => ["PUT", "/vec/_doc/1?refresh=true", source];

const DOCUMENTS = [
  '{"s":{"a":1.5,"b":0.5}}',
  '{"s":{}}',
  '{"s":{"a":-1}}',
  '{"s":{"a":0}}',
  '{"s":{"a":"2.5"}}',
  '{"s":{"a":"x"}}',
  '{"s":{"a":null}}',
  '{"s":{"a":true}}',
  '{"s":{"a":[1,2]}}',
  '{"s":{"a":{"b":1}}}',
  '{"s":{"a.b":1}}',
  '{"s":5}',
  '{"s":"x"}',
  '{"s":[{"a":1},{"b":2}]}',
  '{"s":[{"a":1},{"a":5}]}',
  '{"s":{"a":1e39}}',
  '{"s":{"a":1e-40}}',
  '{"s":{"":1}}',
  '{"s":[]}',
];

/** Weights of tokens t0 … t4 in thirty documents, some of them without. */
export const SPARSE_SOURCES = Array.from({ length: 30 }, (_, i) => ({
  s: Object.fromEntries(
    Array.from({ length: 5 }, (_token, t): [string, number] => [`t${t}`, ((i * 7 + t * 13) % 17) / 3]).filter(
      ([, weight], t) => weight > 0 && (i + t) % (t + 2) !== 0,
    ),
  ),
}));

export const SPARSE_QUERY = { t0: 1.5, t1: 0.3, t2: 2, t4: 0.07, missing: 3 };

const token = (name: string, boost: number) => ({ term: { s: { value: name, boost } } });

export const SPARSE_SCENES: readonly Scene[] = [
  {
    name: "sparse documents",
    steps: [
      create({ s: { type: "sparse_vector" } }),
      ["GET", "/vec/_mapping"],
      ...DOCUMENTS.map(put),
      ["GET", "/vec/_field_caps?fields=s"],
    ],
  },
  {
    name: "sparse queries",
    steps: [
      create({ s: { type: "sparse_vector", meta: { model: "x" } } }),
      ["GET", "/vec/_mapping"],
      load([...SPARSE_SOURCES, {}, { s: {} }, { s: { big: 65504, t0: 1e10 } }]),
      search({ query: token("t0", 1) }),
      search({ query: token("t1", 2.5) }),
      search({ query: { term: { s: "missing" } } }),
      search({ query: { match: { s: "t0" } } }),
      search({ query: { terms: { s: ["t0", "t1"] } } }),
      search({ query: { exists: { field: "s" } } }),
      search({ query: { range: { s: { gt: 1 } } } }),
      search({ query: { prefix: { s: "t" } } }),
      search({
        query: { bool: { should: Object.entries(SPARSE_QUERY).map(([name, weight]) => token(name, weight)) } },
        size: 40,
      }),
      search({ query: token("t0", 2), explain: true, size: 1 }),
      search({ query: { match_all: {} }, fields: ["s"], size: 3 }),
      search({ sort: ["s"] }),
    ],
  },
];
