/** Every option of every query with a value of every kind: most are mistakes. */

/** JSON texts by name. */
const VALUES: Readonly<Record<string, string>> = {
  null: "null",
  true: "true",
  "true as text": '"true"',
  "other text": '"zz"',
  "empty text": '""',
  blank: '" "',
  zero: "0",
  one: "1",
  negative: "-1",
  fraction: "1.7",
  "beyond float": "1e40",
  "beyond int": "99999999999",
  "number as text": '"2"',
  "fraction as text": '"1.5"',
  "spaced number": '" 1 "',
  NaN: '"NaN"',
  object: "{}",
  "object of a number": '{"a":1}',
  list: "[]",
  "list of a number": "[1]",
  "list of a text": '["quick"]',
  query: '{"match_all":{}}',
  "list of a query": '[{"match_all":{}}]',
  "two queries": '{"match_all":{},"x":1}',
};

const COMMON = ["boost", "_name", "unknown_", "Boost"];
const MATCH = [
  "query",
  "operator",
  "analyzer",
  "minimum_should_match",
  "zero_terms_query",
  "lenient",
  "auto_generate_synonyms_phrase_query",
  "fuzzy_transpositions",
  "prefix_length",
  "max_expansions",
  "fuzzy_rewrite",
  ...COMMON,
];
const FIELDS = ["t", "k", "i", "d", "b", "dt", "v", "zz", "o", "oe", "ne", "_id", "tni", "inn", "kni", "lni"];

/** What stands around the option, `%` for it; and the options. */
const PLACES: readonly (readonly [text: string, options: readonly string[]])[] = [
  ['{"match":{"t":{"query":"quick fox",%}}}', MATCH],
  ['{"match":{"i":{%}}}', ["query"]],
  ['{"term":{"t":{"value":"quick",%}}}', ["value", "term", "case_insensitive", ...COMMON]],
  [
    '{"range":{"i":{"gte":0,%}}}',
    ["gt", "gte", "lt", "lte", "from", "include_lower", "format", "time_zone", "relation", ...COMMON],
  ],
  ['{"range":{"dt":{"gte":0,%}}}', ["lt", "format", "time_zone", "relation"]],
  ['{"range":{"k":{"gte":"a",%}}}', ["lt", "format", "time_zone", "relation"]],
  ['{"match":{%}}', FIELDS],
  ['{"term":{%}}', FIELDS],
  ['{"terms":{%}}', FIELDS],
  ['{"range":{%}}', FIELDS],
  ['{"match":{"t":"fox",%}}', ["k", ...COMMON]],
  ['{"term":{"t":"fox",%}}', ["k", ...COMMON]],
  ['{"terms":{"t":["fox"],%}}', ["k", ...COMMON]],
  ['{"range":{"i":{"gte":0},%}}', ["k", ...COMMON]],
  [
    '{"multi_match":{"query":"quick fox","fields":["t","t2"],%}}',
    ["type", "tie_breaker", "slop", ...MATCH.filter((option) => option !== "query")],
  ],
  ['{"multi_match":{"fields":["t","t2"],%}}', ["query"]],
  ['{"multi_match":{"query":"quick fox",%}}', ["fields"]],
  ['{"exists":{"field":"t",%}}', COMMON],
  ['{"exists":{%}}', ["field", "boost"]],
  ['{"ids":{"values":["1"],%}}', ["type", ...COMMON]],
  ['{"ids":{%}}', ["values", "boost"]],
  [
    '{"bool":{"should":[{"match":{"t":"fox"}},{"match":{"t":"quick"}}],%}}',
    ["must", "filter", "must_not", "mustNot", "minimum_should_match", "adjust_pure_negative", ...COMMON],
  ],
  ['{"bool":{%}}', ["must", "filter", "should", "must_not"]],
  ['{"dis_max":{"queries":[{"match":{"t":"fox"}},{"match":{"t2":"quick"}}],%}}', ["tie_breaker", ...COMMON]],
  ['{"dis_max":{%}}', ["queries", "tie_breaker"]],
  ['{"constant_score":{"filter":{"match":{"t":"fox"}},%}}', COMMON],
  ['{"constant_score":{%}}', ["filter", "boost"]],
  ['{"boosting":{"positive":{"match":{"t":"fox"}},"negative":{"match":{"t":"quick"}},"negative_boost":0.5,%}}', COMMON],
  ['{"boosting":{"positive":{"match":{"t":"fox"}},"negative_boost":0.5,%}}', ["negative"]],
  ['{"boosting":{"negative":{"match":{"t":"fox"}},"negative_boost":0.5,%}}', ["positive"]],
  ['{"boosting":{"positive":{"match":{"t":"fox"}},"negative":{"match":{"t":"quick"}},%}}', ["negative_boost"]],
  ['{"nested":{"path":"ne","query":{"match":{"ne.t":"fox"}},%}}', ["score_mode", "ignore_unmapped", ...COMMON]],
  ['{"nested":{"query":{"match":{"ne.t":"fox"}},%}}', ["path"]],
  ['{"nested":{"path":"ne",%}}', ["query"]],
  ['{"match_all":{%}}', COMMON],
  ['{"match_none":{%}}', COMMON],
  [
    "{%}",
    [
      "match",
      "bool",
      "term",
      "terms",
      "range",
      "exists",
      "ids",
      "dis_max",
      "constant_score",
      "boosting",
      "nested",
      "multi_match",
      "match_all",
      "match_none",
      "zzz",
      "mtach",
      "Match",
      "",
    ],
  ],
];

const SEARCH = [
  "query",
  "from",
  "size",
  "_source",
  "track_total_hits",
  "min_score",
  "version",
  "seq_no_primary_term",
  "track_scores",
  "zz",
];
const KNN = ["field", "query_vector", "k", "num_candidates", "boost", "similarity", "_name", "filter", "zz"];

export interface OptionRequest {
  /** The place and the option: answers are recorded under it, one for each value. */
  readonly place: string;
  readonly value: string;
  readonly body: string;
}

export function optionRequests(): OptionRequest[] {
  const requests: OptionRequest[] = [];
  const add = (place: string, option: string) => {
    for (const [value, json] of Object.entries(VALUES)) {
      const body = place.replace("%", () => `${JSON.stringify(option)}:${json}`);
      requests.push({ place: `${option} in ${place}`, value, body });
    }
  };
  for (const [text, options] of PLACES) for (const option of options) add(`{"query":${text}}`, option);
  for (const option of SEARCH) add("{%}", option);
  for (const option of KNN) {
    const others = { field: '"v"', query_vector: "[1,0,0]", k: "2", num_candidates: "5" };
    const rest = Object.entries(others).filter(([name]) => name !== option);
    add(`{"knn":{${rest.map(([name, json]) => `"${name}":${json}`).join(",")},%}}`, option);
  }
  return requests;
}
