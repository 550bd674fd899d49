/** Queries for exact values: term and terms. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { utf8Length } from "../../json/utf8.ts";
import { MAX_TERM_BYTES } from "../../mapping/doc-buffer.ts";
import { javaDouble, javaFloat } from "../../mapping/java-text.ts";
import type { IndexedValue, MappedField } from "../../mapping/types.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { constantScoreQuery, matchNoneQuery } from "../lucene/constant.ts";
import { featureQuery } from "../lucene/feature.ts";
import { CONSTANT_SCORE, multiOrdinalQuery, multiTermQuery } from "../lucene/multi-term.ts";
import { ordinalRangeQuery, ordinalTermsQuery } from "../lucene/ordinals.ts";
import { addressRangeQuery, numberRangeQuery, numbersQuery } from "../lucene/range.ts";
import { termQuery, termsQuery } from "../lucene/term.ts";
import { termIgnoringCaseMatcher, termOfValuesMatcher } from "../lucene/term-matchers.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext, queryShardError, type RewritesToNone, reasonOfNone } from "./builder.ts";
import { MAX_CLAUSES, readCommon } from "./compound.ts";
import {
  describeAddressSet,
  describeNetwork,
  describeNumber,
  describeNumbers,
  describeRange,
} from "./describe-range.ts";
import {
  documentsById,
  hasTermsOnly,
  matchesIndexName,
  metadataIgnoringCase,
  metadataTermQuery,
} from "./metadata-fields.ts";
import type { QueryParser } from "./parse.ts";
import { rangesQuery } from "./ranges.ts";
import { errorAt, isArray, isObject, onlyField, readBoolean, secondField, textOf, throughBrace } from "./read.ts";
import { runtimeTermQuery, runtimeTermsQuery } from "./runtime-fields.ts";
import { parseTermsLookup, type TermsLookup } from "./terms-lookup.ts";

/** Whether doc values answer for a field that is not indexed. */
const fallsBack = (field: MappedField) =>
  field.family !== "range" && field.family !== "text" && field.type !== "flattened";

/** @throws what a field says that has neither index nor doc values to answer by */
export function checkSearchable(field: MappedField): void {
  if (field.indexed || (field.hasDocValues && fallsBack(field))) return;
  const nor = fallsBack(field) ? " nor has doc values" : "";
  throw illegalArgument(`Cannot search on field [${field.info.name}] since it is not indexed${nor}.`);
}

/** Documents whose field has a value: MappedFieldType.termQuery. */
export function fieldTermQuery(field: MappedField, value: JsonValue, context: QueryContext): Query {
  if (field.runtime) return runtimeTermQuery(field, value, context);
  if (field.type === "sparse_vector") return featureQuery(field.info.name, String(field.termValue(value, context)));
  if (field.family === "opaque") field.termValue(value, { now: context.now });
  if (field.family === "vector" || (field.family === "opaque" && !field.completion)) {
    throw illegalArgument(`Field [${field.name}] of type [${field.type}] doesn't support term queries`);
  }
  const metadata = field.family === "metadata" ? metadataTermQuery(field, value, context) : undefined;
  if (metadata) return metadata;
  checkSearchable(field);
  const indexed = field.termValue(value, { now: context.now });
  const name = field.info.name;
  if (field.ranges !== undefined) return rangesQuery(field, { low: indexed, high: indexed }, "intersects");
  if (indexed === undefined) return matchNoneQuery(`Value [${textOf(value)}] is not of type [${field.type}]`);
  if (typeof indexed === "string") {
    // A boolean without an index is found by its doc values, 0 and 1.
    if (field.family === "boolean" && !field.indexed) return numbersQuery(name, [indexed === "T" ? 1 : 0], false);
    return field.indexed ? termQuery(name, indexed) : ordinalTermsQuery(name, [indexed]);
  }
  if (typeof indexed === "object") return spanQuery(field, indexed);
  return numberRangeQuery(name, indexed, indexed, field.indexed, describeNumber(field, indexed));
}

/** Documents with a value between two others, both included. */
function spanQuery(field: MappedField, { low, high }: { low: IndexedValue; high: IndexedValue }): Query {
  const { info, indexed } = field;
  if (typeof low !== "string" && typeof high !== "string")
    return numberRangeQuery(info.name, low, high, indexed, describeRange(field, low, high));
  const [from, to] = [String(low), String(high)];
  const network = describeNetwork(field, from, to);
  if (from === to) return indexed ? termsQuery(info.name, [from], network) : ordinalTermsQuery(info.name, [from]);
  const bounds = [
    { term: from, inclusive: true },
    { term: to, inclusive: true },
  ] as const;
  return indexed ? addressRangeQuery(info.name, ...bounds, network) : ordinalRangeQuery(info.name, ...bounds);
}

/** A text that is longer than any term is refused as it is read (AbstractQueryBuilder.maybeConvertToBytesRef). */
export function checkTermLength(value: JsonValue): void {
  if (typeof value !== "string" || value.length * 3 <= MAX_TERM_BYTES || utf8Length(value) <= MAX_TERM_BYTES) return;
  const start = new TextDecoder().decode(new TextEncoder().encode(value.slice(0, 10)).subarray(0, 10));
  throw illegalArgument(`Term is longer than maximum indexable length, term starting with [${start}`);
}

/** Queries on a field that the mapping does not have match nothing, and say so before anything is built. */
export const unmapped =
  (name: string): RewritesToNone =>
  ({ mapping }, anyIndex) =>
    !anyIndex && mapping.field(name) === undefined;

/** What is said of a term query that matches nothing. */
export const whyNone = (name: string): string =>
  name === "_index" ? 'The "term" query was rewritten to a "match_none" query.' : reasonOfNone("term");

/** Of the name of the index it is known whether it is the wanted one, too. */
export const termOfNone =
  (name: string, value: JsonValue): RewritesToNone =>
  (context, anyIndex) =>
    unmapped(name)(context, anyIndex) ||
    (!anyIndex && name === "_index" && !matchesIndexName(textOf(value) ?? "", context));

function listAsValue(json: JsonObject): EngineError {
  const reason =
    "[term] query does not support arrays for value - use a bool query with multiple term clauses in the should section or use a Terms " +
    "query if scoring is not required";
  return errorAt(json, { value: "value" }, reason);
}

const CASE_INSENSITIVE = ["text", "keyword", "boolean", "flattened", "wildcard"];

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
    const read = (part: JsonObject, within: boolean) => {
      for (const [option, setting] of Object.entries(part)) {
        if (option === "value" || option === "term") {
          // Elasticsearch takes a bracket for `term`: the closing one of a list, the opening one of an object.
          if (option === "value" && isArray(setting)) throw listAsValue(part);
          if (isArray(setting) || (within && isObject(setting))) throw unsupported(`a structure as term.${option}`);
          if (isObject(setting)) {
            const next = (behind: string) =>
              isArray(part[behind]) || part[behind] === null
                ? unsupported(`a structure as term.${option}`)
                : secondField("term", part, behind, key);
            throw throughBrace("term", [json, key, part, option], (inside) => read(inside, true), next);
          }
          value = setting;
        } else if (option === "case_insensitive") caseInsensitive = readBoolean(setting);
        else if (!readCommon(part, option, options)) {
          throw errorAt(part, { value: option }, `[term] query does not support [${option}]`);
        }
      }
    };
    read(inner, false);
  }
  if (fieldName === undefined || fieldName === "") throw illegalArgument("field name is null or empty");
  if (value === undefined || value === null) throw illegalArgument("value cannot be null");
  checkTermLength(value);
  const wanted = value;
  const name = fieldName;
  return makeBuilder(
    "term",
    { ...options, noneReason: whyNone(name) },
    (context) => {
      const field = context.mapping.field(name);
      if (!field) return matchNoneQuery(`unmapped field [${name}]`);
      if (!caseInsensitive) return fieldTermQuery(field, wanted, context);
      const metadata = metadataIgnoringCase(field, wanted, context);
      if (metadata) return metadata;
      if (!CASE_INSENSITIVE.includes(field.family) && !field.completion && !hasTermsOnly(name)) {
        throw queryShardError(
          context,
          `[${name}] field which is of type [${field.type}], does not support case insensitive term queries`,
        );
      }
      if (field.runtime) return runtimeTermQuery(field, wanted, context, true);
      // The keys of a flattened field have terms or none.
      const byValues = !field.indexed && field.termPrefix === undefined;
      if (byValues && field.family !== "keyword") {
        throw illegalArgument(`Cannot search on field [${field.info.name}] since it is not indexed.`);
      }
      if (byValues) checkSearchable(field);
      const value = field.termValue(wanted, { now: context.now });
      if (byValues) return multiOrdinalQuery(field.info.name, termOfValuesMatcher(String(value)));
      const term = typeof value === "object" ? value.low : value;
      if (term === "") return termQuery(field.info.name, term);
      return typeof term === "string"
        ? multiTermQuery(field.info.name, termIgnoringCaseMatcher(term), CONSTANT_SCORE, MAX_CLAUSES)
        : matchNoneQuery("no term");
    },
    caseInsensitive ? unmapped(name) : termOfNone(name, wanted),
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
  let given: readonly JsonValue[] = [];
  let lookup: TermsLookup | undefined;
  for (const [key, inner] of Object.entries(json)) {
    if (isArray(inner) || isObject(inner)) {
      if (fieldName !== undefined) throw secondTerms(json, fieldName, key);
      fieldName = key;
      if (isObject(inner)) lookup = parseTermsLookup(inner);
      else given = inner.flatMap((value, i) => termsOf(value, inner, i, key));
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
  const valuesOf = ({ lookedUp }: QueryContext) => {
    const values = lookup ? lookedUp.get(lookup) : given;
    if (values) return values;
    throw new EngineError("unsupported_operation_exception", "query must be rewritten first", { status: 500 });
  };
  const noneReason = given.length > 0 ? 'The "terms" query is against a field that does not exist' : undefined;
  return makeBuilder(
    "terms",
    { ...options, noneReason },
    (context) => {
      const values = valuesOf(context);
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
    (context, anyIndex) => {
      // Where documents are not read for it (`index_filter`), nothing is known of the terms.
      if (lookup && !context.lookedUp.has(lookup)) return false;
      return valuesOf(context).length === 0 || unmapped(name)(context, anyIndex);
    },
    lookup ? [lookup] : [],
  );
};

function secondTerms(json: JsonObject, known: string, key: string): EngineError {
  const reason = isArray(json[key])
    ? "[terms] query does not support multiple fields"
    : `[terms] query does not support more than one field. Already got: [${known}] but also found [${key}]`;
  return errorAt(json, { value: key }, reason);
}

function fieldTermsQuery(field: MappedField, values: readonly JsonValue[], context: QueryContext): Query {
  if (field.runtime) return runtimeTermsQuery(field, values, context);
  if (field.name === "_id") {
    return documentsById(
      values.map((value) => textOf(value) ?? ""),
      context,
    );
  }
  const each = () => {
    const should = values.map((value) => ({ occur: "should" as const, query: fieldTermQuery(field, value, context) }));
    return constantScoreQuery(booleanQuery(should));
  };
  const { family } = field;
  if (!field.indexed && field.hasDocValues && family === "keyword") {
    const terms = values.map((value) => field.termValue(value, { now: context.now }));
    if (terms.every((term) => typeof term === "string"))
      return constantScoreQuery(ordinalTermsQuery(field.info.name, terms));
  }
  if (family === "date" || family === "range" || family === "metadata" || !field.indexed) return each();
  const terms: string[] = [];
  const numbers: (number | bigint)[] = [];
  for (const value of values) {
    const indexed = field.termValue(value, { now: context.now });
    if (indexed === undefined) checkNumber(field, value, context);
    if (typeof indexed === "string") terms.push(indexed);
    else if (typeof indexed === "number" || typeof indexed === "bigint") numbers.push(indexed);
    // A network of addresses stands for many.
    else if (indexed !== undefined && indexed.low !== indexed.high) return each();
    else if (indexed !== undefined) terms.push(String(indexed.low));
  }
  if (terms.length > 0) return termsQuery(field.info.name, terms, describeAddressSet(field, terms));
  return numbersQuery(field.info.name, numbers, field.indexed, describeNumbers(field, numbers));
}

const FRACTIONS = ["double", "float", "half_float"];
const WHOLE = ["long", "integer", "short", "byte"];

/**
 * Where a term query finds nothing, one for several values tells what no number of the type can be (NumberType.termsQuery): what is beyond
 * its range, but not what has a fraction.
 */
function checkNumber(field: MappedField, value: JsonValue, { now }: QueryContext): void {
  const { type } = field;
  const number = Number(textOf(value));
  if (FRACTIONS.includes(type)) {
    const shown = type === "double" ? javaDouble(number) : javaFloat(Math.fround(number));
    throw illegalArgument(`[${type}] supports only finite values, but got [${shown}]`);
  }
  // Java's remainder is no number where the value is none: that counts as a fraction.
  if (!WHOLE.includes(type) || number % 1 !== 0) return;
  try {
    field.rangeBound(value, { now, roundUp: false });
  } catch (error) {
    if (!(error instanceof EngineError) || typeof value !== "string") throw error;
    // A text is shown as the bytes that it was read as, where already its double is beyond the range.
    if (type === "long" && Math.abs(number) <= 2 ** 63) throw error;
    const bytes = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16));
    throw illegalArgument(error.reason.replace(`[${value}]`, () => `[[${bytes.join(" ")}]]`));
  }
}
