/** `sort`: what a hit was sorted by. */
import type { ResponseValue } from "../../response-value.ts";
import type { FetchSubPhase } from "./types.ts";

export const sortValues: FetchSubPhase = () => (hit) =>
  hit.sort === undefined ? {} : { sort: hit.sort as readonly ResponseValue[] };
