/** Scores changed by what is known of a passage: `function_score`, with presets for what is new and what is popular. */
import type { estypes } from "@elastic/elasticsearch";
import { z } from "zod";
import { textQuery } from "../retriever.ts";
import { indexFields, scaleField } from "./mapping.ts";
import { filterQueries, isBlank, requestStrategy, type StrategyInput, type StrategyTarget } from "./strategy.ts";

type ScoreFunction = estypes.QueryDslFunctionScoreContainer;

const MODIFIERS = ["none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal"] as const;

const options = z.strictObject({
  recency: z
    .string()
    .min(1)
    .optional()
    .describe("a date or number among the metadata: what is near the origin scores higher"),
  curve: z.enum(["gauss", "exp", "linear"]).default("gauss").describe("how recency decays"),
  origin: z
    .union([z.string(), z.number()])
    .optional()
    .describe("where recency is full; now for dates, needed for numbers"),
  scale: z.union([z.string(), z.number()]).default("365d").describe("the distance at which recency is worth decay"),
  offset: z.union([z.string(), z.number()]).optional().describe("the distance up to which recency is full"),
  decay: z.number().gt(0).lt(1).default(0.5).describe("what recency is worth at the distance scale"),
  popularity: z.string().min(1).optional().describe("a number among the metadata, such as views: more scores higher"),
  factor: z.number().default(1).describe("multiplies the popularity"),
  modifier: z.enum(MODIFIERS).default("log1p").describe("what is done to the popularity"),
  missing: z.number().default(0).describe("the popularity of a passage without one"),
  random: z.union([z.int(), z.string()]).optional().describe("a seed: adds chance, the same for the same seed"),
  boostText: z.string().min(1).optional().describe("passages with this text count boostWeight times"),
  boostWeight: z.number().min(0).default(2).describe("the weight of boostText"),
  functions: z.array(z.looseObject({})).default([]).describe("further functions of the DSL, as JSON"),
  scoreMode: z
    .enum(["multiply", "sum", "avg", "first", "max", "min"])
    .default("multiply")
    .describe("how several functions become one"),
  boostMode: z
    .enum(["multiply", "replace", "sum", "avg", "max", "min"])
    .default("multiply")
    .describe("how it changes the question's score"),
  maxBoost: z.number().optional().describe("the most that the functions may be worth"),
  minScore: z.number().optional().describe("passages below it are left out"),
});

/** The strategy `function-score`: scores changed by age, popularity, chance or weights. */
export const functionScore = requestStrategy({
  name: "function-score",
  title: "words, with scores changed by age, popularity, chance or weights",
  goodFor: "rules in several versions, news, popular pages; variety",
  options,
  async request(target, input, given, call) {
    const functions = await scoreFunctions(target, input, given);
    if (isBlank(input.query) && functions.length === 0) return undefined;
    const query = isBlank(input.query) ? { match_all: {} } : textQuery(target, input.query, []);
    const filter = filterQueries(call, input);
    return {
      query: {
        function_score: {
          query: filter.length > 0 ? { bool: { must: [query], filter } } : query,
          functions,
          score_mode: given.scoreMode,
          boost_mode: given.boostMode,
          ...(given.maxBoost === undefined ? {} : { max_boost: given.maxBoost }),
          ...(given.minScore === undefined ? {} : { min_score: given.minScore }),
        },
      },
      size: call.topK,
    };
  },
});

async function scoreFunctions(
  target: StrategyTarget,
  input: StrategyInput,
  given: z.output<typeof options>,
): Promise<ScoreFunction[]> {
  const out = [...(given.functions as ScoreFunction[])];
  if (given.boostText !== undefined)
    out.push({ filter: textQuery(target, given.boostText, []), weight: given.boostWeight });
  if (given.random !== undefined) out.push({ random_score: { seed: given.random, field: "_seq_no" } });
  if (given.recency === undefined && given.popularity === undefined) return out;
  const fields = await indexFields(target, input);
  if (given.popularity !== undefined) {
    const { field } = scaleField(fields, given.popularity, "popularity");
    out.push({
      field_value_factor: { field, factor: given.factor, modifier: given.modifier, missing: given.missing },
    });
  }
  if (given.recency !== undefined) {
    const { field, date } = scaleField(fields, given.recency, "recency");
    const place = {
      ...(given.origin === undefined ? (date ? {} : { origin: 0 }) : { origin: given.origin }),
      scale: !date && given.scale === "365d" ? 1 : given.scale,
      ...(given.offset === undefined ? {} : { offset: given.offset }),
      decay: given.decay,
    };
    out.push({ [given.curve]: { [field]: place } } as ScoreFunction);
  }
  return out;
}
