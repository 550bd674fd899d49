/** The functions of function_score: what the DSL's names mean, each read into one that is made for an index. */
import { EngineError, illegalArgument, parsingError, unsupported } from "../../errors.ts";
import { positionOf } from "../../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import { firstBytesOf, noNumbers, numbersOf } from "../field-data.ts";
import {
  fieldValueFactor,
  MODIFIERS,
  type Modifier,
  randomScore,
  type ScoreFunction,
} from "../lucene/score-functions.ts";
import type { QueryContext } from "./builder.ts";
import { parseDecay } from "./decay.ts";
import { errorAt, isArray, isObject, readDouble, readFloat, readText, throughBrackets, tokenName } from "./read.ts";
import { suggestion } from "./suggestion.ts";

/** A function without its weight, for an index. */
export type FunctionBuilder = (context: QueryContext) => ScoreFunction;

const FUNCTIONS: Readonly<Record<string, (json: JsonObject) => FunctionBuilder>> = {
  script_score: refuseScript,
  gauss: (json) => parseDecay("gauss", json),
  linear: (json) => parseDecay("linear", json),
  exp: (json) => parseDecay("exp", json),
  random_score: parseRandomScore,
  field_value_factor: parseFieldValueFactor,
};

/** Reads `outer[name]`. */
export function parseScoreFunction(outer: JsonObject, name: string): FunctionBuilder {
  const parse = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (parse === undefined) throw unknownFunction(outer, name);
  return parse(outer[name] as JsonObject);
}

/** Elasticsearch takes it for a query that it does not know, and suggests the functions that are called like that. */
function unknownFunction(outer: JsonObject, name: string): EngineError {
  const place = positionOf(outer, { value: name });
  const at = place ? `[${place.line}:${place.col}] ` : "";
  const cause = new EngineError("named_object_not_found_exception", `${at}unknown field [${name}]`);
  const reason = `unknown query [function_score]${suggestion("function_score", Object.keys(FUNCTIONS))}`;
  return parsingError(reason, { cause, ...(place ? { metadata: { line: place.line, col: place.col } } : {}) });
}

function refuseScript(json: JsonObject): never {
  if (json["script"] === undefined) throw errorAt(json, "end", "script_score requires 'script' field");
  throw unsupported("script_score", "field_value_factor and the decay functions need no scripts");
}

function parseFieldValueFactor(json: JsonObject): FunctionBuilder {
  let field: string | undefined;
  let factor = 1;
  let modifier: Modifier = "none";
  let missing: number | undefined;
  for (const key of Object.keys(json)) {
    if (key === "factor" && (isArray(json[key]) || isObject(json[key]))) {
      throw errorAt(json, { value: key }, "[field_value_factor] field 'factor' does not support lists or objects");
    }
    for (const at of throughBrackets(json, key)) {
      const value = at[key];
      if (isObject(value)) throw unsupported(`an object as field_value_factor.${key}`);
      if (key === "field") field = readText(at, key);
      else if (key === "factor") factor = readFloat(value, at, key);
      else if (key === "modifier") modifier = readModifier(readText(at, key));
      else if (key === "missing") missing = readDouble(value, at, key);
      else throw errorAt(json, { value: key }, `field_value_factor query does not support [${key}]`);
    }
  }
  if (field === undefined) throw errorAt(json, "end", "[field_value_factor] required field 'field' missing");
  const name = field;
  return ({ mapping, indexName }) => {
    const mapped = mapping.field(name);
    if (mapped === undefined && missing === undefined) {
      throw new EngineError(
        "exception",
        `Unable to find a field mapper for field [${name}]. No 'missing' value defined.`,
        {
          status: 500,
        },
      );
    }
    const numbers = mapped === undefined ? noNumbers : numbersOf(mapped, indexName);
    return fieldValueFactor({ field: name, numbers, factor, modifier, missing });
  };
}

function readModifier(text: string): Modifier {
  const name = text.toLowerCase();
  if (Object.hasOwn(MODIFIERS, name)) return name as Modifier;
  const type = "org.elasticsearch.common.lucene.search.function.FieldValueFactorFunction.Modifier";
  throw illegalArgument(`No enum constant ${type}.${text.toUpperCase()}`);
}

function parseRandomScore(json: JsonObject): FunctionBuilder {
  let seed: number | undefined;
  let field: string | undefined;
  for (const key of Object.keys(json)) {
    for (const at of throughBrackets(json, key)) {
      const value = at[key];
      if (isObject(value)) throw unsupported(`an object as random_score.${key}`);
      if (key === "seed") seed = readSeed(json, key, value);
      else if (key === "field") field = readText(at, key);
      else throw errorAt(json, { value: key }, `random_score query does not support [${key}]`);
    }
  }
  return (context) => {
    const { indexName, now, mapping } = context;
    const salt = stringHash(indexName) << 10;
    const byPlace = () => randomScore({ seed: longHash(BigInt(now)), salt, values: undefined });
    if (seed === undefined) return byPlace();
    const mapped = mapping.field(field ?? "_id");
    if (mapped === undefined || mapped.name === "_tier") {
      if (mapping.fields().length === 0) return byPlace();
      throw illegalArgument(
        `Field [${field}] is not mapped on [[${indexName}/${context.indexUuid}]] and cannot be used as a source of random numbers.`,
      );
    }
    return randomScore({ seed, salt, values: { field: mapped.name, bytes: firstBytesOf(mapped, indexName) } });
  };
}

function readSeed(json: JsonObject, key: string, value: JsonValue): number {
  if (typeof value === "string") return stringHash(value);
  const number = typeof value === "number" || value instanceof JsonNumber ? String(value) : undefined;
  if (number === undefined) {
    const reason = `random_score seed must be an int/long or string, not '${tokenName(value)}'`;
    throw errorAt(json, { value: key }, reason);
  }
  const long = /^-?\d+$/.test(number) ? BigInt(number) : undefined;
  if (long === undefined || BigInt.asIntN(64, long) !== long) {
    throw errorAt(json, { value: key }, "random_score seed must be an int, long or string, not 'VALUE_NUMBER'");
  }
  return BigInt.asIntN(32, long) === long ? Number(long) : longHash(long);
}

/** Java's Long.hashCode. */
const longHash = (long: bigint) => Number(BigInt.asIntN(32, long ^ (BigInt.asUintN(64, long) >> 32n)));

/** Java's String.hashCode. */
function stringHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
