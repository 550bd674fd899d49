/** Words: `match` on the text, by BM25. */
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import { filtered, filterQueries, isBlank, requestStrategy } from "./strategy.ts";

/** k1 and b are the index's (`similarity` in its settings; 1.2 and 0.75 where nothing is said): `bm25-tuned` changes them. */
export const bm25 = requestStrategy({
  name: "bm25",
  title: "words, by BM25",
  goodFor: "exact words: names, codes, versions, terms of art",
  options: z.strictObject({
    operator: z.enum(["or", "and"]).default("or").describe("whether one word is enough, or all must occur"),
    minimumShouldMatch: z.string().optional().describe('how many words must occur, such as "2" or "75%"'),
  }),
  request(target, input, options, call) {
    if (isBlank(input.query)) return undefined;
    return {
      query: filtered(
        {
          multi_match: {
            query: input.query,
            fields: [...(target.textFields ?? [TEXT_FIELD])],
            type: "most_fields",
            ...(options.operator === "or" ? {} : { operator: options.operator }),
            ...(options.minimumShouldMatch === undefined ? {} : { minimum_should_match: options.minimumShouldMatch }),
          },
        },
        filterQueries(call, input),
      ),
      size: call.topK,
    };
  },
});
