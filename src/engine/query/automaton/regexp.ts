/** Lucene's regular expressions (RegExp), read into a tree. They match whole terms. */
import { illegalArgument } from "../../errors.ts";
import { numberFormat } from "../../mapping/java-numbers.ts";

export type RegexpNode =
  | { readonly kind: "union" | "intersection" | "concatenation"; readonly left: RegexpNode; readonly right: RegexpNode }
  | { readonly kind: "optional" | "complement"; readonly inner: RegexpNode }
  /** `max` undefined: any number from `min` on. */
  | { readonly kind: "repeat"; readonly inner: RegexpNode; readonly min: number; readonly max: number | undefined }
  | { readonly kind: "range"; readonly min: number; readonly max: number }
  | { readonly kind: "char"; readonly codePoint: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "anyChar" | "anyText" | "nothing" }
  | { readonly kind: "interval"; readonly min: number; readonly max: number; readonly digits: number }
  | { readonly kind: "named"; readonly name: string };

/** Bits of the optional operators. */
export const REGEXP_FLAGS = {
  INTERSECTION: 0x01,
  COMPLEMENT: 0x02,
  EMPTY: 0x04,
  ANYSTRING: 0x08,
  AUTOMATON: 0x10,
  INTERVAL: 0x20,
  ALL: 0xff,
  NONE: 0,
} as const;

const classRange = (min: string, max = min): RegexpNode => ({
  kind: "range",
  min: min.charCodeAt(0),
  max: max.charCodeAt(0),
});
const anyOf = (...nodes: RegexpNode[]): RegexpNode => nodes.reduce((left, right) => ({ kind: "union", left, right }));

const CLASSES: Readonly<Record<string, RegexpNode>> = {
  d: classRange("0", "9"),
  w: anyOf(classRange("a", "z"), classRange("A", "Z"), classRange("0", "9"), classRange("_")),
  s: anyOf(...Array.from(" \t\n\r\f\v".slice(0, 5), (space) => classRange(space))),
};

const not = (inner: RegexpNode): RegexpNode => ({
  kind: "intersection",
  left: { kind: "anyChar" },
  right: { kind: "complement", inner },
});

/** @param flags bits of REGEXP_FLAGS @throws illegal_argument_exception with Lucene's words */
export function parseRegexp(text: string, flags: number): RegexpNode {
  let pos = 0;
  const has = (flag: number) => (flags & flag) !== 0;
  const more = () => pos < text.length;
  const peek = (characters: string) => more() && [...characters].includes(characterAt(pos));
  const characterAt = (at: number) => String.fromCodePoint(text.codePointAt(at)!);
  const match = (character: string): boolean => {
    if (!more() || characterAt(pos) !== character) return false;
    pos += character.length;
    return true;
  };
  const next = (): number => {
    if (!more()) throw illegalArgument("unexpected end-of-string");
    const codePoint = text.codePointAt(pos)!;
    pos += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  };
  const expect = (character: string): void => {
    if (!match(character)) throw illegalArgument(`expected '${character}' at position ${pos}`);
  };

  const unionExp = (): RegexpNode => {
    let node = interExp();
    while (match("|")) node = { kind: "union", left: node, right: interExp() };
    return node;
  };
  const interExp = (): RegexpNode => {
    let node = concatExp();
    while (has(REGEXP_FLAGS.INTERSECTION) && match("&")) {
      node = { kind: "intersection", left: node, right: concatExp() };
    }
    return node;
  };
  const concatExp = (): RegexpNode => {
    let node = repeatExp();
    while (more() && !peek(")|") && !(has(REGEXP_FLAGS.INTERSECTION) && peek("&"))) {
      node = { kind: "concatenation", left: node, right: repeatExp() };
    }
    return node;
  };
  const integer = (): number | undefined => {
    const start = pos;
    while (peek("0123456789")) pos++;
    return start === pos ? undefined : javaInt(text.slice(start, pos));
  };
  const repeatExp = (): RegexpNode => {
    let inner = complementExp();
    while (peek("?*+{")) {
      if (match("?")) inner = { kind: "optional", inner };
      else if (match("*")) inner = { kind: "repeat", inner, min: 0, max: undefined };
      else if (match("+")) inner = { kind: "repeat", inner, min: 1, max: undefined };
      else {
        match("{");
        const min = integer();
        if (min === undefined) throw illegalArgument(`integer expected at position ${pos}`);
        const max = match(",") ? integer() : min;
        expect("}");
        if (max !== undefined && min > max) {
          throw illegalArgument(`invalid repetition range(out of order): ${min}..${max}`);
        }
        inner = { kind: "repeat", inner, min, max };
      }
    }
    return inner;
  };
  const complementExp = (): RegexpNode =>
    has(REGEXP_FLAGS.COMPLEMENT) && match("~") ? { kind: "complement", inner: complementExp() } : classExp();
  const classExp = (): RegexpNode => {
    if (!match("[")) return simpleExp();
    const negated = match("^");
    let node = charClass();
    while (more() && !peek("]")) node = { kind: "union", left: node, right: charClass() };
    expect("]");
    return negated ? not(node) : node;
  };
  const charClass = (): RegexpNode => {
    const predefined = predefinedClass();
    if (predefined) return predefined;
    const min = charExp();
    if (!match("-")) return { kind: "char", codePoint: min };
    const max = charExp();
    if (min > max) throw illegalArgument(`invalid range: from (${min}) cannot be > to (${max})`);
    return { kind: "range", min, max };
  };
  const predefinedClass = (): RegexpNode | undefined => {
    if (!match("\\")) return undefined;
    for (const [name, node] of Object.entries(CLASSES)) {
      if (match(name)) return node;
      if (match(name.toUpperCase())) return not(node);
    }
    if (match("\\")) return { kind: "char", codePoint: 0x5c };
    if (more() && /[a-z]/i.test(characterAt(pos))) throw illegalArgument(`invalid character class \\${next()}`);
    return undefined;
  };
  const charExp = (): number => {
    match("\\");
    return next();
  };
  const until = (character: string): string => {
    const start = pos;
    while (more() && !peek(character)) next();
    expect(character);
    return text.slice(start, pos - 1);
  };
  const interval = (): RegexpNode => {
    const inner = until(">");
    const syntaxError = (number?: string) => {
      const cause = number === undefined ? {} : { cause: numberFormat(`For input string: "${number}"`) };
      return illegalArgument(`interval syntax error at position ${pos - 1}`, cause);
    };
    const dash = inner.indexOf("-");
    if (dash < 0) {
      if (!has(REGEXP_FLAGS.AUTOMATON)) throw syntaxError();
      return { kind: "named", name: inner };
    }
    if (!has(REGEXP_FLAGS.INTERVAL)) throw illegalArgument(`illegal identifier at position ${pos - 1}`);
    const [low, high, ...rest] = inner.split("-");
    if (low === "" || high === "" || rest.length > 0) throw syntaxError();
    const [a, b] = [low, high].map((text) => {
      const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      if (!(number <= 0x7fffffff)) throw syntaxError(text);
      return number;
    });
    const digits = low.length === high.length ? low.length : 0;
    return { kind: "interval", min: Math.min(a, b), max: Math.max(a, b), digits };
  };
  const simpleExp = (): RegexpNode => {
    if (match(".")) return { kind: "anyChar" };
    if (has(REGEXP_FLAGS.EMPTY) && match("#")) return { kind: "nothing" };
    if (has(REGEXP_FLAGS.ANYSTRING) && match("@")) return { kind: "anyText" };
    if (match('"')) return { kind: "text", text: until('"') };
    if (match("(")) {
      if (match(")")) return { kind: "text", text: "" };
      const node = unionExp();
      expect(")");
      return node;
    }
    if ((has(REGEXP_FLAGS.AUTOMATON) || has(REGEXP_FLAGS.INTERVAL)) && match("<")) return interval();
    return predefinedClass() ?? { kind: "char", codePoint: charExp() };
  };

  if (text === "") return { kind: "text", text: "" };
  const node = unionExp();
  if (more()) throw illegalArgument(`end-of-string expected at position ${pos}`);
  return node;
}

function javaInt(digits: string): number {
  const number = Number(digits);
  if (number <= 0x7fffffff) return number;
  throw numberFormat(`For input string: "${digits}"`);
}
