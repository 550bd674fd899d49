/** What must, should and must not occur: `bool`. */
import type { estypes } from "@elastic/elasticsearch";
import { z } from "zod";
import { TEXT_FIELD } from "../../elasticsearch/layout.ts";
import { textQuery } from "../retriever.ts";
import { phraseQuery } from "./phrase.ts";
import { filterQueries, isBlank, requestStrategy, type StrategyTarget } from "./strategy.ts";

const CLAUSE = z.union([
  z.string().min(1),
  z.strictObject({
    text: z.string().min(1),
    phrase: z.boolean().optional(),
    slop: z.int().min(0).optional(),
    field: z.string().min(1).optional(),
    boost: z.number().min(0).optional(),
  }),
]);
type Clause = z.output<typeof CLAUSE>;

const clauses = (text: string) => z.array(CLAUSE).default([]).meta({ list: "repeat" }).describe(text);
const KINDS = ["must", "should", "mustNot", "filter"] as const;

/** The strategy `bool`: what must, should and must not occur. */
export const bool = requestStrategy({
  name: "bool",
  title: "what must, should and must not occur",
  goodFor: "questions with conditions: this word, rather with that one, and none of those",
  options: z.strictObject({
    must: clauses("texts that must occur, beside the question"),
    should: clauses("texts that make a passage better"),
    mustNot: clauses("texts that must not occur"),
    filter: clauses("texts that must occur and do not score"),
    phrases: z
      .array(z.enum(KINDS))
      .default(["mustNot", "filter"])
      .describe(
        "clauses whose words count beside each other: a Chinese word cut into characters excludes as a word only so (must, should, mustNot, filter)",
      ),
    minimumShouldMatch: z.string().optional().describe("how many of should must occur"),
  }),
  request(target, input, options, call) {
    const given = (kind: (typeof KINDS)[number]) =>
      options[kind].map((clause) => clauseQuery(target, clause, options.phrases.includes(kind)));
    const must = [...(isBlank(input.query) ? [] : [textQuery(target, input.query, [])]), ...given("must")];
    const should = given("should");
    const filter = given("filter");
    const mustNot = given("mustNot");
    // Nothing is asked for: what is only excluded leaves everything else.
    if (must.length + should.length + filter.length === 0) return undefined;
    return {
      query: {
        bool: {
          ...(must.length > 0 ? { must } : {}),
          ...(should.length > 0 ? { should } : {}),
          ...(mustNot.length > 0 ? { must_not: mustNot } : {}),
          ...(options.minimumShouldMatch === undefined ? {} : { minimum_should_match: options.minimumShouldMatch }),
          filter: [...filter, ...filterQueries(call, input)],
        },
      },
      size: call.topK,
    };
  },
});

function clauseQuery(target: StrategyTarget, clause: Clause, phrases: boolean): estypes.QueryDslQueryContainer {
  const { text, phrase = phrases, slop = 0, field, boost } = typeof clause === "string" ? { text: clause } : clause;
  const query = phrase
    ? phraseQuery(target, field ?? TEXT_FIELD, text, slop)
    : field === undefined
      ? textQuery(target, text, [])
      : { match: { [field]: { query: text } } };
  return boost === undefined ? query : { bool: { must: [query], boost } };
}
