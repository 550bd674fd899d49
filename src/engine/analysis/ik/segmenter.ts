/**
 * Chinese words by dictionary, in the manner of IK Analyzer.
 *
 * The text goes through a window of 4096 characters. At each character four finders look for what ends there: Latin words, numbers and
 * mixtures of both; Chinese numbers and the measure words behind numbers; words of the dictionaries. All words found are kept
 * (`ik_max_word`), or the best reading of each group of overlapping ones (`ik_smart`); characters in no word stand alone.
 */
import { bestReading } from "./arbitrate.ts";
import {
  ARABIC,
  CHINESE,
  CHINESE_NUMBERS,
  ENGLISH,
  KINDS,
  LETTER_CONNECTORS,
  NUMBER_CONNECTORS,
  OTHER_CJK,
  regularize,
  USELESS,
} from "./characters.ts";
import { addLexeme, clearLexemes, createLexemes, LEXEME_TYPES, type Lexemes, LexemeType } from "./lexemes.ts";
import { child, contains, type Trie } from "./trie.ts";

export interface SegmenterOptions {
  /** Best reading (`ik_smart`) instead of all words (`ik_max_word`). */
  smart: boolean;
  /** Dictionaries of words; a word counts once, in however many it stands. */
  words: readonly Trie[];
  quantifiers: readonly Trie[];
  stopWords: readonly Trie[];
}

/** Receives a word: the term, its span in the text, its type. */
export type WordSink = (term: string, start: number, end: number, type: string) => void;

const WINDOW = 4096;
/** Within so many characters of its end the window moves on, at the first character where no word is open. */
const CRITICAL = 100;

/** Words of a dictionary that have begun and may go on. */
interface Hits {
  begins: Int32Array;
  nodes: Int32Array;
  count: number;
}

interface Workspace {
  codes: Uint16Array;
  kinds: Uint8Array;
  found: Lexemes;
  /** Words in their final order, single characters among them. */
  results: { begins: number[]; lengths: number[]; types: number[] };
}

const spare: Workspace[] = [];

function createWorkspace(): Workspace {
  return {
    codes: new Uint16Array(WINDOW),
    kinds: new Uint8Array(WINDOW),
    found: createLexemes(),
    results: { begins: [], lengths: [], types: [] },
  };
}

const createHits = (): Hits => ({ begins: new Int32Array(32), nodes: new Int32Array(32), count: 0 });

function addHit(hits: Hits, begin: number, node: number): void {
  if (hits.count === hits.begins.length) {
    const { begins, nodes } = hits;
    hits.begins = new Int32Array(begins.length * 2);
    hits.nodes = new Int32Array(begins.length * 2);
    hits.begins.set(begins);
    hits.nodes.set(nodes);
  }
  hits.begins[hits.count] = begin;
  hits.nodes[hits.count++] = node;
}

/** Moves the open words of one dictionary on by a character, opens a new one there, and adds those that end. */
function advance(trie: Trie, hits: Hits, code: number, cursor: number, type: LexemeType, found: Lexemes): void {
  const { ends, children } = trie;
  let kept = 0;
  for (let i = 0; i < hits.count; i++) {
    const node = child(trie, hits.nodes[i], code);
    if (node === 0) continue;
    const begin = hits.begins[i];
    if (ends[node] === 1) addLexeme(found, begin, cursor - begin + 1, type);
    if (children[node + 1] > children[node]) {
      hits.begins[kept] = begin;
      hits.nodes[kept++] = node;
    }
  }
  hits.count = kept;
  const first = trie.roots[code];
  if (first === 0) return;
  if (ends[first] === 1) addLexeme(found, cursor, 1, type);
  if (children[first + 1] > children[first]) addHit(hits, cursor, first);
}

/** Finds the words of the window up to the character where it moves on, and returns that character's place. */
function scanWindow(space: Workspace, available: number, options: SegmenterOptions): number {
  const { codes, kinds, found } = space;
  const wordHits = options.words.map(createHits);
  const countHits = options.quantifiers.map(createHits);
  // Spans that are open, -1 where none is: Latin letters, digits, mixtures of both, Chinese numbers.
  let englishStart = -1;
  let englishEnd = -1;
  let arabicStart = -1;
  let arabicEnd = -1;
  let mixedStart = -1;
  let mixedEnd = -1;
  let numberStart = -1;
  let numberEnd = -1;
  for (let cursor = 0; ; cursor++) {
    const code = regularize(codes[cursor]);
    const kind = KINDS[code];
    codes[cursor] = code;
    kinds[cursor] = kind;
    const last = cursor === available - 1;

    if (kind === ENGLISH) {
      if (englishStart < 0) englishStart = cursor;
      englishEnd = cursor;
    }
    if (englishStart >= 0 && (kind !== ENGLISH || last)) {
      addLexeme(found, englishStart, englishEnd - englishStart + 1, LexemeType.English);
      englishStart = -1;
    }
    if (kind === ARABIC) {
      if (arabicStart < 0) arabicStart = cursor;
      arabicEnd = cursor;
    }
    if (arabicStart >= 0 && ((kind !== ARABIC && !(kind === USELESS && NUMBER_CONNECTORS[code] === 1)) || last)) {
      addLexeme(found, arabicStart, arabicEnd - arabicStart + 1, LexemeType.Arabic);
      arabicStart = -1;
    }
    const connected = kind === USELESS && LETTER_CONNECTORS[code] === 1;
    if (kind === ENGLISH || kind === ARABIC || (connected && mixedStart >= 0)) {
      if (mixedStart < 0) mixedStart = cursor;
      mixedEnd = cursor;
    }
    if (mixedStart >= 0 && ((kind !== ENGLISH && kind !== ARABIC && !connected) || last)) {
      addLexeme(found, mixedStart, mixedEnd - mixedStart + 1, LexemeType.Letter);
      mixedStart = -1;
    }

    const number = kind === CHINESE && CHINESE_NUMBERS[code] === 1;
    if (number) {
      if (numberStart < 0) numberStart = cursor;
      numberEnd = cursor;
    }
    if (numberStart >= 0 && (!number || last)) {
      addLexeme(found, numberStart, numberEnd - numberStart + 1, LexemeType.Number);
      numberStart = -1;
    }
    if (numberStart >= 0 || isOpen(countHits) || followsNumber(found, cursor)) {
      for (let i = 0; i < countHits.length; i++) {
        if (kind === CHINESE) advance(options.quantifiers[i], countHits[i], code, cursor, LexemeType.Count, found);
        if (kind !== CHINESE || last) countHits[i].count = 0;
      }
    }

    for (let i = 0; i < wordHits.length; i++) {
      if (kind !== USELESS) advance(options.words[i], wordHits[i], code, cursor, LexemeType.Word, found);
      if (kind === USELESS || last) wordHits[i].count = 0;
    }

    if (last) return cursor;
    if (available === WINDOW && cursor > available - CRITICAL) {
      const open = englishStart >= 0 || arabicStart >= 0 || mixedStart >= 0 || numberStart >= 0;
      if (!open && !isOpen(wordHits) && !isOpen(countHits)) return cursor;
    }
  }
}

function isOpen(hits: readonly Hits[]): boolean {
  for (let i = 0; i < hits.length; i++) if (hits[i].count > 0) return true;
  return false;
}

/** True when the last word found is a number that ends right before the cursor. */
function followsNumber(found: Lexemes, cursor: number): boolean {
  const { tail } = found;
  if (tail < 0) return false;
  const type = found.types[tail];
  return (
    (type === LexemeType.Number || type === LexemeType.Arabic) && found.begins[tail] + found.lengths[tail] === cursor
  );
}

function addResult(
  { begins, lengths, types }: Workspace["results"],
  begin: number,
  length: number,
  type: number,
): void {
  begins.push(begin);
  lengths.push(length);
  types.push(type);
}

/** Adds the characters of a span that stand in no word. */
function addSingles({ kinds, results }: Workspace, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    if (kinds[at] === CHINESE) addResult(results, at, 1, LexemeType.Character);
    else if (kinds[at] === OTHER_CJK) addResult(results, at, 1, LexemeType.OtherCharacter);
  }
}

/** Puts the words of the window in order: all of them or the best readings, and single characters where there is none. */
function arrange(space: Workspace, cursor: number, smart: boolean): void {
  const { found, results } = space;
  const { begins, lengths, types, next } = found;
  let index = 0;
  for (let word = found.head; word >= 0; ) {
    // The group of words from here that overlap, each with what came before it.
    const head = word;
    let end = begins[word] + lengths[word];
    let size = 1;
    word = next[word];
    while (word >= 0 && begins[word] < end) {
      end = Math.max(end, begins[word] + lengths[word]);
      size++;
      word = next[word];
    }
    // A word that spans the whole group is the best reading: nothing covers more, nothing has fewer words.
    if (smart && begins[head] + lengths[head] === end) size = 1;
    const reading = smart && size > 1 ? bestReading(found, head, word) : undefined;
    const count = reading === undefined ? size : reading.length;
    for (let i = 0, id = head; i < count; i++, id = next[id]) {
      if (reading !== undefined) id = reading[i];
      // Also the characters between two words of a group: a reading may leave some out.
      addSingles(space, index, begins[id]);
      addResult(results, begins[id], lengths[id], types[id]);
      index = begins[id] + lengths[id];
    }
  }
  addSingles(space, index, cursor + 1);
}

/** True when the result at `next` is of a type and begins where the one at `i` ends. */
function follows({ begins, lengths, types }: Workspace["results"], i: number, next: number, type: LexemeType): boolean {
  return next < begins.length && types[next] === type && begins[i] + lengths[i] === begins[next];
}

/** In smart mode a number and the Chinese number or measure word right behind it are one word: changes the result, returns the next one's index. */
function merge(results: Workspace["results"], i: number): number {
  const { lengths, types } = results;
  let next = i + 1;
  if (types[i] === LexemeType.Arabic) {
    const number = follows(results, i, next, LexemeType.Number);
    if (number || follows(results, i, next, LexemeType.Count)) {
      lengths[i] += lengths[next++];
      types[i] = number ? LexemeType.Number : LexemeType.Quantity;
    }
  }
  if (types[i] === LexemeType.Number && follows(results, i, next, LexemeType.Count)) {
    lengths[i] += lengths[next++];
    types[i] = LexemeType.Quantity;
  }
  return next;
}

function isStopWord(stopWords: readonly Trie[], codes: Uint16Array, begin: number, length: number): boolean {
  for (let i = 0; i < stopWords.length; i++) if (contains(stopWords[i], codes, begin, length)) return true;
  return false;
}

/** Cuts a text into words. Returns where the last word ends, 0 without words. */
export function segment(text: string, options: SegmenterOptions, sink: WordSink): number {
  const space = spare.pop() ?? createWorkspace();
  const { codes, found, results } = space;
  let lastEnd = 0;
  let read = Math.min(text.length, WINDOW);
  let offset = 0;
  for (let i = 0; i < read; i++) codes[i] = text.charCodeAt(i);
  let available = read;
  while (available > 0) {
    clearLexemes(found);
    results.begins.length = 0;
    results.lengths.length = 0;
    results.types.length = 0;
    const cursor = scanWindow(space, available, options);
    arrange(space, cursor, options.smart);
    let regular: string | undefined;
    for (let i = 0; i < results.begins.length; ) {
      const next = options.smart ? merge(results, i) : i + 1;
      const begin = results.begins[i];
      const length = results.lengths[i];
      if (!isStopWord(options.stopWords, codes, begin, length)) {
        regular ??= String.fromCharCode.apply(null, codes.subarray(0, available) as unknown as number[]);
        lastEnd = offset + begin + length;
        sink(regular.slice(begin, begin + length), offset + begin, lastEnd, LEXEME_TYPES[results.types[i]]);
      }
      i = next;
    }
    // The window moves on to the character at the cursor, which is looked at again; at the end of the text one character less is kept.
    offset += cursor;
    const kept = available - cursor;
    codes.copyWithin(0, cursor, available);
    const more = Math.min(text.length - read, WINDOW - kept);
    for (let i = 0; i < more; i++) codes[kept + i] = text.charCodeAt(read + i);
    read += more;
    available = more > 0 ? kept + more : kept - 1;
  }
  if (spare.length < 4) spare.push(space);
  return lastEnd;
}
