/** Tokens between the matches of a pattern, or its groups. */
import { illegalArgument } from "../../errors.ts";
import type { Tokenizer } from "../chain.ts";
import { javaPattern } from "../java-regex/index.ts";

/**
 * @param group -1: the pattern separates tokens; 0: each match is a token; n: the n-th group of each match
 */
export function patternTokenizer(name: string, pattern: string, flags = "", group = -1): Tokenizer {
  const regex = javaPattern(pattern, flags, group > 0);
  if (group > regex.groups)
    throw illegalArgument(`invalid group specified: pattern only has: ${regex.groups} capturing groups`);
  return {
    name,
    tokenize(text, push) {
      const pushSpan = (from: number, to: number) => {
        if (to > from) push(text.slice(from, to), from, to, 1, 1, "word", false);
      };
      let from = 0;
      for (const match of regex.find(text)) {
        if (group < 0) {
          pushSpan(from, match.start);
          from = match.end;
        } else {
          const span = group === 0 ? [match.start, match.end] : match.span(group);
          if (span !== undefined) pushSpan(span[0], span[1]);
        }
      }
      if (group < 0) pushSpan(from, text.length);
      return { increment: 0, offset: text.length };
    },
  };
}
