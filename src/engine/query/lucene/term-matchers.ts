/** What prefix, wildcard, regexp and fuzzy queries look for, as matchers of a sorted dictionary's terms. */
import { type Automaton, codePointsOf, textAutomaton } from "../automaton/automaton.ts";
import { byteAutomaton, compiledAutomaton, valuesAutomaton } from "../automaton/byte-automaton.ts";
import { type LevenshteinOptions, levenshteinAutomaton } from "../automaton/levenshtein.ts";
import { determinize, withoutDeadStates } from "../automaton/operations.ts";
import { type RegexpOptions, regexpAutomaton } from "../automaton/regexp-automaton.ts";
import { DEFAULT_LIMIT, prefixIgnoringCase, textIgnoringCase, wildcardAutomaton } from "../automaton/wildcard.ts";
import type { TermMatcher } from "./multi-term.ts";

export function prefixMatcher(prefix: string, ignoreCase: boolean): TermMatcher {
  if (ignoreCase && prefix !== "") {
    const dfa = determinize(prefixIgnoringCase(prefix), Number.MAX_SAFE_INTEGER);
    return automatonMatcher(`${JSON.stringify(prefix)}* ignoring case`, dfa);
  }
  return {
    text: `${JSON.stringify(prefix)}*`,
    ords(terms, most = Number.POSITIVE_INFINITY) {
      const [from, to] = terms.prefixRange(prefix);
      return Array.from({ length: Math.min(to - from, most) }, (_, i) => from + i);
    },
  };
}

/** Terms that begin with a text in the case of any letter, compared one by one as Elasticsearch compares doc values. */
export function prefixOfValuesMatcher(prefix: string): TermMatcher {
  const wanted = prefix.toLowerCase();
  return {
    text: `${JSON.stringify(prefix)}* ignoring the case of all letters`,
    ords(terms) {
      const found: number[] = [];
      const size = "size" in terms ? terms.size : terms.valueCount;
      for (let ord = 0; ord < size; ord++) {
        if (terms.term(ord).slice(0, prefix.length).toLowerCase() === wanted) found.push(ord);
      }
      return found;
    },
  };
}

/** @param ofValues the terms are doc values of a field without an index */
export function wildcardMatcher(pattern: string, ignoreCase: boolean, ofValues: boolean): TermMatcher {
  const compile = ofValues ? valuesAutomaton : compiledAutomaton;
  const dfa = compile(wildcardAutomaton(pattern, ignoreCase), DEFAULT_LIMIT);
  return automatonMatcher(`wildcard ${JSON.stringify(pattern)}${ignoreCase ? " ignoring case" : ""}`, dfa);
}

/** @param ofValues the terms are doc values of a field without an index */
export function regexpMatcher(text: string, options: RegexpOptions, ofValues: boolean): TermMatcher {
  const compile = ofValues ? valuesAutomaton : compiledAutomaton;
  const dfa = compile(regexpAutomaton(text, options), options.limit);
  const { flags, ignoreCase } = options;
  return automatonMatcher(`/${JSON.stringify(text)}/ flags ${flags}${ignoreCase ? " ignoring case" : ""}`, dfa);
}

export function termIgnoringCaseMatcher(term: string): TermMatcher {
  return automatonMatcher(`${JSON.stringify(term)} ignoring case`, textIgnoringCase(term));
}

/** Terms near a word. Those that are nearer match better: 1 − edits / the shorter length (FuzzyTermsEnum). */
export function fuzzyMatcher(term: string, options: LevenshteinOptions): TermMatcher {
  const { maxEdits, prefixLength, transpositions } = options;
  const text = `${JSON.stringify(term)}~${maxEdits} from ${prefixLength}${transpositions ? "" : " without transpositions"}`;
  if (maxEdits === 0) return automatonMatcher(text, textAutomaton(term));
  const near = levenshteinAutomaton(term, options);
  const bytes = byteAutomaton(near);
  const length = codePointsOf(term).length;
  return {
    text,
    ords: (terms, most) => terms.intersect(bytes, most),
    boost(other) {
      const edits = near.distance(other);
      if (edits === 0) return 1;
      return Math.fround(1 - Math.fround(edits / Math.min(codePointsOf(other).length, length)));
    },
  };
}

function automatonMatcher(text: string, dfa: Automaton): TermMatcher {
  const live = withoutDeadStates(dfa);
  if (live.stateCount === 0) return { text, ords: () => [] };
  const bytes = byteAutomaton(live);
  return { text, ords: (terms, most) => terms.intersect(bytes, most) };
}
