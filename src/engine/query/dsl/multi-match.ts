/** multi_match: one text over several fields, the best field's score or all of them. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { parseJavaDouble } from "../../mapping/java-numbers.ts";
import { hashOrder } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { disMaxQuery } from "../lucene/dis-max.ts";
import type { Query } from "../types.ts";
import { boosted, makeBuilder, type QueryContext } from "./builder.ts";
import { checkClauseCount, checkTieBreaker } from "./compound.ts";
import { crossFieldQueries } from "./cross-fields.ts";
import { defaultMatchOptions, fuzzyOptions, type MatchOptions, readMatchOption } from "./match.ts";
import { checkAnalyzer, type FieldMatch, fieldMatchQuery, holdsText, NO_TERMS } from "./match-field.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import type { QueryParser } from "./parse.ts";
import { atOption, errorAt, isArray, readFloat, readInt, textOf, tokenName } from "./read.ts";

/** What the types make of the text in each field, and the share of the other fields' scores. */
const TYPES: Record<string, { readonly match: FieldMatch["type"]; readonly tieBreaker: number }> = {
  best_fields: { match: "boolean", tieBreaker: 0 },
  most_fields: { match: "boolean", tieBreaker: 1 },
  cross_fields: { match: "boolean", tieBreaker: 0 },
  phrase: { match: "phrase", tieBreaker: 0 },
  phrase_prefix: { match: "phrase_prefix", tieBreaker: 0 },
  bool_prefix: { match: "bool_prefix", tieBreaker: 1 },
};

const NOT_FUZZY = ["cross_fields", "phrase", "phrase_prefix"];

export interface FieldBoost {
  pattern: string;
  boost: number;
}

const negativeBoost = (text: string) =>
  illegalArgument(`negative [boost] are not allowed in [${text}], use a value between 0 and 1 to deboost`);

/** `title^3`: a pattern of field names with its weight. */
export function fieldBoost(text: string, negative = negativeBoost): FieldBoost {
  const caret = text.indexOf("^");
  if (caret < 0) return { pattern: text, boost: 1 };
  const number = text.slice(caret + 1);
  const boost = parseJavaDouble(number);
  if (boost < 0) throw negative(text);
  return { pattern: text.slice(0, caret), boost: Math.fround(boost) };
}

function readFields(json: JsonObject): FieldBoost[] {
  const value = json["fields"];
  const items = isArray(value) ? value : [value];
  // A name that comes twice has its last weight.
  const boosts = new Map<string, FieldBoost>();
  for (const item of items) {
    const text = textOf(item);
    if (text === undefined) {
      if (isArray(value)) throw illegalArgument(`Expected text but found ${tokenName(item)}`);
      throw errorAt(json, { value: "fields" }, "[multi_match] query does not support [fields]");
    }
    const field = fieldBoost(text);
    boosts.set(field.pattern, field);
  }
  return [...boosts.values()];
}

export function readType(value: JsonValue): string {
  const type = String(textOf(value));
  if (type === "boolean") {
    const reason = "deprecated fields not supported here but got [boolean] which has been replaced with [best_fields]";
    throw new EngineError("unsupported_operation_exception", reason, { status: 500 });
  }
  if (!Object.hasOwn(TYPES, type)) {
    throw new EngineError(
      "parse_exception",
      `failed to parse [multi_match] query type [${textOf(value)}]. unknown type.`,
    );
  }
  return type;
}

export const parseMultiMatch: QueryParser = (json) => {
  const options: MatchOptions = defaultMatchOptions();
  let lenientSet = false;
  let text: JsonValue | undefined;
  let fields: FieldBoost[] = [];
  let type = "best_fields";
  let slop = 0;
  let tieBreaker: number | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (key === "fields") fields = readFields(json);
    else if (textOf(value) === undefined)
      throw errorAt(json, { value: key }, `[multi_match] unknown token [${tokenName(value)}] after [${key}]`);
    else if (key === "query") text = value;
    else if (key === "type") type = readType(value);
    else if (key === "tie_breaker") tieBreaker = readFloat(value, json, key);
    else if (key === "slop") slop = readInt(value, json, key);
    else if (!atOption(json, key, () => readMatchOption("multi_match", json, key, options))) {
      throw errorAt(json, { value: key }, `[multi_match] query does not support [${key}]`);
    } else if (key === "lenient") lenientSet = true;
  }
  if (text === undefined) throw errorAt(json, "end", "No text specified for multi_match query");
  if (slop !== 0 && type === "bool_prefix") throw errorAt(json, "end", "[slop] not allowed for type [bool_prefix]");
  if (options.fuzziness && NOT_FUZZY.includes(type)) {
    throw errorAt(json, "end", `Fuzziness not allowed for type [${type}]`);
  }
  if (slop < 0) throw illegalArgument("No negative slop allowed.");
  const wanted = text;
  return makeBuilder("multi_match", options, (context) => {
    checkAnalyzer("multi_match", options.analyzer, context);
    const fuzzy = fuzzyOptions(options);
    const patterns = byName(fields.length > 0 ? fields : context.defaultFields.map((text) => fieldBoost(text)));
    const everything = patterns.some(({ pattern }) => pattern === "*");
    const mapped = resolveFields(patterns, context).filter(({ name }) => context.mapping.field(name));
    if (mapped.length === 0) return matchNoneQuery("unmapped fields []");
    const lenient = lenientSet ? options.lenient : everything;
    return multiFieldQuery(mapped, wanted, { ...options, lenient, slop, fuzzy, tieBreaker, type }, context);
  });
};

export interface MultiFieldOptions extends Omit<FieldMatch, "type"> {
  /** `best_fields`, `most_fields`, … */
  readonly type: string;
  /** Undefined: the type's. */
  readonly tieBreaker: number | undefined;
  readonly minimumShouldMatch?: string | undefined;
}

/** Tie breaker of a type. */
export const typicalTieBreaker = (type: string): number => TYPES[type].tieBreaker;

/** A text in several fields that the mapping has, without those that find no term in it; `NO_TERMS` where none does. */
export function textInFields(...[fields, text, options, context]: Parameters<typeof multiFieldQuery>): Query {
  const queries = fieldQueries(fields, text, options, context).filter((query) => query !== NO_TERMS);
  return queries.length === 0 ? NO_TERMS : joined(queries, tieBreakerOf(options));
}

/** A text in several fields that the mapping has (Elasticsearch's MultiMatchQueryParser). */
function multiFieldQuery(
  fields: readonly { readonly name: string; readonly boost: number }[],
  text: JsonValue,
  options: MultiFieldOptions,
  context: QueryContext,
): Query {
  return joined(fieldQueries(fields, text, options, context), tieBreakerOf(options));
}

const tieBreakerOf = ({ type, tieBreaker }: MultiFieldOptions) => tieBreaker ?? typicalTieBreaker(type);

/** One query for each field, or, across fields, for those that are analysed alike. */
function fieldQueries(
  fields: readonly { readonly name: string; readonly boost: number }[],
  text: JsonValue,
  options: MultiFieldOptions,
  context: QueryContext,
): readonly Query[] {
  const { type, minimumShouldMatch } = options;
  const each = { ...options, type: TYPES[type].match };
  if (type === "cross_fields") return crossFieldQueries(fields, text, each, tieBreakerOf(options), context);
  return fields.map(({ name, boost }) =>
    boosted(applyMinimumShouldMatch(fieldMatchQuery(name, text, each, context), minimumShouldMatch), boost),
  );
}

function joined(queries: readonly Query[], tieBreaker: number): Query {
  if (queries.length === 1) return queries[0];
  checkTieBreaker(tieBreaker);
  return disMaxQuery(queries, tieBreaker);
}

/** Elasticsearch keeps the fields of a request sorted; what has one hash afterwards stays in this order. */
export const byName = (patterns: readonly FieldBoost[]): FieldBoost[] =>
  [...patterns].sort((a, b) => (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0));

/** Names behind the patterns; a name that several patterns match has the product of their weights. */
export function resolveFields(
  patterns: readonly FieldBoost[],
  { mapping, existsInIndex }: QueryContext,
): { name: string; boost: number }[] {
  // A pattern leaves out what no document has (MappedFieldType.mayExistInIndex).
  const mayExist = ({ runtime, type, info }: MappedField) =>
    runtime || type === "sparse_vector" || existsInIndex(info.name);
  const boosts = new Map<string, number>();
  for (const { pattern, boost } of patterns) {
    const names = pattern.includes("*")
      ? mapping
          .matchingFields(pattern)
          .filter(holdsText)
          .filter(mayExist)
          .map((field) => field.name)
      : [pattern];
    for (const name of names) boosts.set(name, Math.fround((boosts.get(name) ?? 1) * boost));
  }
  checkClauseCount(boosts.size);
  return hashOrder([...boosts.keys()]).map((name) => ({ name, boost: boosts.get(name)! }));
}
