/** Letters with marks, and other characters that have a counterpart in ASCII, become that. */
import type { TokenFilter } from "../chain.ts";
import { FOLDINGS } from "./ascii-folding-data.ts";

let table: Map<number, string> | undefined;

function foldings(): Map<number, string> {
  if (table === undefined) {
    table = new Map();
    for (const [ascii, chars] of FOLDINGS) for (let i = 0; i < chars.length; i++) table.set(chars.charCodeAt(i), ascii);
  }
  return table;
}

export function asciiFold(term: string): string {
  let folded = "";
  let copied = 0;
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    if (code < 0x80) continue;
    const ascii = foldings().get(code);
    if (ascii === undefined) continue;
    folded += term.slice(copied, i) + ascii;
    copied = i + 1;
  }
  return copied === 0 ? term : folded + term.slice(copied);
}

/** @param preserveOriginal a term that changes is followed by its original, at the same position */
export function asciiFoldingFilter(name: string, preserveOriginal: boolean): TokenFilter {
  return {
    name,
    create({ push, end }) {
      return {
        push(term, start, stop, increment, length, type, keyword) {
          const folded = asciiFold(term);
          push(folded, start, stop, increment, length, type, keyword);
          if (preserveOriginal && folded !== term) push(term, start, stop, 0, length, type, keyword);
        },
        end,
      };
    },
    normalize: asciiFold,
    ...(preserveOriginal ? { normalizesBeside: true, forSynonyms: asciiFoldingFilter(name, false) } : {}),
  };
}
