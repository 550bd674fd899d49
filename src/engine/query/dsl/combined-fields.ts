/** combined_fields: one text over several text fields, searched as if they were one. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { positionOf } from "../../json/parse.ts";
import type { JsonObject } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { combinedFieldQuery } from "../lucene/combined-fields.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { compareUtf8 } from "../lucene/ordinals.ts";
import { phraseQuery } from "../lucene/phrase.ts";
import type { Query } from "../types.ts";
import { analyzeText } from "./analyzed-text.ts";
import { boosted, makeBuilder, type QueryContext } from "./builder.ts";
import { readDeclared, takesCommon } from "./compound.ts";
import { analyzerName } from "./cross-fields.ts";
import { readOperator } from "./match.ts";
import { textQuery } from "./match-field.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import { type FieldBoost, fieldBoost, resolveFields } from "./multi-match.ts";
import type { QueryParser } from "./parse.ts";
import { inField, isArray, located, readBoolean, textOf, tokenName, unknownKey, wrongKind } from "./read.ts";

const NAME = "combined_fields";
const LOW_BOOST = `[${NAME}] requires field boosts to be >= 1.0`;
const KEYS = [
  "query",
  "fields",
  "operator",
  "minimum_should_match",
  "auto_generate_synonyms_phrase_query",
  "zero_terms_query",
  "boost",
  "_name",
];

interface CombinedFields {
  query?: string;
  fields: FieldBoost[];
  operator: "or" | "and";
  minimumShouldMatch?: string;
  zeroTermsQuery: "none" | "all";
  synonymPhrases: boolean;
  boost?: number;
  queryName?: string;
}

function readFields(json: JsonObject, fields: FieldBoost[]): void {
  const value = json["fields"];
  const items = isArray(value) ? value : [value];
  const texts = items.map((item, i) => {
    const text = textOf(item);
    if (text !== undefined) return text;
    const place = isArray(value) ? positionOf(value, { value: i }) : undefined;
    const at = place ? ` at ${place.line}:${place.col}` : "";
    throw located(illegalArgument(`Expected text${at} but found ${tokenName(item)}`), value, { value: i });
  });
  // The weights are read behind the whole list.
  try {
    for (const text of texts) {
      const field = fieldBoost(text, () => illegalArgument(LOW_BOOST));
      if (field.boost < 1) throw illegalArgument(LOW_BOOST);
      fields.push(field);
    }
  } catch (error) {
    throw error instanceof EngineError && isArray(value) ? located(error, value, "end") : error;
  }
}

function readKey(json: JsonObject, key: string, options: CombinedFields): boolean {
  const value = json[key];
  const text = typeof value === "string" ? value : undefined;
  switch (key) {
    case "query":
      if (text === undefined) return false;
      options.query = text;
      return true;
    case "fields":
      if (typeof value !== "string" && !isArray(value)) return false;
      readFields(json, options.fields);
      return true;
    case "operator":
      if (text === undefined) return false;
      options.operator = readOperator(text);
      return true;
    case "minimum_should_match":
      if (value !== null && (textOf(value) === undefined || typeof value === "boolean")) return false;
      options.minimumShouldMatch = textOf(value);
      return true;
    case "auto_generate_synonyms_phrase_query":
      if (text === undefined && typeof value !== "boolean") return false;
      options.synonymPhrases = readBoolean(value);
      return true;
    case "zero_terms_query": {
      if (text === undefined) return false;
      const zero = text.toLowerCase();
      if (zero !== "none" && zero !== "all") throw illegalArgument(`Unsupported [${key}] value [${text}]`);
      options.zeroTermsQuery = zero;
      return true;
    }
    default:
      if (!takesCommon(key, value)) return false;
      readDeclared(NAME, json, key, options);
      return true;
  }
}

export const parseCombinedFields: QueryParser = (json) => {
  const options: CombinedFields = { fields: [], operator: "or", zeroTermsQuery: "none", synonymPhrases: true };
  for (const key of Object.keys(json)) {
    if (!KEYS.includes(key)) {
      throw unknownKey(NAME, json, key, KEYS);
    }
    if (!inField(NAME, json, key, () => readKey(json, key, options))) throw wrongKind(NAME, json, key);
  }
  const { query } = options;
  if (query === undefined) throw located(illegalArgument("Required [query]"), json, "end");
  return makeBuilder(NAME, options, (context) => build(query, options, context));
};

function build(query: string, options: CombinedFields, context: QueryContext): Query {
  if (options.fields.length === 0) throw illegalArgument(`In [${NAME}] query, at least one field must be provided`);
  const resolved = resolveFields(options.fields, context);
  const fields: { field: MappedField; boost: number }[] = [];
  for (const { name, boost } of resolved) {
    const field = context.mapping.field(name);
    if (field) fields.push({ field, boost });
  }
  if (fields.length === 0) return matchNoneQuery("unmapped fields []");
  if (fields.some(({ field }) => field.similarity !== undefined)) {
    throw illegalArgument(`[${NAME}] queries cannot be used with per-field similarities`);
  }
  if (context.defaultSimilarity !== "BM25")
    throw illegalArgument(`[${NAME}] queries can only be used with the [BM25] similarity`);
  for (const { field } of fields) {
    if (field.family !== "text") {
      throw illegalArgument(`Field [${field.name}] of type [${field.type}] does not support [${NAME}] queries`);
    }
    if (analyzerName(field) !== analyzerName(fields[0].field)) {
      throw illegalArgument(`All fields in [${NAME}] query must have the same search analyzer`);
    }
  }
  // Of several names of one field the last weight counts.
  const weights = new Map(fields.map(({ field, boost }) => [field.info.name, boost]));
  const weighted = [...weights]
    .map(([field, weight]) => ({ field, weight }))
    .sort((a, b) => compareUtf8(a.field, b.field));
  const text = analyzeText(fields[0].field.searchAnalyzer ?? context.analysis.defaultSearch, query);
  const terms = (list: readonly string[]) => combinedFieldQuery(weighted, [...new Set(list)].sort(compareUtf8));
  const phrase: Parameters<typeof textQuery>[1]["phrase"] = (places) =>
    booleanQuery(
      fields.map(({ field, boost }) => ({
        occur: "should",
        query: boosted(phraseQuery(field.info.name, places), boost),
      })),
    );
  const { operator, zeroTermsQuery } = options;
  const synonymPhrases = options.synonymPhrases && fields.every(({ field }) => field.info.index === "positions");
  const built = textQuery(
    text,
    { terms, begins: (term) => terms([term]), phrase },
    { operator, zeroTermsQuery, synonymPhrases },
  );
  return applyMinimumShouldMatch(built, options.minimumShouldMatch);
}
