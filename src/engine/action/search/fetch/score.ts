/** `_score`. */
import { printScore } from "../../print-score.ts";
import type { FetchSubPhase } from "./types.ts";

export const score: FetchSubPhase =
  () =>
  ({ hit: { score } }, shown) => {
    shown["_score"] = Number.isNaN(score) ? null : printScore(score);
  };
