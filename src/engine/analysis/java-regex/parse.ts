/** Java's patterns as trees, with the errors of `Pattern.compile`. */
import { illegalArgument, unsupported } from "../../errors.ts";
import { cased, characterClass, escaped, invalid, LINE_END, literal, next, type Reader } from "./characters.ts";

export type Node =
  /** One code point; `set` is JavaScript for it. */
  | { readonly kind: "char"; readonly set: string }
  /** No character; `test` is JavaScript for it, `withinPair` the answer between the halves of a pair, where JavaScript looks no closer. */
  | { readonly kind: "place"; readonly test: string; readonly withinPair?: boolean }
  | { readonly kind: "all"; readonly items: readonly Node[] }
  | { readonly kind: "any"; readonly items: readonly Node[] }
  | { readonly kind: "group"; readonly index: number; readonly body: Node }
  | { readonly kind: "repeat"; readonly body: Node; readonly min: number; readonly max: number; readonly mode: Mode }
  | { readonly kind: "atomic"; readonly body: Node }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: Node }
  | { readonly kind: "back"; readonly index: number };

export type Mode = "greedy" | "lazy" | "possessive";

export interface Tree {
  readonly root: Node;
  readonly groups: number;
  readonly named: ReadonlyMap<string, number>;
  /** All letters without regard to case, not only those of ASCII: the flag of JavaScript. */
  readonly unicodeCase: boolean;
}

const MAX_REPEAT = 0x7fffffff;

interface Parser extends Reader {
  groups: number;
  readonly named: Map<string, number>;
}

const place = (test: string): Node => ({ kind: "place", test });

function all(items: readonly Node[]): Node {
  return items.length === 1 ? items[0] : { kind: "all", items };
}

function alternatives(p: Parser, inGroup: boolean): Node {
  const items = [sequence(p)];
  while (p.pattern[p.at] === "|") {
    p.at++;
    items.push(sequence(p));
  }
  if (inGroup) {
    if (p.pattern[p.at] !== ")") throw invalid(p.pattern, "Unclosed group", p.pattern.length);
    p.at++;
  } else if (p.at < p.pattern.length) throw invalid(p.pattern, "Unmatched closing ')'", p.at - 1);
  return items.length === 1 ? items[0] : { kind: "any", items };
}

function skipComments(p: Parser): void {
  if (!p.comments) return;
  const skipped = /^(?:[ \t\n\v\f\r]|#[^\n\r\u0085\u2028\u2029]*)*/.exec(p.pattern.slice(p.at)) as RegExpExecArray;
  p.at += skipped[0].length;
}

function sequence(p: Parser): Node {
  const items: Node[] = [];
  for (;;) {
    skipComments(p);
    if (p.at >= p.pattern.length || p.pattern[p.at] === "|" || p.pattern[p.at] === ")") return all(items);
    const quoted = /^\\Q(.*?)(?:\\E|$)/s.exec(p.pattern.slice(p.at));
    if (quoted !== null) {
      p.at += quoted[0].length;
      const chars = [...quoted[1]].map(
        (c): Node => ({ kind: "char", set: `[${cased(p, c.codePointAt(0) as number)}]` }),
      );
      const last = chars.pop();
      items.push(...chars, ...(last === undefined ? [] : [quantified(p, last)]));
      continue;
    }
    const item = atom(p);
    if (item !== undefined) items.push(quantified(p, item));
  }
}

/** The numbers between braces, after the opening one. */
function bounds(p: Parser): [min: number, max: number] {
  const { pattern } = p;
  p.at++;
  const number = (): number => {
    let value = 0;
    while (/\d/.test(pattern[p.at] ?? "")) {
      value = value * 10 + Number(pattern[p.at]);
      if (value > MAX_REPEAT) throw invalid(pattern, "Illegal repetition range", p.at);
      p.at++;
    }
    return value;
  };
  if (!/\d/.test(pattern[p.at] ?? "")) throw invalid(pattern, "Illegal repetition", p.at);
  const min = number();
  let max = min;
  if (pattern[p.at] === ",") {
    p.at++;
    max = /\d/.test(pattern[p.at] ?? "") ? number() : Number.POSITIVE_INFINITY;
  }
  if (pattern[p.at] !== "}") throw invalid(pattern, "Unclosed counted closure", p.at);
  if (max < min) throw invalid(pattern, "Illegal repetition range", p.at);
  p.at++;
  return [min, max];
}

function quantified(p: Parser, body: Node): Node {
  skipComments(p);
  const c = p.pattern[p.at];
  let range: [number, number];
  if (c === "*") range = [0, Number.POSITIVE_INFINITY];
  else if (c === "+") range = [1, Number.POSITIVE_INFINITY];
  else if (c === "?") range = [0, 1];
  else if (c === "{") range = bounds(p);
  else return body;
  if (c !== "{") p.at++;
  let mode: Mode = "greedy";
  const after = p.pattern[p.at];
  if (after === "?" || after === "+") {
    mode = after === "?" ? "lazy" : "possessive";
    p.at++;
  }
  return { kind: "repeat", body, min: range[0], max: range[1], mode };
}

const FLAGS: Readonly<Record<string, "ignoreCase" | "multiline" | "dotAll" | "comments">> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  x: "comments",
};

/** Letters after `(?`: flags that are switched on, and off behind a hyphen, until the group that they stand in ends. */
function inlineFlags(p: Parser): void {
  let on = true;
  for (; ; p.at++) {
    const c = p.pattern[p.at];
    if (c === ")" || c === ":") return;
    if (c === "-" && on) on = false;
    else if (c !== undefined && Object.hasOwn(FLAGS, c)) p[FLAGS[c]] = on;
    else if (c !== undefined && "duU".includes(c)) throw unsupported(`flag ${c} within a pattern`);
    else throw invalid(p.pattern, "Unknown inline modifier", p.at);
  }
}

function group(p: Parser): Node | undefined {
  const { pattern } = p;
  const { ignoreCase, multiline, dotAll, comments } = p;
  const restore = () => Object.assign(p, { ignoreCase, multiline, dotAll, comments });
  const inside = (): Node => {
    const body = alternatives(p, true);
    restore();
    return body;
  };
  p.at++;
  if (pattern[p.at] !== "?") {
    const index = ++p.groups;
    return { kind: "group", index, body: inside() };
  }
  p.at++;
  const look = /^<?[=!]/.exec(pattern.slice(p.at));
  if (look !== null) {
    p.at += look[0].length;
    return { kind: "look", behind: look[0].length === 2, negative: look[0].endsWith("!"), body: inside() };
  }
  if (pattern[p.at] === ">") {
    p.at++;
    return { kind: "atomic", body: inside() };
  }
  if (pattern[p.at] === "<") {
    p.at++;
    const name = /^[a-zA-Z][a-zA-Z0-9]*/.exec(pattern.slice(p.at))?.[0];
    if (name === undefined) throw invalid(pattern, "capturing group name does not start with a Latin letter", p.at);
    p.at += name.length;
    if (pattern[p.at] !== ">") throw invalid(pattern, "named capturing group is missing trailing '>'", p.at);
    if (p.named.has(name)) throw invalid(pattern, `Named capturing group <${name}> is already defined`, p.at);
    p.at++;
    const index = ++p.groups;
    p.named.set(name, index);
    return { kind: "group", index, body: inside() };
  }
  inlineFlags(p);
  p.at++;
  // Flags alone hold until the end of the group around them.
  if (pattern[p.at - 1] === ")") return undefined;
  return inside();
}

const END = `(?=(?:\\r\\n|[${LINE_END}])?$)`;
/** Ends of words are those of Java 17: letters and digits of all scripts with the marks on them, unlike `\\w`. */
const BEFORE = "(?:_|[\\p{L}\\p{Nd}]\\p{Mn}*)";
const AFTER = "(?:[_\\p{L}\\p{Nd}]|(?<=[\\p{L}\\p{Nd}]\\p{Mn}*)\\p{Mn})";
const PLACES: Readonly<Record<string, string>> = {
  b: `(?:(?<=${BEFORE})(?!${AFTER})|(?<!${BEFORE})(?=${AFTER}))`,
  B: `(?:(?<=${BEFORE})(?=${AFTER})|(?<!${BEFORE})(?!${AFTER}))`,
  A: "^",
  z: "$",
  Z: END,
};

function backslash(p: Parser): Node {
  const { pattern } = p;
  p.at++;
  const kind = pattern[p.at];
  if (kind !== undefined && Object.hasOwn(PLACES, kind)) {
    p.at++;
    return { kind: "place", test: PLACES[kind], withinPair: kind === "B" };
  }
  if (kind === "R") {
    p.at++;
    const set = "[\\n\\x0b\\f\\r\\x85\\u2028\\u2029]";
    const pair: Node = { kind: "all", items: [13, 10].map((c): Node => ({ kind: "char", set: literal(c) })) };
    return { kind: "any", items: [pair, { kind: "char", set }] };
  }
  if (kind === "k") {
    const name = /^k<([a-zA-Z][a-zA-Z0-9]*)>/.exec(pattern.slice(p.at));
    if (name === null) throw invalid(pattern, "\\k is not followed by '<' for named capturing group", p.at + 1);
    p.at += name[0].length;
    const index = p.named.get(name[1]);
    if (index === undefined) throw invalid(pattern, `named capturing group <${name[1]}> does not exist`, p.at - 1);
    return backReference(p, index);
  }
  if (kind !== undefined && /[1-9]/.test(kind)) {
    // More digits belong to the number as long as there are that many groups.
    let index = Number(kind);
    p.at++;
    while (/\d/.test(pattern[p.at] ?? "") && index * 10 + Number(pattern[p.at]) <= p.groups)
      index = index * 10 + Number(pattern[p.at++]);
    return backReference(p, index);
  }
  if (kind === "G" || kind === "X" || kind === "N") throw unsupported(`\\${kind} in a pattern`);
  if (kind === "c") {
    if (pattern[p.at + 1] === undefined) throw invalid(pattern, "Illegal control escape sequence", p.at);
    p.at += 2;
    return { kind: "char", set: literal(pattern.charCodeAt(p.at - 1) ^ 64) };
  }
  const value = escaped(p);
  if (value === undefined) throw invalid(pattern, "Illegal/unsupported escape sequence", p.at - 1);
  return { kind: "char", set: typeof value === "string" ? value : `[${cased(p, value)}]` };
}

function backReference(p: Parser, index: number): Node {
  if (p.ignoreCase) throw unsupported("back reference without case in a pattern");
  return { kind: "back", index };
}

function atom(p: Parser): Node | undefined {
  const c = p.pattern[p.at];
  switch (c) {
    case ".":
      p.at++;
      return { kind: "char", set: p.dotAll ? "[\\u{0}-\\u{10ffff}]" : `[^${LINE_END}]` };
    case "^":
      p.at++;
      // The end of the text begins no line.
      return place(p.multiline ? `(?:^|(?<=[${LINE_END}]))(?!(?<=\\r)\\n)(?=[^])` : "^");
    case "$":
      p.at++;
      return place(`${p.multiline ? `(?:$|(?=[${LINE_END}]))` : END}(?!(?<=\\r)\\n)`);
    case "[":
      p.at++;
      return { kind: "char", set: characterClass(p) };
    case "(":
      return group(p);
    case "*":
    case "+":
    case "?":
      throw invalid(p.pattern, `Dangling meta character '${c}'`, p.at);
    case "{":
      // Nothing, that is repeated.
      return all([]);
    case "\\":
      return backslash(p);
    default:
      return { kind: "char", set: `[${cased(p, next(p))}]` };
  }
}

/** Elasticsearch's names of Java's flags. */
const NAMES: Readonly<Record<string, string>> = {
  CASE_INSENSITIVE: "i",
  MULTILINE: "m",
  DOTALL: "s",
  UNICODE_CASE: "u",
  COMMENTS: "x",
};
const OTHER_NAMES: ReadonlySet<string> = new Set(
  "CANON_EQ UNIX_LINES LITERAL UNICODE_CHAR_CLASS UNICODE_CHARACTER_CLASS".split(" "),
);

/** @param flags names of Java's flags joined with `|`, such as `CASE_INSENSITIVE|DOTALL` */
export function parseJavaPattern(pattern: string, flags: string): Tree {
  let letters = "";
  for (const name of flags.split("|")) {
    if (name === "") continue;
    if (OTHER_NAMES.has(name)) throw unsupported(`pattern flag ${name}`);
    if (!Object.hasOwn(NAMES, name)) throw illegalArgument(`Unknown regex flag [${name}]`);
    letters += NAMES[name];
  }
  const lead = /^\(\?([imsxu]+)\)/.exec(pattern);
  letters += lead?.[1] ?? "";
  const unicodeCase = letters.includes("i") && letters.includes("u");
  const parser: Parser = {
    pattern,
    at: lead?.[0].length ?? 0,
    ignoreCase: letters.includes("i") && !unicodeCase,
    dotAll: letters.includes("s"),
    multiline: letters.includes("m"),
    comments: letters.includes("x"),
    groups: 0,
    named: new Map(),
  };
  const root = alternatives(parser, false);
  return { root, groups: parser.groups, named: parser.named, unicodeCase };
}
