/** Intervals of a text's terms, as an analyzer makes them (Elasticsearch's IntervalBuilder). */
import type { Analyzer } from "../../analysis/types.ts";
import { illegalArgument, unsupported } from "../../errors.ts";
import type { MappedField } from "../../mapping/types.ts";
import {
  anyIntervals,
  combinedIntervals,
  extendIntervals,
  type IntervalsSource,
  maxGapsIntervals,
  NO_INTERVALS,
  phraseIntervals,
  termIntervals,
} from "../lucene/interval-sources.ts";
import { type AnalyzedPlace, type AnalyzedText, analyzeText, keywordText } from "./analyzed-text.ts";
import { PATHS } from "./graph-queries.ts";
import { isNowhere } from "./metadata-fields.ts";
import { graphSegments } from "./token-graph.ts";

/** @throws for a field whose terms have no positions */
export function checkPositions(field: MappedField, analyzer: Analyzer | undefined): void {
  const { family, type, info } = field;
  // Elasticsearch fails without a reason where a type has no analyzer at all.
  const bare = family === "vector" || family === "opaque" || isNowhere(field.name);
  if (bare && !analyzer) throw unsupported(`intervals on a field of type [${type}] without an analyzer`);
  const name = family === "flattened" ? info.name : field.name;
  if (family !== "text") {
    throw illegalArgument(`Can only use interval queries on text fields - not on [${name}] which is of type [${type}]`);
  }
  if (info.index === "positions") return;
  throw illegalArgument(`Cannot create intervals over field [${name}] with no positions indexed`);
}

/** @param maxGaps −1: any number of gaps */
export function combineSources(sources: readonly IntervalsSource[], maxGaps = -1, ordered = false): IntervalsSource {
  if (sources.length === 0) return NO_INTERVALS;
  if (sources.length === 1) return sources[0];
  if (maxGaps === 0 && ordered) return phraseIntervals(sources);
  const combined = combinedIntervals(ordered ? "ordered" : "unordered", sources);
  return maxGaps === -1 ? combined : maxGapsIntervals(combined, maxGaps);
}

export function textIntervals(
  field: MappedField,
  analyzer: Analyzer | undefined,
  text: string,
  maxGaps: number | undefined,
  ordered: boolean | undefined,
): IntervalsSource {
  // Fields other than texts take the whole text for a term.
  const analyzed = analyzer ? analyzeText(analyzer, text) : keywordText(text);
  const { tokens, places } = analyzed;
  if (tokens.length > 0) checkPositions(field, analyzer);
  if (tokens.length === 1) return termIntervals(tokens[0].term);
  // Here a text is a graph whatever its tokens are, shingles included.
  const graph = tokens.some(({ length }) => length > 1);
  return combineSources(graph ? graphSources(analyzed) : placeSources(places), maxGaps, ordered);
}

/** The terms of each position; removed words before it are positions that it takes up. */
function placeSources(places: readonly AnalyzedPlace[]): IntervalsSource[] {
  return places.map(({ terms, position }, i) =>
    extendIntervals(anyIntervals(terms.map(termIntervals)), position - (places[i - 1]?.position ?? -1) - 1, 0),
  );
}

function graphSources({ tokens }: AnalyzedText): IntervalsSource[] {
  return graphSegments(tokens, PATHS).map(({ terms, paths, increment }) => {
    // Of several words that end at one place Elasticsearch looks for the first only.
    if (terms) return extendIntervals(termIntervals(terms[0]), increment - 1, 0);
    return anyIntervals(paths.map((path) => combineSources(placeSources(path.places), 0, true)));
  });
}
