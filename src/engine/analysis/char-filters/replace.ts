/** Character filters that replace: strings by a table, matches of a pattern. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { CharFilter } from "../chain.ts";
import { javaPattern, javaReplacement } from "../java-regex/index.ts";
import { createEdits } from "./edits.ts";

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\", n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Mistakes in rules are runtime exceptions of Elasticsearch. */
const badRule = (reason: string) => new EngineError("runtime_exception", reason, { status: 500 });

function unescaped(text: string, rule: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|[^u]|$)/gs, (_, code: string) => {
    if (code.startsWith("u") && code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (code === "") throw badRule(`Invalid escaped char in [${rule}]`);
    return ESCAPES[code] ?? code;
  });
}

/** Reads rules such as `& => and`. */
function parseMappings(rules: readonly string[]): Map<string, string> {
  const mappings = new Map<string, string>();
  for (const rule of rules) {
    const match = /^(.*)=>(.*)$/s.exec(rule);
    if (match === null) throw badRule(`Invalid Mapping Rule : [${rule}]`);
    const from = unescaped(match[1].trim(), rule);
    if (from === "") throw illegalArgument("cannot match the empty string");
    if (mappings.has(from)) throw illegalArgument(`match "${from}" was already added`);
    mappings.set(from, unescaped(match[2].trim(), rule));
  }
  return mappings;
}

/** Replaces the longest match at each place. */
export function mappingCharFilter(name: string, rules: readonly string[]): CharFilter {
  const mappings = parseMappings(rules);
  /** Lengths of the matches by their first character, longest first. */
  const lengths = new Map<string, number[]>();
  for (const from of mappings.keys()) {
    const known = lengths.get(from[0]) ?? [];
    if (!known.includes(from.length)) known.push(from.length);
    lengths.set(
      from[0],
      known.sort((a, b) => b - a),
    );
  }
  return {
    name,
    normalizing: true,
    apply(text) {
      const edits = createEdits();
      let copied = 0;
      for (let i = 0; i < text.length; ) {
        const length = lengths
          .get(text[i])
          ?.find((size) => mappings.has(text.slice(i, i + size)) && i + size <= text.length);
        if (length === undefined) {
          i++;
          continue;
        }
        edits.copy(text.slice(copied, i));
        edits.replace(length, mappings.get(text.slice(i, i + length)) as string);
        i += length;
        copied = i;
      }
      edits.copy(text.slice(copied));
      return edits.done();
    },
  };
}

/** Replaces each match of a Java pattern; `$1` and `${name}` in the replacement stand for groups. */
export function patternReplaceCharFilter(
  name: string,
  pattern: string,
  replacement: string,
  flags: string,
): CharFilter {
  const regex = javaPattern(pattern, flags);
  const expand = javaReplacement(replacement);
  return {
    name,
    normalizing: true,
    apply(text) {
      const edits = createEdits();
      let copied = 0;
      for (const match of regex.find(text)) {
        edits.copy(text.slice(copied, match.start));
        edits.replace(match.end - match.start, expand(match));
        copied = match.end;
      }
      edits.copy(text.slice(copied));
      return edits.done();
    },
  };
}
