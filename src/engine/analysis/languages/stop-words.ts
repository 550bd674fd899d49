/** Lists of stop words by the names that settings have for them (`_french_`). */
import { STOP_WORD_DATA } from "./stop-word-data.ts";

const lists = new Map<string, readonly string[]>();

/** The words of a list; `undefined` for a word that names none. */
export function namedStopWords(name: string): readonly string[] | undefined {
  if (!Object.hasOwn(STOP_WORD_DATA, name)) return undefined;
  let words = lists.get(name);
  if (words === undefined) {
    words = STOP_WORD_DATA[name].split(" ");
    lists.set(name, words);
  }
  return words;
}

/** `_english_`: Lucene's short list. */
export const ENGLISH_STOP_WORDS = namedStopWords("_english_") as readonly string[];

/** Those of the cjk analyzer, which have no name. */
export const CJK_STOP_WORDS: readonly string[] =
  "a and are as at be but by for if in into is it no not of on or s such t that the their then there these they this to was will with www".split(
    " ",
  );
