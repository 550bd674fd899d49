/** `highlight`: fragments of fields with what the query looks for marked in them (HighlightPhase). */
import { EngineError, illegalArgument, unsupported } from "../../../errors.ts";
import { fastVectorHighlighter } from "../../../highlight/fvh/fvh.ts";
import type {
  AnalyzedField,
  FieldToHighlight,
  HighlightDocument,
  Highlighter,
  OtherText,
} from "../../../highlight/highlighter.ts";
import type { HighlightField, HighlightOptions } from "../../../highlight/options.ts";
import { plainHighlighter } from "../../../highlight/plain/plain.ts";
import { unifiedHighlighter } from "../../../highlight/unified/unified.ts";
import { settingOf } from "../../../index/settings.ts";
import type { IndexMapping } from "../../../mapping/index.ts";
import { hashOrder, javaText } from "../../../mapping/java-text.ts";
import type { MappedField, Mapping } from "../../../mapping/types.ts";
import { type QueryBuilder, shardError } from "../../../query/dsl/index.ts";
import { matchAllQuery } from "../../../query/lucene/constant.ts";
import type { Query } from "../../../query/types.ts";
import { isStored, storedFields } from "../../stored-fields.ts";
import { readValues } from "../fields/field-fetcher.ts";
import type { Shard } from "../shard.ts";
import { askedFor } from "../shard-query.ts";
import type { FetchedHit, FetchSubPhase } from "./types.ts";

const HIGHLIGHTERS: Readonly<Record<string, Highlighter>> = {
  fvh: fastVectorHighlighter,
  plain: plainHighlighter,
  unified: unifiedHighlighter,
};

interface Prepared {
  /** As the request calls it. */
  readonly shownAs: string;
  readonly values: (hit: FetchedHit) => readonly string[];
  readonly highlight: HighlightDocument;
}

export const highlight: FetchSubPhase = ({ shard, query, options }) => {
  if (!options.highlight || options.highlight.fields.length === 0) return undefined;
  const { fields } = options.highlight;
  const prepared = ofShard(() => prepare(shard, fields, query ? askedFor(shard, query) : matchAllQuery()));
  return (hit, result) => {
    if (prepared.length === 0) return;
    const shown = new Map<string, readonly string[]>();
    ofShard(() => {
      for (const { shownAs, values, highlight } of prepared) {
        const fragments = highlight(hit.leaf, hit.local, values(hit), (name) => otherText(shard, hit, name));
        if (fragments.length > 0) shown.set(shownAs, fragments);
      }
    });
    if (shown.size === 0) return;
    result["highlight"] = Object.fromEntries(hashOrder([...shown.keys()]).map((name) => [name, shown.get(name)!]));
  };
};

/** What fails is the shard's error. */
function ofShard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    throw shardError(error);
  }
}

/** Whether there is a field to be highlighted. */
export const highlightsAny = ({ context: { mapping } }: Shard, fields: readonly HighlightField[]): boolean =>
  fields.some(({ name }) => matchingFields(mapping, name).length > 0);

/** A field that several of the request name is highlighted as the last one asks. */
function prepare(shard: Shard, fields: readonly HighlightField[], query: Query): Prepared[] {
  const { mapping } = shard.context;
  const wanted = new Map<string, { field: MappedField; options: HighlightOptions; highlighter: Highlighter }>();
  for (const { name: pattern, options } of fields) {
    const highlighter = Object.hasOwn(HIGHLIGHTERS, options.type) ? HIGHLIGHTERS[options.type] : undefined;
    if (!highlighter) {
      throw illegalArgument(`unknown highlighter type [${options.type}] for the field [${pattern}]`);
    }
    for (const { shownAs, field } of matchingFields(mapping, pattern)) {
      if (field.runtime && (field.family === "keyword" || !pattern.includes("*"))) {
        throw unsupported(`highlighting of runtime field [${field.name}]`);
      }
      if (pattern.includes("*") && !highlighter.canHighlight(analyzed(mapping, field))) continue;
      wanted.set(shownAs, { field, options, highlighter });
    }
  }
  /** A field under two names is highlighted as the first one asks: Elasticsearch keeps its highlighters by field. */
  const made = new Map<string, HighlightDocument>();
  return [...wanted].map(([shownAs, { field, options, highlighter }]) => {
    const key = `${options.type} ${field.name}`;
    const own = options.highlightQuery && highlightQuery(shard, options.highlightQuery);
    // What a highlighter refuses is told when its turn comes: one before it may fail at the first hit.
    const highlight: HighlightDocument = (...hit) => {
      const document =
        made.get(key) ?? highlighter.highlighterOf(toHighlight(shard, field, { options, query: own ?? query }));
      made.set(key, document);
      return document(...hit);
    };
    return { shownAs, values: valuesOf(shard, field), highlight };
  });
}

/** The names that queries have in it are not those of the search; what fails is told without the query around it. */
export function highlightQuery(shard: Shard, query: QueryBuilder): Query {
  return ofShard(() => query.toQuery({ ...shard.context, named: [] }));
}

/** The texts of a field: those that are stored with it, or what stands in the source. */
function valuesOf({ context: { mapping, nestedPath } }: Shard, field: MappedField): Prepared["values"] {
  if (isStored(field)) {
    // Each document stores what is its own: the root has nothing of its nested objects.
    const stored = storedFields(mapping, [field.name], nestedPath);
    return (hit) => {
      if (stored.length === 0) return [];
      const whole = hit.indexed();
      return stored.flatMap(({ read }) => read(whole)).map(javaText);
    };
  }
  const fetcher = field.valueFetcher();
  const paths = mapping.sourcePaths(field.name);
  return (hit) => readValues(fetcher, paths, hit.object()).values.map(javaText);
}

/** The text of a field that is indexed with the places of its tokens. */
function otherText(shard: Shard, hit: FetchedHit, name: string): OtherText | undefined {
  const { mapping } = shard.context;
  const field = mapping.field(name);
  if (!field || parameterOf(mapping, name, "index_options") !== "offsets") return undefined;
  return { analyzer: field.indexAnalyzer, values: valuesOf(shard, field)(hit) };
}

/** A parameter of a field as it was given. */
function parameterOf(mapping: Mapping, name: string, parameter: string): string | undefined {
  return (mapping as IndexMapping).leaf(name)?.values.get(parameter) as string | undefined;
}

/** Fields by a pattern, those of aliases under their names: texts and keywords only. */
function matchingFields(mapping: Mapping, pattern: string): { shownAs: string; field: MappedField }[] {
  if (!pattern.includes("*")) {
    const field = mapping.field(pattern);
    return field ? [{ shownAs: pattern, field }] : [];
  }
  return mapping.names(pattern).flatMap((path) => {
    const field = mapping.field(path);
    return field && (field.type === "text" || field.type === "keyword") ? [{ shownAs: path, field }] : [];
  });
}

function analyzed(mapping: Mapping, { name, indexAnalyzer }: MappedField): AnalyzedField {
  const kept = parameterOf(mapping, name, "term_vector") ?? "";
  const termVectors = !kept.includes("offsets") ? "none" : kept.includes("positions") ? "positions" : "offsets";
  return { name, analyzer: indexAnalyzer, termVectors };
}

function toHighlight(
  shard: Shard,
  field: MappedField,
  { options, query }: Pick<FieldToHighlight, "options" | "query">,
): FieldToHighlight {
  const { mapping } = shard.context;
  const { settings } = shard.index;
  const matchedFields = (options.matchedFields ?? []).map((name) => mapping.field(name)).filter((each) => !!each);
  const postings = parameterOf(mapping, field.name, "index_options") === "offsets";
  const own = analyzed(mapping, field);
  return {
    ...own,
    options,
    query,
    searcher: shard.searcher,
    matchedFields: matchedFields.map((each) => analyzed(mapping, each)),
    bytes: field.type === "keyword" && isStored(field),
    tokenized: field.family === "text",
    offsets: postings ? "postings" : own.termVectors === "none" ? "analysis" : "term_vectors",
    inDocument: field.nestedPath === shard.context.nestedPath,
    indexName: shard.index.name,
    settings: {
      maxAnalyzedOffset: Number(settingOf(settings, "highlight.max_analyzed_offset") ?? 1_000_000),
      weightMatches: settingOf(settings, "highlight.weight_matches_mode.enabled") !== "false",
    },
  };
}
