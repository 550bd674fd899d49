/** multi_match: one text over several fields, the best field's score or all of them. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { parseJavaDouble } from "../../mapping/java-numbers.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { disMaxQuery } from "../lucene/dis-max.ts";
import type { Query } from "../types.ts";
import { boosted, makeBuilder, type QueryContext } from "./builder.ts";
import { checkClauseCount, checkTieBreaker } from "./compound.ts";
import { checkRewriteMethod, defaultMatchOptions, type MatchOptions, readMatchOption } from "./match.ts";
import { checkAnalyzer, fieldMatchQuery } from "./match-field.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import type { QueryParser } from "./parse.ts";
import { atOption, errorAt, isArray, readFloat, readInt, textOf, tokenName } from "./read.ts";

/** Tie breakers of the types: the other fields' share. */
const TIE_BREAKERS: Record<string, number> = { best_fields: 0, most_fields: 1 };
const UNSUPPORTED_TYPES = ["cross_fields", "phrase", "phrase_prefix", "bool_prefix"];

interface FieldBoost {
  pattern: string;
  boost: number;
}

/** `title^3`: a pattern of field names with its weight. */
function fieldBoost(text: string): FieldBoost {
  const caret = text.indexOf("^");
  if (caret < 0) return { pattern: text, boost: 1 };
  const number = text.slice(caret + 1);
  const boost = parseJavaDouble(number);
  if (boost < 0)
    throw illegalArgument(`negative [boost] are not allowed in [${text}], use a value between 0 and 1 to deboost`);
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

function readType(value: JsonValue): string {
  const type = String(textOf(value)).toLowerCase().replace("boolean", "best_fields");
  if (!(type in TIE_BREAKERS) && !UNSUPPORTED_TYPES.includes(type)) {
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
  let tieBreaker: number | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (key === "fields") fields = readFields(json);
    else if (textOf(value) === undefined)
      throw errorAt(json, { value: key }, `[multi_match] unknown token [${tokenName(value)}] after [${key}]`);
    else if (key === "query") text = value;
    else if (key === "type") type = readType(value);
    else if (key === "tie_breaker") tieBreaker = readFloat(value, json, key);
    else if (key === "slop" && readInt(value) < 0) throw illegalArgument("No negative slop allowed.");
    else if (key === "slop") continue;
    else if (!atOption(json, key, () => readMatchOption("multi_match", json, key, options))) {
      throw errorAt(json, { value: key }, `[multi_match] query does not support [${key}]`);
    } else if (key === "lenient") lenientSet = true;
  }
  if (text === undefined) throw errorAt(json, "end", "No text specified for multi_match query");
  if (UNSUPPORTED_TYPES.includes(type)) throw unsupported(`multi_match.type ${type}`);
  const wanted = text;
  return makeBuilder("multi_match", options, (context) => {
    checkAnalyzer("multi_match", options.analyzer, context);
    checkRewriteMethod(options.fuzzyRewrite);
    const patterns = fields.length > 0 ? fields : context.defaultFields.map(fieldBoost);
    const everything = patterns.some(({ pattern }) => pattern === "*");
    const resolved = resolveFields(patterns, context);
    const lenient = lenientSet ? options.lenient : everything;
    const queries = resolved.map(({ name, boost }) =>
      boosted(
        applyMinimumShouldMatch(
          fieldMatchQuery(name, wanted, { ...options, lenient }, context),
          options.minimumShouldMatch,
        ),
        boost,
      ),
    );
    if (queries.length === 0) return matchNoneQuery("Failed to resolve fields");
    return joined(queries, tieBreaker ?? TIE_BREAKERS[type]);
  });
};

function joined(queries: readonly Query[], tieBreaker: number): Query {
  if (queries.length === 1) return queries[0];
  checkTieBreaker(tieBreaker);
  return disMaxQuery(queries, tieBreaker);
}

/** Names behind the patterns; a name that several patterns match has the product of their weights. */
function resolveFields(patterns: readonly FieldBoost[], { mapping }: QueryContext): { name: string; boost: number }[] {
  const boosts = new Map<string, number>();
  for (const { pattern, boost } of patterns) {
    const names = pattern.includes("*")
      ? mapping
          .matchingFields(pattern)
          .filter(
            (field) => field.family !== "vector" && field.family !== "opaque" && (field.indexed || field.hasDocValues),
          )
          .map((field) => field.name)
      : [pattern];
    for (const name of names) boosts.set(name, Math.fround((boosts.get(name) ?? 1) * boost));
  }
  checkClauseCount(boosts.size);
  return [...boosts].map(([name, boost]) => ({ name, boost }));
}
