/**
 * Passages of about 100 words: the real texts first, as they are, then as many made ones as are wanted. A made passage has words with natural
 * (Zipf) frequencies, of which the frequent ones are the real texts' and the rare ones made up; some of its words come again, as what a
 * passage is about does; and it takes runs of words over from one real text, so that phrases are found more than once.
 */
import { seededRandom } from "../../test/random.ts";
import type { Language } from "./types.ts";

const VOCABULARY = 200_000;
const MEAN_LENGTH = 100;
/** Shares of steps that copy a run of words, and that repeat a word of the passage. */
const RUNS = 0.04;
const BURSTS = 0.12;

function madeWord(language: Language, rank: number): string {
  let word = "";
  if (language === "zh") {
    for (let n = rank + 5000; n > 0; n = Math.floor(n / 5000)) word += String.fromCharCode(0x4e00 + (n % 5000));
    return word;
  }
  for (let n = rank + 95; n > 0; n = Math.floor(n / 95)) {
    word += "bcdfghjklmnpqrstvwz"[n % 19] + "aeiou"[Math.floor(n / 19) % 5];
  }
  return word;
}

function vocabularyOf(language: Language, texts: readonly string[][]): string[] {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([word]) => word);
  for (let rank = words.length; words.length < VOCABULARY; rank++) {
    const word = madeWord(language, rank);
    if (!counts.has(word)) words.push(word);
  }
  return words;
}

/** Draws ranks of which rank r comes with a frequency proportional to 1 / (r + 2.7). */
function zipf(count: number, random: () => number): () => number {
  const cumulative = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) cumulative[rank] = sum += 1 / (rank + 2.7);
  return () => {
    const target = random() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (cumulative[middle] < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Passages as lists of words, the same for the same texts and seed. */
export function* passages(
  language: Language,
  texts: readonly string[][],
  count: number,
  seed = 1,
): Generator<string[]> {
  if (texts.length === 0) throw new Error(`no ${language} texts to make passages of`);
  let made = 0;
  for (const words of texts) {
    for (let at = 0; at < words.length && made < count; at += MEAN_LENGTH, made++)
      yield words.slice(at, at + MEAN_LENGTH);
  }
  const random = seededRandom(seed);
  const vocabulary = vocabularyOf(language, texts);
  const rank = zipf(vocabulary.length, random);
  const below = (limit: number) => Math.floor(random() * limit);
  for (; made < count; made++) {
    const topic = texts[below(texts.length)];
    const length = Math.round(MEAN_LENGTH * (0.4 + 1.2 * random()));
    const passage: string[] = [];
    while (passage.length < length) {
      const step = random();
      if (step < RUNS) {
        const from = below(topic.length);
        passage.push(...topic.slice(from, from + 2 + below(5)));
      } else if (step < RUNS + BURSTS && passage.length > 0) passage.push(passage[below(passage.length)]);
      else passage.push(vocabulary[rank()]);
    }
    yield passage;
  }
}

/** Words as a text with sentences. */
export function textOf(language: Language, words: readonly string[]): string {
  const [space, comma, stop] = language === "zh" ? ["", "，", "。"] : [" ", ", ", ". "];
  let text = "";
  words.forEach((word, i) => {
    text += i === 0 ? "" : i % 24 === 0 ? stop : i % 8 === 0 ? comma : space;
    text += word;
  });
  return text + stop.trim();
}
