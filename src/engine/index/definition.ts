/** What an index's settings define: its analyzers, its similarities, and how its mapping is read. */
import { createAnalysisRegistry } from "../analysis/index.ts";
import type { AnalysisRegistry, AnalysisResources } from "../analysis/types.ts";
import { illegalArgument } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import { parseMapping } from "../mapping/index.ts";
import type { MappingContext } from "../mapping/model.ts";
import type { Mapping } from "../mapping/types.ts";
import type { Similarity } from "../query/types.ts";
import type { IndexRecord } from "./records.ts";
import { settingOf } from "./settings.ts";
import { parseSimilarities } from "./similarity.ts";

export interface Definition {
  readonly name: string;
  readonly record: IndexRecord;
  readonly analysis: AnalysisRegistry;
  similarity(name: string | undefined): Similarity;
  /** The mapping of a new index. */
  newMapping(json: JsonObject | undefined): Mapping;
  /** The mapping that an index has already. */
  readMapping(json: JsonObject | undefined): Mapping;
}

/** Throws Elasticsearch's errors for analysis and similarity settings that cannot be. */
export function defineIndex(name: string, record: IndexRecord, resources: AnalysisResources): Definition {
  const { settings } = record;
  const analysis = createAnalysisRegistry(
    {
      index: name,
      analysis: settings.analysis as JsonObject | undefined,
      maxNgramDiff: numberSetting(settings, "index.max_ngram_diff"),
      maxShingleDiff: numberSetting(settings, "index.max_shingle_diff"),
    },
    resources,
  );
  const similarities = parseSimilarities(settings.similarity as JsonObject | undefined);
  const context: MappingContext = {
    analysis,
    setting: (setting) => settingOf(settings, setting),
    hasSimilarity: (similarity) => similarities.get(similarity) !== undefined,
  };
  return {
    name,
    record,
    analysis,
    similarity(given) {
      if (given === undefined) return similarities.default;
      const found = similarities.get(given);
      if (found === undefined) throw illegalArgument(`Unknown Similarity type [${given}]`);
      return found;
    },
    newMapping: (json) => parseMapping(json, context),
    readMapping: (json) => parseMapping(json, context, true),
  };
}

function numberSetting(settings: JsonObject, name: string): number | undefined {
  const text = settingOf(settings, name);
  return text === undefined ? undefined : Number(text);
}
