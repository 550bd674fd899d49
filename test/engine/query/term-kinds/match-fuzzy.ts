/** `fuzziness` of match, match_bool_prefix and multi_match. */

const OPTIONS = [
  { fuzziness: "AUTO" },
  { fuzziness: 2, prefix_length: 2 },
  { fuzziness: 2, max_expansions: 1 },
  { fuzziness: 2, fuzzy_transpositions: false },
  { fuzziness: 1, operator: "and" },
  { fuzziness: 2, fuzzy_rewrite: "scoring_boolean" },
  { fuzziness: 1, fuzzy_rewrite: "constant_score" },
  { fuzziness: 1, minimum_should_match: 2 },
];
const TYPES = ["best_fields", "most_fields", "cross_fields", "phrase", "phrase_prefix", "bool_prefix"];

export function matchFuzzyQueries(): object[] {
  const queries: object[] = [];
  for (const field of "t e k kn kd n b missing x v".split(" ")) {
    for (const query of ["quikc brwn fxo", "FOX", ""]) {
      for (const options of OPTIONS) {
        queries.push({ match: { [field]: { query, ...options } } });
        queries.push({ match_bool_prefix: { [field]: { query, ...options } } });
      }
      queries.push({ match: { [field]: { query, fuzziness: 1, lenient: true } } });
    }
  }
  for (const type of TYPES) {
    for (const fields of [["t"], ["t", "k", "e^2"], ["*"], ["t", "n"]]) {
      queries.push({ multi_match: { query: "quikc fxo", type, fields, fuzziness: 1, tie_breaker: 0.3 } });
    }
  }
  for (const fuzziness of ["x", 3, null, true]) queries.push({ match: { t: { query: "quick", fuzziness } } });
  return queries;
}
