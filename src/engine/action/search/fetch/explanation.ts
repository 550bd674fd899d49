/** `_explanation`: why a hit has its score. */
import { explainer, printExplanation } from "../../explain.ts";
import type { FetchSubPhase } from "./types.ts";

export const explanation: FetchSubPhase = ({ shard, query, options }) => {
  if (!options.explain || !query) return undefined;
  const explain = explainer(shard, query);
  return ({ doc }) => ({ _explanation: printExplanation(explain(doc)) });
};
