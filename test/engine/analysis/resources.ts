import { analysisResources } from "../../../src/elasticsearch/assets.ts";
import type { AnalysisResources } from "../../../src/engine/analysis/types.ts";

/** What ships with the package. */
export const resources: AnalysisResources = analysisResources();
