/** The index that recorded queries are asked of. */

export const INDEX = "querykinds-world";

export const DEFINITION = {
  settings: {
    number_of_replicas: 0,
    number_of_shards: 1,
    analysis: { normalizer: { low: { type: "custom", filter: ["lowercase"] } } },
  },
  mappings: {
    properties: {
      t: { type: "text" },
      e: { type: "text", analyzer: "english" },
      w: { type: "text", analyzer: "whitespace" },
      k: { type: "keyword" },
      kn: { type: "keyword", normalizer: "low" },
      kd: { type: "keyword", index: false },
      kz: { type: "keyword", index: false, doc_values: false },
      n: { type: "long" },
      f: { type: "double" },
      d: { type: "date" },
      b: { type: "boolean" },
      m: { type: "integer" },
      x: { type: "text", index: false },
      v: { type: "dense_vector", dims: 2, index_options: { type: "hnsw" } },
      fl: { type: "flattened" },
      al: { type: "alias", path: "k" },
      o: { properties: { p: { type: "keyword" } } },
      ne: { type: "nested", properties: { q: { type: "keyword" } } },
    },
  },
};

const WORDS = [
  ..."quick quack quickly Quick quiet queue quote brown fox foxes fo f ab abc abcd ba bac acb box".split(" "),
  ..."年假 年 年末 休暇 été ete café a*b a?b a\\b x_y 12 123 1234 😀 😀x".split(" "),
  ...["foo bar", "Foo Bar", "zz top"],
  ..."policy polciy police polices pocily application aplication applicaton ß İ A-1 001 42 420".split(" "),
];

/** Documents under their ids. */
export const DOCUMENTS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    WORDS.map((word, i) => [
      `d${i}`,
      {
        t: word,
        e: word,
        w: word,
        k: word,
        kn: word,
        kd: word,
        n: i,
        f: i / 2,
        d: `2024-01-${String(1 + (i % 28)).padStart(2, "0")}`,
        b: i % 2 === 0,
        m: i % 3,
        fl: { a: word, b: { c: i } },
      },
    ]),
  ),
  multi: {
    t: "quick brown fox quickly jumps over lazy dogs policy police",
    e: "quick brown foxes jumped over the lazy dogs",
    w: "Quick Brown fox",
    k: ["quick", "fox"],
    kn: ["QUICK", "Fox"],
    kd: ["quick", "fox"],
    n: [1, 2],
    d: "2020-01-01",
    m: 2,
  },
  rep: { t: "quick quick quick fox foxes", k: "quick", kn: "quick", m: 1 },
  rep2: { t: "brown brown bro brow", k: "brow", kn: "Brow", m: 1 },
};
