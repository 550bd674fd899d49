/** `text`: analysed, with norms, positions and two search analyzers. */
import {
  PHRASES,
  PREFIXES,
  type PrefixLengths,
  pairAnalyzer,
  prefixAnalyzer,
  withPositionGap,
} from "../../analysis/index.ts";
import type { Analyzer } from "../../analysis/types.ts";
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { FieldInfo, IndexOptions } from "../../segment/types.ts";
import { addOrdinal, addText } from "../doc-buffer.ts";
import { javaText } from "../java-text.ts";
import type { CreateFieldOptions, FieldType, MappingContext } from "../model.ts";
import {
  booleanParameter,
  enumParameter,
  metaParameter,
  type Parameter,
  type ParameterPlace,
  parameter,
  readInteger,
} from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import {
  EXPECTED_TEXT,
  indexParameter,
  isStructure,
  makeField,
  queryText,
  scalarText,
  storeParameter,
} from "./common.ts";

/** How Elasticsearch names the analyzer of a field that names none. */
const DEFAULT = "default";

export function analyzerOf(name: string, context: MappingContext): Analyzer {
  const found = name === DEFAULT ? context.analysis.default : context.analysis.get(name);
  if (found === undefined) throw illegalArgument(`analyzer [${name}] has not been configured in mappings`);
  return found;
}

export function readAnalyzer(value: JsonValue, { context }: { context: MappingContext }): string {
  const name = javaText(value);
  analyzerOf(name, context);
  return name;
}

export const similarityParameter: Parameter = parameter<string | undefined>(
  "similarity",
  undefined,
  (value, { field, context }) => {
    if (value === null) return undefined;
    const name = javaText(value);
    if (name !== "BM25" && name !== DEFAULT && name !== "boolean" && context.hasSimilarity?.(name) !== true) {
      throw mapperParsing(`Unknown Similarity type [${name}] for field [${field}]`);
    }
    return name;
  },
  { acceptsNull: true },
);

const INDEX_OPTIONS: { readonly [name: string]: IndexOptions } = {
  docs: "docs",
  freqs: "freqs",
  positions: "positions",
  // Offsets are found by analysing again.
  offsets: "positions",
};

/** A field that names no analyzer is searched with the index's default for searches, and phrases with that for phrases. */
function searchDefault(get: (name: string) => unknown, { analysis }: MappingContext): string {
  const own = get("analyzer") as string;
  return own === DEFAULT && analysis.defaultSearch !== analysis.default ? "default_search" : own;
}

function quoteDefault(get: (name: string) => unknown, context: MappingContext): string {
  const { analysis } = context;
  const search = get("search_analyzer") as string;
  const unnamed = get("analyzer") === DEFAULT && search === searchDefault(get, context);
  return unnamed && analysis.defaultQuoted !== analysis.defaultSearch ? "default_search_quoted" : search;
}

function readLength(value: JsonValue): number {
  const length = Number(javaText(value));
  if (!Number.isInteger(length)) throw illegalArgument(`${javaText(value)} is not an integer value`);
  return length;
}

function readPrefixLengths(value: JsonValue, { field }: ParameterPlace): PrefixLengths | undefined {
  if (value === null) return undefined;
  if (!isStructure(value) || Array.isArray(value)) {
    const scalar = typeof value === "string" ? "String" : typeof value === "boolean" ? "Boolean" : "Integer";
    const type = Array.isArray(value) ? "java.util.ArrayList" : `java.lang.${scalar}`;
    const modules = `(${type} and java.util.Map are in module java.base of loader 'bootstrap')`;
    throw new EngineError("class_cast_exception", `class ${type} cannot be cast to class java.util.Map ${modules}`);
  }
  const { min_chars, max_chars, ...unknown } = value as JsonObject;
  const min = readLength(min_chars ?? 2);
  const max = readLength(max_chars ?? 5);
  const others = Object.entries(unknown).map(([key, each]) => `[${key} : ${javaText(each)}]`);
  if (others.length > 0) {
    throw mapperParsing(`Mapping definition for [${field}] has unsupported parameters:  ${others.join(" ")}`);
  }
  if (min <= 0) throw illegalArgument(`min_chars [${min}] must be greater than zero`);
  if (max >= 20) throw illegalArgument(`max_chars [${max}] must be less than 20`);
  if (min > max) throw illegalArgument(`min_chars [${min}] must be less than max_chars [${max}]`);
  return { min, max };
}

const parameters: readonly Parameter[] = [
  indexParameter,
  storeParameter,
  metaParameter,
  enumParameter("index_options", "positions", ["positions", "docs", "freqs", "offsets"]),
  enumParameter("term_vector", "no", [
    "no",
    "yes",
    "with_positions",
    "with_offsets",
    "with_positions_offsets",
    "with_positions_payloads",
    "with_positions_offsets_payloads",
  ]),
  booleanParameter("norms", true, {
    updateable: true,
    canMerge: (from, to) => from === to || (from === true && to === false),
  }),
  parameter("analyzer", DEFAULT, readAnalyzer, {
    always: (get) => get("search_analyzer") !== get("analyzer") || get("search_quote_analyzer") !== get("analyzer"),
  }),
  parameter("search_analyzer", searchDefault, readAnalyzer, {
    updateable: true,
    always: (get) => get("search_quote_analyzer") !== get("search_analyzer"),
  }),
  parameter("search_quote_analyzer", quoteDefault, readAnalyzer, { updateable: true }),
  parameter("position_increment_gap", -1, (value) => {
    const gap = readInteger(value);
    if (gap < 0) throw mapperParsing(`[position_increment_gap] must be positive, got [${gap}]`);
    return gap;
  }),
  similarityParameter,
  booleanParameter("eager_global_ordinals", false, { updateable: true }),
  booleanParameter("fielddata", false, {
    canMerge: (from, to) => {
      // Elasticsearch makes it of the index when it is asked for; here it is written with the document.
      if (from !== to && to === true) throw unsupported("fielddata of a field that has been there without");
      return true;
    },
  }),
  parameter<JsonValue | undefined>("fielddata_frequency_filter", undefined, (value) => value, { updateable: true }),
  parameter<PrefixLengths | undefined>("index_prefixes", undefined, readPrefixLengths, {
    acceptsNull: true,
    show: (lengths) => (lengths ? `{ min_chars=${lengths.min}, max_chars=${lengths.max} }` : "null"),
    print: (lengths) => (lengths ? { min_chars: lengths.min, max_chars: lengths.max } : null),
  }),
  booleanParameter("index_phrases", false),
];

function checkTogether({ path, get, has }: CreateFieldOptions): void {
  const index = get<boolean>("index");
  const indexOptions = get<string>("index_options");
  if (has("position_increment_gap") && get<number>("position_increment_gap") >= 0) {
    if (!index || indexOptions === "docs" || indexOptions === "freqs") {
      throw illegalArgument(`Cannot set position_increment_gap on field [${path}] without positions enabled`);
    }
  }
  if (!index && get<boolean>("fielddata"))
    throw illegalArgument(`Cannot enable fielddata on a [text] field that is not indexed: [${path}]`);
  if (get<boolean>("fielddata") && get<JsonValue | undefined>("fielddata_frequency_filter") !== undefined)
    throw unsupported("fielddata_frequency_filter");
  if (get<PrefixLengths | undefined>("index_prefixes") && !index) {
    throw illegalArgument(`Cannot set index_prefixes on unindexed field [${path}]`);
  }
  if (get<boolean>("index_phrases") && !index) {
    throw illegalArgument(`Cannot set index_phrases on unindexed field [${path}]`);
  }
  if (get<boolean>("index_phrases") && (indexOptions === "docs" || indexOptions === "freqs")) {
    throw illegalArgument(`Cannot set index_phrases on field [${path}] if positions are not enabled`);
  }
}

/** Nothing is indexed with filters whose rules may change. */
function checkIndexTime({ name, searchTimeFilters = [] }: Analyzer): void {
  if (searchTimeFilters.length === 0) return;
  throw new EngineError(
    "mapper_exception",
    `analyzer [${name}] contains filters [${searchTimeFilters.join(", ")}] that are not allowed to run in index time mode.`,
    { status: 500 },
  );
}

export const textType: FieldType = {
  type: "text",
  parameters,
  create: (options) => {
    checkTogether(options);
    const { get, path, context } = options;
    const indexed = get<boolean>("index");
    const hasNorms = get<boolean>("norms");
    const norms = indexed && hasNorms;
    const fielddata = get<boolean>("fielddata");
    const info: FieldInfo = {
      name: path,
      index: indexed ? INDEX_OPTIONS[get<string>("index_options")] : "none",
      norms,
      docValues: fielddata ? "ordinals" : "none",
      points: "none",
    };
    const gap = get<number>("position_increment_gap");
    const withGap = (analyzer: Analyzer) => (gap >= 0 ? withPositionGap(analyzer, gap) : analyzer);
    const indexAnalyzer = withGap(analyzerOf(get("analyzer"), context));
    checkIndexTime(indexAnalyzer);
    const phrases = get<boolean>("index_phrases")
      ? { ...info, name: `${path}${PHRASES}`, docValues: "none" as const }
      : undefined;
    const pairs = phrases && pairAnalyzer(indexAnalyzer);
    const lengths = get<PrefixLengths | undefined>("index_prefixes");
    const prefixes = lengths && {
      info: {
        ...info,
        name: `${path}${PREFIXES}`,
        index: info.index === "freqs" ? ("docs" as const) : info.index,
        norms: false,
        docValues: "none" as const,
      },
      analyzer: prefixAnalyzer(indexAnalyzer, lengths),
    };
    const search = analyzerOf(get("search_analyzer"), context);
    const quote = analyzerOf(get("search_quote_analyzer"), context);
    const text = queryText;
    return makeField({
      options,
      type: "text",
      family: "text",
      info,
      indexed,
      hasDocValues: false,
      fielddata,
      phrases: phrases?.name,
      prefixes: lengths && prefixes ? { ...lengths, field: prefixes.info.name } : undefined,
      existsBy: hasNorms ? "norms" : "_field_names",
      indexAnalyzer,
      searchAnalyzer: withGap(search),
      searchQuoteAnalyzer: withGap(quote),
      similarity: get<string | undefined>("similarity"),
      addValue: (doc, value) => {
        if (isStructure(value)) throw illegalArgument(EXPECTED_TEXT);
        if (!indexed) return false;
        const words = scalarText(value);
        addText(doc, info, words, indexAnalyzer, fielddata ? (term) => addOrdinal(doc, info, term) : undefined);
        if (phrases && pairs) addText(doc, phrases, words, pairs);
        if (prefixes) addText(doc, prefixes.info, words, prefixes.analyzer);
        return false;
      },
      termValue: text,
      valueFetcher: valuesBy(path, undefined, javaText),
      rangeBound: text,
    });
  },
};
