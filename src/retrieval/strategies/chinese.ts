/** Chinese: how the question is cut, words that must stay whole, and words that mean the same. */
import type { estypes } from "@elastic/elasticsearch";
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import { InvalidArgumentError } from "../../schema/index.ts";
import { phraseQuery } from "./phrase.ts";
import { filtered, filterQueries, isBlank, requestStrategy, type StrategyTarget } from "./strategy.ts";

type Query = estypes.QueryDslQueryContainer;

/** Variants of a question that its synonyms make. */
const MOST_VARIANTS = 64;

/** The strategy `chinese`: the cut of a question, whole words, synonyms. */
export const chinese = requestStrategy({
  name: "chinese",
  title: "Chinese text: the cut, whole words, synonyms",
  goodFor: "Chinese words that an analysis cuts apart, words of the house, different words for the same thing",
  options: z.strictObject({
    analyzer: z
      .string()
      .min(1)
      .optional()
      .describe(
        "cuts the question: standard, cjk, ik_smart, ik_max_word; by the collection's analysis where nothing is said",
      ),
    field: z
      .string()
      .min(1)
      .optional()
      .describe("where to look; pairs of characters, or words under ik, where nothing is said"),
    words: z
      .array(z.string().min(1))
      .default([])
      .describe("words of a user's dictionary: where the question has one, it counts as a whole"),
    synonyms: z
      .array(z.string().min(1))
      .default([])
      .meta({ list: "repeat" })
      .describe("words that mean the same, such as 请假=休假; may be repeated"),
    operator: z.enum(["or", "and"]).default("or").describe("whether one word is enough, or all must occur"),
  }),
  request(target, input, options, call) {
    if (isBlank(input.query)) return undefined;
    const { field = usualField(target), analyzer, operator } = options;
    const queries = variants(input.query, options.synonyms).map((text): Query => {
      const match = { query: text, ...(analyzer ? { analyzer } : {}), ...(operator === "or" ? {} : { operator }) };
      const whole = options.words
        .filter((word) => text.includes(word))
        .map((word) => phraseQuery(target, TEXT_FIELD, word));
      const query: Query = { match: { [field]: match } };
      return whole.length === 0 ? query : { bool: { must: whole, should: [query] } };
    });
    const query: Query = queries.length === 1 ? queries[0]! : { dis_max: { queries } };
    return { query: filtered(query, filterQueries(call, input)), size: call.topK };
  },
});

/** Under `default` the pairs of characters have a field of their own. */
function usualField(target: StrategyTarget): string {
  return target.textFields?.some((name) => name.startsWith(`${TEXT_FIELD}.cjk`)) ? `${TEXT_FIELD}.cjk` : TEXT_FIELD;
}

/** The question, and what it becomes when a word is replaced by each that means the same. */
function variants(question: string, synonyms: readonly string[]): string[] {
  let out = [question];
  for (const line of synonyms) {
    const group = line.split(/[=＝]/).map((word) => word.trim());
    if (group.length < 2 || group.includes("")) {
      throw new InvalidArgumentError(
        "synonyms",
        line,
        `"${line.slice(0, 60)}" must be words with = between them: 请假=休假`,
      );
    }
    out = [...new Set(out.flatMap((text) => replaced(text, group)))].slice(0, MOST_VARIANTS);
  }
  return out;
}

function replaced(text: string, group: readonly string[]): string[] {
  const found = [...group].sort((a, b) => b.length - a.length).find((word) => text.includes(word));
  return found === undefined
    ? [text]
    : [text, ...group.filter((word) => word !== found).map((word) => text.replaceAll(found, word))];
}
