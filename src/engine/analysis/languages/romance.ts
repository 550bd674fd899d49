/**
 * The light and minimal stemmers of Lucene for French, Spanish, Italian and Portuguese (J. Savoy: "Light Stemming Approaches for the French,
 * Portuguese, German and Hungarian Languages", 2006; "Report on CLEF-2001 Experiments").
 */
import { characterMap, type EndingRule, replaceEnding } from "./endings.ts";

/** A doubled letter, but none of those that are pairs of surrogates: Lucene looks at UTF-16 units. */
const DOUBLED = "([\\p{L}--[\\u{10000}-\\u{10ffff}]])\\1";
const doubled = new RegExp(`${DOUBLED}+`, "gv");
const doubledEnd = new RegExp(`${DOUBLED}$`, "v");

const frenchVowels = characterMap("àáâôèéêùûîç", "aaaoeeeuuic");

const FRENCH_PLURALS: readonly EndingRule[] = [
  [5, /(?<=[^e])aux$/, "al"],
  [5, /x$/, ""],
];
const FRENCH_ENDINGS: readonly EndingRule[] = [
  [9, /issement$/, "ir"],
  [8, /issant$/, "ir"],
  [6, /ement$/, "e"],
  [11, /ficatrice$/, "fier"],
  [10, /ficateur$/, "fier"],
  [9, /catrice$/, "quer"],
  [8, /cateur$/, "quer"],
  [8, /atrice$/, "er"],
  [7, /ateur$/, "er"],
];
/** A feminine form of -teur, from here on treated as that. */
const FRENCH_TRICE: readonly EndingRule[] = [[6, /trice$/, "teur"]];
const FRENCH_ADJECTIVES: readonly EndingRule[] = [
  [5, /ième$/, ""],
  [7, /teuse$/, "ter"],
  [6, /teur$/, "ter"],
  [5, /euse$/, "eu"],
  [8, /ère$/, "er"],
  [7, /ive$/, "if"],
  [4, /(?<=[fm])olle$/, "ou"],
  [9, /nnelle$/, "n"],
  [9, /nnel$/, "n"],
];
const FRENCH_NOUNS: readonly EndingRule[] = [
  [8, /esse$/, "e"],
  [7, /inage$/, "in"],
  [9, /isation$/, ""],
  [9, /isateur$/, ""],
  [8, /[ai]tion$/, ""],
];

/** Without accents and doubled letters; words of up to four letters stay. */
function frenchNormal(word: string): string {
  if (word.length <= 4) return word;
  let normal = frenchVowels(word).replace(doubled, "$1");
  if (normal.length > 4) normal = normal.replace(/ie$/, "");
  return normal.length > 4 ? normal.replace(/r$/, "").replace(/e$/, "").replace(/e$/, "") : normal;
}

export function lightFrench(input: string): string {
  let word = replaceEnding(input, FRENCH_PLURALS) ?? input;
  if (word.length > 3) word = word.replace(/x$/, "");
  if (word.length > 3) word = word.replace(/s$/, "");
  const ending = replaceEnding(word, FRENCH_ENDINGS);
  if (ending !== undefined)
    return frenchNormal(/ement$/.test(word) && ending.length > 3 ? ending.replace(/ive$/, "if") : ending);
  word = replaceEnding(word, FRENCH_TRICE) ?? word;
  const adjective = replaceEnding(word, FRENCH_ADJECTIVES);
  if (adjective !== undefined) return frenchNormal(adjective);
  if (word.length > 4) word = word.replace(/ète$/, "et");
  if (word.length > 8) word = word.replace(/ique$/, "");
  const noun = replaceEnding(word, FRENCH_NOUNS) ?? word;
  return frenchNormal(word.endsWith("isation") && noun.length > 5 ? noun.replace(/ual$/, "uel") : noun);
}

export function minimalFrench(word: string): string {
  if (word.length < 6) return word;
  if (word.endsWith("x")) return word.replace(/aux$|x$/, (ending) => (ending === "x" ? "" : "al"));
  const stem = word.replace(/s$/, "").replace(/r$/, "").replace(/e$/, "").replace(/é$/, "");
  return stem.replace(doubledEnd, "$1");
}

const vowels = characterMap("àáâäòóôöèéêëùúûüìíîï", "aaaaooooeeeeuuuuiiii");

export function lightSpanish(word: string): string {
  if (word.length < 5) return word;
  return vowels(word).replace(/[oae]$|(?<=es)es$|ces$|[oae]s$/, (ending) => (ending === "ces" ? "z" : ""));
}

export const lightItalian = (word: string): string =>
  word.length < 6 ? word : vowels(word).replace(/[ih][ei]$|i[ao]$|[eiao]$/, "");

const portugueseVowels = characterMap("àáâäãòóôöõèéêëùúûüìíîïç", "aaaaaoooooeeeeuuuuiiiic");

const PORTUGUESE_PLURALS: readonly EndingRule[] = [
  [4, /(?<=[rslz])es$/, ""],
  [3, /ns$/, "m"],
  [4, /[eé]is$/, "el"],
  [4, /ais$/, "al"],
  [4, /óis$/, "ol"],
  [4, /is$/, "il"],
  [3, /[õã]es$/, "ão"],
  [6, /mente$/, ""],
  [3, /s$/, ""],
];
const PORTUGUESE_FEMININES: readonly EndingRule[] = [
  [7, /(?<=inh|iac|eir)a$/, "o"],
  [6, /(?<=os|ic|[ia]d|iv|am)a$/, "o"],
  [6, /ona$/, "ão"],
  [6, /(?<=or)a$/, ""],
  [6, /esa$/, "ês"],
  [6, /(?<=n)a$/, "o"],
];

export function lightPortuguese(input: string): string {
  if (input.length < 4) return input;
  let word = replaceEnding(input, PORTUGUESE_PLURALS) ?? input;
  word = replaceEnding(word, PORTUGUESE_FEMININES) ?? word;
  if (word.length > 4) word = word.replace(/[eao]$/, "");
  return portugueseVowels(word);
}
