/** Indices whose suggestions are recorded. `node` asks Elasticsearch under names of its own. */
type Line = Readonly<Record<string, unknown>>;

const SETTINGS = {
  number_of_shards: 1,
  number_of_replicas: 0,
  analysis: {
    filter: {
      pairs: { type: "shingle", min_shingle_size: 2, max_shingle_size: 3 },
      only_pairs: { type: "shingle", output_unigrams: false },
      alike: { type: "synonym", synonyms: ["holiday, leave"] },
    },
    analyzer: {
      pairs: { tokenizer: "standard", filter: ["lowercase", "pairs"] },
      only_pairs: { tokenizer: "standard", filter: ["lowercase", "only_pairs"] },
      alike: { tokenizer: "standard", filter: ["lowercase", "alike"] },
    },
    normalizer: { lower: { filter: ["lowercase"] } },
  },
};

const PROPERTIES = {
  t: {
    type: "text",
    fields: {
      pairs: { type: "text", analyzer: "pairs" },
      only: { type: "text", analyzer: "only_pairs" },
      raw: { type: "keyword", normalizer: "lower" },
    },
  },
  zh: { type: "text", analyzer: "ik_max_word" },
  n: { type: "long" },
  place: { type: "geo_point" },
  unindexed: { type: "text", index: false },
  other: { type: "alias", path: "t" },
};

export const INDICES: Readonly<Record<string, Line>> = {
  words: { settings: SETTINGS, mappings: { properties: PROPERTIES } },
  more: { settings: SETTINGS, mappings: { properties: PROPERTIES } },
  spaces: { mappings: { properties: { t: { type: "text", analyzer: "whitespace" } } } },
  empty: { mappings: { properties: { t: { type: "text" } } } },
};

const document = (index: string, id: number, source: Line): Line[] => [
  { index: { _index: index, _id: `${id}` } },
  source,
];

const TEXTS = [
  "annual leave policy",
  "annual report and leave",
  "sick leave certificate",
  "leave leave policy",
  "travel policies",
  "annually leaving",
  "anually",
  "The quick brown fox",
  "quicker quickest quick",
  "a holiday policy for the annual holiday",
];

/** A refresh follows each. */
export const BATCHES: readonly (readonly Line[])[] = [
  [
    ...TEXTS.flatMap((t, i) => document("words", i, { t, n: i, zh: i % 2 === 0 ? "年休假申请" : "年假规定" })),
    ...["annual leaves", "annal policy", "annual policing"].flatMap((t, i) => document("more", i, { t })),
    ...["annual leave", "Leave"].flatMap((t, i) => document("spaces", i, { t })),
  ],
  document("more", 9, { t: "annual police and leave" }),
];
