/** `_score`. */
import { printScore } from "../../print-score.ts";
import type { FetchSubPhase } from "./types.ts";

export const score: FetchSubPhase = () => (hit) => ({ _score: printScore(hit.score) });
