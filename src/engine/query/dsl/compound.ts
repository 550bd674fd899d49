/** Queries made of queries: bool, dis_max, constant_score and boosting. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { positionOf } from "../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { booleanQuery, type Clause, type Occur, withoutPureNegation } from "../lucene/boolean.ts";
import { boostingQuery } from "../lucene/boosting.ts";
import { constantScoreQuery, matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { disMaxQuery } from "../lucene/dis-max.ts";
import {
  type BuilderOptions,
  checkBoost,
  lookupsBehind,
  lookupsOf,
  makeBuilder,
  type QueryBuilder,
  type QueryContext,
  type RewritesToNone,
} from "./builder.ts";
import { innerHitsOf } from "./inner-hits.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import { parseInnerQueries, parseInnerQuery, type QueryParser } from "./parse.ts";
import {
  asParsingError,
  contentError,
  errorAt,
  inField,
  isArray,
  isObject,
  objectField,
  readBoolean,
  readFloat,
  readText,
  textOf,
  throughBrackets,
  tokenName,
  unknownKey,
  wrongKind,
} from "./read.ts";
import { suggestion } from "./suggestion.ts";

/** Queries under a key of an ObjectParser: one, or a list. */
export function declaredQueries(json: JsonObject, key: string, depth: number): QueryBuilder[] {
  const value = json[key];
  if (!isArray(value)) return [parseInnerQuery(json, key, depth)];
  const inList = () =>
    new EngineError("illegal_state_exception", "expected value but got [START_ARRAY]", { status: 400 });
  return parseInnerQueries(value, (list, at) => parseInnerQuery(list, at, depth), { inList });
}

const OCCURS: readonly Occur[] = ["must", "filter", "should", "must_not"];
const BOOL_KEYS = [...OCCURS, "minimum_should_match", "adjust_pure_negative", "boost", "_name"];

export const parseBool: QueryParser = (json, depth) => {
  const clauses: { occur: Occur; builder: QueryBuilder }[] = [];
  const options: { boost?: number; queryName?: string } = {};
  let least: string | undefined;
  let adjust = true;
  for (const [key, value] of Object.entries(json)) {
    if (key === "mustNot") throw replacedName("bool", json, key, "must_not");
    const occur = OCCURS.find((name) => name === key);
    if (occur) {
      if (!isObject(value) && !isArray(value)) {
        if (value === null) continue;
        throw wrongKind("bool", json, key);
      }
      inField("bool", json, key, () => {
        for (const builder of declaredQueries(json, key, depth + 1)) clauses.push({ occur, builder });
      });
    } else if (key === "minimum_should_match" && (textOf(value) !== undefined || value === null)) least = textOf(value);
    else if (key === "adjust_pure_negative" && (typeof value === "boolean" || typeof value === "string"))
      adjust = inField("bool", json, key, () => readBoolean(value));
    else if (takesCommon(key, value)) inField("bool", json, key, () => readDeclared("bool", json, key, options));
    else if (BOOL_KEYS.includes(key)) {
      throw wrongKind("bool", json, key);
    } else throw unknownKey("bool", json, key, BOOL_KEYS);
  }
  return boolOf(clauses, { ...options, least, adjust });
};

export interface BoolOptions extends BuilderOptions {
  /** `minimum_should_match` */
  readonly least?: string | undefined;
  /** `adjust_pure_negative` */
  readonly adjust?: boolean;
}

/** A bool query of clauses that have been read. */
export function boolOf(
  clauses: readonly { readonly occur: Occur; readonly builder: QueryBuilder }[],
  { least, adjust = true, ...options }: BoolOptions = {},
): QueryBuilder {
  const build = (context: QueryContext) => {
    if (clauses.length === 0) return matchAllQuery();
    const built: Clause[] = inBuildOrder(clauses).map(({ occur, builder }) => ({
      occur,
      query: builder.toQuery(context),
    }));
    checkClauseCount(built.length);
    const query = applyMinimumShouldMatch(booleanQuery(built), least) as ReturnType<typeof booleanQuery>;
    return adjust ? withoutPureNegation(query) : query;
  };
  return makeBuilder(
    "bool",
    options,
    build,
    (context, anyIndex) => boolMatchesNone(clauses, context, anyIndex),
    lookupsOf(inBuildOrder(clauses).map(({ builder }) => builder)),
    innerHitsOf(
      ["filter", "must", "should"]
        .flatMap((occur) => clauses.filter((clause) => clause.occur === occur))
        .map(({ builder }) => builder),
    ),
  );
}

/** What an ObjectParser accepts as the boost (a number, maybe written as a text) and the name (a text) of a query. */
export function takesCommon(key: string, value: JsonValue): boolean {
  if (typeof value === "string") return key === "boost" || key === "_name";
  return key === "boost" && typeof value !== "boolean" && textOf(value) !== undefined;
}

/** An older name that version 8 refuses. */
function replacedName(query: string, json: JsonObject, key: string, now: string): EngineError {
  const place = positionOf(json, { value: key });
  const at = place ? ` at [${place.line}:${place.col}]` : "";
  const reason = `deprecated fields not supported in [${query}] but got [${key}]${at} which has been replaced with [${now}]`;
  return new EngineError("unsupported_operation_exception", reason, { status: 500 });
}

const BUILD_ORDER: readonly Occur[] = ["must", "must_not", "should", "filter"];

/** Clauses in the order in which Elasticsearch builds and scores them, whatever the order in the body. */
function inBuildOrder<T extends { occur: Occur }>(clauses: readonly T[]): T[] {
  return BUILD_ORDER.flatMap((occur) => clauses.filter((clause) => clause.occur === occur));
}

/** A required clause matches nothing, a forbidden one everything, or there are only optional ones that match nothing (BoolQueryBuilder.doRewrite). */
function boolMatchesNone(
  clauses: readonly { occur: Occur; builder: QueryBuilder }[],
  context: QueryContext,
  anyIndex: boolean | undefined,
): boolean {
  // All clauses are rewritten, in this order: what fails in one of them is told, whatever another says.
  const rewritten = REWRITE_ORDER.flatMap((occur) =>
    clauses
      .filter((clause) => clause.occur === occur)
      .map(({ builder }) => ({ occur, builder, none: rewriteOf(builder, context, anyIndex) })),
  );
  if (rewritten.some(({ occur, builder }) => occur === "must_not" && builder.name === "match_all")) return true;
  if (rewritten.some(({ occur, none }) => (occur === "must" || occur === "filter") && none)) return true;
  return rewritten.length > 0 && rewritten.every(({ occur, none }) => occur === "should" && none);
}

const REWRITE_ORDER: readonly Occur[] = ["must", "must_not", "filter", "should"];

/** Rewrites queries that stay what they are whatever becomes of those within. */
export function rewriteAll(builders: readonly QueryBuilder[], ...rewriting: Parameters<RewritesToNone>): false {
  for (const builder of builders) rewriteOf(builder, ...rewriting);
  return false;
}

const rewriteOf = (builder: QueryBuilder, ...rewriting: Parameters<RewritesToNone>) =>
  builder.rewritesToNone?.(...rewriting) ?? false;

/** `indices.query.bool.max_clause_count`, which Elasticsearch derives from its heap; at least this. */
export const MAX_CLAUSES = 4096;

export function checkClauseCount(count: number): void {
  if (count > MAX_CLAUSES) throw new EngineError("too_many_clauses", `maxClauseCount is set to ${MAX_CLAUSES}`);
}

export const parseDisMax: QueryParser = (json, depth) => {
  const options: { boost?: number; queryName?: string } = {};
  let tieBreaker = 0;
  let queries: QueryBuilder[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === "queries" && (isObject(value) || isArray(value))) {
      queries = isArray(value) ? disMaxQueries(value, depth + 1) : [parseInnerQuery(json, key, depth + 1)];
    } else if (isObject(value) || isArray(value))
      throw errorAt(json, { value: key }, `[dis_max] query does not support [${key}]`);
    else if (key === "tie_breaker") tieBreaker = readFloat(value, json, key);
    else if (!readCommon(json, key, options))
      throw errorAt(json, { value: key }, `[dis_max] query does not support [${key}]`);
  }
  if (queries.length === 0) {
    throw errorAt(json, "end", "[dis_max] requires 'queries' field with at least one clause");
  }
  const build = (context: QueryContext) => {
    const built = queries.map((builder) => builder.toQuery(context));
    checkTieBreaker(tieBreaker);
    return disMaxQuery(built, tieBreaker);
  };
  return makeBuilder(
    "dis_max",
    options,
    build,
    (...rewriting) => rewriteAll(queries, ...rewriting),
    lookupsOf(queries),
    innerHitsOf(queries),
  );
};

/** The first of them is read with the bracket before it: nothing may stand between. */
function disMaxQueries(list: readonly JsonValue[], depth: number): QueryBuilder[] {
  const [first] = list;
  if (list.length === 0 || !isObject(first)) {
    throw errorAt(
      list,
      first === undefined ? "end" : { value: 0 },
      "[_na] query malformed, must start with start_object",
    );
  }
  const behind = (around: readonly JsonValue[]) => errorAt(around, "end", "[dis_max] query does not support [queries]");
  return parseInnerQueries(list, (parent, at) => parseInnerQuery(parent, at, depth), { behind });
}

/** DisjunctionMaxQuery's own check, when it is built. */
export function checkTieBreaker(tieBreaker: number): void {
  if (!(tieBreaker >= 0 && tieBreaker <= 1)) throw illegalArgument("tieBreakerMultiplier must be in [0, 1]");
}

/** `boost` and `_name`, which every query has. */
export function readCommon(json: JsonObject, key: string, options: { boost?: number; queryName?: string }): boolean {
  const value: JsonValue = json[key];
  if (key === "boost") options.boost = readFloat(value, json, key);
  else if (key === "_name") options.queryName = readText(json, key);
  else return false;
  return true;
}

/** `readCommon` of an ObjectParser, which checks the boost where it stands. */
export function readDeclared(query: string, json: JsonObject, key: string, options: { boost?: number }): void {
  if (readCommon(json, key, options)) checkBoost(query, options.boost);
}

export const parseConstantScore: QueryParser = (json, depth) => {
  const options: { boost?: number; queryName?: string } = {};
  let filter: QueryBuilder | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (key === "filter" && isObject(value)) {
      if (filter) throw errorAt(json, { key }, "[constant_score] accepts only one 'filter' element.");
      filter = parseInnerQuery(json, key, depth + 1);
    } else if (isArray(value) || value === null)
      throw errorAt(json, { value: key }, `unexpected token [${tokenName(value)}]`);
    else if (isObject(value) || !readCommon(json, key, options)) {
      throw errorAt(json, { value: key }, `[constant_score] query does not support [${key}]`);
    }
  }
  if (!filter) throw errorAt(json, "end", "[constant_score] requires a 'filter' element");
  const inner = filter;
  return makeBuilder(
    "constant_score",
    { ...options, noneReason: inner.noneReason },
    (context) => constantScoreQuery(inner.toQuery(context)),
    (...rewriting) => rewriteOf(inner, ...rewriting),
    inner.lookups,
    inner.innerHits,
  );
};

export const parseBoosting: QueryParser = (json, depth) => {
  const options: BuilderOptions & { boost?: number; queryName?: string } = {};
  const parts: { positive?: QueryBuilder; negative?: QueryBuilder } = {};
  let negativeBoost = -1;
  for (const key of Object.keys(json)) {
    for (const at of throughBrackets(json, key)) {
      const value = at[key];
      if (isObject(value) && (key === "positive" || key === "negative"))
        parts[key] = parseInnerQuery(at, key, depth + 1);
      else if (!isObject(value) && key === "negative_boost") negativeBoost = readFloat(value, at, key);
      else if (isObject(value) || !readCommon(at, key, options))
        throw errorAt(json, { value: key }, `[boosting] query does not support [${key}]`);
    }
  }
  const { positive, negative } = parts;
  if (!positive) throw errorAt(json, "end", "[boosting] query requires 'positive' query to be set'");
  if (!negative) throw errorAt(json, "end", "[boosting] query requires 'negative' query to be set'");
  if (negativeBoost < 0)
    throw errorAt(json, "end", "[boosting] query requires 'negative_boost' to be set to be a positive value'");
  return makeBuilder(
    "boosting",
    { ...options, noneReason: positive.noneReason },
    (context) => boostingQuery(positive.toQuery(context), negative.toQuery(context), negativeBoost),
    (...rewriting) => {
      if (rewriteOf(positive, ...rewriting)) return true;
      return rewriteAll([negative], ...rewriting);
    },
    lookupsBehind(positive, [negative]),
    innerHitsOf([positive, negative]),
  );
};

export const parseMatchAll: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  for (const key of Object.keys(json)) {
    if (key !== "boost" && key !== "_name") {
      const unknown = `[match_all] unknown field [${key}]${suggestion(key, ["boost", "_name"])}`;
      throw asParsingError(contentError(json, { key }, unknown));
    }
    if (!takesCommon(key, json[key])) throw asParsingError(wrongKind("match_all", json, key));
    objectField("match_all", json, key, () => readDeclared("match_all", json, key, options));
  }
  return makeBuilder("match_all", options, () => matchAllQuery());
};

export const parseMatchNone: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  for (const [key, value] of Object.entries(json)) {
    if (textOf(value) === undefined)
      throw errorAt(json, { value: key }, `[match_none] unknown token [${tokenName(value)}] after [${key}]`);
    if (!readCommon(json, key, options))
      throw errorAt(json, { value: key }, `[match_none] query does not support [${key}]`);
  }
  const nothing = () => matchNoneQuery('User requested "match_none" query.');
  return makeBuilder("match_none", options, nothing, () => true);
};
