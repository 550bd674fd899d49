/** All terms of a text, each once and in order, as one token. */
import { illegalArgument } from "../../errors.ts";
import type { TokenFilter } from "../chain.ts";

/**
 * @param separator one character
 * @param maxSize texts whose token would be longer, in UTF-16 units, have none
 */
export function fingerprintFilter(name: string, separator: string, maxSize: number): TokenFilter {
  if (separator.length !== 1) {
    throw illegalArgument(`Setting [separator] must be a single, non-null character. [${separator}] was provided.`);
  }
  return {
    name,
    severalTokens: true,
    create({ push, end }) {
      const terms = new Set<string>();
      let size = 0;
      return {
        push(term) {
          if (size > maxSize || terms.has(term)) return;
          terms.add(term);
          size += term.length + (size > 0 ? 1 : 0);
        },
        end(_increment, offset) {
          // JavaScript sorts strings by UTF-16 units, as Lucene does here.
          if (terms.size > 0 && size <= maxSize)
            push([...terms].sort().join(separator), 0, offset, 1, 1, "fingerprint", false);
          // Lucene leaves the token's own increment behind.
          return end(1, offset);
        },
      };
    },
  };
}
