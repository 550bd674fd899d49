/** Ambiguity: which of the words that overlap make the best reading. */
import type { Lexemes } from "./lexemes.ts";

/** A reading: words that do not overlap, with what readings are compared by. */
interface Path {
  words: number[];
  begin: number;
  end: number;
  /** Characters that are part of a word. */
  covered: number;
}

/** True when a word overlaps the span of the reading. */
function crosses(path: Path, begin: number, length: number): boolean {
  return (begin >= path.begin && begin < path.end) || (path.begin >= begin && path.begin < begin + length);
}

/** Adds all words from one on that fit; gives those that did not, the last one last. */
function extend(list: Lexemes, from: number, stop: number, path: Path): number[] {
  const conflicts: number[] = [];
  for (let word = from; word !== stop; word = list.next[word]) {
    const begin = list.begins[word];
    const length = list.lengths[word];
    if (path.words.length > 0 && crosses(path, begin, length)) {
      conflicts.push(word);
      continue;
    }
    if (path.words.length === 0 || begin < path.begin) {
      path.begin = begin;
      if (path.words.length === 0) path.end = begin + length;
      path.words.unshift(word);
    } else {
      path.end = begin + length;
      path.words.push(word);
    }
    path.covered += length;
  }
  return conflicts;
}

/** Takes words from the end of the reading until the given one fits. */
function retreat(list: Lexemes, word: number, path: Path): void {
  while (path.words.length > 0 && crosses(path, list.begins[word], list.lengths[word])) {
    path.covered -= list.lengths[path.words.pop() as number];
    const last = path.words[path.words.length - 1];
    path.end = last === undefined ? -1 : list.begins[last] + list.lengths[last];
  }
}

/** Product of the lengths, in 32 bits: words of even length are preferred. */
function evenness(list: Lexemes, path: Path): number {
  let product = 1;
  for (const word of path.words) product = Math.imul(product, list.lengths[word]);
  return product;
}

/** Sum of the lengths weighted by their place: longer words at the end are preferred. */
function lateness(list: Lexemes, path: Path): number {
  let sum = 0;
  for (let i = 0; i < path.words.length; i++) sum += (i + 1) * list.lengths[path.words[i]];
  return sum;
}

/** True when `a` is the better reading: by each rule in turn, until one of them tells them apart. */
function better(list: Lexemes, a: Path, b: Path): boolean {
  if (a.covered !== b.covered) return a.covered > b.covered;
  if (a.words.length !== b.words.length) return a.words.length < b.words.length;
  if (a.end - a.begin !== b.end - b.begin) return a.end - a.begin > b.end - b.begin;
  if (a.end !== b.end) return a.end > b.end;
  const even = evenness(list, a) - evenness(list, b);
  if (even !== 0) return even > 0;
  return lateness(list, a) > lateness(list, b);
}

/**
 * The best reading of the overlapping words from `head` to before `stop`. Readings are made by taking the words greedily from the left,
 * then going back to each word that was passed over, the last one first; of equal readings the first one found stays.
 */
export function bestReading(list: Lexemes, head: number, stop: number): number[] {
  const path: Path = { words: [], begin: -1, end: -1, covered: 0 };
  const conflicts = extend(list, head, stop, path);
  let best: Path = { ...path, words: path.words.slice() };
  for (let word = conflicts.pop(); word !== undefined; word = conflicts.pop()) {
    retreat(list, word, path);
    extend(list, word, stop, path);
    if (better(list, path, best)) best = { ...path, words: path.words.slice() };
  }
  return best.words;
}
