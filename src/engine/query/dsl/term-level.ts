/** Queries for exact values: term, terms, range, exists and ids. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { existsBy } from "../../mapping/index.ts";
import type { MappedField } from "../../mapping/types.ts";
import { arrayIterator } from "../../segment/index.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { caseInsensitiveTermQuery } from "../lucene/case-insensitive.ts";
import { constantScoreQuery, matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { idsQuery, iteratorQuery, numberRangeQuery, numbersQuery, termRangeQuery } from "../lucene/range.ts";
import { termQuery, termsQuery } from "../lucene/term.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext, queryShardError } from "./builder.ts";
import { readCommon } from "./compound.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, isArray, isObject, readBoolean, textOf, tokenName } from "./read.ts";

/** What a field without index and doc values answers a query. */
function notSearchable(field: MappedField): EngineError {
  return illegalArgument(
    field.hasDocValues || field.indexed
      ? `Cannot search on field [${field.name}] since it is not indexed.`
      : `Cannot search on field [${field.name}] since it is not indexed nor has doc values.`,
  );
}

/** Documents whose field has a value: MappedFieldType.termQuery. */
export function fieldTermQuery(field: MappedField, value: JsonValue, context: QueryContext): Query {
  if (field.family === "vector" || field.family === "opaque") {
    throw illegalArgument(`Field [${field.name}] of type [${field.type}] doesn't support term queries`);
  }
  if (field.name === "_id") return idsQuery([textOf(value) ?? ""], context.nestedPath !== undefined);
  if (field.name === "_index") return indexNameQuery(textOf(value) ?? "", context);
  const searchable =
    field.indexed || (field.hasDocValues && (field.info.docValues === "long" || field.info.docValues === "double"));
  if (!searchable) {
    if (field.hasDocValues) throw unsupported(`term query on [${field.name}], which has doc values only`);
    throw notSearchable(field);
  }
  const indexed = field.termValue(value, { now: context.now });
  const name = field.info.name;
  if (indexed === undefined) return matchNoneQuery(`Value [${textOf(value)}] is not of type [${field.type}]`);
  if (typeof indexed === "string") {
    // A boolean without an index is found by its doc values, 0 and 1.
    if (field.family === "boolean" && !field.indexed) return numbersQuery(name, [indexed === "T" ? 1 : 0], false);
    return termQuery(name, indexed);
  }
  if (typeof indexed === "object") return numberRangeQuery(name, indexed.low, indexed.high, field.indexed);
  return numberRangeQuery(name, indexed, indexed, field.indexed);
}

function matchesIndexName(name: string, { indexName }: QueryContext): boolean {
  const pattern = new RegExp(`^${name.replace(/[.+^${}()|[\]\\?]/g, "\\$&").replaceAll("*", ".*")}$`);
  return pattern.test(indexName);
}

function indexNameQuery(name: string, context: QueryContext): Query {
  return matchesIndexName(name, context) ? constantScoreQuery(matchAllQuery()) : matchNoneQuery("another index");
}

/** Queries on a field that the mapping does not have match nothing, and say so before anything is built. */
const unmapped =
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
    if (fieldName !== undefined) {
      throw errorAt(json, { key }, `[term] query doesn't support multiple fields, found [${fieldName}] and [${key}]`);
    }
    fieldName = key;
    if (!isObject(inner)) {
      value = inner;
      continue;
    }
    for (const [option, setting] of Object.entries(inner)) {
      if (option === "value" || option === "term") {
        if (isArray(setting) || isObject(setting)) throw termStructure(inner, option);
        value = setting;
      } else if (option === "case_insensitive") caseInsensitive = readBoolean(setting);
      else if (!readCommon("term", inner, option, options)) {
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
      if (field.family !== "text" && field.family !== "keyword") {
        throw queryShardError(
          context,
          `[${name}] field which is of type [${field.type}], does not support case insensitive term queries`,
        );
      }
      const term = field.termValue(wanted, { now: context.now });
      return typeof term === "string" ? caseInsensitiveTermQuery(field.info.name, term) : matchNoneQuery("no term");
    },
    (context) => unmapped(name)(context) || (name === "_index" && !matchesIndexName(textOf(wanted) ?? "", context)),
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
    } else if (!readCommon("terms", json, key, options)) {
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
  if (field.name === "_id")
    return idsQuery(
      values.map((value) => textOf(value) ?? ""),
      context.nestedPath !== undefined,
    );
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

/** Names of Elasticsearch 1 that version 8 refuses. */
const DEPRECATED_BOUNDS = ["from", "to", "include_lower", "include_upper"];

interface RangeOptions {
  boost?: number;
  queryName?: string;
  format?: string;
  timeZone?: string;
}

export const parseRange: QueryParser = (json) => {
  const options: RangeOptions = {};
  let from: JsonValue = null;
  let to: JsonValue = null;
  let includeLower = true;
  let includeUpper = true;
  let fieldName: string | undefined;
  for (const [key, inner] of Object.entries(json)) {
    if (inner === null) continue;
    if (!isObject(inner)) {
      // Outside the field there may be a name, but no boost.
      if (key !== "_name" || !readCommon("range", json, key, options))
        throw errorAt(json, { value: key }, `[range] query does not support [${key}]`);
      continue;
    }
    if (fieldName !== undefined) {
      throw errorAt(json, { key }, `[range] query doesn't support multiple fields, found [${fieldName}] and [${key}]`);
    }
    fieldName = key;
    for (const [option, value] of Object.entries(inner)) {
      if (DEPRECATED_BOUNDS.includes(option)) {
        throw new EngineError(
          "unsupported_operation_exception",
          `deprecated fields not supported here but got [${option}] which has been deprecated entirely`,
          { status: 500 },
        );
      }
      if (option === "gt" || option === "gte") {
        from = value;
        includeLower = option === "gte";
      } else if (option === "lt" || option === "lte") {
        to = value;
        includeUpper = option === "lte";
      } else if (option === "time_zone") options.timeZone = textOf(value) ?? "";
      else if (option === "format") options.format = textOf(value) ?? "";
      else if (option === "relation") checkRelation(value);
      else if (!readCommon("range", inner, option, options))
        throw errorAt(inner, { value: option }, `[range] query does not support [${option}]`);
      else continue;
      if (isObject(value) || isArray(value))
        throw errorAt(inner, { value: option }, `[range] unknown token [${tokenName(value)}] after [${option}]`);
    }
  }
  if (!fieldName) throw illegalArgument("field name is null or empty");
  const name = fieldName;
  return makeBuilder(
    "range",
    options,
    (context) => {
      const field = context.mapping.field(name);
      if (!field) return matchNoneQuery(`unmapped field [${name}]`);
      return fieldRangeQuery(field, { from, to, includeLower, includeUpper }, options, context);
    },
    unmapped(name),
  );
};

function checkRelation(value: JsonValue): void {
  const relation = String(textOf(value)).toLowerCase();
  if (relation === "disjoint") throw illegalArgument(`[range] query does not support relation [${textOf(value)}]`);
  if (!["within", "contains", "intersects"].includes(relation)) {
    throw illegalArgument(`${textOf(value)} is not a valid relation`);
  }
}

interface Bounds {
  from: JsonValue;
  to: JsonValue;
  includeLower: boolean;
  includeUpper: boolean;
}

function fieldRangeQuery(field: MappedField, bounds: Bounds, options: RangeOptions, context: QueryContext): Query {
  const { family } = field;
  if (family === "vector" || family === "opaque" || family === "metadata") {
    throw illegalArgument(`Field [${field.name}] of type [${field.type}] does not support range queries`);
  }
  if (!field.indexed && !(field.hasDocValues && family !== "keyword")) throw notSearchable(field);
  const { from, to, includeLower, includeUpper } = bounds;
  if (from === null && to === null) return existsQuery(field);
  const shared = {
    now: context.now,
    ...(options.format === undefined ? {} : { format: options.format }),
    ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
  };
  const low = from === null ? undefined : field.rangeBound(from, { ...shared, roundUp: !includeLower });
  const high = to === null ? undefined : field.rangeBound(to, { ...shared, roundUp: includeUpper });
  const name = field.info.name;
  if (typeof low === "string" || typeof high === "string") {
    if (!field.indexed) throw unsupported(`range query on [${field.name}], which has doc values only`);
    return termRangeQuery(
      name,
      low === undefined ? undefined : { term: String(low), inclusive: includeLower },
      high === undefined ? undefined : { term: String(high), inclusive: includeUpper },
    );
  }
  return numberRangeQuery(
    name,
    low === undefined ? Number.NEGATIVE_INFINITY : includeLower ? low : field.nextUp(low),
    high === undefined ? Number.POSITIVE_INFINITY : includeUpper ? high : field.nextDown(high),
    field.indexed,
  );
}

/** Documents in which a field has a value: by doc values, lengths, vectors, or the names recorded for it. */
export function existsQuery(field: MappedField): Query {
  const name = field.info.name;
  const text = `FieldExistsQuery [field=${name}]`;
  switch (existsBy(field)) {
    case "docValues":
      return iteratorQuery(text, ({ segment }) => (segment.numeric(name) ?? segment.ordinals(name))?.iterator());
    case "vectors":
      return iteratorQuery(text, ({ segment }) => {
        const vectors = segment.vectors(name);
        return vectors && arrayIterator(Int32Array.from({ length: vectors.size }, (_, ord) => vectors.doc(ord)));
      });
    case "norms":
      return iteratorQuery(text, ({ segment }) => {
        const norms = segment.norms(name);
        return norms && docsWithNorms(norms);
      });
    case "_field_names":
      return constantScoreQuery(termQuery("_field_names", name));
  }
}

export const parseExists: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  let fieldName: string | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (textOf(value) === undefined)
      throw errorAt(json, { value: key }, `[exists] unknown token [${tokenName(value)}] after [${key}]`);
    if (key === "field") fieldName = textOf(value);
    else if (!readCommon("exists", json, key, options))
      throw errorAt(json, { value: key }, `[exists] query does not support [${key}]`);
  }
  if (fieldName === undefined) throw errorAt(json, "end", "[exists] must be provided with a [field]");
  if (fieldName === "") throw illegalArgument("field name is null or empty");
  const name = fieldName;
  const fieldsOf = ({ mapping }: QueryContext) => {
    const fields = mapping.object(name)
      ? mapping.fields().filter((field) => field.name.startsWith(`${name}.`))
      : mapping.matchingFields(name);
    const metadata = mapping.field(name);
    return fields.length > 0 ? fields : metadata ? [metadata] : [];
  };
  const build = (context: QueryContext) => {
    const all = fieldsOf(context);
    if (all.length === 0) return matchNoneQuery(`No field "${name}" exists in mappings.`);
    const queries = all.map(existsQuery);
    if (queries.length === 1) return constantScoreQuery(queries[0]);
    return constantScoreQuery(booleanQuery(queries.map((query) => ({ occur: "should", query }))));
  };
  return makeBuilder("exists", options, build, (context) => fieldsOf(context).length === 0);
};

export const parseIds: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  const ids: string[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === "values") {
      for (const id of isArray(value) ? value : [value]) {
        const text = textOf(id);
        if (text === undefined || typeof id === "boolean")
          throw errorAt(json, { value: key }, `[ids] failed to parse field [values]`);
        ids.push(text);
      }
    } else if (!readCommon("ids", json, key, options)) throw errorAt(json, { key }, `[ids] unknown field [${key}]`);
  }
  return makeBuilder(
    "ids",
    options,
    ({ nestedPath }) => idsQuery(ids, nestedPath !== undefined),
    () => ids.length === 0,
  );
};

/** Documents whose length is recorded. */
function docsWithNorms(norms: Uint8Array) {
  const docs: number[] = [];
  for (let doc = 0; doc < norms.length; doc++) if (norms[doc] !== 0) docs.push(doc);
  return arrayIterator(Int32Array.from(docs));
}
