/** `sort`: what a hit was sorted by. */
import type { ResponseValue } from "../../response-value.ts";
import type { FetchSubPhase } from "./types.ts";

export const sortValues: FetchSubPhase = ({ hits }) => {
  if (hits.every(({ hit }) => hit.sort === undefined)) return undefined;
  return ({ hit }, shown) => {
    if (hit.sort !== undefined) shown["sort"] = hit.sort as readonly ResponseValue[];
  };
};
