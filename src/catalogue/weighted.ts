/** The weighted sum of several strategies' scores, made comparable first. */
import { z } from "zod";
import {
  type FusionMode,
  fusedLists,
  type Strategy,
  type StrategyCall,
  type StrategyTarget,
} from "../retrieval/index.ts";
import { DEPTH, listDepth, lists, listWeights, STRATEGY_LIST, type StrategyReference } from "./lists.ts";

const NUMBER = z.number().min(0, "weights must not be negative");
const oneAbove = (weights: object) => Object.values(weights).some((weight) => weight > 0);

const WEIGHTS = z
  .union([z.record(z.string(), NUMBER), z.array(NUMBER)])
  .refine(oneAbove, "one weight must be above 0")
  .optional()
  .describe("what each list counts, such as bm25=0.3,dense=0.7; the collection's own where nothing is said");

const TWO_WEIGHTS = z
  .union([z.strictObject({ bm25: NUMBER, dense: NUMBER }), z.tuple([NUMBER, NUMBER])], {
    error: "must be two numbers that are not negative and not both 0, of bm25 and dense: 0.7,0.3",
  })
  .refine(oneAbove, "one weight must be above 0")
  .optional()
  .describe("what words and meaning count, such as 0.7,0.3; the collection's own where nothing is said");

const MODES = {
  "min-max": "relative_score",
  "z-score": "dist_based_score",
  none: "raw_sum",
} as const satisfies Record<string, FusionMode>;

const options = z.strictObject({
  strategies: STRATEGY_LIST.default(["bm25", "dense"]).describe("the lists that are fused, by strategy"),
  weights: WEIGHTS,
  normalize: z
    .enum(["min-max", "z-score", "none"])
    .default("min-max")
    .describe(
      "how scores become comparable: by the list's smallest and largest, by mean and deviation; none adds raw scores of different scales",
    ),
  depth: DEPTH,
});

export const weighted: Strategy<"weighted", typeof options> = {
  name: "weighted",
  title: "scores of several lists, made comparable, weighted and added",
  goodFor: "when one list deserves more trust than another, and you have measured it",
  embeds: true,
  options,
  retriever(target, { strategies, weights, normalize, depth }, call) {
    if (normalize === "none" && strategies.length > 1) {
      call.warn(
        "raw-scores",
        "weighted adds raw scores (normalize none): where the lists' scores are of different scales, the largest scale decides alone",
      );
    }
    return weightedRetriever(target, { strategies, weights, mode: MODES[normalize], depth, name: "weighted" }, call);
  },
};

const hybridOptions = z.strictObject({ weights: TWO_WEIGHTS, depth: DEPTH });

/** The default of a collection. */
export const hybrid: Strategy<"hybrid", typeof hybridOptions> = {
  name: "hybrid",
  title: "words and meaning, weighted as the collection was measured",
  goodFor: "anything; the default",
  embeds: true,
  options: hybridOptions,
  retriever: (target, { weights, depth }, call) =>
    weightedRetriever(
      target,
      { strategies: ["bm25", "dense"], weights, mode: "relative_score", depth, name: "hybrid" },
      call,
    ),
};

interface WeightedLists {
  strategies: readonly StrategyReference[];
  weights: Readonly<Record<string, number>> | readonly number[] | undefined;
  mode: FusionMode;
  depth: number;
  name: string;
}

function weightedRetriever(target: StrategyTarget, options: WeightedLists, call: StrategyCall) {
  const { mode, depth, name } = options;
  const named = lists(options.strategies, call, depth);
  const names = Object.keys(named);
  const isDefault = names.length === 2 && names.includes("bm25") && names.includes("dense");
  const weights = listWeights(
    names,
    options.weights ?? (isDefault && target.weights ? { ...target.weights } : undefined),
  );
  return fusedLists(target, named, {
    name,
    mode,
    topK: call.topK,
    depth: listDepth(call, depth),
    ...(weights ? { weights } : {}),
  });
}
