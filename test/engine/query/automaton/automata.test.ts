/** Automata against other ways to the same answer: regular expressions of JavaScript, the table of edit distances, a scan. */
import { describe, expect, it } from "vitest";
import { type Automaton, codePointsOf, textAutomaton } from "../../../../src/engine/query/automaton/automaton.ts";
import { byteAutomaton } from "../../../../src/engine/query/automaton/byte-automaton.ts";
import { levenshteinAutomaton } from "../../../../src/engine/query/automaton/levenshtein.ts";
import { minimize } from "../../../../src/engine/query/automaton/minimize.ts";
import {
  concatenate,
  determinize,
  union,
  withoutDeadStates,
} from "../../../../src/engine/query/automaton/operations.ts";
import { regexpAutomaton } from "../../../../src/engine/query/automaton/regexp-automaton.ts";
import { toUtf8 } from "../../../../src/engine/query/automaton/utf8.ts";
import { wildcardAutomaton } from "../../../../src/engine/query/automaton/wildcard.ts";
import { type Random, seeded } from "../../../fuzz/random.ts";

const LIMIT = 10_000;
const LETTERS = ["a", "b", "c", "é", "年", "末", "\uffff", "😀", "😁"];

const textOf = (random: Random, most: number, letters = LETTERS) =>
  Array.from({ length: random.int(0, most) }, () => random.pick(letters)).join("");

function accepts(automaton: Automaton, symbols: Iterable<number>): boolean {
  let state = 0;
  if (automaton.stateCount === 0) return false;
  for (const symbol of symbols) {
    const own = automaton.transitions(state);
    let next = -1;
    for (let i = 0; i < own.length; i += 3) if (own[i + 1] <= symbol && symbol <= own[i + 2]) next = own[i];
    if (next < 0) return false;
    state = next;
  }
  return automaton.accepts(state);
}

function acceptsBytes(bytes: ReturnType<typeof byteAutomaton>, text: string): boolean {
  let state = bytes.start;
  for (const byte of new TextEncoder().encode(text)) {
    state = bytes.step(state, byte);
    if (state < 0) return false;
  }
  return bytes.accepts(state);
}

/** A random expression that both dialects read alike. */
function expression(random: Random, depth: number): string {
  if (depth === 0 || random.oneIn(4)) return random.pick([...LETTERS.slice(0, 6), ".", "[ab]", "[^a年]", "[a-é]"]);
  const inner = () => expression(random, depth - 1);
  return random.pick([
    () => inner() + inner(),
    () => `(${inner()}|${inner()})`,
    () => `(${inner()})*`,
    () => `(${inner()})?`,
    () => `(${inner()})+`,
    () => `(${inner()}){1,3}`,
    () => `(${inner()}){2,}`,
  ])();
}

describe("regular expressions", () => {
  it("match what those of JavaScript match, by code points and by bytes", () => {
    const random = seeded(7);
    for (let round = 0; round < 300; round++) {
      const pattern = expression(random, 4);
      const dfa = regexpAutomaton(pattern, { flags: 0, ignoreCase: false, limit: LIMIT });
      const live = withoutDeadStates(dfa);
      const lazy = live.stateCount === 0 ? undefined : byteAutomaton(live);
      const bytes = determinize(toUtf8(dfa), LIMIT);
      const expected = new RegExp(`^(?:${pattern})$`, "su");
      for (let i = 0; i < 30; i++) {
        const text = textOf(random, 6);
        const matches = expected.test(text);
        expect([pattern, text, accepts(dfa, codePointsOf(text))]).toEqual([pattern, text, matches]);
        expect([pattern, text, lazy ? acceptsBytes(lazy, text) : false]).toEqual([pattern, text, matches]);
        expect([pattern, text, accepts(bytes, new TextEncoder().encode(text))]).toEqual([pattern, text, matches]);
      }
    }
  });

  it("of intervals match the numbers between their ends", () => {
    for (const [low, high] of [
      ["0", "7"],
      ["3", "140"],
      ["007", "120"],
      ["99", "100"],
      ["5", "5"],
    ]) {
      const dfa = determinize(
        regexpAutomaton(`<${low}-${high}>`, { flags: 0xff, ignoreCase: false, limit: LIMIT }),
        LIMIT,
      );
      for (let number = 0; number < 300; number++) {
        for (const zeros of ["", "0", "00", "000"]) {
          const text = zeros + number;
          const inside = number >= Number(low) && number <= Number(high);
          const fits = low.length !== high.length || text.length === low.length;
          expect([low, high, text, accepts(dfa, codePointsOf(text))]).toEqual([low, high, text, inside && fits]);
        }
      }
      expect(accepts(dfa, [])).toBe(false);
    }
  });
});

it("wildcards match as patterns do", () => {
  const random = seeded(11);
  for (let round = 0; round < 300; round++) {
    const pattern = random.pick(["a", "*", "?"]) + textOf(random, 6, ["a", "b", "年", "😀", "*", "?", "\\*"]);
    const dfa = determinize(wildcardAutomaton(pattern, false), LIMIT);
    const source = pattern.replace(/\\?[*?]/gu, (found) => (found === "*" ? ".*" : found === "?" ? "." : "\\*"));
    const expected = new RegExp(`^${source}$`, "su");
    for (let i = 0; i < 30; i++) {
      const text = textOf(random, 6, ["a", "b", "年", "😀", "*"]);
      expect([pattern, text, accepts(dfa, codePointsOf(text))]).toEqual([pattern, text, expected.test(text)]);
    }
  }
});

it("the empty wildcard matches nothing, as in Lucene", () => {
  expect(accepts(determinize(wildcardAutomaton("", false), LIMIT), [])).toBe(false);
});

/** Optimal string alignment: edits, with two neighbours that change places as one. */
function edits(a: readonly string[], b: readonly string[], transpositions: boolean): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      table[i][j] = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + same);
      if (transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1);
      }
    }
  }
  return table[a.length][b.length];
}

it("edit distances are those of the table", () => {
  const random = seeded(3);
  for (let round = 0; round < 1500; round++) {
    const [word, other] = [textOf(random, 6), textOf(random, 7)];
    const options = {
      maxEdits: random.pick([1, 2]),
      prefixLength: random.pick([0, 0, 1, 2, 9]),
      transpositions: !random.oneIn(3),
    };
    const automaton = levenshteinAutomaton(word, options);
    const [a, b] = [[...word], [...other]];
    const prefix = a.slice(0, options.prefixLength);
    const begins = prefix.every((letter, i) => b[i] === letter);
    const distance = begins
      ? edits(a.slice(prefix.length), b.slice(prefix.length), options.transpositions)
      : Number.POSITIVE_INFINITY;
    const expected = distance <= options.maxEdits ? distance : options.maxEdits + 1;
    expect([word, other, options, automaton.distance(other)]).toEqual([word, other, options, expected]);
    expect(acceptsBytes(byteAutomaton(automaton), other)).toBe(distance <= options.maxEdits);
  }
});

describe("the smallest automaton", () => {
  it("accepts the same and is the same for every way to write it", () => {
    const random = seeded(5);
    for (let round = 0; round < 100; round++) {
      const words = Array.from({ length: random.int(1, 8) }, () => textOf(random, 4));
      const one = minimize(union(words.map(textAutomaton)), LIMIT);
      const other = minimize(union([...words, ...words].reverse().map(textAutomaton)), LIMIT);
      expect([one.stateCount, one.transitionCount]).toEqual([other.stateCount, other.transitionCount]);
      for (const word of [...words, ...Array.from({ length: 20 }, () => textOf(random, 4))]) {
        expect(accepts(one, codePointsOf(word))).toBe(words.includes(word));
      }
    }
  });

  it("has a state for each class of what may follow", () => {
    const word = ["ab", "cb", "cab"].map(textAutomaton);
    expect(minimize(union(word), LIMIT).stateCount).toBe(4);
    expect(minimize(concatenate([word[0], word[1]]), LIMIT).stateCount).toBe(5);
  });
});
