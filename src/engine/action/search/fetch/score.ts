/** `_score`. */
import { printScore } from "../../print-score.ts";
import type { FetchSubPhase } from "./types.ts";

export const score: FetchSubPhase = () => (hit) => ({ _score: Number.isNaN(hit.score) ? null : printScore(hit.score) });
