/** Names of orders and distances in requests. */
import { type EngineError, illegalArgument } from "../../errors.ts";
import { bigrams, damerauLevenshtein, jaroWinkler, levenshtein, type StringDistance } from "./distance.ts";
import type { SpellSettings } from "./spell-checker.ts";

/** Java's words for what is none of an enum's names. */
export const noConstant = (name: string, value: string): EngineError =>
  illegalArgument(`No enum constant org.elasticsearch.search.suggest.${name}.${value}`);

export function sortOf(value: string): SpellSettings["sort"] {
  const upper = value.toUpperCase();
  if (upper === "SCORE") return "score";
  if (upper === "FREQUENCY") return "frequency";
  throw noConstant("SortBy", upper);
}

const DISTANCES = new Map<string, StringDistance | undefined>([
  ["internal", undefined],
  ["damerau_levenshtein", damerauLevenshtein],
  ["levenshtein", levenshtein],
  ["ngram", bigrams],
  ["jaro_winkler", jaroWinkler],
]);

/** @param shown as the error names it */
export function distanceOf(value: string, shown: string): StringDistance | undefined {
  if (!DISTANCES.has(value)) throw illegalArgument(`Illegal distance option ${shown}`);
  return DISTANCES.get(value);
}
