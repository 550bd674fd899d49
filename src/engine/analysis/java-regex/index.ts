/**
 * Java's regular expressions (java.util.regex). A pattern is read into a tree (`parse.ts`, `characters.ts`); from that it becomes a
 * JavaScript pattern where that is as good, and otherwise a program of its own (`program.ts`): for what JavaScript has not, such as possessive
 * quantifiers and matches of nothing within a pair of surrogates; for repetitions within repetitions, on which JavaScript may take for ever and
 * Java does not; and for repetitions on long texts.
 */
import { type Node, parseJavaPattern, type Tree } from "./parse.ts";
import { compileProgram, matchesNothing, runProgram } from "./program.ts";

export { javaReplacement } from "./replacement.ts";

export interface JavaMatch {
  readonly start: number;
  readonly end: number;
  /** Number of the pattern's groups. */
  readonly groups: number;
  readonly named: ReadonlyMap<string, number>;
  /** What a group matched; 0 is the whole. */
  text(group: number): string | undefined;
  span(group: number): readonly [start: number, end: number] | undefined;
}

export interface JavaPattern {
  readonly groups: number;
  /** All matches, from left to right. */
  find(text: string): Iterable<JavaMatch>;
}

/** JavaScript tries each way through a repetition within a repetition, or through alternatives within one. */
function explodes(node: Node, repeated: boolean): boolean {
  if (node.kind === "repeat") {
    if (repeated && node.max !== node.min) return true;
    return explodes(node.body, repeated || (node.max > 1 && node.max !== node.min) || node.max > 3);
  }
  if (node.kind === "any" && repeated) return true;
  if ("items" in node) return node.items.some((item) => explodes(item, repeated));
  return "body" in node && explodes(node.body, repeated);
}

/** What only the program can do. */
function beyond(node: Node): boolean {
  if (node.kind === "atomic" || (node.kind === "repeat" && node.mode === "possessive")) return true;
  if ("items" in node) return node.items.some(beyond);
  return "body" in node && beyond(node.body);
}

function toJavaScript(node: Node): string {
  switch (node.kind) {
    case "char":
      return node.set;
    case "place":
      return node.test;
    case "all":
      return node.items.map(toJavaScript).join("");
    case "any":
      return `(?:${node.items.map(toJavaScript).join("|")})`;
    case "group":
      return `(${toJavaScript(node.body)})`;
    case "repeat": {
      const max = node.max === Number.POSITIVE_INFINITY ? "" : node.max;
      return `(?:${toJavaScript(node.body)}){${node.min},${max}}${node.mode === "lazy" ? "?" : ""}`;
    }
    case "look":
      return `(?${node.behind ? "<" : ""}${node.negative ? "!" : "="}${toJavaScript(node.body)})`;
    case "back":
      return `\\${node.index}(?:)`;
    case "atomic":
      throw new TypeError("no JavaScript for an atomic group");
  }
}

function viaJavaScript({ root, groups, named, unicodeCase }: Tree, spans: boolean): JavaPattern {
  const regex = new RegExp(toJavaScript(root), `gv${spans ? "d" : ""}${unicodeCase ? "i" : ""}`);
  return {
    groups,
    *find(text) {
      for (const match of text.matchAll(regex)) {
        const start = match.index;
        yield {
          start,
          end: start + match[0].length,
          groups,
          named,
          text: (group) => match[group],
          span: (group) => match.indices?.[group],
        };
      }
    },
  };
}

function viaProgram(tree: Tree): JavaPattern {
  const program = compileProgram(tree);
  const { groups, named } = tree;
  return {
    groups,
    *find(text) {
      for (const { start, end, slots } of runProgram(program, text)) {
        const span = (group: number): readonly [number, number] | undefined => {
          if (group === 0) return [start, end];
          const from = slots[2 * group] as number | undefined;
          const to = slots[2 * group + 1] as number | undefined;
          return from === undefined || to === undefined ? undefined : [from, to];
        };
        yield {
          start,
          end,
          groups,
          named,
          span,
          text(group) {
            const found = span(group);
            return found === undefined ? undefined : text.slice(found[0], found[1]);
          },
        };
      }
    },
  };
}

/** A repetition that is tried anew from each place takes the square of a long text's length. */
function repeatsLong(node: Node): boolean {
  if (node.kind === "repeat" && node.max > LONG_REPEAT) return true;
  if ("items" in node) return node.items.some(repeatsLong);
  return "body" in node && repeatsLong(node.body);
}

const LONG_REPEAT = 100;
/** Texts from this length on are long, in UTF-16 units. */
const LONG_TEXT = 5000;

function fromTree(tree: Tree, spans = false): JavaPattern {
  const { root } = tree;
  if (beyond(root) || matchesNothing(root) || explodes(root, false)) return viaProgram(tree);
  const short = viaJavaScript(tree, spans);
  if (!repeatsLong(root)) return short;
  let long: JavaPattern | undefined;
  return {
    groups: tree.groups,
    find(text) {
      if (text.length < LONG_TEXT) return short.find(text);
      long ??= viaProgram(tree);
      return long.find(text);
    },
  };
}

/**
 * @param flags names of Java's flags joined with `|`, such as `CASE_INSENSITIVE|DOTALL`
 * @param spans the places of groups will be asked for
 * @throws pattern_syntax_exception with Java's message
 */
export function javaPattern(pattern: string, flags = "", spans = false): JavaPattern {
  return fromTree(parseJavaPattern(pattern, flags), spans);
}

/** Whether a pattern matches texts as a whole. */
export function javaMatches(pattern: string): (text: string) => boolean {
  const tree = parseJavaPattern(pattern, "");
  const items: Node[] = [{ kind: "place", test: "^" }, tree.root, { kind: "place", test: "$" }];
  const whole = fromTree({ ...tree, root: { kind: "all", items } });
  return (text) => !whole.find(text)[Symbol.iterator]().next().done;
}
