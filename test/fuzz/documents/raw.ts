/** JSON that says what JavaScript's values cannot: numbers as they are written, names that stand twice, text that is no JSON. */
import type { Json } from "../world.ts";

const MARK = "\u0001";

/** A value that is written as it is given. */
export const literal = (text: string): string => `${MARK}literal:${text}`;

/** A name that may stand beside itself. */
export const again = (name: string): string => `${MARK}again:${name}`;

export function written(value: Json): string {
  return JSON.stringify(value)
    .replace(/"\\u0001literal:((?:[^"\\]|\\.)*)"/g, (_, text: string) => JSON.parse(`"${text}"`) as string)
    .replaceAll('"\\u0001again:', '"');
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Reads an answer, its numbers as they are written. Two that are the same for JavaScript may not be the same document. */
export function readExactly(text: string): Json {
  if (text === "") return null;
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"#${token}"`))) as Json;
}
