/** Indices and documents that the recorded answers are about: a field of each kind, values at the edges of each type, nested objects. */

export const SHELF = "querytests-shelf";
export const OTHER = "querytests-other";
export const EMPTY = "querytests-empty";

const properties = {
  t: { type: "text", fields: { raw: { type: "keyword" } } },
  t2: { type: "text" },
  tn: { type: "text", norms: false },
  td: { type: "text", index_options: "docs" },
  tni: { type: "text", index: false },
  syn: { type: "text", analyzer: "standard", search_analyzer: "one_place" },
  k: { type: "keyword" },
  kn: { type: "keyword", normalizer: "low" },
  kni: { type: "keyword", index: false },
  knd: { type: "keyword", doc_values: false },
  knn: { type: "keyword", index: false, doc_values: false },
  i: { type: "integer" },
  l: { type: "long" },
  s: { type: "short" },
  by: { type: "byte" },
  d: { type: "double" },
  f: { type: "float" },
  hf: { type: "half_float" },
  b: { type: "boolean" },
  dt: { type: "date" },
  ini: { type: "integer", index: false },
  ind: { type: "integer", doc_values: false },
  inn: { type: "integer", index: false, doc_values: false },
  lni: { type: "long", index: false },
  dni: { type: "double", index: false },
  bni: { type: "boolean", index: false },
  dtni: { type: "date", index: false },
  v: { type: "dense_vector", dims: 3, similarity: "l2_norm", index: true, index_options: { type: "flat" } },
  vni: { type: "dense_vector", dims: 3, index: false },
  o: { properties: { a: { type: "keyword" }, b: { properties: { c: { type: "integer" } } } } },
  oe: { type: "object", enabled: false },
  ne: {
    type: "nested",
    properties: {
      t: { type: "text" },
      n: { type: "integer" },
      in: { type: "nested", properties: { k: { type: "keyword" }, n: { type: "integer" } } },
    },
  },
};

const settings = {
  number_of_shards: 1,
  number_of_replicas: 0,
  refresh_interval: "-1",
  analysis: {
    filter: { twins: { type: "synonym", synonyms: ["quick, fast, rapid", "fox, vixen"] } },
    analyzer: { one_place: { tokenizer: "standard", filter: ["lowercase", "twins"] } },
    normalizer: { low: { type: "custom", filter: ["lowercase"] } },
  },
};

export const INDICES = {
  [SHELF]: { settings, mappings: { dynamic: false, properties } },
  [OTHER]: {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "-1" },
    mappings: { properties: { t: { type: "text" }, k: { type: "integer" } } },
  },
  [EMPTY]: { settings, mappings: { dynamic: false, properties } },
};

const DOCUMENTS: readonly object[] = [
  {
    t: "quick brown fox",
    t2: "lazy",
    tn: "quick quick",
    td: "quick quick",
    syn: "quick rapid fox",
    k: "Foo",
    kn: "Foo",
    kni: "a",
    knd: "z",
    i: 1,
    l: "9007199254740993",
    s: 3,
    by: 1,
    d: 1.5,
    f: 0.1,
    hf: 0.1,
    b: true,
    dt: "2024-03-31T10:11:12Z",
    ini: 5,
    ind: 1,
    lni: "9223372036854775807",
    dni: 1.5,
    bni: true,
    dtni: "2024-01-01",
    v: [1, 0, 0],
    vni: [1, 0, 0],
    o: { a: "x", b: { c: 1 } },
    ne: [
      { t: "quick fox", n: 1, in: [{ k: "a", n: 1 }] },
      { t: "fox", n: 2 },
    ],
  },
  {
    t: "the fox fox fox jumps",
    t2: "quick fox",
    tn: "fox",
    td: "fox fox",
    syn: "fast vixen",
    k: ["foo", "bar"],
    kn: "BAR",
    kni: "b",
    knd: "y",
    i: -1,
    l: -5,
    s: -3,
    by: -128,
    d: -0.0,
    f: 16777217,
    hf: 65504,
    b: false,
    dt: 0,
    ini: 6,
    ind: 2,
    lni: -1,
    dni: 2,
    bni: false,
    dtni: "2023-01-01",
    v: [0, 1, 0],
    o: { a: "y" },
    ne: {
      t: "dog",
      n: 3,
      in: [
        { k: "b", n: 2 },
        { k: "c", n: 5 },
      ],
    },
  },
  { t: "", k: "", i: 2147483647, l: "9223372036854775807", d: 1e308, f: 3.4e38, dt: "1969-12-31T23:59:59.999Z", v: [0, 0, 1] },
  { t: "😀 emoji ＡＢＣ", k: "😀", i: [1, 2, 3], l: "-9223372036854775808", dt: "2024-02-29", syn: "rapid" },
  { t: "a", k: "\uffff", i: null, ne: [{ n: 7 }, { n: 8, t: "fox fox" }, {}] },
  { t: ["one two", "three"], k: "a\u0000b", d: [1, 2.5], kn: "ÄÖ" },
  {},
  { t2: "brown dog quick", i: 10, oe: { a: 1 }, ne: [] },
  { t: "fox", deleted: true },
];

/** Two refreshes, and a document that is deleted in between and still counts in the statistics. */
export const BATCHES: readonly (readonly object[])[] = [
  DOCUMENTS.slice(0, 5).flatMap((source, at) => [{ index: { _index: SHELF, _id: String(at) } }, source]),
  [
    ...DOCUMENTS.slice(5).flatMap((source, at) => [{ index: { _index: SHELF, _id: String(at + 5) } }, source]),
    { index: { _index: OTHER, _id: "x" } },
    { t: "quick fox", k: 5 },
  ],
  [{ delete: { _index: SHELF, _id: "8" } }],
];
