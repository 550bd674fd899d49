/** Queries for exact values: term and terms. */
import { type EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { caseInsensitiveTermQuery } from "../lucene/case-insensitive.ts";
import { constantScoreQuery, matchNoneQuery } from "../lucene/constant.ts";
import { ordinalTermsQuery } from "../lucene/ordinals.ts";
import { numberRangeQuery, numbersQuery } from "../lucene/range.ts";
import { termQuery, termsQuery } from "../lucene/term.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext, queryShardError } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { documentsById, matchesIndexName, metadataIgnoringCase, metadataTermQuery } from "./metadata-fields.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, isArray, isObject, onlyField, readBoolean, textOf } from "./read.ts";

/** What a field without index and doc values answers a query. */
export function notSearchable(field: MappedField): EngineError {
  return illegalArgument(
    field.hasDocValues || field.indexed || field.family === "text"
      ? `Cannot search on field [${field.name}] since it is not indexed.`
      : `Cannot search on field [${field.name}] since it is not indexed nor has doc values.`,
  );
}

/** Documents whose field has a value: MappedFieldType.termQuery. */
export function fieldTermQuery(field: MappedField, value: JsonValue, context: QueryContext): Query {
  if (field.family === "vector" || field.family === "opaque") {
    throw illegalArgument(`Field [${field.name}] of type [${field.type}] doesn't support term queries`);
  }
  const metadata = field.family === "metadata" ? metadataTermQuery(field, value, context) : undefined;
  if (metadata) return metadata;
  if (!field.indexed && !field.hasDocValues) throw notSearchable(field);
  const indexed = field.termValue(value, { now: context.now });
  const name = field.info.name;
  if (indexed === undefined) return matchNoneQuery(`Value [${textOf(value)}] is not of type [${field.type}]`);
  if (typeof indexed === "string") {
    // A boolean without an index is found by its doc values, 0 and 1.
    if (field.family === "boolean" && !field.indexed) return numbersQuery(name, [indexed === "T" ? 1 : 0], false);
    return field.indexed ? termQuery(name, indexed) : ordinalTermsQuery(name, [indexed]);
  }
  if (typeof indexed === "object") return numberRangeQuery(name, indexed.low, indexed.high, field.indexed);
  return numberRangeQuery(name, indexed, indexed, field.indexed);
}

/** Queries on a field that the mapping does not have match nothing, and say so before anything is built. */
export const unmapped =
  (name: string) =>
  ({ mapping }: QueryContext) =>
    mapping.field(name) === undefined;

function termStructure(json: JsonObject, option: string): EngineError {
  const reason = isArray(json[option])
    ? "[term] query does not support arrays for value - use a bool query with multiple term clauses in the should section or use a Terms " +
      "query if scoring is not required"
    : "[term] query does not support an object as its value";
  return errorAt(json, { value: option }, reason);
}

export const parseTerm: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  let fieldName: string | undefined;
  let value: JsonValue | undefined;
  let caseInsensitive = false;
  for (const [key, inner] of Object.entries(json)) {
    if (isArray(inner)) throw errorAt(json, { value: key }, "[term] query does not support array of values");
    if (inner === null) continue;
    fieldName = onlyField("term", json, key, fieldName);
    if (!isObject(inner)) {
      value = inner;
      continue;
    }
    for (const [option, setting] of Object.entries(inner)) {
      if (option === "value" || option === "term") {
        // Elasticsearch takes the closing bracket for the term.
        if (isArray(setting) && option === "term") throw unsupported("a list as term.term");
        if (isArray(setting) || isObject(setting)) throw termStructure(inner, option);
        value = setting;
      } else if (option === "case_insensitive") caseInsensitive = readBoolean(setting);
      else if (!readCommon(inner, option, options)) {
        throw errorAt(inner, { value: option }, `[term] query does not support [${option}]`);
      }
    }
  }
  if (fieldName === undefined || fieldName === "") throw illegalArgument("field name is null or empty");
  if (value === undefined || value === null) throw illegalArgument("value cannot be null");
  const wanted = value;
  const name = fieldName;
  return makeBuilder(
    "term",
    options,
    (context) => {
      const field = context.mapping.field(name);
      if (!field) return matchNoneQuery(`unmapped field [${name}]`);
      if (!caseInsensitive) return fieldTermQuery(field, wanted, context);
      const metadata = metadataIgnoringCase(field, wanted, context);
      if (metadata) return metadata;
      if (field.family !== "text" && field.family !== "keyword" && field.family !== "boolean") {
        throw queryShardError(
          context,
          `[${name}] field which is of type [${field.type}], does not support case insensitive term queries`,
        );
      }
      if (!field.indexed) throw unsupported(`case_insensitive on [${name}], which is not indexed`);
      const term = field.termValue(wanted, { now: context.now });
      if (term === "") return termQuery(field.info.name, term);
      return typeof term === "string" ? caseInsensitiveTermQuery(field.info.name, term) : matchNoneQuery("no term");
    },
    (context) =>
      unmapped(name)(context) ||
      (name === "_index" && !caseInsensitive && !matchesIndexName(textOf(wanted) ?? "", context)),
  );
};

/** Elasticsearch takes each token up to the list's end for a term, the braces and keys of an object too. */
function termsOf(value: JsonValue, list: readonly JsonValue[], at: number, field: string): JsonValue[] {
  if (value === null) throw errorAt(list, { value: at }, "No value specified for terms query");
  if (isArray(value)) throw errorAt(list, { value: at }, `[terms] unknown token [END_ARRAY] after [${field}]`);
  if (!isObject(value)) return [value];
  const inner = Object.entries(value).flatMap(([key, part]) => [key, ...termsOf(part, list, at, field)]);
  return ["{", ...inner, "}"];
}

export const parseTerms: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  let fieldName: string | undefined;
  let values: readonly JsonValue[] = [];
  for (const [key, inner] of Object.entries(json)) {
    if (isArray(inner) || isObject(inner)) {
      if (fieldName !== undefined)
        throw errorAt(json, { value: key }, "[terms] query does not support multiple fields");
      if (isObject(inner)) throw unsupported("terms lookup");
      fieldName = key;
      values = inner.flatMap((value, i) => termsOf(value, inner, i, key));
    } else if (inner === null) {
      throw errorAt(json, { value: key }, `[terms] unknown token [VALUE_NULL] after [${key}]`);
    } else if (!readCommon(json, key, options)) {
      throw errorAt(json, { value: key }, `[terms] query does not support [${key}]`);
    }
  }
  if (fieldName === undefined) {
    throw errorAt(
      json,
      "end",
      "[terms] query requires a field name, followed by array of terms or a document lookup specification",
    );
  }
  const name = fieldName;
  return makeBuilder(
    "terms",
    options,
    (context) => {
      if (values.length === 0) return matchNoneQuery("The [terms] query was rewritten to a match_none query.");
      if (values.length > context.maxTermsCount) {
        throw illegalArgument(
          `The number of terms [${values.length}] used in the Terms Query request has exceeded the allowed maximum of [${context.maxTermsCount}]. ` +
            "This maximum can be set by changing the [index.max_terms_count] index level setting.",
        );
      }
      const field = context.mapping.field(name);
      return field ? fieldTermsQuery(field, values, context) : matchNoneQuery(`unmapped field [${name}]`);
    },
    (context) => values.length === 0 || unmapped(name)(context),
  );
};

function fieldTermsQuery(field: MappedField, values: readonly JsonValue[], context: QueryContext): Query {
  if (field.name === "_id") {
    return documentsById(
      values.map((value) => textOf(value) ?? ""),
      context,
    );
  }
  if (field.family === "date" || field.family === "metadata" || !field.indexed) {
    const should = values.map((value) => ({ occur: "should" as const, query: fieldTermQuery(field, value, context) }));
    return constantScoreQuery(booleanQuery(should, 1));
  }
  const terms: string[] = [];
  const numbers: (number | bigint)[] = [];
  for (const value of values) {
    const indexed = field.termValue(value, { now: context.now });
    if (typeof indexed === "string") terms.push(indexed);
    else if (typeof indexed === "number" || typeof indexed === "bigint") numbers.push(indexed);
  }
  if (terms.length > 0) return termsQuery(field.info.name, terms);
  return numbersQuery(field.info.name, numbers, field.indexed);
}
