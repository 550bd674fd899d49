import { describe, expect, it } from "vitest";
import { byteAutomaton } from "../../../src/engine/query/automaton/byte-automaton.ts";
import { levenshteinAutomaton } from "../../../src/engine/query/automaton/levenshtein.ts";
import { determinize, withoutDeadStates } from "../../../src/engine/query/automaton/operations.ts";
import { wildcardAutomaton } from "../../../src/engine/query/automaton/wildcard.ts";
import type { ByteAutomaton, FieldTerms } from "../../../src/engine/segment/types.ts";
import { seeded } from "../../fuzz/random.ts";
import { build, open, TAG } from "./support.ts";

async function termsOf(words: readonly string[]): Promise<FieldTerms> {
  const blocks = words.map((word, i) => {
    const fields = [{ kind: "terms", field: TAG, terms: [word], length: 1 }] as const;
    return { id: String(i), seqNo: i, version: 1, docs: [{ fields }] };
  });
  return open(await build(blocks)).terms(TAG.name)!;
}

const random = seeded(9);
const LETTERS = ["a", "b", "c", "é", "年", "\uffff", "😀"];
const words = Array.from({ length: 3000 }, () =>
  Array.from({ length: random.int(1, 7) }, () => random.pick(LETTERS)).join(""),
);
const terms = await termsOf([...words, ""]);
const all = Array.from({ length: terms.size }, (_, ord) => ord);

function scan(automaton: ByteAutomaton): number[] {
  return all.filter((ord) => {
    let state = automaton.start;
    for (const byte of terms.termBytes(ord)) if (state >= 0) state = automaton.step(state, byte);
    return state >= 0 && automaton.accepts(state);
  });
}

describe("walking a dictionary with an automaton", () => {
  it("finds what a scan finds", () => {
    for (const pattern of ["*", "a*", "*a", "?", "a?b*", "*年*", "😀*c", "b", "zz", "*\uffff?", "???c*"]) {
      const bytes = byteAutomaton(withoutDeadStates(determinize(wildcardAutomaton(pattern, false), 10_000)));
      expect([pattern, terms.intersect(bytes)]).toEqual([pattern, scan(bytes)]);
      expect(terms.intersect(bytes, 2)).toEqual(scan(bytes).slice(0, 2));
    }
    for (const word of ["ab", "abc", "a年b", "😀😀", "cccc"]) {
      const bytes = byteAutomaton(levenshteinAutomaton(word, { maxEdits: 2, prefixLength: 0, transpositions: true }));
      expect(terms.intersect(bytes)).toEqual(scan(bytes));
    }
  });

  it("looks at few terms where few can match", () => {
    const inner = byteAutomaton(levenshteinAutomaton("abcab", { maxEdits: 1, prefixLength: 2, transpositions: true }));
    let steps = 0;
    const step = (state: number, byte: number) => {
      steps++;
      return inner.step(state, byte);
    };
    const found = terms.intersect({ ...inner, step });
    expect(found).toEqual(scan(inner));
    expect(steps).toBeLessThan(terms.size / 4);
  });

  it("finds a prefix as a range", () => {
    for (const prefix of ["", "a", "ab", "é", "年", "😀", "😀a", "\uffff", "zz", "cccccccccc"]) {
      const [from, to] = terms.prefixRange(prefix);
      expect(all.slice(from, to)).toEqual(all.filter((ord) => terms.term(ord).startsWith(prefix)));
    }
  });
});
