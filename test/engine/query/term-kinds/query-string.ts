/** query_string and simple_query_string: their languages, and what each option changes. */

const TEXTS = [
  ...["quick brown", "quick AND brown", "quick OR brown", "quick NOT brown", "+quick -brown fox", "!quick fox"],
  ...["quick && fox || box", "NOT quick", "-quick", "t:(quick brown)", "k:(quick OR fox)^2 box", "quick^2 fox"],
  ...['"quick brown"', '"brown quick"~2', '"fox quick"~5^2', 'k:"foo bar"', "k:foo\\ bar", "Qui*", "k:Qui*", "kn:QUI*"],
  ...["q?ick", "*ick", "*", "*:*", "t:*", "zz:*", "zz:quick", "t*:quick", "k\\*:quick", "_exists_:k", "_exists_:zz"],
  ...["quikc~", "quikc~1", "quikc~3", "quikc~0.8", "quikc~AUTO", "quikc~x", "k:quikc~^2", "k:quikc^2~"],
  ...["/qu.*/", "k:/QU.*/", "t:/quick|fox/ box", "/[/", "k:/a\\/b/", "n:[1 TO 5}", "n:{* TO 5]", "n:>5", "n:<=5", ">5"],
  ...["k:{ab TO b]", "d:[2024-01-03||/M TO *]", 'd:"2024-01-03"', "n:a", "b:xyz", "n:(1 OR 2)", "n:12*", "n:1~"],
  ...[
    "fox AND (quick OR box)",
    "fox AND NOT quick AND box",
    "fox OR box AND ab",
    "fox AND box OR ab",
    "fox OR",
    "AND fox",
  ],
  ...["(", "()", "fox)", '"fox', "n:[1 TO", "n:[1 5]", "^2", "fox^", "fox^-1", "fox^0", "~", "fox~~", "\\", "fox\\"],
  ...["\\u0066ox", "\\u00", "\\u00zz", "a:b:c", "t:", "t: quick", "fox/", "年假", "年*", "😀", "foo-bar", "a+b", "- b"],
  ...["fox - box", "quick  brown\t\nfox", "　quick　fox", "e:(the quick)", "e:(the AND quick)", "e:foxes*", "e:Foxes~"],
  ...["fox box +quick", "fox box AND quick", "quick brown^2 fox", 'quick"fox"', "k:a\\*b", "+t:(quick fox) +k:fox"],
  ...[
    "t:(NOT quick)",
    "fox AND (NOT quick)",
    "x:quick",
    "v:1",
    "_id:d1",
    "_id:d*",
    "_index:query*",
    "kd:qui*",
    "kz:quick",
  ],
  ...["fl.a:qui*", "fl.b.c:5", "al:[a TO b]", "k:A-1", "policy~ polices~1", "quick^.5", "[a TO b]", '["a" TO "b c"]'],
  ...["k:[TO TO b]", "   ", '""', 'e:"the"', "e:the OR quick", "-e:the quick", "fox ".repeat(300)],
  ...[
    "(".repeat(200) + "fox".padEnd(203, ")"),
    "quick + (fox | box)",
    "--quick",
    "quick () fox",
    "qui* fox",
    "qui**",
    "* *",
  ],
  ...[
    "quikc~9",
    "quikc~-1",
    '"a\\"b"',
    "| quick",
    "quick +",
    "(quick fox)*",
    '"quick brown"~2fox',
    "(+)",
    "((quick) | (fox",
  ],
];

const QUERY = 'quick fox "brown quick" quikc~ qui* k:q?i* t:/(a|b)*a.{6}/';
const SIMPLE = 'quick fox "brown quick" quikc~1 qui*';

/** Options of both. */
const SHARED: readonly object[] = [
  ...[[], [1], [null], ["*"], ["t*"], ["k*^2"], ["t", "t^3"], ["zz"], ["t^x"]].map((fields) => ({ fields })),
  ...["t", null, {}].map((fields) => ({ fields })),
  ...["absent", "whitespace", null].map((analyzer) => ({ analyzer })),
  ...["and", "x", null].map((default_operator) => ({ default_operator })),
  ...[2, "100%", null].map((minimum_should_match) => ({ fields: ["t"], minimum_should_match })),
  ...["most_fields", "phrase", "cross_fields", "phrase_prefix", "bool_prefix", "x"].map((type) => ({ type })),
  ...[{ lenient: true, fields: ["n"] }, { lenient: false, fields: ["n"] }, { lenient: "x" }, { zz: 1 }, { zz: [] }],
  ...[{ quote_field_suffix: "n", fields: ["k"] }, { fuzzy_prefix_length: 2 }, { fuzzy_max_expansions: 1 }],
  ...[{ fuzzy_transpositions: false }, { boost: 2 }, { analyze_wildcard: true }, { query: null }, { query: [] }],
  ...[{ query: 12 }, { query: {} }],
];

const QUERY_ONLY: readonly object[] = [
  ...["*", "k*", "zz", "t", null, []].map((default_field) => ({ default_field })),
  ...["absent", "keyword"].map((quote_analyzer) => ({ quote_analyzer })),
  ...[2, "x", 0].map((fuzziness) => ({ fuzziness })),
  ...["scoring_boolean", "top_terms_2", "x"].map((rewrite) => ({ rewrite })),
  ...[1, "x"].map((phrase_slop) => ({ phrase_slop })),
  ...[0.5, 2].map((tie_breaker) => ({ fields: ["t", "k"], tie_breaker })),
  ...["+01:00", "x"].map((time_zone) => ({ query: "d:2024-01-03", time_zone })),
  ...[1, "x"].map((max_determinized_states) => ({ max_determinized_states })),
  ...[{ default_field: "t", fields: ["k"] }, { fuzzy_rewrite: "scoring_boolean" }, { fuzzy_rewrite: "x" }],
  ...[{ enable_position_increments: false }, { escape: true }, { allow_leading_wildcard: false, query: "*ick" }],
  { query: "(quick fox e:foxes*)^2", fields: ["t", "k"], minimum_should_match: 2 },
];

const FLAGS = [
  "ALL",
  "NONE",
  "or|AND",
  "WHITESPACE",
  "X",
  "",
  "NONE|ALL",
  "ALL|NONE",
  0,
  -1,
  255,
  "255",
  null,
  true,
  [],
];

export function queryStringQueries(): object[] {
  const queries: object[] = [];
  for (const query of TEXTS) {
    for (const name of ["query_string", "simple_query_string"]) {
      queries.push({ [name]: { query } });
      queries.push({ [name]: { query, fields: ["t^2", "k"] } });
      queries.push({ [name]: { query, fields: ["t", "e"], default_operator: "AND" } });
    }
    queries.push({ query_string: { query, default_field: "t" } });
    queries.push({ simple_query_string: { query, fields: ["t", "k"], flags: "OR|PREFIX", analyze_wildcard: true } });
  }
  for (const options of SHARED) {
    queries.push(
      { query_string: { query: QUERY, ...options } },
      { simple_query_string: { query: SIMPLE, ...options } },
    );
  }
  for (const options of QUERY_ONLY) queries.push({ query_string: { query: QUERY, ...options } });
  for (const flags of FLAGS) queries.push({ simple_query_string: { query: "quick +fox -box", fields: ["t"], flags } });
  return [...queries, { query_string: {} }, { simple_query_string: { fields: ["t"] } }];
}
