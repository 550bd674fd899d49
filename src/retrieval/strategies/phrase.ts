/** Words in their order: `match_phrase`, with Lucene's slop. */
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import { filtered, filterQueries, isBlank, requestStrategy, type StrategyTarget } from "./strategy.ts";

/** The strategy `phrase`: the words beside each other. */
export const phrase = requestStrategy({
  name: "phrase",
  title: "the words beside each other, in their order",
  goodFor: "fixed expressions, titles, quotations; Chinese words under an analysis by single characters",
  options: z.strictObject({
    slop: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .default(0)
      .describe("how many places the words may be moved; two that change places cost 2"),
    field: z.string().min(1).default(TEXT_FIELD).describe("where to look"),
  }),
  request(target, input, { slop, field }, call) {
    if (isBlank(input.query)) return undefined;
    return {
      query: filtered(phraseQuery(target, field, input.query, slop), filterQueries(call, input)),
      size: call.topK,
    };
  },
});

/**
 * A phrase is looked for with the analyzer that wrote the text: the one for questions leaves words out (`default`) or cuts otherwise (`ik`), and
 * places would not fit.
 */
export function phraseQuery(target: StrategyTarget, field: string, text: string, slop = 0) {
  const analyzer = field === TEXT_FIELD ? INDEX_ANALYZERS[target.analysis ?? ""] : undefined;
  return { match_phrase: { [field]: { query: text, ...(slop ? { slop } : {}), ...(analyzer ? { analyzer } : {}) } } };
}

const INDEX_ANALYZERS: Record<string, string> = {
  default: "standard",
  standard: "standard",
  cjk: "cjk",
  ik: "ik_max_word",
  ik_smart: "ik_smart",
};
