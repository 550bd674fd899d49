/** prefix, wildcard, regexp and fuzzy: what they find and how it scores, on every type of field, with every option. */

const FIELDS =
  "t k kn kd kz n f d b x v fl fl.a fl.b.c al o o.p ne.q _id _index _routing _source _seq_no _version _ignored missing _tier _nested_path".split(
    " ",
  );
const QUERIES = ["prefix", "wildcard", "regexp", "fuzzy"];

const LONG = "abcdefghij".repeat(60);

/** What may stand behind a field's name. */
const FORMS: readonly unknown[] = [
  ...[null, 12, true, [], ["a"], {}, { value: null }, { value: 12 }, { value: ["qu"] }, { value: {} }],
  ...[
    { value: "qu", boost: 2 },
    { value: "qu", boost: "x" },
    { value: "qu", zz: 1 },
    { value: "qu", zz: [] },
  ],
  ...["true", 1, null].map((case_insensitive) => ({ value: "qu", case_insensitive })),
  ...[null, 5, "top_terms_", "top_terms_x", "Scoring_Boolean"].map((rewrite) => ({
    value: "qu",
    rewrite,
  })),
  ...[{ rewrite: "scoring_boolean" }, { term: "qu" }, { wildcard: "qu*" }, { value: "", boost: 3 }],
  ...[
    { value: "qu", flags: "ALL" },
    { value: "qu", max_determinized_states: 3 },
    { value: "qu", fuzziness: 1 },
  ],
  { value: "a\ud800" },
];

const REGEXPS = [
  ..."qui.* q[aeiou]+ck (fox|box) fo{1,2} fo{0} a.?b.? [^a-z]+ \\d+ \\w+ \\s foo\\sbar [a\\-z]+ [a-] []a] [^] a{ a{x}".split(
    " ",
  ),
  ..."a{2,1} a{,2} ( (a a) a| |a [z-a] \\ \\e \\b \\. a\\*b <1-42> <001-099> <42-1> <1> <a-b> ~(qu.*)".split(" "),
  ...'(.*a.*)&(.*b.*) @ # "a*b" "a () a** 😀.? 年. [年休].* CAF. été (a|b)*a.{6} (a|b)*a.{15} a{1,20000}'.split(" "),
  ..."(ab){6000} ((a|b)c){3000} x{99999999999} a{2,} a{2,3}b? a&b & [&] <ab> [\\w]x? \\D+ \\S+ [^\\d]+ a\\ \\Q".split(
    " ",
  ),
  ..."00[12] [é-ü]t[é-ü] İ ß (.*a){30} (.*[ab]){12} .*a.*b.*c.*d.*".split(" "),
  "a".repeat(1000),
  "a".repeat(1001),
  "(".repeat(400) + "a".padEnd(401, ")"),
];

const FLAGS = [
  "NONE",
  "INTERSECTION",
  "COMPLEMENT|EMPTY",
  "interval",
  "",
  "|",
  "NONE|ALL",
  "AUTOMATON",
  " ALL",
  null,
  5,
];

const WILDCARDS = [
  ..."* ? ?? q*k *o* a\\*b a\\?b \\ a\\ 年? *😀 😀? Fo*Bar qu?ck* QUI* É* İ *\\** caf? A-?".split(" "),
  "",
  "?".repeat(1000),
  "?".repeat(1001),
  "*a*b*c*d*e*f*g*h*i*j*k*",
  "*a?????????????b",
];

const FUZZY_WORDS = [
  ..."quick uqick qiick policy polciy application fox fo f ab 年末 😀x Quick xyz cafe".split(" "),
  ...["", 123, "foo bar", LONG, "年".repeat(300), "a".repeat(40_000)],
];
const FUZZY_OPTIONS = [
  {},
  { fuzziness: 1 },
  { fuzziness: 2 },
  { fuzziness: "AUTO:1,2" },
  { fuzziness: 2, transpositions: false },
  { fuzziness: 2, prefix_length: 1 },
  { fuzziness: 2, max_expansions: 2 },
  { fuzziness: 2, rewrite: "top_terms_boost_5" },
  { fuzziness: 2, rewrite: "scoring_boolean" },
  { fuzziness: 2, rewrite: "constant_score" },
];
const FUZZINESS = [
  ...[0, 3, -1, "2", "3", "1.0", "1.5", 1.5, "auto", "AUTO:", "AUTO:3", "AUTO:3,", "auto:3,6", "AUTO:6,3", "AUTO:-1,3"],
  ...["AUTO:0,0", "AUTO:a,b", "AUTO: 3,6", "AUTO:3,6,9", "AUTO:99999999999,1", "", true, null, "LOTS", "0x1", "1d"],
];

const REWRITES = [
  ..."constant_score constant_score_blended constant_score_boolean scoring_boolean top_terms_3 top_terms_boost_3".split(
    " ",
  ),
  ...["top_terms_blended_freqs_3", "top_terms_100"],
];

export function multiTermQueries(): object[] {
  const queries: object[] = [];
  const add = (query: string, field: string, value: unknown) => queries.push({ [query]: { [field]: value } });
  for (const query of QUERIES) {
    for (const field of [...FIELDS, ""]) for (const value of ["qui", "Qui*"]) add(query, field, value);
    for (const form of FORMS) add(query, "k", form);
    queries.push({ [query]: {} }, { [query]: { k: "a", t: "b" } }, { [query]: { k: { value: "qu" }, _name: "x" } });
  }
  const examples = { prefix: "q", wildcard: "*o*", regexp: "(qu|f).*", fuzzy: "quick" };
  for (const rewrite of REWRITES) {
    for (const [query, value] of Object.entries(examples)) {
      for (const field of ["t", "k", "kn", "kd"]) add(query, field, { value, rewrite, boost: 1.5 });
    }
  }
  for (const value of REGEXPS) {
    add("regexp", "k", { value, case_insensitive: true });
    add("regexp", "k", { value });
  }
  for (const flags of FLAGS) {
    for (const value of ["<1-42>|~fox|fo#x", "ab&ab", "@x", "<ab>", "a~b"]) add("regexp", "k", { value, flags });
  }
  for (const max_determinized_states of [0, 1, 5, -1, "7", "x"]) {
    for (const value of ["abc", "(a|b)*a.{6}", "[^年]x", "a*b*"]) {
      add("regexp", "k", { value, max_determinized_states });
    }
  }
  for (const case_insensitive of [false, true]) {
    for (const value of WILDCARDS) {
      for (const field of ["t", "kn", "kd"]) add("wildcard", field, { value, case_insensitive });
    }
    for (const value of ["", "QU", "年", "😀", "CAF", "ÉT", "foo b", "é".repeat(1001)]) {
      for (const field of ["k", "t", "kn", "kd"]) add("prefix", field, { value, case_insensitive });
    }
  }
  for (const value of FUZZY_WORDS) {
    for (const options of FUZZY_OPTIONS)
      for (const field of ["t", "k", "kd"]) add("fuzzy", field, { value, ...options });
  }
  for (const fuzziness of FUZZINESS) add("fuzzy", "k", { value: "quick", fuzziness });
  for (const options of [{ prefix_length: -1 }, { prefix_length: 1.7 }, { max_expansions: 0 }, { transpositions: 0 }]) {
    add("fuzzy", "k", { value: "quick", ...options });
  }
  return queries;
}
