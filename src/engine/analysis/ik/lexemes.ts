/** Words found in a text, ordered by where they begin, the longer before the shorter; of two with the same span the first found stays. */

/** Kinds of words, as indices of `LEXEME_TYPES`. */
export enum LexemeType {
  Word,
  Character,
  OtherCharacter,
  English,
  Arabic,
  Letter,
  Number,
  Count,
  Quantity,
}

/** The names that IK gives them as token types. */
export const LEXEME_TYPES: readonly string[] = [
  "CN_WORD",
  "CN_CHAR",
  "OTHER_CJK",
  "ENGLISH",
  "ARABIC",
  "LETTER",
  "TYPE_CNUM",
  "COUNT",
  "TYPE_CQUAN",
];

/** A doubly linked list in typed arrays: new words nearly always belong at its end. */
export interface Lexemes {
  begins: Int32Array;
  lengths: Int32Array;
  types: Uint8Array;
  /** Neighbours in the order, -1 for none. */
  next: Int32Array;
  previous: Int32Array;
  count: number;
  head: number;
  tail: number;
}

export function createLexemes(capacity = 256): Lexemes {
  return {
    begins: new Int32Array(capacity),
    lengths: new Int32Array(capacity),
    types: new Uint8Array(capacity),
    next: new Int32Array(capacity),
    previous: new Int32Array(capacity),
    count: 0,
    head: -1,
    tail: -1,
  };
}

export function clearLexemes(list: Lexemes): void {
  list.count = 0;
  list.head = -1;
  list.tail = -1;
}

function grow(list: Lexemes): void {
  const larger = createLexemes(list.begins.length * 2);
  larger.begins.set(list.begins);
  larger.lengths.set(list.lengths);
  larger.types.set(list.types);
  larger.next.set(list.next);
  larger.previous.set(list.previous);
  list.begins = larger.begins;
  list.lengths = larger.lengths;
  list.types = larger.types;
  list.next = larger.next;
  list.previous = larger.previous;
}

export function addLexeme(list: Lexemes, begin: number, length: number, type: LexemeType): void {
  let before = list.tail;
  while (before >= 0) {
    const other = list.begins[before];
    if (other < begin) break;
    if (other === begin) {
      const longer = list.lengths[before] - length;
      if (longer === 0) return;
      if (longer > 0) break;
    }
    before = list.previous[before];
  }
  if (list.count === list.begins.length) grow(list);
  const id = list.count++;
  list.begins[id] = begin;
  list.lengths[id] = length;
  list.types[id] = type;
  const after = before < 0 ? list.head : list.next[before];
  list.previous[id] = before;
  list.next[id] = after;
  if (before < 0) list.head = id;
  else list.next[before] = id;
  if (after < 0) list.tail = id;
  else list.previous[after] = id;
}
