/** Words that are nearly the same: `match` with edits. */
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import {
  filtered,
  filterQueries,
  isBlank,
  requestStrategy,
  type StrategyCall,
  type StrategyTarget,
} from "./strategy.ts";

const HAN = /\p{Script=Han}/u;

/** The strategy `fuzzy`: words within an edit distance. */
export const fuzzy = requestStrategy({
  name: "fuzzy",
  title: "words that are nearly the same, by edit distance",
  goodFor: "misspelt words, names heard and not read, text out of OCR",
  options: z.strictObject({
    fuzziness: z
      .union([
        z.int().min(0).max(2),
        z.string().regex(/^(AUTO(:\d+,\d+)?|[0-2])$/, "must be AUTO, AUTO:low,high, 0, 1 or 2"),
      ])
      .default("AUTO")
      .describe("edits of a word: AUTO allows none up to 2 characters, one up to 5, two above"),
    prefixLength: z.int().min(0).default(0).describe("characters at the head that must be the same"),
    maxExpansions: z.int().min(1).max(1024).default(50).describe("words that one may stand for"),
    transpositions: z.boolean().default(true).describe("whether two characters that change places are one edit"),
    operator: z.enum(["or", "and"]).default("or").describe("whether one word is enough, or all must occur"),
    field: z.string().min(1).default(TEXT_FIELD).describe("where to look"),
  }),
  request(target, input, options, call) {
    if (isBlank(input.query)) return undefined;
    tellChinese(target, input.query, options, call);
    const query = {
      match: {
        [options.field]: {
          query: input.query,
          fuzziness: options.fuzziness,
          ...(options.prefixLength === 0 ? {} : { prefix_length: options.prefixLength }),
          ...(options.maxExpansions === 50 ? {} : { max_expansions: options.maxExpansions }),
          ...(options.transpositions ? {} : { fuzzy_transpositions: false }),
          ...(options.operator === "or" ? {} : { operator: options.operator }),
        },
      },
    };
    return { query: filtered(query, filterQueries(call, input)), size: call.topK };
  },
});

/** Edits are of terms, and what the terms of Chinese are is the analysis's choice. */
function tellChinese(
  target: StrategyTarget,
  question: string,
  { fuzziness, field }: { fuzziness: number | string; field: string },
  call: StrategyCall,
): void {
  if (!HAN.test(question)) return;
  const words = target.analysis?.startsWith("ik") && field === TEXT_FIELD;
  const auto = String(fuzziness) === "AUTO";
  if (words) {
    if (auto) {
      call.warn(
        "short-words",
        "AUTO allows no edit in words of two characters, which most Chinese words have: fuzziness 1 does, or AUTO:1,6",
      );
    }
    return;
  }
  call.warn(
    "single-characters",
    `terms of Chinese are single characters here (analysis ${target.analysis ?? "standard"}): ${
      auto
        ? "AUTO allows no edit in them, so that Chinese is matched exactly"
        : "an edit replaces a whole character, so that one matches any other"
    }. A collection with the analysis "ik" has words`,
  );
}
