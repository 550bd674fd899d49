/** The language of simple_query_string (Lucene's SimpleQueryParser): nothing in it is an error. */
import { booleanQuery, isBoolean, type Occur } from "../../lucene/boolean.ts";
import { matchAllQuery, matchNoneQuery } from "../../lucene/constant.ts";
import type { Query } from "../../types.ts";

/** Bits of the operators. */
export const SIMPLE_FLAGS = {
  AND: 1 << 0,
  NOT: 1 << 1,
  OR: 1 << 2,
  PREFIX: 1 << 3,
  PHRASE: 1 << 4,
  PRECEDENCE: 1 << 5,
  ESCAPE: 1 << 6,
  WHITESPACE: 1 << 7,
  FUZZY: 1 << 8,
  NEAR: 1 << 9,
  SLOP: 1 << 9,
  ALL: -1,
  NONE: 0,
} as const;

export interface SimpleLeaves {
  /** Undefined: nothing is left of the text. */
  text(text: string): Query | undefined;
  phrase(text: string, slop: number): Query | undefined;
  prefix(text: string): Query | undefined;
  fuzzy(text: string, edits: number): Query;
}

export interface SimpleOptions {
  readonly flags: number;
  readonly defaultOccur: "must" | "should";
  readonly leaves: SimpleLeaves;
  /** Checks how many clauses a query has. */
  readonly checkClauses: (count: number) => void;
}

/** A query that grows to the right, and the operator that waits for what follows. */
interface State {
  index: number;
  readonly end: number;
  top: Query | undefined;
  waiting: Occur | undefined;
  last: Occur | undefined;
  nots: number;
}

/** Groups within groups are ignored from here on. */
const MAX_DEPTH = 1000;

export function parseSimpleQuery(text: string, { flags, defaultOccur, leaves, checkClauses }: SimpleOptions): Query {
  if (text.trim() === "*") return matchAllQuery();
  const has = (flag: number) => (flags & flag) !== 0;
  const isSpace = (character: string) => " \t\n\r".includes(character) && has(SIMPLE_FLAGS.WHITESPACE);
  const closing = closingBrackets(text, has(SIMPLE_FLAGS.ESCAPE));

  const endsToken = (character: string): boolean =>
    (character === '"' && has(SIMPLE_FLAGS.PHRASE)) ||
    (character === "|" && has(SIMPLE_FLAGS.OR)) ||
    (character === "+" && has(SIMPLE_FLAGS.AND)) ||
    ((character === "(" || character === ")") && has(SIMPLE_FLAGS.PRECEDENCE)) ||
    isSpace(character);

  const add = (state: State, branch: Query | undefined): void => {
    if (branch === undefined) return;
    let query = branch;
    if (state.nots % 2 === 1) {
      query = booleanQuery([
        { occur: "must_not", query: branch },
        { occur: "should", query: matchAllQuery() },
      ]);
    }
    if (state.top === undefined) state.top = query;
    else {
      const occur = state.waiting ?? defaultOccur;
      // Another operator than before takes what stands before it as one.
      const clauses = state.last === occur && isBoolean(state.top) ? state.top.clauses : [{ occur, query: state.top }];
      checkClauses(clauses.length + 1);
      state.top = booleanQuery([...clauses, { occur, query }]);
      state.last = occur;
    }
    state.waiting = undefined;
  };

  /** The number behind `~`: 2 where there is none, 0 where it is none. */
  const number = (state: State): number => {
    const start = ++state.index;
    while (state.index < state.end && !endsToken(text[state.index])) state.index++;
    const digits = text.slice(start, state.index);
    if (digits === "") return 2;
    const value = /^[+-]?\d+$/.test(digits) ? Number(digits) : 0;
    return value > 0 && value <= 0x7fffffff ? value : 0;
  };

  const phrase = (state: State): void => {
    const start = ++state.index;
    let copied = "";
    let near = false;
    for (; state.index < state.end; state.index++) {
      if (text[state.index] === "\\" && has(SIMPLE_FLAGS.ESCAPE)) {
        if (++state.index < state.end) copied += text[state.index];
        continue;
      }
      if (text[state.index] !== '"') {
        copied += text[state.index];
        continue;
      }
      if (text[state.index + 1] === "~" && state.index + 1 < state.end && has(SIMPLE_FLAGS.NEAR)) {
        state.index++;
        near = state.index + 1 < state.end;
      }
      break;
    }
    if (state.index >= state.end) state.index = start;
    else if (state.index === start) {
      state.waiting = undefined;
      state.index++;
    } else {
      add(state, leaves.phrase(copied, near ? number(state) : 0));
      state.index++;
    }
  };

  const token = (state: State): void => {
    let copied = "";
    let prefix = false;
    let fuzzy = false;
    for (; state.index < state.end; state.index++) {
      const character = text[state.index];
      if (character === "\\" && has(SIMPLE_FLAGS.ESCAPE)) {
        prefix = false;
        if (++state.index < state.end) copied += text[state.index];
        continue;
      }
      if (endsToken(character)) break;
      fuzzy = copied !== "" && character === "~" && has(SIMPLE_FLAGS.FUZZY);
      if (fuzzy) break;
      prefix = copied !== "" && character === "*" && has(SIMPLE_FLAGS.PREFIX);
      copied += character;
    }
    if (copied === "") return;
    if (fuzzy) {
      const edits = Math.min(number(state), 2);
      add(state, edits === 0 ? leaves.text(copied) : leaves.fuzzy(copied, edits));
    } else add(state, prefix ? leaves.prefix(copied.slice(0, -1)) : leaves.text(copied));
  };

  const group = (state: State, depth: number): void => {
    const start = ++state.index;
    const close = closing.get(start - 1) ?? text.length;
    if (close >= state.end || depth > MAX_DEPTH) return;
    state.index = close + 1;
    if (close === start) {
      state.waiting = undefined;
      return;
    }
    add(state, clauses(start, close, depth + 1));
  };

  const clauses = (from: number, end: number, depth: number): Query | undefined => {
    const state: State = { index: from, end, top: undefined, waiting: undefined, last: undefined, nots: 0 };
    const operator = (occur: Occur): void => {
      if (state.top !== undefined) state.waiting ??= occur;
      state.index++;
    };
    while (state.index < end) {
      const character = text[state.index];
      if (character === "(" && has(SIMPLE_FLAGS.PRECEDENCE)) group(state, depth);
      else if (character === ")" && has(SIMPLE_FLAGS.PRECEDENCE)) state.index++;
      else if (character === '"' && has(SIMPLE_FLAGS.PHRASE)) phrase(state);
      else if (character === "+" && has(SIMPLE_FLAGS.AND)) operator("must");
      else if (character === "|" && has(SIMPLE_FLAGS.OR)) operator("should");
      else if (character === "-" && has(SIMPLE_FLAGS.NOT)) {
        state.nots++;
        state.index++;
        // It belongs to what follows it directly.
        continue;
      } else if (isSpace(character)) state.index++;
      else token(state);
      state.nots = 0;
    }
    return state.top;
  };
  return clauses(0, text.length, 0) ?? matchNoneQuery("empty string passed to query parser");
}

/** For each opening bracket the closing one that belongs to it, where there is one. */
function closingBrackets(text: string, escapes: boolean): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\" && escapes) i++;
    else if (text[i] === "(") open.push(i);
    else if (text[i] === ")" && open.length > 0) closing.set(open.pop()!, i);
  }
  return closing;
}
