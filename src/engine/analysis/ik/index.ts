/**
 * IK: Chinese text by dictionary, with the tokens of IK Analyzer 9.
 *
 * `dictionary.ts` reads the dictionaries, tries in typed arrays (`trie.ts`); `segmenter.ts` finds the words; `arbitrate.ts` chooses among
 * those that overlap.
 */
import type { Tokenizer } from "../chain.ts";
import type { ComponentContext, ComponentSettings } from "../settings.ts";
import { wordList } from "../settings.ts";
import type { AnalysisResources } from "../types.ts";
import { type IkDictionary, unpackDictionary } from "./dictionary.ts";
import { segment } from "./segmenter.ts";
import { buildTrie, type Trie } from "./trie.ts";

/** The unpacked dictionary of each caller's resources: read once. */
const dictionaries = new WeakMap<AnalysisResources, IkDictionary>();

function dictionaryOf(resources: AnalysisResources): IkDictionary {
  let dictionary = dictionaries.get(resources);
  if (dictionary === undefined) {
    dictionary = unpackDictionary(resources.ikDictionary());
    dictionaries.set(resources, dictionary);
  }
  return dictionary;
}

/**
 * The tokenizers `ik_max_word` and `ik_smart`. Settings, all optional:
 *
 * - `user_dictionary`: words beside those of the dictionary; `user_dictionary_path`: a file of them, one a line
 * - `stopwords`: words that are dropped beside IK's own; `stopwords_path`: a file of them
 */
export function ikTokenizer(
  name: string,
  smart: boolean,
  settings: ComponentSettings,
  { resources }: ComponentContext,
): Tokenizer {
  const own = (key: string): Trie[] => {
    const words = wordList(settings, key, resources);
    return words === undefined || words.length === 0 ? [] : [buildTrie(words)];
  };
  const userWords = own("user_dictionary");
  const userStopWords = own("stopwords");
  let options: Parameters<typeof segment>[1] | undefined;
  return {
    name,
    filteredOffsets: true,
    tokenize(text, push) {
      if (options === undefined) {
        const { words, quantifiers, stopWords } = dictionaryOf(resources);
        options = {
          smart,
          words: [words, ...userWords],
          quantifiers: [quantifiers],
          stopWords: [stopWords, ...userStopWords],
        };
      }
      const end = segment(text, options, (term, start, stop, type) => push(term, start, stop, 1, 1, type, false));
      return { increment: 0, offset: end };
    },
  };
}
