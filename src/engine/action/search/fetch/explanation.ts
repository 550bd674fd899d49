/** `_explanation`: why a hit has its score. */
import { explainRescore } from "../../../search/rescore/index.ts";
import { explainer, printExplanation } from "../../explain.ts";
import type { FetchSubPhase } from "./types.ts";

export const explanation: FetchSubPhase = ({ shard, query, rescored, options }) => {
  if (!options.explain || !query) return undefined;
  const explain = explainer(shard, query);
  const passes = rescored.map(({ pass, docs }) => ({ pass, docs, explain: explainer(shard, pass.query) }));
  return ({ hit: { doc } }, shown) => {
    const why = passes.reduce(
      (first, { pass, docs, explain: again }) => explainRescore(first, docs.has(doc) ? again(doc) : undefined, pass),
      explain(doc),
    );
    shown["_explanation"] = printExplanation(why);
  };
};
