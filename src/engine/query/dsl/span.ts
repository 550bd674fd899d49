/** Span queries: what is known of a text by the positions of its terms. */
import { type EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import {
  fieldMaskingSpanQuery,
  spanContainQuery,
  spanFirstQuery,
  spanNearQuery,
  spanNotQuery,
  spanOrQuery,
  spanTermQuery,
} from "../lucene/span-queries.ts";
import { isSpan, type SpanQuery } from "../lucene/spans.ts";
import { isTerm } from "../lucene/term.ts";
import { makeBuilder, type QueryBuilder, type QueryContext } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { parseInnerQueries, parseInnerQuery, type QueryParser } from "./parse.ts";
import {
  errorAt,
  isArray,
  isObject,
  onlyField,
  readBoolean,
  readInt,
  secondField,
  textOf,
  throughBrace,
} from "./read.ts";
import { fieldTermQuery } from "./term-level.ts";

type Common = { boost?: number; queryName?: string };

/** The span query of a builder that is known to be one. */
function spanOf(builder: QueryBuilder, context: QueryContext): SpanQuery {
  const query = builder.toQuery(context);
  if (!isSpan(query)) throw unsupported(`[${builder.name}] within a span query`);
  return query;
}

/** A query within another that must be a span query without a boost. */
function innerSpan(
  name: string,
  what: string,
  parent: JsonObject | readonly JsonValue[],
  key: string | number,
  depth: number,
): QueryBuilder {
  const builder = parseInnerQuery(parent, key, depth + 1);
  const json = (parent as { [key: string | number]: JsonValue })[key];
  if (!builder.name.startsWith("span_")) {
    const part = name === "span_field_masking" ? `[${name}] ${what}` : `${name} [${what}]`;
    throw errorAt(json, "end", `${part} must be of type span query`);
  }
  if (builder.boost !== undefined && builder.boost !== 1) {
    const boost = javaFloat(builder.boost);
    const reason = `${name} [${what}] as a nested span clause can't have non-default boost value [${boost}]`;
    throw errorAt(json, "end", reason);
  }
  return builder;
}

export const unknown = (name: string, json: JsonObject, key: string): EngineError =>
  errorAt(json, { value: key }, `[${name}] query does not support [${key}]`);

export const parseSpanTerm: QueryParser = (json) => {
  const options: Common = {};
  let fieldName: string | undefined;
  let value: JsonValue | undefined;
  for (const [key, inner] of Object.entries(json)) {
    fieldName = onlyField("span_term", json, key, fieldName);
    if (isArray(inner)) {
      throw errorAt(
        inner,
        inner.length > 0 ? { value: 0 } : "end",
        `[span_term] query doesn't support multiple fields, found [${key}] and [null]`,
      );
    }
    if (!isObject(inner)) {
      value = inner;
      continue;
    }
    const read = (part: JsonObject, within: boolean) => {
      for (const [option, setting] of Object.entries(part)) {
        if (option === "value" || option === "term") {
          // Elasticsearch takes a bracket for the term: the closing one of a list, the opening one of an object.
          if (isArray(setting) || (within && isObject(setting)))
            throw unsupported(`a structure as span_term.${option}`);
          if (isObject(setting)) {
            const next = (behind: string) =>
              isArray(part[behind]) || part[behind] === null
                ? unsupported(`a structure as span_term.${option}`)
                : secondField("span_term", part, behind, key);
            throw throughBrace("span_term", [json, key, part, option], (inside) => read(inside, true), next);
          }
          value = setting;
        } else if (!readCommon(part, option, options)) throw unknown("span_term", part, option);
      }
    };
    read(inner, false);
  }
  if (!fieldName) throw illegalArgument("field name is null or empty");
  if (value === undefined || value === null) throw illegalArgument("value cannot be null");
  const [name, wanted] = [fieldName, value];
  return makeBuilder("span_term", options, (context) => {
    const field = context.mapping.field(name);
    if (!field) return spanTermQuery(name, textOf(wanted) ?? "", `SpanMatchNoDocsQuery("unmapped field: ${name}")`);
    const query = fieldTermQuery(field, wanted, context);
    if (field.info.index !== "positions") {
      throw illegalArgument(
        `Span term query requires position data, but field ${name} was indexed without position data`,
      );
    }
    if (!isTerm(query)) throw illegalArgument(`Cannot extract a term from a query of type ${query.describe()}`);
    return spanTermQuery(query.field, query.term);
  });
};

/** The error of what stands behind a list within the list of clauses. */
const behindList = (name: string, key: string) => ({
  behind: (list: readonly JsonValue[]) => errorAt(list, "end", `[${name}] query does not support [${key}]`),
});

interface Gap {
  readonly field: string;
  readonly gap: number;
}

/** `span_gap`: that many positions of any terms, within span_near only. */
function readGap(json: JsonValue): Gap | undefined {
  const body = isObject(json) ? json["span_gap"] : undefined;
  if (!isObject(body)) return undefined;
  const [field] = Object.keys(body);
  if (field === undefined) throw illegalArgument("[span_gap] field name is null or empty");
  return { field, gap: readInt(body[field], body, field) };
}

export const parseSpanNear: QueryParser = (json, depth) => {
  const options: Common = {};
  const clauses: (QueryBuilder | Gap)[] = [];
  let slop = 0;
  let inOrder = true;
  for (const [key, value] of Object.entries(json)) {
    if (key === "clauses" && isArray(value)) {
      const clause = (list: readonly JsonValue[], at: number) =>
        readGap(list[at]) ?? innerSpan("span_near", key, list, at, depth);
      clauses.push(...parseInnerQueries(value, clause, behindList("span_near", key)));
    } else if (isArray(value) || isObject(value)) throw unknown("span_near", json, key);
    else if (key === "in_order") inOrder = readBoolean(value);
    else if (key === "slop") slop = readInt(value, json, key);
    else if (!readCommon(json, key, options)) throw unknown("span_near", json, key);
  }
  if (clauses.length === 0) throw errorAt(json, "end", "span_near must include [clauses]");
  return makeBuilder("span_near", options, (context) => {
    if (clauses.some((clause) => "gap" in clause) && !inOrder && clauses.length > 1) {
      throw illegalArgument("Gaps can only be added to ordered near queries");
    }
    const parts = clauses.map((clause) => ("gap" in clause ? { gap: clause.gap } : spanOf(clause, context)));
    const queries = parts.filter((part) => isSpanPart(part));
    if (parts.length === 1 && queries.length === 1) return queries[0];
    if (queries.length === 0 || !isSpanPart(parts[0])) throw unsupported("span_near that begins with span_gap");
    const { field } = queries[0].span;
    const other = queries.find(({ span }) => span.field !== field);
    if (other) {
      throw illegalArgument(`Cannot add clause ${other.describe()} to SpanNearQuery for field ${field}`);
    }
    return spanNearQuery(parts, { slop, inOrder });
  });
};

const isSpanPart = (part: SpanQuery | { readonly gap: number }): part is SpanQuery => !("gap" in part);

export const parseSpanOr: QueryParser = (json, depth) => {
  const options: Common = {};
  const clauses: QueryBuilder[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === "clauses" && isArray(value)) {
      const clause = (list: readonly JsonValue[], at: number) => innerSpan("span_or", key, list, at, depth);
      clauses.push(...parseInnerQueries(value, clause, behindList("span_or", key)));
    } else if (isArray(value) || isObject(value) || !readCommon(json, key, options))
      throw unknown("span_or", json, key);
  }
  if (clauses.length === 0) throw errorAt(json, "end", "span_or must include [clauses]");
  return makeBuilder("span_or", options, (context) => spanOrQuery(clauses.map((clause) => spanOf(clause, context))));
};

export const parseSpanNot: QueryParser = (json, depth) => {
  const options: Common = {};
  const parts: { include?: QueryBuilder; exclude?: QueryBuilder } = {};
  const distance: { dist?: number; pre?: number; post?: number } = {};
  for (const [key, value] of Object.entries(json)) {
    if (isObject(value) && (key === "include" || key === "exclude"))
      parts[key] = innerSpan("span_not", key, json, key, depth);
    else if (isObject(value)) throw unknown("span_not", json, key);
    else if (key === "dist" || key === "pre" || key === "post") distance[key] = readInt(value, json, key);
    else if (!readCommon(json, key, options)) throw unknown("span_not", json, key);
  }
  const { include, exclude } = parts;
  if (!include) throw errorAt(json, "end", "span_not must have [include] span query clause");
  if (!exclude) throw errorAt(json, "end", "span_not must have [exclude] span query clause");
  const { dist, pre, post } = distance;
  if (dist !== undefined && (pre !== undefined || post !== undefined)) {
    throw errorAt(json, "end", "span_not can either use [dist] or [pre] & [post] (or none)");
  }
  // Below zero is none.
  const positions = (given: number | undefined) => Math.max(0, given ?? dist ?? 0);
  return makeBuilder("span_not", options, (context) =>
    spanNotQuery(spanOf(include, context), spanOf(exclude, context), positions(pre), positions(post)),
  );
};

export const parseSpanFirst: QueryParser = (json, depth) => {
  const options: Common = {};
  let match: QueryBuilder | undefined;
  let end: number | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (isObject(value) && key === "match") match = innerSpan("span_first", key, json, key, depth);
    else if (isObject(value) || isArray(value)) throw unknown("span_first", json, key);
    else if (key === "end") end = readInt(value, json, key);
    else if (!readCommon(json, key, options)) throw unknown("span_first", json, key);
  }
  if (!match) throw errorAt(json, "end", "span_first must have [match] span query clause");
  if (end === undefined) throw errorAt(json, "end", "span_first must have [end] set for it");
  if (end < 0) throw illegalArgument("parameter [end] needs to be positive.");
  const [inner, last] = [match, end];
  return makeBuilder("span_first", options, (context) => spanFirstQuery(spanOf(inner, context), last));
};

const containParser =
  (name: "span_containing" | "span_within"): QueryParser =>
  (json, depth) => {
    const options: Common = {};
    const parts: { big?: QueryBuilder; little?: QueryBuilder } = {};
    for (const [key, value] of Object.entries(json)) {
      if (isObject(value) && (key === "big" || key === "little")) parts[key] = innerSpan(name, key, json, key, depth);
      else if (isObject(value) || isArray(value) || !readCommon(json, key, options)) throw unknown(name, json, key);
    }
    const missing = (key: string) =>
      name === "span_within"
        ? errorAt(json, "end", `span_within must include [${key}]`)
        : illegalArgument(`inner clause [${key}] cannot be null.`);
    const { big, little } = parts;
    if (!big) throw missing("big");
    if (!little) throw missing("little");
    const keep = name === "span_containing" ? "big" : "little";
    return makeBuilder(name, options, (context) =>
      spanContainQuery(spanOf(big, context), spanOf(little, context), keep),
    );
  };

export const parseSpanContaining = containParser("span_containing");
export const parseSpanWithin = containParser("span_within");

export const parseSpanFieldMasking: QueryParser = (json, depth) => {
  const options: Common = {};
  let inner: QueryBuilder | undefined;
  let field: string | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (isObject(value) && key === "query") inner = innerSpan("span_field_masking", key, json, key, depth);
    else if (isObject(value) || isArray(value)) throw unknown("span_field_masking", json, key);
    else if (key === "field") field = textOf(value);
    else if (!readCommon(json, key, options)) throw unknown("span_field_masking", json, key);
  }
  if (!inner) throw errorAt(json, "end", "span_field_masking must have [query] span query clause");
  if (field === undefined) throw errorAt(json, "end", "span_field_masking must have [field] set for it");
  const [query, name] = [inner, field];
  return makeBuilder("span_field_masking", options, (context) =>
    fieldMaskingSpanQuery(spanOf(query, context), context.mapping.field(name)?.info.name ?? name),
  );
};
