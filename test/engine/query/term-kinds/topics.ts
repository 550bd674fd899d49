/** Queries whose answers are recorded, by topic. The answers stand in files of these names, in the same order. */
import { matchFuzzyQueries } from "./match-fuzzy.ts";
import { multiTermQueries } from "./multi-term.ts";
import { queryStringQueries } from "./query-string.ts";
import { setQueries } from "./sets.ts";

export const TOPICS: Readonly<Record<string, readonly object[]>> = {
  "match-fuzzy": matchFuzzyQueries(),
  "multi-term": multiTermQueries(),
  "query-string": queryStringQueries(),
  sets: setQueries(),
};
