/** Filters that look at one term at a time. */
import { illegalArgument } from "../../errors.ts";
import { dropFilter, mapFilter, type TokenFilter } from "../chain.ts";
import { javaPattern, javaReplacement } from "../java-regex/index.ts";
import { lowerCase } from "./case.ts";

/** Keeps terms of so many UTF-16 units. */
export function lengthFilter(name: string, min: number, max: number): TokenFilter {
  if (min < 0) throw illegalArgument("minimum length must be greater than or equal to zero");
  if (min > max) throw illegalArgument("maximum length must not be greater than minimum length");
  return dropFilter(name, () => (term) => term.length >= min && term.length <= max);
}

/** Cuts terms after so many UTF-16 units; terms marked as keywords stay. */
export function truncateFilter(name: string, length: number): TokenFilter {
  return { ...mapFilter(name, (term) => (term.length > length ? term.slice(0, length) : term), { keywords: true }) };
}

const WHITE = /[\t-\r\x1c-\x1f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

/** Without what Java calls white space at both ends. */
export function trimFilter(name = "trim"): TokenFilter {
  const trim = (term: string) => {
    let from = 0;
    let to = term.length;
    while (from < to && WHITE.test(term[from])) from++;
    while (to > from && WHITE.test(term[to - 1])) to--;
    return term.slice(from, to);
  };
  return mapFilter(name, trim, { normalizing: true });
}

/** Terms back to front, by code points. */
export const reverseFilter = (name = "reverse"): TokenFilter => mapFilter(name, (term) => [...term].reverse().join(""));

/** The first of equal terms. With `onlyOnSamePosition` only those at one position count. */
export function uniqueFilter(name: string, onlyOnSamePosition: boolean): TokenFilter {
  if (onlyOnSamePosition) return removeDuplicatesFilter(name);
  return dropFilter(name, () => {
    const seen = new Set<string>();
    return (term) => seen.size < seen.add(term).size;
  });
}

/** The first of equal terms at one position. */
export function removeDuplicatesFilter(name = "remove_duplicates"): TokenFilter {
  return {
    name,
    create({ push, end }) {
      const seen = new Set<string>();
      return {
        push(term, start, stop, increment, length, type, keyword) {
          if (increment > 0) seen.clear();
          if (seen.has(term)) return;
          seen.add(term);
          push(term, start, stop, increment, length, type, keyword);
        },
        end,
      };
    },
  };
}

/** Articles of French that are elided before a vowel. */
export const FRENCH_ARTICLES: readonly string[] = "l m t qu n s j d c jusqu quoiqu lorsqu puisqu".split(" ");

/** Drops an article and its apostrophe from the start of terms. */
export function elisionFilter(name: string, articles: readonly string[], ignoreCase: boolean): TokenFilter {
  const set = new Set(ignoreCase ? articles.map(lowerCase) : articles);
  return mapFilter(
    name,
    (term) => {
      const at = term.search(/['\u2019]/);
      if (at < 0) return term;
      const article = term.slice(0, at);
      return set.has(ignoreCase ? lowerCase(article) : article) ? term.slice(at + 1) : term;
    },
    { normalizing: true },
  );
}

/** Decimal digits of all scripts become those of ASCII. The ten digits of a script stand together, from zero on. */
export function decimalDigitFilter(name = "decimal_digit"): TokenFilter {
  const digit = /\p{Nd}/u;
  const toAscii = (char: string) => {
    let code = char.codePointAt(0) as number;
    let value = 0;
    // Mathematical digits (U+1D7CE to U+1D7FF) are five sets without a gap.
    if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10);
    while (value < 9 && digit.test(String.fromCodePoint(code - 1))) {
      code--;
      value++;
    }
    return String(value);
  };
  return mapFilter(name, (term) => term.replace(/[^\P{Nd}0-9]/gu, toAscii), { normalizing: true });
}

/** Marks terms that stemmers leave as they are. */
export function keywordMarkerFilter(name: string, isKeyword: (term: string) => boolean): TokenFilter {
  return {
    name,
    marksKeywords: true,
    create({ push, end }) {
      return {
        push: (term, start, stop, increment, length, type, keyword) =>
          push(term, start, stop, increment, length, type, keyword || isKeyword(term)),
        end,
      };
    },
  };
}

/** Replaces the matches of a Java pattern, or the first one, in each term. */
export function patternReplaceFilter(
  name: string,
  pattern: string,
  replacement: string,
  flags: string,
  all: boolean,
): TokenFilter {
  const regex = javaPattern(pattern, flags);
  const expand = javaReplacement(replacement);
  const replace = (term: string) => {
    let replaced = "";
    let from = 0;
    for (const match of regex.find(term)) {
      replaced += term.slice(from, match.start) + expand(match);
      from = match.end;
      if (!all) break;
    }
    return from === 0 && replaced === "" ? term : replaced + term.slice(from);
  };
  return mapFilter(name, replace, { normalizing: true });
}
