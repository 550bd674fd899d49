/** JSON as language models write it: in fences, among words, with commas too many and quotes of the wrong kind. */
import { parse } from "yaml";
import { pythonStrip } from "../schema/index.ts";

/** Places that are tried for the beginning of an object. */
const MOST_ATTEMPTS = 20;
const LONGEST = 100_000;

/**
 * The first object or list in an answer; undefined where there is none. What is not JSON is read as YAML, which forgives much. Where words
 * in brackets before it spoil the reading, the next brace is tried.
 */
export function jsonInAnswer(answer: string): unknown {
  const text = unfenced(answer.slice(0, LONGEST));
  const first = attempt(text, text.search(/[[{]/));
  if (first.ok) return first.value;
  let attempts = 0;
  for (let at = text.indexOf("{"); at >= 0 && attempts < MOST_ATTEMPTS; at = text.indexOf("{", at + 1), attempts++) {
    const found = attempt(text, at);
    if (found.ok) return found.value;
  }
  return undefined;
}

/** The same by LlamaIndex's rule alone: from the first brace or bracket to the last that closes its kind. Two objects in a row are none. */
export function strictJsonInAnswer(answer: string): unknown {
  const text = unfenced(answer.slice(0, LONGEST));
  const first = attempt(text, text.search(/[[{]/));
  return first.ok ? first.value : undefined;
}

function unfenced(answer: string): string {
  const fenced = answer.includes("```json") ? answer.split("```json")[1]! : answer;
  return pythonStrip(pythonStrip(fenced).replace(/^`+|`+$/g, ""));
}

function attempt(text: string, start: number): { ok: true; value: unknown } | { ok: false } {
  if (start < 0) return { ok: false };
  const end = text.lastIndexOf(text[start] === "{" ? "}" : "]");
  if (end < start) return { ok: false };
  const part = text.slice(start, end + 1);
  for (const read of [JSON.parse, (yaml: string) => parse(yaml, { maxAliasCount: 0, strict: true })]) {
    try {
      return { ok: true, value: read(part) };
    } catch {
      // The next reader, or the next place.
    }
  }
  return { ok: false };
}
