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

const COMPLETIONS = {
  c: { type: "completion" },
  stopped: { type: "completion", analyzer: "stopped" },
  joined: { type: "completion", analyzer: "stopped", preserve_separators: false, preserve_position_increments: false },
  zh: { type: "completion", analyzer: "ik_max_word", search_analyzer: "standard" },
  alike: { type: "completion", analyzer: "alike" },
  short: { type: "completion", max_input_length: 5 },
  whole: { type: "completion", analyzer: "keyword" },
  t: { type: "text", fields: { c: { type: "completion" } } },
  within: { type: "completion", fields: { raw: { type: "keyword" }, c: { type: "completion", analyzer: "keyword" } } },
};
const TYPED = {
  settings: {
    ...SETTINGS,
    analysis: {
      ...SETTINGS.analysis,
      filter: {
        ...SETTINGS.analysis.filter,
        net: { type: "synonym_graph", synonyms: ["ny, new york city"] },
      },
      analyzer: {
        ...SETTINGS.analysis.analyzer,
        stopped: { tokenizer: "standard", filter: ["lowercase", "stop"] },
        alike: { tokenizer: "standard", filter: ["lowercase", "net"] },
      },
    },
  },
  mappings: { properties: COMPLETIONS },
};

export const INDICES: Readonly<Record<string, Line>> = {
  words: { settings: SETTINGS, mappings: { properties: PROPERTIES } },
  more: { settings: SETTINGS, mappings: { properties: PROPERTIES } },
  spaces: { mappings: { properties: { t: { type: "text", analyzer: "whitespace" } } } },
  typed: TYPED,
  typer: TYPED,
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

const SUGGESTED: readonly Line[] = [
  { c: { input: ["annual leave", "leave policy", "annual plan"], weight: 10 }, zh: "年休假申请" },
  { c: { input: "annual report", weight: "5" }, zh: ["年休假天数", "病假"] },
  { c: "sick leave", stopped: "the end of the road", joined: "the end of the road", t: ["a text", "another text"] },
  { c: ["leave request", "sick note", "  "], stopped: "end of", joined: "end of" },
  { c: { input: "Annual Budget", weight: 20 }, alike: "ny pizza", short: "abc😀def" },
  {
    c: [
      { input: "annual report", weight: 7 },
      { input: ["annul", "année"], weight: 0 },
    ],
    alike: "new york city hall",
  },
  { c: { input: ["anno domini", "ann"], weight: 3 }, whole: "Whole Text", short: "abcdefgh" },
  { c: { input: "annual report", weight: 7 }, stopped: ["of", "road of the"], joined: "road of the" },
  { c: { input: "a".repeat(60), weight: 1 }, zh: { input: ["中华人民共和国", "中国"], weight: 2 } },
  { c: { weight: 3 }, t: "texture", within: "Bar code" },
  { within: [{ input: ["bar none", "Baz"], weight: 4 }, "bar none", ""] },
];

/** A refresh follows each. */
export const BATCHES: readonly (readonly Line[])[] = [
  [
    ...TEXTS.flatMap((t, i) => document("words", i, { t, n: i, zh: i % 2 === 0 ? "年休假申请" : "年假规定" })),
    ...["annual leaves", "annal policy", "annual policing"].flatMap((t, i) => document("more", i, { t })),
    ...SUGGESTED.flatMap((source, i) => document("typed", i, source)),
    ...SUGGESTED.slice(0, 4).flatMap((source, i) => document("typer", i, source)),
    ...["annual leave", "Leave"].flatMap((t, i) => document("spaces", i, { t })),
  ],
  [
    ...document("more", 9, { t: "annual police and leave" }),
    ...document("typed", 20, { c: { input: ["annual gone", "annual leave"], weight: 100 } }),
    ...document("typed", 21, { c: ["annual leave", "sick leave"] }),
    ...document("typer", 5, { c: { input: "annual budget", weight: 20 } }),
    { delete: { _index: "typed", _id: "20" } },
  ],
];
