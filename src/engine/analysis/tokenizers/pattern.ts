/** Tokens between the matches of a pattern, or its groups. */
import { illegalArgument } from "../../errors.ts";
import type { Tokenizer } from "../chain.ts";
import { javaPattern } from "../java-regex.ts";

/**
 * @param group -1: the pattern separates tokens; 0: each match is a token; n: the n-th group of each match
 */
export function patternTokenizer(name: string, pattern: string, flags = "", group = -1): Tokenizer {
  const regex = javaPattern(pattern, flags);
  const groups = (new RegExp(`${regex.source}|`, regex.flags).exec("") as RegExpExecArray).length - 1;
  if (group > groups) throw illegalArgument(`invalid group specified: pattern only has: ${groups} capturing groups`);
  const indexed = new RegExp(regex.source, `${regex.flags}d`);
  return {
    name,
    tokenize(text, push) {
      let from = 0;
      for (const match of text.matchAll(group < 0 ? regex : indexed)) {
        if (group < 0) {
          if (match.index > from) push(text.slice(from, match.index), from, match.index, 1, 1, "word", false);
          from = match.index + match[0].length;
          continue;
        }
        const span = match.indices?.[group];
        if (span !== undefined && span[1] > span[0])
          push(text.slice(span[0], span[1]), span[0], span[1], 1, 1, "word", false);
      }
      if (group < 0 && from < text.length) push(text.slice(from), from, text.length, 1, 1, "word", false);
      return { increment: 0, offset: text.length };
    },
  };
}
