/** Stop words: terms that are dropped and leave a gap in the positions. */
import type { TokenFilter } from "../chain.ts";
import { lowerCase } from "./case.ts";

/**
 * @param options.ignoreCase compares lower case forms
 * @param options.removeTrailing false keeps a stop word that ends the text, for search as you type
 */
export function stopFilter(
  name: string,
  words: readonly string[],
  options: { ignoreCase?: boolean; removeTrailing?: boolean } = {},
): TokenFilter {
  const { ignoreCase = false, removeTrailing = true } = options;
  const set = new Set(ignoreCase ? words.map(lowerCase) : words);
  const stops = ignoreCase ? (term: string) => set.has(lowerCase(term)) : (term: string) => set.has(term);
  return {
    name,
    ...(removeTrailing ? {} : { marksKeywords: true }),
    create({ push, end }) {
      let skipped = 0;
      if (removeTrailing) {
        return {
          push(term, start, stop, increment, length, type, keyword) {
            if (stops(term)) skipped += increment;
            else {
              push(term, start, stop, increment + skipped, length, type, keyword);
              skipped = 0;
            }
          },
          end: (increment, offset) => end(increment + skipped, offset),
        };
      }
      // Lucene's SuggestStopFilter: a stop word that touches the end of the text stays, since more of it may be typed.
      let held: Parameters<typeof push> | undefined;
      return {
        push(...token) {
          held = undefined;
          if (stops(token[0])) {
            skipped += token[3];
            held = [token[0], token[1], token[2], skipped, token[4], token[5], true];
          } else {
            push(token[0], token[1], token[2], token[3] + skipped, token[4], token[5], token[6]);
            skipped = 0;
          }
        },
        end(increment, offset) {
          if (held !== undefined && held[2] === offset) push(...held);
          // Unlike the stop filter, this one leaves no gap at the end.
          return end(increment, offset);
        },
      };
    },
  };
}
