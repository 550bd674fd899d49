/** Strategies written on one line: `bm25,phrase:slop=1:field=content,rrf`. */
import { InvalidArgumentError } from "../schema/index.ts";
import type { StrategyReference } from "./lists.ts";

/**
 * Names with commas between them; options follow a name behind colons. Numbers, true and false are meant as such; what begins with [ or { is
 * JSON.
 *
 * @example parseReferences("bm25,phrase:slop=1") // ["bm25", { strategy: "phrase", slop: 1 }]
 */
export function parseReferences(text: string): StrategyReference[] {
  return split(text, ",").map((part) => {
    const [name, ...options] = split(part, ":").map((piece) => piece.trim());
    if (!name)
      throw new InvalidArgumentError("strategies", text, `"${text.slice(0, 80)}" has a strategy without a name`);
    if (options.length === 0) return name;
    return { strategy: name, ...Object.fromEntries(options.map((option) => pair(option, text))) };
  });
}

function pair(option: string, text: string): [string, unknown] {
  const at = option.indexOf("=");
  if (at < 1) {
    throw new InvalidArgumentError(
      "strategies",
      text,
      `"${option.slice(0, 80)}" must be option=value, as in phrase:slop=1`,
    );
  }
  const name = option.slice(0, at).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return [name, value(option.slice(at + 1), text)];
}

function value(written: string, text: string): unknown {
  if (written === "true" || written === "false") return written === "true";
  if (/^-?\d+(\.\d+)?$/.test(written)) return Number(written);
  if (!/^[[{]/.test(written)) return written;
  try {
    return JSON.parse(written);
  } catch (error) {
    throw new InvalidArgumentError(
      "strategies",
      text,
      `"${written.slice(0, 80)}" is not JSON: ${(error as Error).message}`,
    );
  }
}

/** Cuts at a character outside brackets and quotes. */
function split(text: string, at: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (depth > 0 && char === '"' && text[i - 1] !== "\\") quoted = !quoted;
    else if (quoted) continue;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    else if (char === at && depth <= 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
