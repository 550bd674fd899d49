/** Filters of single languages beside their stemmers. */
import { mapFilter, type TokenFilter } from "../chain.ts";
import { lowerCase } from "../filters/case.ts";

/** Dutch words whose stem is not Snowball's: they take it and are left alone afterwards (Lucene's StemmerOverrideFilter). */
const DUTCH_STEMS = new Map([
  ["fiets", "fiets"],
  ["bromfiets", "bromfiets"],
  ["ei", "eier"],
  ["kind", "kinder"],
]);

export function dutchOverrideFilter(name = "stemmer_override"): TokenFilter {
  return {
    name,
    marksKeywords: true,
    create({ push, end }) {
      return {
        push(term, start, stop, increment, length, type, keyword) {
          const stem = keyword ? undefined : DUTCH_STEMS.get(term);
          push(stem ?? term, start, stop, increment, length, type, keyword || stem !== undefined);
        },
        end,
      };
    },
  };
}

/** Drops an apostrophe and what follows it: in Turkish, the suffixes of a name. */
export const apostropheFilter = (name = "apostrophe"): TokenFilter =>
  mapFilter(name, (term) => term.replace(/['\u2019].*$/s, ""));

/** Dotted and dotless i are letters of their own; dots among the marks on a capital I make it dotted. */
export function turkishLowerCase(term: string): string {
  return lowerCase(
    term.replace(/I(\p{Mn}*)/gu, (_, marks: string) =>
      marks.includes("\u0307") ? `i${marks.replaceAll("\u0307", "")}` : `ı${marks}`,
    ),
  );
}

/** A t or n that was put before a vowel in capitals is set off by a hyphen. Lucene looks at UTF-16 units: letters that are pairs stay. */
export function irishLowerCase(term: string): string {
  return term.replace(/^([tn])(?=[AEIOUÁÉÍÓÚ])/, "$1-").replace(/[\u0000-\uffff]+/gu, lowerCase);
}

const GREEK = new Map<string, string>();
for (const [letters, plain] of [
  ["ΆάΑ", "α"],
  ["ΈέΕ", "ε"],
  ["ΉήΗ", "η"],
  ["ΊΪίϊΐΙ", "ι"],
  ["ΌόΟ", "ο"],
  ["ΎΫύϋΰΥ", "υ"],
  ["ΏώΩ", "ω"],
  ["ςΣ", "σ"],
  // Not a letter; Lucene maps it all the same.
  ["\u03a2", "ς"],
])
  for (const letter of letters) GREEK.set(letter, plain);

/** Greek without accents and without the final form of sigma. */
export function greekLowerCase(term: string): string {
  return lowerCase(term.replace(/[\u0370-\u03ff]/g, (letter) => GREEK.get(letter) ?? letter));
}

/** The languages of the `lowercase` filter. */
export const LOWER_CASES: Readonly<Record<string, (term: string) => string>> = {
  greek: greekLowerCase,
  irish: irishLowerCase,
  turkish: turkishLowerCase,
};
