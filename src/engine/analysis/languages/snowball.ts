/**
 * Stemmers of Snowball (https://snowballstem.org), as Lucene has them. Those for English are written here; those for other languages are
 * handed in, because they come from a library that is loaded when one is asked for.
 */
import { illegalArgument, unsupported } from "../../errors.ts";
import { mapFilter, type TokenFilter } from "../chain.ts";
import { porter2Stem } from "../filters/porter2.ts";
import type { AnalysisResources } from "../types.ts";

/** What the library has, and gives the same stems for as Lucene. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "Arabic Armenian Danish Dutch Finnish French German Greek Hindi Hungarian Indonesian Irish Italian Lithuanian Nepali Norwegian " +
    "Portuguese Romanian Russian Serbian Spanish Swedish Tamil Turkish"
  ).split(" "),
);
/** What Lucene has beyond these. */
const LUCENE_ONLY: ReadonlySet<string> = new Set("Basque Catalan Estonian German2 Kp Lovins Porter Yiddish".split(" "));

export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * @param language with a capital, as Lucene names its stemmers: `French`
 * @throws illegal_argument_exception for a language that Lucene has not either
 */
export function snowballFilter(name: string, language: string, resources: AnalysisResources): TokenFilter {
  if (language === "English") return mapFilter(name, porter2Stem, { keywords: true });
  const known = LANGUAGES.has(language);
  const stem = known ? resources.snowball?.(language.toLowerCase()) : undefined;
  if (stem !== undefined) return mapFilter(name, stem, { keywords: true });
  if (known || LUCENE_ONLY.has(language)) throw unsupported(`snowball stemmer for ${language}`);
  throw illegalArgument(`Invalid stemmer class specified: ${language}`);
}
