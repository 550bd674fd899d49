/**
 * KStem (R. Krovetz, "Viewing morphology as an inference process", 1993), with the rules and the lexicon of Lucene's KStemmer.
 *
 * Endings are taken off one kind after the other; at each the possible roots are looked up, and the first that the lexicon has ends
 * the work. What the lexicon has not leaves the kind's default.
 */
import { mapFilter, type TokenFilter } from "../chain.ts";
import { EXCEPTIONS, ROOTS, WORDS } from "./kstem-data.ts";

/** Words from this length on stay as they are. */
const MAX_LENGTH = 50;

interface Lexicon {
  /** The stem of each word. */
  readonly roots: ReadonlyMap<string, string>;
  /** Words that are not taken for the root of a form in -ed or -ing. */
  readonly exceptions: ReadonlySet<string>;
}

function readLexicon(): Lexicon {
  const roots = new Map<string, string>();
  let word = "";
  for (const [, shared, rest] of WORDS.matchAll(/([A-Z])([a-z]*)/g)) {
    word = word.slice(0, shared.charCodeAt(0) - 65) + rest;
    roots.set(word, word);
  }
  for (const pair of ROOTS.split(" ")) {
    const [form, root] = pair.split(":");
    roots.set(form, root);
  }
  return { roots, exceptions: new Set(EXCEPTIONS.split(" ")) };
}

/** Read when the first word is stemmed. */
let lexicon: Lexicon | undefined;

/** A word of the lexicon ends the search; another word goes on to the next kind of ending. */
interface Step {
  word: string;
  found: boolean;
}

function isConsonant(word: string, at: number): boolean {
  const c = word[at];
  if ("aeiou".includes(c)) return false;
  return c !== "y" || at === 0 || !isConsonant(word, at - 1);
}

function hasVowel(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (!isConsonant(word, i)) return true;
  return false;
}

function endsDoubled(word: string): boolean {
  const last = word.length - 1;
  return last >= 1 && word[last] === word[last - 1] && isConsonant(word, last);
}

const cut = (word: string, count: number) => word.slice(0, Math.max(0, word.length - count));

type Kind = (word: string, words: Lexicon) => Step;

/** The first of the roots that the lexicon has, else the default. */
function choose({ roots }: Lexicon, candidates: readonly (string | false)[], otherwise: string): Step {
  for (const word of candidates) if (word !== false && roots.has(word)) return { word, found: true };
  return { word: otherwise, found: false };
}

/** What stands before an ending; an ending that is (nearly) the whole word is none. */
function stemBefore(word: string, ending: string): string | undefined {
  return word.endsWith(ending) && word.length > ending.length ? cut(word, ending.length) : undefined;
}

function plural(word: string, words: Lexicon): Step {
  let stem = stemBefore(word, "ies");
  if (stem !== undefined) return choose(words, [`${stem}ie`, `${stem}y`], `${stem}y`);
  stem = stemBefore(word, "es");
  if (stem !== undefined) {
    const withE = stem.length > 1 && !stem.endsWith("ss");
    return choose(words, withE ? [`${stem}e`, stem] : [stem, `${stem}e`], `${stem}e`);
  }
  if (!word.endsWith("s") || word.length <= 3 || /(?:s|ou)s$/.test(word)) return { word, found: false };
  return choose(words, [cut(word, 1)], cut(word, 1));
}

/** A form with a final e counts where the lexicon does not call it an exception. */
const plainRoot = (word: string, { roots, exceptions }: Lexicon) => roots.has(word) && !exceptions.has(word);

function pastTense(word: string, words: Lexicon): Step {
  if (word.length <= 4) return { word, found: false };
  let stem = stemBefore(word, "ied");
  if (stem !== undefined) return choose(words, [`${stem}ie`, `${stem}y`], `${stem}y`);
  stem = stemBefore(word, "ed");
  if (stem === undefined || !hasVowel(stem)) return { word, found: false };
  if (plainRoot(`${stem}e`, words)) return { word: `${stem}e`, found: true };
  if (endsDoubled(stem)) return choose(words, [stem, cut(stem, 1)], stem);
  return choose(words, [stem], stem.startsWith("un") ? word : `${stem}e`);
}

function progressive(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ing");
  if (word.length <= 5 || stem === undefined || !hasVowel(stem)) return { word, found: false };
  if (plainRoot(`${stem}e`, words)) return { word: `${stem}e`, found: true };
  if (endsDoubled(stem)) return choose(words, [stem, cut(stem, 1)], stem);
  const last = stem.length - 1;
  const bare = last > 0 && isConsonant(stem, last) && isConsonant(stem, last - 1);
  return choose(words, [stem], bare ? stem : `${stem}e`);
}

function ity(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ity");
  if (stem === undefined) return { word, found: false };
  const roots = [stem, `${stem}e`];
  if (stem.endsWith("il")) return choose(words, [...roots, `${cut(stem, 2)}le`], `${cut(stem, 2)}le`);
  if (stem.endsWith("iv")) return choose(words, roots, `${stem}e`);
  if (stem.endsWith("al")) return choose(words, roots, stem);
  return choose(words, [...roots, word], stem);
}

function ness(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ness")?.replace(/i$/, "y");
  return stem === undefined ? { word, found: false } : choose(words, [stem], stem);
}

function ion(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ion");
  if (stem === undefined) return { word, found: false };
  const before = (ending: string) => stemBefore(word, ending);
  const ization = before("ization");
  if (ization !== undefined) return choose(words, [`${ization}ize`], `${ization}ize`);
  const ition = before("ition");
  const ation = before("ation");
  const ication = before("ication");
  return choose(
    words,
    [
      ition !== undefined && `${ition}e`,
      ...(ation === undefined ? [] : [`${ation}ate`, `${ation}e`, ation]),
      ication !== undefined && `${ication}y`,
      `${stem}e`,
      stem,
    ],
    word,
  );
}

function erAndOr(word: string, words: Lexicon): Step {
  const izer = stemBefore(word, "izer");
  if (izer !== undefined) return choose(words, [`${izer}ize`], `${izer}ize`);
  const stem = stemBefore(word, "er") ?? stemBefore(word, "or");
  if (stem === undefined) return { word, found: false };
  const shorter = cut(stem, 1);
  return choose(
    words,
    [
      (endsDoubled(stem) || stem.endsWith("e")) && shorter,
      stem.endsWith("i") && `${shorter}y`,
      // Lucene writes an e over the o of -ior.
      stem.endsWith("i") ? `${stem}e` : stem + word[stem.length],
      stem,
      `${stem}e`,
    ],
    word,
  );
}

function ly(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ly");
  if (stem === undefined) return { word, found: false };
  const roots = [`${stem}le`, stem];
  if (stem.length > 1 && stem.endsWith("al")) return choose(words, roots, stem);
  if (stem.length > 1 && stem.endsWith("ab")) return choose(words, roots, `${stem}le`);
  return choose(words, [...roots, stem.endsWith("i") && `${cut(stem, 1)}y`], stem);
}

function al(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "al");
  if (word.length < 4 || stem === undefined) return { word, found: false };
  const roots = [stem, endsDoubled(stem) && cut(stem, 1), `${stem}e`, `${stem}um`];
  if (stem.length > 1 && stem.endsWith("ic")) {
    const base = cut(stem, 2);
    return choose(words, [...roots, base, `${base}y`, stem], stem);
  }
  return choose(words, stem.endsWith("i") ? [...roots, cut(stem, 1), word] : roots, word);
}

function ive(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ive");
  // A word that the lexicon has is found here, but not where it could be taken apart further.
  if (stem === undefined) return { word, found: plainRoot(word, words) };
  const base = stem.length > 1 && stem.endsWith("at") ? cut(stem, 2) : undefined;
  return choose(words, [stem, `${stem}e`, ...(base === undefined ? [] : [`${base}e`, base]), `${stem}ion`], word);
}

function ize(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ize");
  if (stem === undefined) return { word, found: false };
  return choose(words, [stem, endsDoubled(stem) && cut(stem, 1), `${stem}e`], word);
}

function ment(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ment");
  return stem === undefined ? { word, found: false } : choose(words, [stem], word);
}

function ble(word: string, words: Lexicon): Step {
  if (!/.[ai]ble$|^[ai]ble$/.test(word)) return { word, found: false };
  const stem = cut(word, 4);
  return choose(words, [stem, endsDoubled(stem) && cut(stem, 1), `${stem}e`, `${stem}ate`], word);
}

function ism(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ism");
  return stem === undefined ? { word, found: false } : choose(words, [stem], stem);
}

function ic(word: string, words: Lexicon): Step {
  const stem = stemBefore(word, "ic");
  return stem === undefined ? { word, found: false } : choose(words, [`${word}al`, `${stem}y`, `${stem}e`, stem], word);
}

function ncy(word: string, words: Lexicon): Step {
  if (!/[ea]ncy$/.test(word)) return { word, found: false };
  return choose(words, [`${cut(word, 2)}t`, `${cut(word, 1)}e`], `${cut(word, 1)}e`);
}

function nce(word: string, words: Lexicon): Step {
  if (!/[ea]nce$/.test(word)) return { word, found: false };
  const stem = cut(word, 4);
  return choose(words, [`${stem}e`, stem], word);
}

const KINDS: readonly Kind[] = [
  plural,
  pastTense,
  progressive,
  ity,
  ness,
  ion,
  erAndOr,
  ly,
  al,
  ive,
  ize,
  ment,
  ble,
  ism,
  ic,
  ncy,
  nce,
];

/** The stem of a word in lower case. */
export function kstem(input: string): string {
  if (input.length < 3 || input.length >= MAX_LENGTH) return input;
  lexicon ??= readLexicon();
  const known = lexicon.roots.get(input);
  if (known !== undefined) return known;
  if (!/^[a-z]+$/.test(input)) return input;
  let word = input;
  for (const kind of KINDS) {
    const step = kind(word, lexicon);
    if (step.found) return lexicon.roots.get(step.word) as string;
    word = step.word;
  }
  return word;
}

export const kstemFilter = (name = "kstem"): TokenFilter => mapFilter(name, kstem, { keywords: true });
