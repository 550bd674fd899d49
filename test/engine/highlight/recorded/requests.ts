/** Highlights that are asked of a node once, and of the engine in each test run. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

export const MAPPINGS: JsonMap = {
  properties: {
    t: { type: "text", fields: { en: { type: "text", analyzer: "english" }, raw: { type: "keyword" } } },
    v: {
      type: "text",
      term_vector: "with_positions_offsets",
      fields: { en: { type: "text", analyzer: "english", term_vector: "with_positions_offsets" } },
    },
    vo: { type: "text", term_vector: "with_offsets" },
    o: { type: "text", index_options: "offsets" },
    ik: { type: "text", analyzer: "ik_max_word", term_vector: "with_positions_offsets" },
    cjk: { type: "text", analyzer: "cjk" },
    k: { type: "keyword", ignore_above: 12 },
    n: { type: "integer" },
    all: { type: "text" },
    part: { type: "text", copy_to: "all" },
    name: { type: "alias", path: "t" },
    ob: { properties: { t: { type: "text" } } },
    ne: { type: "nested", properties: { t: { type: "text" }, k: { type: "keyword" } } },
  },
};

const LONG =
  "The quick brown fox jumps over the lazy dog. Foxes are quick, and brown foxes are quicker. A dog (lazy or not) sleeps! Does the fox know? " +
  "It is a fact that no quick brown animal has ever been as quick as the fox that jumped over that lazy dog in the story of the quick brown fox " +
  'without any stop whatever in its long sentence. The end.  1. A list. e.g. this one; Mr. Fox said: "Quick!" and left...';
const CHINESE =
  "员工请假需要提前三天申请。年假和婚假由部门经理批准！加班费如何计算？试用期员工没有年假，但是可以申请调休；病假需要医院证明。";

export const DOCUMENTS: readonly JsonMap[] = [
  {
    t: LONG,
    v: LONG,
    vo: LONG,
    o: LONG,
    ik: CHINESE,
    cjk: CHINESE,
    k: ["fox", "a much too long keyword", "dog"],
    n: 3,
    part: "quick start",
    all: "own quick value",
  },
  {
    t: ["quick fox", "", "lazy dog. Quick fox.", "brown"],
    v: ["quick fox", "", "lazy dog. Quick fox.", "brown"],
    o: "fox & <b>dog</b> 'quick' \"brown\" a/b",
    k: "dog",
    ob: [{ t: ["x fox"] }, { t: "y fox" }],
  },
  {
    t: "😀 fox 😀 quick\u2029brown\tfox\n\nquick",
    v: "fox",
    ik: ["年假", "员工年假申请"],
    cjk: "年假",
    ne: [
      { t: "the quick fox. A dog", k: "a" },
      { t: "lazy", k: "b" },
    ],
  },
  {
    t: "nothing of it here. Only other words, and more of them.",
    v: "nothing of it here. Only other words.",
    k: "cat",
    n: 4,
  },
];

const INTERVALS: readonly JsonMap[] = [
  { match: { query: "quick fox", max_gaps: 2 } },
  { match: { query: "fox quick", ordered: true, max_gaps: -1 } },
  { match: { query: "quick brown fox", ordered: true, max_gaps: 0 } },
  { match: { query: "quick quick", max_gaps: 10 } },
  { any_of: { intervals: [{ match: { query: "lazy dog" } }, { prefix: { prefix: "qui" } }] } },
  {
    all_of: {
      intervals: [{ match: { query: "lazy" } }, { wildcard: { pattern: "?ox*" } }],
      max_gaps: 4,
      ordered: false,
    },
  },
  {
    all_of: {
      intervals: [{ match: { query: "the" } }, { match: { query: "fox" } }, { match: { query: "dog" } }],
      ordered: true,
    },
  },
  { match: { query: "quick dog", filter: { containing: { match: { query: "fox" } } } } },
  { match: { query: "fox", filter: { contained_by: { match: { query: "quick dog" } } } } },
  { match: { query: "quick dog", filter: { not_containing: { match: { query: "jumps" } } } } },
  { match: { query: "fox", filter: { before: { match: { query: "dog" } } } } },
  { match: { query: "fox", filter: { after: { match: { query: "dog" } } } } },
  { match: { query: "brown fox", filter: { overlapping: { match: { query: "quick brown" } } } } },
  { fuzzy: { term: "foks" } },
];

const QUERIES: readonly JsonMap[] = [
  { match: { t: "quick fox" } },
  { match_phrase: { t: "quick brown fox" } },
  { match_phrase: { t: { query: "fox quick", slop: 4 } } },
  { match_phrase_prefix: { t: "lazy do" } },
  { match_bool_prefix: { t: "lazy qui" } },
  { prefix: { t: "qu" } },
  { wildcard: { t: "*ox*" } },
  { fuzzy: { t: { value: "foks", fuzziness: 2 } } },
  { regexp: { t: "(qui|laz).+" } },
  { range: { t: { gte: "fox", lt: "lazy" } } },
  { terms: { t: ["fox", "dog", "cat"] } },
  { query_string: { query: 't:(quick AND -cat) OR "lazy dog"' } },
  {
    bool: {
      must: { match: { t: "fox" } },
      must_not: { match: { t: "cat" } },
      should: { match: { t: "dog" } },
      filter: { match: { t: "quick" } },
    },
  },
  { bool: { filter: { bool: { must: { match: { t: "fox" } }, should: { match: { t: "dog" } } } } } },
  { constant_score: { filter: { match: { t: "fox" } } } },
  { dis_max: { queries: [{ match: { t: "fox" } }, { match: { "t.en": "foxes" } }] } },
  { multi_match: { query: "quick foxes", fields: ["t", "t.en^2", "v"] } },
  { multi_match: { query: "quick fox", fields: ["t", "v"], type: "cross_fields" } },
  { combined_fields: { query: "quick fox", fields: ["t", "v"] } },
  { span_near: { clauses: [{ span_term: { t: "quick" } }, { span_term: { t: "fox" } }], slop: 1, in_order: true } },
  { span_not: { include: { span_term: { t: "fox" } }, exclude: { span_term: { t: "brown" } }, pre: 1 } },
  {
    span_or: {
      clauses: [
        { span_multi: { match: { prefix: { t: "foxe" } } } },
        { span_first: { match: { span_term: { t: "quick" } }, end: 3 } },
      ],
    },
  },
  { function_score: { query: { match: { t: "fox" } }, functions: [{ weight: 2 }] } },
  { boosting: { positive: { match: { t: "fox" } }, negative: { match: { t: "dog" } }, negative_boost: 0.5 } },
  ...INTERVALS.map((rule): JsonMap => ({ intervals: { t: rule } })),
  { match_all: {} },
  { exists: { field: "t" } },
  { match: { t: "missing" } },
  { nested: { path: "ne", query: { match: { "ne.t": "quick fox" } } } },
];

const forBoth = (query: JsonMap): JsonMap => ({ bool: { should: [query, { match_all: {} }] } });
const fox: JsonMap = forBoth({ match: { t: "quick fox" } });
const onV: JsonMap = forBoth({
  bool: { should: [{ match: { v: "quick fox" } }, { match_phrase: { v: "lazy dog" } }] },
});
const ask = (query: JsonMap, highlight: JsonMap): JsonMap => ({ query, _source: false, highlight });

/** Each with the options of one highlighter. */
const OPTIONS: readonly JsonMap[] = [
  {},
  { number_of_fragments: 0 },
  { number_of_fragments: 1 },
  { number_of_fragments: 2, order: "score" },
  { fragment_size: 18 },
  { fragment_size: 30, number_of_fragments: 10 },
  { fragment_size: 100000 },
  { no_match_size: 10 },
  { no_match_size: 1000 },
  { encoder: "html", fragment_size: 40 },
  { tags_schema: "styled" },
  { pre_tags: ["<1>", "<2>"], post_tags: ["</1>", "</2>"] },
  { boundary_scanner: "word" },
  { boundary_scanner: "sentence", fragment_size: 50 },
  { boundary_chars: "x.", boundary_max_scan: 5, fragment_size: 25 },
  { require_field_match: false, fragment_size: 60 },
  { max_analyzed_offset: 30 },
  { fragmenter: "simple", fragment_size: 20 },
  { highlight_query: { match_phrase: { v: "brown fox" } } },
  { phrase_limit: 2 },
];

const WRONG: readonly JsonMap[] = [
  { fields: { t: {} }, foo: 1 },
  { fields: { t: { foo: 1 } } },
  { fields: { t: {} }, fragment_offset: 3 },
  { fields: { t: { type: "nope" } } },
  { fields: { t: { type: "fvh" } } },
  { fields: { t: { type: "plain", fragmenter: "x" } } },
  { fields: { v: { type: "fvh", fragment_size: 5 } } },
  { fields: { v: { type: "fvh", fragment_offset: -3 } } },
  { fields: { t: { pre_tags: ["a"] } } },
  { fields: { t: {} }, pre_tags: [], post_tags: [] },
  { fields: { t: {} }, tags_schema: "x" },
  { fields: { t: {} }, number_of_fragments: "x" },
  { fields: { t: {} }, number_of_fragments: {} },
  { fields: { t: {} }, boundary_scanner: "x" },
  { fields: { t: { boundary_scanner: "chars" } } },
  { fields: { t: {} }, max_analyzed_offset: 0 },
  { fields: { t: {} }, highlight_query: { foo: {} } },
  { fields: { t: {} }, highlight_query: {} },
  { fields: { t: {} }, force_source: true },
  { fields: { t: { matched_fields: ["t.en"], require_field_match: false } } },
  { fields: { t: 1 } },
  { fields: { t: null } },
  { fields: { t: { fragment_size: null } } },
  { fields: { t: { require_field_match: "yes" } } },
  { fields: ["t"] },
  { fields: [{ t: {}, k: {} }] },
  { fields: 1 },
  { fields: { t: { highlight_query: { range: { n: { gte: "x" } } } } } },
];

export function requests(): JsonMap[] {
  const types = ["unified", "plain", "fvh"];
  return [
    ...QUERIES.map((query) => ask(query, { fields: { t: {}, "t.en": {}, o: {}, "ne.t": {} } })),
    ...QUERIES.map((query) =>
      ask(query, { type: "plain", fields: { t: {}, "t.en": { fragment_size: 30 }, "ne.t": {} } }),
    ),
    ...QUERIES.map((query) => ask(query, { require_field_match: false, fields: { v: {}, vo: {}, k: {} } })),
    ...QUERIES.map((query) => ask(query, { type: "fvh", require_field_match: false, fields: { v: {}, ik: {} } })),
    ...types.flatMap((type) => OPTIONS.map((options) => ask(onV, { type, fields: { v: options } }))),
    ...OPTIONS.map((options) => ask(fox, { ...options, fields: { "*": {} } })),
    ...types.map((type) =>
      ask(forBoth({ match: { ik: "年假申请" } }), { type, fields: { ik: { fragment_size: 20 } } }),
    ),
    ask(forBoth({ match: { cjk: "年假申请" } }), { fields: { cjk: { fragment_size: 10 } } }),
    ask(forBoth({ match_phrase: { cjk: "部门经理" } }), { fields: { cjk: {} } }),
    ask(forBoth({ terms: { k: ["fox", "dog", "a much too long keyword"] } }), {
      fields: { k: {}, n: {} },
      no_match_size: 5,
    }),
    ask(forBoth({ range: { n: { gte: 1 } } }), { fields: { n: {} } }),
    ask(forBoth({ match: { all: "quick" } }), { fields: { all: {}, part: {} } }),
    ask(forBoth({ match: { name: "fox" } }), { fields: { name: { number_of_fragments: 1 }, t: {} } }),
    ask(forBoth({ match: { "ob.t": "fox" } }), { fields: { "ob.*": {} } }),
    ask(fox, { fields: [{ t: { number_of_fragments: 1 } }, { "t.raw": {} }] }),
    ask(forBoth({ bool: { should: [{ match: { t: "fox" } }, { match: { "t.en": "foxes" } }] } }), {
      fields: { t: { matched_fields: ["t.en"] } },
    }),
    ask(onV, { fields: { v: { type: "fvh", matched_fields: ["v", "v.en"] } } }),
    ask(onV, { fields: { v: { type: "fvh", fragment_offset: 0, fragment_size: 20 } } }),
    ask(
      {
        nested: {
          path: "ne",
          query: { match: { "ne.t": "quick" } },
          inner_hits: { highlight: { fields: { "ne.t": {} } } },
        },
      },
      { fields: { "ne.t": {} } },
    ),
    ask(fox, { fields: [{ t: { fragment_size: 18 } }, { "*": { fragment_size: 60 } }] }),
    ask(fox, { fields: { part: { boundary_scanner: "chars" } } }),
    ask(fox, { fields: { t: { type: "plain", number_of_fragments: -5 } } }),
    ask(onV, { fields: { v: { type: "fvh", number_of_fragments: -5 } } }),
    // Without positions, terms are where the offsets say.
    ask(forBoth({ match: { vo: "quick fox" } }), { fields: { vo: { fragment_size: 30, order: "score" } } }),
    ask(forBoth({ terms: { vo: ["lazy", "story", "stop"] } }), { fields: { vo: { number_of_fragments: 2 } } }),
    ask(forBoth({ prefix: { vo: "qui" } }), { fields: { vo: {} } }),
    ...WRONG.map((highlight) => ask(fox, highlight)),
  ];
}
