/** Lucene's light and minimal stemmers for German and Swedish (J. Savoy), and the normalization of German spellings. */
import { characterMap, type EndingRule, replaceEnding } from "./endings.ts";

const germanVowels = characterMap("äàáâöòóôïìíîüùúû", "aaaaooooiiiiuuuu");
const GERMAN_CASES: readonly EndingRule[] = [
  [5, /ern$/, ""],
  [4, /e[mnrs]$/, ""],
  [3, /e$/, ""],
  [3, /(?<=[bdfghklmnt])s$/, ""],
];
const GERMAN_DEGREES: readonly EndingRule[] = [
  [5, /est$/, ""],
  [4, /e[rn]$/, ""],
  [4, /(?<=[bdfghklmnt])st$/, ""],
];

export function lightGerman(input: string): string {
  const word = germanVowels(input);
  const stem = replaceEnding(word, GERMAN_CASES) ?? word;
  return replaceEnding(stem, GERMAN_DEGREES) ?? stem;
}

const umlauts = characterMap("äöü", "aou");
const GERMAN_PLURALS: readonly EndingRule[] = [
  [6, /nen$/, ""],
  [5, /e[nsr]$|se$/, ""],
  [4, /[nesr]$/, ""],
];

export function minimalGerman(input: string): string {
  if (input.length < 5) return input;
  const word = umlauts(input);
  return replaceEnding(word, GERMAN_PLURALS) ?? word;
}

/** Umlauts and ß to plain letters, and the e that stands for an umlaut dropped: after a, o, and u where no vowel or q is before it. */
export function normalizeGerman(word: string): string {
  if (!/[aouäöüß]/.test(word)) return word;
  let normal = "";
  let before: "plain" | "vowel" | "umlaut" = "plain";
  for (const c of word) {
    if (c === "e" && before === "umlaut") before = "vowel";
    else if (c === "ß") {
      normal += "ss";
      before = "plain";
    } else {
      normal += "äöü".includes(c) ? umlauts(c) : c;
      if (c === "a" || c === "o") before = "umlaut";
      else if (c === "u") before = before === "plain" ? "umlaut" : "vowel";
      else before = "eiqyäöü".includes(c) ? "vowel" : "plain";
    }
  }
  return normal;
}

const SWEDISH_ENDINGS: readonly EndingRule[] = [
  [7, /elser$|heten$/, ""],
  [6, /(?:arne|erna|ande|else|aste|orna|aren)$/, ""],
  [5, /(?:are|ast|het)$/, ""],
  [4, /(?:[aeo]r|en|at|te|et)$/, ""],
  [3, /[taen]$/, ""],
];

export function lightSwedish(input: string): string {
  const word = input.length > 4 ? input.replace(/s$/, "") : input;
  return replaceEnding(word, SWEDISH_ENDINGS) ?? word;
}
