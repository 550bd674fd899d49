/** What prefix, wildcard, regexp and fuzzy queries look for, as matchers of a sorted dictionary's terms. */
import { illegalArgument } from "../../errors.ts";
import { utf8Length, wellFormed } from "../../json/utf8.ts";
import { type Automaton, codePointsOf, textAutomaton } from "../automaton/automaton.ts";
import { byteAutomaton, compiledAutomaton, valuesAutomaton } from "../automaton/byte-automaton.ts";
import { type LevenshteinOptions, levenshteinAutomaton } from "../automaton/levenshtein.ts";
import { determinize, withoutDeadStates } from "../automaton/operations.ts";
import { type RegexpOptions, regexpAutomaton } from "../automaton/regexp-automaton.ts";
import { DEFAULT_LIMIT, prefixIgnoringCase, textIgnoringCase, wildcardAutomaton } from "../automaton/wildcard.ts";
import type { TermMatcher } from "./multi-term.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** Bytes of a prefix that Lucene still walks through to see whether it stands for finitely many terms (Operations.isFinite). */
const MAX_PREFIX_BYTES = 1000;

/** @param ofValues the terms are doc values of a field without an index */
export function prefixMatcher(prefix: string, ignoreCase: boolean, ofValues = false): TermMatcher {
  if (ignoreCase && prefix !== "") {
    const dfa = determinize(prefixIgnoringCase(prefix), Number.MAX_SAFE_INTEGER);
    return automatonMatcher(`${JSON.stringify(prefix)}* ignoring case`, ignoringCase("Prefix", prefix), dfa);
  }
  if (!ofValues && utf8Length(prefix) > MAX_PREFIX_BYTES) {
    throw illegalArgument(`input automaton is too large: ${MAX_PREFIX_BYTES + 1}`);
  }
  return {
    kind: "Prefix",
    text: `${JSON.stringify(prefix)}*`,
    describe: (field) => `${field}:${wellFormed(prefix)}*`,
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
    kind: "Prefix",
    text: `${JSON.stringify(prefix)}* ignoring the case of all letters`,
    describe: (field) => `${field}:${prefix}*`,
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

/** Values that are a text but for the case of any letter, one by one as Java's equalsIgnoreCase compares them. */
export function termOfValuesMatcher(wanted: string): TermMatcher {
  return {
    kind: "Term",
    text: `${JSON.stringify(wanted)} ignoring the case of all letters`,
    describe: (field) => `${field}:${wanted}`,
    ords(terms) {
      const found: number[] = [];
      const size = "size" in terms ? terms.size : terms.valueCount;
      for (let ord = 0; ord < size; ord++) if (equalsIgnoringCase(terms.term(ord), wanted)) found.push(ord);
      return found;
    },
  };
}

/** Letter by letter: the same in upper case, or that in lower case (Georgian has letters that only that tells). */
function equalsIgnoringCase(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue;
    const [upperA, upperB] = [upperOf(a[i]), upperOf(b[i])];
    if (upperA !== upperB && lowerOf(upperA) !== lowerOf(upperB)) return false;
  }
  return true;
}

/** Java's Character.toUpperCase and toLowerCase: letters of which several would come stay as they are, and İ is i. */
const upperOf = (letter: string) => (letter.toUpperCase().length === 1 ? letter.toUpperCase() : letter);
const lowerOf = (letter: string) => (letter === "\u0130" ? "i" : letter.toLowerCase());

/** @param ofValues the terms are doc values of a field without an index */
export function wildcardMatcher(pattern: string, ignoreCase: boolean, ofValues: boolean): TermMatcher {
  const compile = ofValues ? valuesAutomaton : compiledAutomaton;
  const dfa = compile(wildcardAutomaton(pattern, ignoreCase), DEFAULT_LIMIT);
  const describe = ignoreCase
    ? ignoringCase("Wildcard", pattern)
    : (field: string) => `${field}:${wellFormed(pattern)}`;
  const text = `wildcard ${JSON.stringify(pattern)}${ignoreCase ? " ignoring case" : ""}`;
  return { ...automatonMatcher(text, describe, dfa), kind: "Wildcard" };
}

/** @param ofValues the terms are doc values of a field without an index */
export function regexpMatcher(text: string, options: RegexpOptions, ofValues: boolean): TermMatcher {
  const compile = ofValues ? valuesAutomaton : compiledAutomaton;
  const dfa = compile(regexpAutomaton(text, options), options.limit);
  const { flags, ignoreCase } = options;
  const key = `/${JSON.stringify(text)}/ flags ${flags}${ignoreCase ? " ignoring case" : ""}`;
  return { ...automatonMatcher(key, (field) => `${field}:/${wellFormed(text)}/`, dfa), kind: "Regexp" };
}

export function termIgnoringCaseMatcher(term: string): TermMatcher {
  return automatonMatcher(`${JSON.stringify(term)} ignoring case`, ignoringCase("Term", term), textIgnoringCase(term));
}

/** Terms near a word. Those that are nearer match better: 1 − edits / the shorter length (FuzzyTermsEnum). */
export function fuzzyMatcher(term: string, options: LevenshteinOptions): TermMatcher {
  const { maxEdits, prefixLength, transpositions } = options;
  const text = `${JSON.stringify(term)}~${maxEdits} from ${prefixLength}${transpositions ? "" : " without transpositions"}`;
  const describe = (field: string) => `${field}:${wellFormed(term)}~${maxEdits}`;
  if (maxEdits === 0) return { ...automatonMatcher(text, describe, textAutomaton(term)), term };
  const near = levenshteinAutomaton(term, options);
  const bytes = byteAutomaton(near);
  const length = codePointsOf(term).length;
  return {
    text,
    describe,
    kind: "Fuzzy",
    ords: (terms, most) => terms.intersect(bytes, most),
    boost(other) {
      const edits = near.distance(other);
      if (edits === 0) return 1;
      return Math.fround(1 - Math.fround(edits / Math.min(codePointsOf(other).length, length)));
    },
  };
}

/** Elasticsearch's own automaton queries, which name no field. */
const ignoringCase = (kind: string, text: string) => () => `CaseInsensitive${kind}Query{:${wellFormed(text)}}`;

function automatonMatcher(text: string, describe: TermMatcher["describe"], dfa: Automaton): TermMatcher {
  const live = withoutDeadStates(dfa);
  if (live.stateCount === 0) return { text, describe, ords: () => [] };
  const bytes = byteAutomaton(live);
  return { text, describe, ords: (terms, most) => terms.intersect(bytes, most) };
}

/** One end of a range of terms. */
export interface TermEnd {
  readonly term: string;
  readonly inclusive: boolean;
}

/** Terms between two others in the order of their bytes. */
export function rangeMatcher(lower: TermEnd, upper: TermEnd): TermMatcher {
  const text = `${lower.inclusive ? "[" : "{"}${JSON.stringify([lower.term, upper.term])}${upper.inclusive ? "]" : "}"}`;
  return {
    text,
    describe: (field) => `${field}:${text}`,
    ords(terms, most = Number.POSITIVE_INFINITY) {
      const found: number[] = [];
      const size = "size" in terms ? terms.size : terms.valueCount;
      for (let ord = terms.prefixRange(lower.term)[0]; ord < size && found.length < most; ord++) {
        const term = terms.term(ord);
        const order = compareUtf8(term, upper.term);
        if (order > 0 || (order === 0 && !upper.inclusive)) break;
        const above = compareUtf8(term, lower.term);
        if (above > 0 || (above === 0 && lower.inclusive)) found.push(ord);
      }
      return found;
    },
  };
}
