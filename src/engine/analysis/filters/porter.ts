/** Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980, with the author's two later changes), as Lucene's PorterStemFilter. */
import { mapFilter, type TokenFilter } from "../chain.ts";

/** True when the letter at `i` is a consonant: `y` is one at the start and after a vowel. */
function consonant(word: string, i: number): boolean {
  switch (word.charCodeAt(i)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
      return false;
    case 121: // y
      return i === 0 || !consonant(word, i - 1);
    default:
      return true;
  }
}

/** Porter's m: the number of vowel-consonant sequences in the first `end` letters. */
function measure(word: string, end: number): number {
  let count = 0;
  let vowelBefore = false;
  for (let i = 0; i < end; i++) {
    const c = consonant(word, i);
    if (c && vowelBefore) count++;
    vowelBefore = !c;
  }
  return count;
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (!consonant(word, i)) return true;
  return false;
}

const doubleConsonant = (word: string) =>
  word.length > 1 &&
  word.charCodeAt(word.length - 1) === word.charCodeAt(word.length - 2) &&
  consonant(word, word.length - 1);

/** Consonant, vowel, consonant other than w, x, y at the end of the first `end` letters: an `e` was lost there (hop-ing, hope). */
function shortSyllable(word: string, end: number): boolean {
  const i = end - 1;
  if (i < 2 || !consonant(word, i) || consonant(word, i - 1) || !consonant(word, i - 2)) return false;
  const c = word.charCodeAt(i);
  return c !== 119 && c !== 120 && c !== 121;
}

/** Suffixes of steps 2 and 3 with what replaces them where the stem has m > 0. The first that fits decides. */
const STEP2: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["logi", "log"],
];
const STEP3: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
/** Suffixes of step 4, dropped where the stem has m > 1. */
const STEP4: readonly string[] = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(
  " ",
);

function replaceSuffix(word: string, suffixes: readonly (readonly [string, string])[]): string {
  for (const [suffix, replacement] of suffixes) {
    if (!word.endsWith(suffix)) continue;
    const end = word.length - suffix.length;
    return measure(word, end) > 0 ? word.slice(0, end) + replacement : word;
  }
  return word;
}

/** Plurals and the endings -ed and -ing. */
function step1(input: string): string {
  let word = input;
  if (word.endsWith("s")) {
    if (word.endsWith("sses") || word.endsWith("ies")) word = word.slice(0, -2);
    else if (!word.endsWith("ss")) word = word.slice(0, -1);
  }
  if (word.endsWith("eed")) {
    if (measure(word, word.length - 3) > 0) word = word.slice(0, -1);
  } else {
    const length = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
    if (length > 0 && hasVowel(word, word.length - length)) {
      word = word.slice(0, -length);
      if (word.endsWith("at") || word.endsWith("bl") || word.endsWith("iz")) word += "e";
      else if (doubleConsonant(word)) {
        if (!/[lsz]$/.test(word)) word = word.slice(0, -1);
      } else if (measure(word, word.length) === 1 && shortSyllable(word, word.length)) word += "e";
    }
  }
  if (word.endsWith("y") && hasVowel(word, word.length - 1)) word = `${word.slice(0, -1)}i`;
  return word;
}

function step4(word: string): string {
  for (const suffix of STEP4) {
    if (!word.endsWith(suffix)) continue;
    const end = word.length - suffix.length;
    if (suffix === "ion" && !(end > 0 && /[st]/.test(word.charAt(end - 1)))) continue;
    return measure(word, end) > 1 ? word.slice(0, end) : word;
  }
  return word;
}

function step5(input: string): string {
  let word = input;
  if (word.endsWith("e")) {
    const m = measure(word, word.length - 1);
    if (m > 1 || (m === 1 && !shortSyllable(word, word.length - 1))) word = word.slice(0, -1);
  }
  if (word.endsWith("ll") && measure(word, word.length - 1) > 1) word = word.slice(0, -1);
  return word;
}

/** The stem of a word in lower case. */
export function porterStem(word: string): string {
  if (word.length < 3) return word;
  return step5(step4(replaceSuffix(replaceSuffix(step1(word), STEP2), STEP3)));
}

/** Stems of words already seen: most words of a text are few. Emptied when it is full. */
const seen = new Map<string, string>();
const SEEN_LIMIT = 20_000;

function cachedStem(word: string): string {
  let stem = seen.get(word);
  if (stem === undefined) {
    stem = porterStem(word);
    if (seen.size >= SEEN_LIMIT) seen.clear();
    if (word.length <= 32) seen.set(word, stem);
  }
  return stem;
}

export const porterStemFilter = (name = "porter_stem"): TokenFilter => mapFilter(name, cachedStem, { keywords: true });

/** Drops a trailing 's, with a typewriter's, a typographic or a full-width apostrophe. */
export function withoutPossessive(term: string): string {
  const length = term.length;
  if (length < 2) return term;
  const last = term.charCodeAt(length - 1);
  if (last !== 115 && last !== 83) return term;
  const mark = term.charCodeAt(length - 2);
  return mark === 0x27 || mark === 0x2019 || mark === 0xff07 ? term.slice(0, -2) : term;
}

export const possessiveFilter = (name = "possessive_english"): TokenFilter => mapFilter(name, withoutPossessive);
