/** Several fields with weights: `multi_match`. */
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import { filtered, filterQueries, isBlank, requestStrategy } from "./strategy.ts";

/** Above it one field decides nearly alone. */
const HIGHEST_BOOST = 10;

/** The strategy `fields`: several fields, each with its weight. */
export const fields = requestStrategy({
  name: "fields",
  title: "several fields, each with its weight",
  goodFor: "titles that count more than texts; short questions",
  options: z.strictObject({
    fields: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe("with weights behind ^, such as content^1,metadata.title^3; the text's own where nothing is said"),
    type: z
      .enum(["best_fields", "most_fields", "cross_fields", "phrase", "phrase_prefix", "bool_prefix"])
      .default("best_fields")
      .describe("the best field's score, the sum of all, or the words spread over the fields; as phrases"),
    operator: z.enum(["or", "and"]).default("or").describe("whether one word is enough, or all must occur"),
    tieBreaker: z.number().min(0).max(1).optional().describe("the share of the other fields' scores, from 0 to 1"),
    minimumShouldMatch: z.string().optional().describe('how many words must occur, such as "2" or "75%"'),
    slop: z.int().min(0).default(0).describe("places that words may be moved, for the type phrase"),
  }),
  request(target, input, options, call) {
    if (isBlank(input.query)) return undefined;
    const named = options.fields ?? target.textFields ?? [TEXT_FIELD];
    for (const name of named) {
      const boost = Number(/\^([^^]*)$/.exec(name)?.[1] ?? 1);
      if (boost > HIGHEST_BOOST) {
        call.warn(
          "high-boost",
          `the weight of ${name} is above ${HIGHEST_BOOST}: that field decides nearly alone, and the others only break ties`,
        );
      }
    }
    return {
      query: filtered(
        {
          multi_match: {
            query: input.query,
            fields: [...named],
            type: options.type,
            ...(options.operator === "or" ? {} : { operator: options.operator }),
            ...(options.tieBreaker === undefined ? {} : { tie_breaker: options.tieBreaker }),
            ...(options.minimumShouldMatch === undefined ? {} : { minimum_should_match: options.minimumShouldMatch }),
            ...(options.slop === 0 ? {} : { slop: options.slop }),
          },
        },
        filterQueries(call, input),
      ),
      size: call.topK,
    };
  },
});
