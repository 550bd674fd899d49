/** Lucene's light stemmer for Russian (L. Dolamic, J. Savoy: "Indexing and Searching Strategies for the Russian Language", 2009). */
import { type EndingRule, replaceEnding } from "./endings.ts";

const CASES: readonly EndingRule[] = [
  [6, /[ио]ями$/, ""],
  [5, /(?:иям|иях|оях|ями|оям|оьв|ами|его|ему|ери|ими|ого|ому|ыми|оев)$/, ""],
  [4, /(?:ая|яя|ях|юю|ах|ею|их|ия|ию|ьв|ою|ую|ям|ых|ея|ам|ем|ей|ём|ев|ий|им|ое|ой|ом|ов|ые|ый|ым|ми)$/, ""],
  [3, /[аеиоуйыяь]$/, ""],
];
const NORMAL: readonly EndingRule[] = [[3, /[ьи]$|(?<=н)н$/, ""]];

export function lightRussian(input: string): string {
  const word = replaceEnding(input, CASES) ?? input;
  return replaceEnding(word, NORMAL) ?? word;
}
