/** The English stemmer of Snowball ("Porter2", https://snowballstem.org/algorithms/english/stemmer.html), and the minimal one. */
import { mapFilter, type TokenFilter } from "../chain.ts";

const EXCEPTIONS = new Map<string, string>(
  (
    "skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl " +
    "sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
/** Words that stay as they are once the plural is off. */
const AFTER_PLURAL = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));

const isVowel = (c: string | undefined) => c !== undefined && "aeiouy".includes(c);
const hasVowel = (text: string) => /[aeiouy]/.test(text);
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
/** Ends in a short syllable: vowel and consonant at the start of the word, or consonant, vowel, consonant other than w, x, Y. */
const SHORT_SYLLABLE = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/;

/** Start of the region after the first consonant that follows a vowel, from a place on. */
function regionAfter(word: string, from: number): number {
  for (let i = from + 1; i < word.length; i++) if (!isVowel(word[i]) && isVowel(word[i - 1])) return i + 1;
  return word.length;
}

function longestSuffix(word: string, suffixes: readonly string[]): string | undefined {
  let longest: string | undefined;
  for (const suffix of suffixes) {
    if (word.endsWith(suffix) && (longest === undefined || suffix.length > longest.length)) longest = suffix;
  }
  return longest;
}

const pairs = (text: string) => new Map(text.split(" ").map((pair) => pair.split(":") as [string, string]));
const STEP2 = pairs(
  "tional:tion enci:ence anci:ance abli:able entli:ent izer:ize ization:ize ational:ate ation:ate ator:ate alism:al aliti:al alli:al " +
    "fulness:ful ousli:ous ousness:ous iveness:ive iviti:ive biliti:ble bli:ble ogi:og fulli:ful lessli:less li:",
);
const STEP3 = pairs("tional:tion ational:ate alize:al icate:ic iciti:ic ical:ic ful: ness: ative:");
const STEP4 = "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split(" ");
const STEP2_SUFFIXES = [...STEP2.keys()];
const STEP3_SUFFIXES = [...STEP3.keys()];

function step1a(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (!word.endsWith("s") || /[us]s$/.test(word)) return word;
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const suffix = longestSuffix(word, ["eed", "eedly", "ed", "edly", "ing", "ingly"]);
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (suffix.startsWith("ee")) return stem.length >= r1 ? `${stem}ee` : word;
  if (!hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE.test(stem)) return stem.slice(0, -1);
  return r1 >= stem.length && SHORT_SYLLABLE.test(stem) ? `${stem}e` : stem;
}

function step2(word: string, r1: number): string {
  const suffix = longestSuffix(word, STEP2_SUFFIXES);
  if (suffix === undefined || word.length - suffix.length < r1) return word;
  const stem = word.slice(0, -suffix.length);
  if (suffix === "ogi" && !stem.endsWith("l")) return word;
  if (suffix === "li" && !/[cdeghkmnrt]$/.test(stem)) return word;
  return stem + STEP2.get(suffix);
}

function step3(word: string, r1: number, r2: number): string {
  const suffix = longestSuffix(word, STEP3_SUFFIXES);
  if (suffix === undefined || word.length - suffix.length < r1) return word;
  if (suffix === "ative" && word.length - suffix.length < r2) return word;
  return word.slice(0, -suffix.length) + STEP3.get(suffix);
}

function step4(word: string, r2: number): string {
  const suffix = longestSuffix(word, STEP4);
  if (suffix === undefined || word.length - suffix.length < r2) return word;
  const stem = word.slice(0, -suffix.length);
  return suffix === "ion" && !/[st]$/.test(stem) ? word : stem;
}

function step5(word: string, r1: number, r2: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith("e") && (stem.length >= r2 || (stem.length >= r1 && !SHORT_SYLLABLE.test(stem)))) return stem;
  if (word.endsWith("ll") && stem.length >= r2) return stem;
  return word;
}

/** The stem of a word in lower case. */
export function porter2Stem(input: string): string {
  const exception = EXCEPTIONS.get(input);
  if (exception !== undefined) return exception;
  if (input.length < 3) return input;
  // A y that is a consonant is written Y until the end.
  let word = input.startsWith("'") ? input.slice(1) : input;
  const plain = word;
  word = word.replace(/^y/, "Y");
  for (let i = 1; i < word.length; i++)
    if (word[i] === "y" && isVowel(word[i - 1])) word = `${word.slice(0, i)}Y${word.slice(i + 1)}`;
  const marked = word !== plain;
  const prefix = /^(?:gener|commun|arsen)/.exec(word);
  const r1 = prefix === null ? regionAfter(word, 0) : prefix[0].length;
  const r2 = regionAfter(word, r1);
  word = word.replace(/'(?:s'?)?$/, "");
  word = step1a(word);
  if (AFTER_PLURAL.has(word)) return word;
  word = step1b(word, r1);
  if (/[yY]$/.test(word) && word.length > 2 && !isVowel(word[word.length - 2])) word = `${word.slice(0, -1)}i`;
  word = step2(word, r1);
  word = step3(word, r1, r2);
  word = step4(word, r2);
  word = step5(word, r1, r2);
  return marked ? word.replaceAll("Y", "y") : word;
}

export const porter2Filter = (name: string): TokenFilter => mapFilter(name, porter2Stem, { keywords: true });

/** Plurals only (D. Harman, "How effective is suffixing?", 1991). */
export function minimalStem(word: string): string {
  const length = word.length;
  if (length < 3 || !word.endsWith("s")) return word;
  const before = word[length - 2];
  if (before === "u" || before === "s") return word;
  if (before === "e") {
    const third = word[length - 3];
    if (length > 3 && third === "i" && word[length - 4] !== "a" && word[length - 4] !== "e")
      return `${word.slice(0, -3)}y`;
    if (third === "i" || third === "a" || third === "o" || third === "e") return word;
  }
  return word.slice(0, -1);
}

export const minimalEnglishFilter = (name: string): TokenFilter => mapFilter(name, minimalStem, { keywords: true });
