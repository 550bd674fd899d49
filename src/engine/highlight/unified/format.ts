/** A passage as a fragment: what is marked between tags (Elasticsearch's CustomPassageFormatter). */
import { VALUE_SEPARATOR } from "../breaks/passages.ts";
import type { Passage } from "./passages.ts";

export interface FormatOptions {
  readonly preTag: string;
  readonly postTag: string;
  readonly encode: (text: string) => string;
  /** Without white space at its ends. */
  readonly trimmed: boolean;
}

export function formatPassage(text: string, passage: Passage, options: FormatOptions): string {
  const { preTag, postTag, encode, trimmed } = options;
  const parts: string[] = [];
  const { occurrences } = passage;
  let at = passage.start;
  for (let i = 0; i < occurrences.length; i++) {
    const { start } = occurrences[i];
    let { end } = occurrences[i];
    // What overlaps is marked as one.
    while (i + 1 < occurrences.length && occurrences[i + 1].start < end) end = Math.max(end, occurrences[++i].end);
    end = Math.min(end, passage.end);
    parts.push(encode(text.slice(at, start)), preTag, encode(text.slice(start, end)), postTag);
    at = end;
  }
  parts.push(encode(text.slice(at, Math.max(at, passage.end))));
  const fragment = parts.join("");
  const last = fragment.at(-1);
  const own = last === "\u2029" || last === VALUE_SEPARATOR ? fragment.slice(0, -1) : fragment;
  return trimmed ? javaTrim(own) : own;
}

/** String.trim: characters up to the space. */
export function javaTrim(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= 32) from++;
  while (to > from && text.charCodeAt(to - 1) <= 32) to--;
  return text.slice(from, to);
}
