/** function_score: hits of a query with scores that functions change. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import {
  BOOST_MODES,
  type BoostMode,
  FUNCTION_SCORE_MODES,
  type FunctionScoreMode,
  functionScoreQuery,
  MAX_FLOAT,
} from "../lucene/function-score.ts";
import { weightFunction } from "../lucene/score-functions.ts";
import { lookupsBehind, makeBuilder, type QueryBuilder } from "./builder.ts";
import { parseMatchAll, readCommon, rewriteAll } from "./compound.ts";
import { parseInnerQuery, type QueryParser } from "./parse.ts";
import { errorAt, isArray, isObject, readFloat, readText, throughBrackets, tokenName } from "./read.ts";
import { type FunctionBuilder, parseScoreFunction } from "./score-functions.ts";

interface BuiltFunction {
  readonly filter: QueryBuilder | undefined;
  readonly weight: number | undefined;
  readonly function: FunctionBuilder | undefined;
}

const NAME = "failed to parse [function_score] query.";

/** The enum constants of Java are in capitals; any case is taken. */
function constant<T extends string>(text: string, known: readonly T[], type: string): T {
  const found = known.find((name) => name === text.toLowerCase());
  if (found !== undefined) return found;
  throw illegalArgument(
    `No enum constant org.elasticsearch.common.lucene.search.function.${type}.${text.toUpperCase()}`,
  );
}

function readWeight(json: JsonObject, key: string): number {
  const weight = readFloat(json[key], json, key);
  if (weight < 0 || Object.is(weight, -0))
    throw illegalArgument("[weight] cannot be negative for a filtering function");
  return weight;
}

/** One of `functions`; brackets around its values are stepped over. */
function parseFunction(json: JsonObject, depth: number): BuiltFunction {
  let filter: QueryBuilder | undefined;
  let weight: number | undefined;
  let known: string | undefined;
  let built: FunctionBuilder | undefined;
  for (const key of Object.keys(json)) {
    for (const at of throughBrackets(json, key)) {
      if (!isObject(at[key])) {
        if (key !== "weight") throw errorAt(json, { value: key }, `${NAME} field [${key}] is not supported`);
        weight = readFloat(at[key], at, key);
      } else if (key === "filter") {
        filter = parseInnerQuery(at, key, depth + 1);
      } else {
        if (known !== undefined) {
          const reason = `failed to parse function_score functions. already found [${known}], now encountering [${key}].`;
          throw errorAt(json, { value: key }, reason);
        }
        known = key;
        built = parseScoreFunction(at, key);
      }
    }
  }
  if (weight !== undefined) readWeight({ weight }, "weight");
  if (weight === undefined && built === undefined) {
    throw errorAt(json, "end", `${NAME} an entry in functions list is missing a function.`);
  }
  return { filter, weight, function: built };
}

export const parseFunctionScore: QueryParser = (json, depth) => {
  const options: { boost?: number; queryName?: string } = {};
  let query: QueryBuilder | undefined;
  let scoreMode: FunctionScoreMode = "multiply";
  let boostMode: BoostMode = "multiply";
  let maxBoost = MAX_FLOAT;
  let minScore: number | undefined;
  let functions: BuiltFunction[] = [];
  let single: string | undefined;
  let list = false;
  /** A function beside another one or beside a list. */
  const checkAlone = (key: string) => {
    if (single !== undefined) {
      throw errorAt(
        json,
        { value: key },
        `${NAME} already found function [${single}], now encountering [${key}]. use [functions] array if you want to define several functions.`,
      );
    }
    if (list) throw misplaced(json, key, `already found [functions] array, now encountering [${key}].`);
  };
  for (const [key, value] of Object.entries(json)) {
    if (value === null) continue;
    if (isObject(value)) {
      if (key === "query") {
        query = parseInnerQuery(json, key, depth + 1);
        continue;
      }
      checkAlone(key);
      single = key;
      functions.push({ filter: undefined, weight: undefined, function: parseScoreFunction(json, key) });
    } else if (isArray(value)) {
      if (key !== "functions") throw errorAt(json, { value: key }, `${NAME} array [${key}] is not supported`);
      if (single !== undefined) throw misplaced(json, key, `already found [${single}], now encountering [functions].`);
      list = true;
      functions = value.map((item, at) => {
        if (isObject(item)) return parseFunction(item, depth);
        const reason = `failed to parse [START_OBJECT]. malformed query, expected a [${tokenName(item)}] while parsing functions but got a [function_score] instead`;
        throw errorAt(value, { value: at }, reason);
      });
    } else if (key === "score_mode") {
      scoreMode = constant(readText(json, key), FUNCTION_SCORE_MODES, "FunctionScoreQuery.ScoreMode");
    } else if (key === "boost_mode") {
      boostMode = constant(readText(json, key), Object.keys(BOOST_MODES) as BoostMode[], "CombineFunction");
    } else if (key === "max_boost") maxBoost = readFloat(value, json, key);
    else if (key === "min_score") minScore = readFloat(value, json, key);
    else if (!readCommon(json, key, options)) {
      checkAlone(key);
      if (key !== "weight") throw errorAt(json, { value: key }, `${NAME} field [${key}] is not supported`);
      functions.push({ filter: undefined, weight: readWeight(json, key), function: undefined });
      single = key;
    }
  }
  const inner = query ?? parseMatchAll({}, depth + 1);
  const filters = functions.flatMap(({ filter }) => filter ?? []);
  return makeBuilder(
    "function_score",
    options,
    (context) => {
      const built = functions.map(({ filter, weight, function: make }) => {
        const of = make?.(context);
        return {
          function: weight === undefined && of !== undefined ? of : weightFunction(weight ?? 1, of),
          // What matches everything filters nothing.
          filter: filter === undefined || filter.name === "match_all" ? undefined : filter.toQuery(context),
        };
      });
      // A single function without a filter has nothing to be joined with.
      const mode = built.length === 1 && built[0].filter === undefined ? "first" : scoreMode;
      const combining = built.length === 0 ? "multiply" : boostMode;
      return functionScoreQuery(inner.toQuery(context), {
        functions: built,
        scoreMode: mode,
        boostMode: combining,
        maxBoost,
        minScore,
      });
    },
    (...rewriting) => {
      // Where nothing is scored nobody looks at what would be done to the scores.
      if (inner.rewritesToNone?.(...rewriting)) return true;
      return rewriteAll(filters, ...rewriting);
    },
    lookupsBehind(inner, filters),
    inner.innerHits,
  );
};

function misplaced(json: JsonObject, key: string, found: string) {
  const reason = `${NAME} [you can either define [functions] array or a single function, not both. ${found}]`;
  return errorAt(json, { value: key }, reason);
}
