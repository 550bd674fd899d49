/** From a regular expression's tree to an automaton, made small after each step as Lucene 9 makes it. */
import { illegalArgument } from "../../errors.ts";
import {
  type Automaton,
  type AutomatonBuilder,
  anyCharAutomaton,
  anyTextAutomaton,
  automatonBuilder,
  emptyAutomaton,
  rangeAutomaton,
  textAutomaton,
} from "./automaton.ts";
import { minimize } from "./minimize.ts";
import {
  complement,
  concatenate,
  determinize,
  intersection,
  optional,
  repeatAtLeast,
  repeatBetween,
  TooComplexError,
  tooComplex,
  union,
} from "./operations.ts";
import { parseRegexp, type RegexpNode } from "./regexp.ts";
import { charIgnoringCase, textIgnoringCase } from "./wildcard.ts";

export interface RegexpOptions {
  /** Bits of REGEXP_FLAGS. */
  readonly flags: number;
  readonly ignoreCase: boolean;
  /** `max_determinized_states` */
  readonly limit: number;
}

/**
 * A deterministic automaton of a regular expression.
 * @throws illegal_argument_exception for one that is malformed, TooComplexError for one that costs more than the limit
 */
export function regexpAutomaton(text: string, options: RegexpOptions): Automaton {
  const node = parseRegexp(text, options.flags);
  try {
    return determinize(build(node, options), options.limit);
  } catch (error) {
    throw error instanceof TooComplexError ? new TooComplexError(text, error.limit, error) : error;
  }
}

/** Operands of one operator that stands several times in a row. */
function operands(node: RegexpNode, kind: "union" | "concatenation"): RegexpNode[] {
  const found: RegexpNode[] = [];
  let rest = node;
  while (rest.kind === kind) {
    found.unshift(...operands(rest.right, kind));
    rest = rest.left;
  }
  return [rest, ...found];
}

function build(node: RegexpNode, options: RegexpOptions): Automaton {
  const { limit, ignoreCase } = options;
  switch (node.kind) {
    case "union":
      return minimize(union(operands(node, "union").map((each) => build(each, options))), limit);
    case "concatenation":
      return minimize(concatenate(operands(node, "concatenation").map((each) => build(each, options))), limit);
    case "intersection":
      return minimize(intersection(build(node.left, options), build(node.right, options)), limit);
    case "complement":
      return minimize(complement(build(node.inner, options), limit), limit);
    case "optional":
      return minimize(optional(build(node.inner, options)), limit);
    case "repeat":
      return repeated(node, options);
    case "range":
      return rangeAutomaton(node.min, node.max);
    case "char":
      return ignoreCase ? charIgnoringCase(node.codePoint) : rangeAutomaton(node.codePoint);
    case "text":
      return ignoreCase ? textIgnoringCase(node.text) : textAutomaton(node.text);
    case "anyChar":
      return anyCharAutomaton();
    case "anyText":
      return anyTextAutomaton();
    case "nothing":
      return emptyAutomaton();
    case "interval":
      return intervalAutomaton(node.min, node.max, node.digits);
    case "named":
      throw illegalArgument(`'${node.name}' not found`);
  }
}

function repeated({ inner, min, max }: RegexpNode & { kind: "repeat" }, options: RegexpOptions): Automaton {
  const { limit } = options;
  const once = build(inner, options);
  // Java's product of two ints; what it makes of large ones is stopped by the builder's own bound.
  const states = Math.imul(once.stateCount - 1, max ?? min);
  // The star is not counted.
  const star = min === 0 && max === undefined;
  if (!star && states > limit) throw tooComplex(once, states);
  // Lucene leaves what has both bounds as large as it is.
  return max === undefined ? minimize(repeatAtLeast(once, min), limit) : repeatBetween(once, min, max);
}

/** Decimal numbers of a range. @param digits how many there are, 0: any zeros may stand before the number */
function intervalAutomaton(min: number, max: number, digits: number): Automaton {
  const length = digits > 0 ? digits : String(max).length;
  const low = String(min).padStart(length, "0");
  const high = String(max).padStart(length, "0");
  const builder = automatonBuilder();
  /** States that only zeros lead to: a shorter number begins at each of them. */
  const initials: number[] = [];
  const open = digits <= 0;
  if (open) builder.createState();
  const range = { builder, low, high, initials };
  between(range, 0, true, true, open);
  if (open) {
    for (const state of initials) builder.addEpsilon(0, state);
    builder.addTransition(0, 0, 0x30);
  }
  return builder.finish();
}

interface Digits {
  readonly builder: AutomatonBuilder;
  readonly low: string;
  readonly high: string;
  readonly initials: number[];
}

/** A state after `at` digits that are those of the lower end (`onLow`), of the upper one, of both or of none. */
function between(range: Digits, at: number, onLow: boolean, onHigh: boolean, zeros: boolean): number {
  const { builder, low, high, initials } = range;
  const state = builder.createState(at === low.length);
  if (at === low.length) return state;
  if (zeros) initials.push(state);
  const first = onLow ? low.charCodeAt(at) : 0x30;
  const last = onHigh ? high.charCodeAt(at) : 0x39;
  const edge = (digit: number) => {
    const to = between(range, at + 1, onLow && digit === first, onHigh && digit === last, zeros && digit === 0x30);
    builder.addTransition(state, to, digit);
  };
  let from = first;
  let to = last;
  if (onLow) edge(from++);
  if (onHigh && to >= from) edge(to--);
  if (from > to) return state;
  const rest = between(range, at + 1, false, false, false);
  builder.addTransition(state, rest, from, to);
  return state;
}
