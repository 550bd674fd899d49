import { readFileSync } from "node:fs";
import type { AnalysisResources } from "../../../src/engine/analysis/types.ts";

/** The dictionary that ships with the package. */
export const resources: AnalysisResources = {
  ikDictionary: () => new Uint8Array(readFileSync(new URL("../../../assets/ik/ik.dic.bin", import.meta.url))),
};
