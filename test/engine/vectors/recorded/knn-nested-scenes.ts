/** Filters of a knn over nested vectors, by what they match and by the level in which the knn stands; nested objects asked within themselves. */
import type { Scene, Step } from "./scenes.ts";
import { create, load, numbers, search } from "./support.ts";

const v = { type: "dense_vector", dims: 2, similarity: "l2_norm", index_options: { type: "flat" } };
const word = { type: "keyword" };
const next = numbers(7);
const some = <T>(most: number, make: () => T): T[] =>
  Array.from({ length: Math.floor(((next() + 1) / 2) * (most + 1)) }, make);
const one = (letters: string) => letters[Math.floor(((next() + 1) / 2) * letters.length) % letters.length];
const point = () => [next() + 1, next() + 1];

const WORLD: readonly Step[] = [
  create({
    t: word,
    v,
    a: { type: "nested", properties: { x: word, v, b: { type: "nested", properties: { y: word, v } } } },
    c: { type: "nested", properties: { z: word } },
  }),
  load(
    Array.from({ length: 12 }, () => ({
      t: one("pq"),
      v: point(),
      a: some(3, () => ({ x: one("mn"), v: point(), b: some(3, () => ({ y: one("uvw"), v: point() })) })),
      c: some(2, () => ({ z: one("kl") })),
    })),
  ),
];

const term = (field: string, value: string) => ({ term: { [field]: value } });
const inside = (path: string, query: object, more: object = {}) => ({ nested: { path, query, ...more } });

const FILTERS: readonly object[] = [
  term("t", "p"),
  term("a.x", "m"),
  term("a.b.y", "u"),
  { match_all: {} },
  inside("a", term("a.x", "m")),
  inside("a.b", term("a.b.y", "u")),
  inside("c", term("c.z", "k")),
  inside("a", inside("a.b", term("a.b.y", "u"))),
  inside("a", { bool: { must: [term("a.x", "m"), inside("a.b", term("a.b.y", "u"))] } }),
  inside("a", { bool: { must_not: term("a.x", "m") } }),
  inside("a", { match: { "a.x": "m" } }, { score_mode: "none" }),
  { bool: { must_not: inside("a", inside("a.b", term("a.b.y", "u"))) } },
  inside("a.b", inside("a", { match_all: {} })),
  inside("a", inside("c", term("c.z", "k"))),
  inside("zz", { match_all: {} }),
  inside("zz", { match_all: {} }, { ignore_unmapped: true }),
];

const knn = (field: string, filter: object, more: object = {}) => ({
  field,
  query_vector: [1, 0.3],
  num_candidates: 20,
  filter,
  ...more,
});

/** The same knn at the top, in a query, and in nested queries of both levels. */
const placesOf = (field: string, filter: object): object[] => {
  const query = { knn: knn(field, filter) };
  return [
    { knn: knn(field, filter, { k: 5 }) },
    { query },
    ...(field === "v" ? [] : [{ query: inside("a", query) }]),
    ...(field === "a.b.v"
      ? [
          { query: inside("a.b", query) },
          { query: inside("a", inside("a.b", query)) },
          { query: inside("a", { bool: { should: [term("a.x", "m"), inside("a.b", query)] } }) },
        ]
      : []),
  ];
};

const own = inside("a", term("a.x", "m"));
/** A nested object within itself: documents of it are their own siblings' parents, as long as nobody asks for scores. */
const WITHIN_ITSELF: readonly object[] = [
  { query: { bool: { filter: inside("a", own) } } },
  { query: inside("a", own, { score_mode: "none" }) },
  { query: inside("a", { bool: { filter: own } }) },
  { query: inside("a", { bool: { must_not: own } }) },
  { query: inside("a", { bool: { must: term("a.x", "n"), filter: own } }) },
  { query: { constant_score: { filter: inside("a", own) } } },
  { query: inside("a", own), size: 0 },
  { size: 0, aggs: { own: { filter: inside("a", own) } } },
  { query: inside("a", inside("a.b", own)) },
  { query: inside("a.b", own) },
  { query: inside("a", term("t", "p")) },
];

export const KNN_NESTED_SCENES: readonly Scene[] = [
  ...["v", "a.v", "a.b.v"].map((field) => ({
    name: `filters of knn of ${field}`,
    steps: [...WORLD, ...FILTERS.flatMap((filter) => placesOf(field, filter).map(search))],
  })),
  { name: "nested objects within themselves", steps: [...WORLD, ...WITHIN_ITSELF.map(search)] },
];
