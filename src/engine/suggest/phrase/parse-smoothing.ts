/** `smoothing` of the `phrase` suggester (SmoothingModel). */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { errorAt, isArray, isObject, readDouble, tokenName } from "../../query/dsl/read.ts";
import type { Smoothing } from "./options.ts";

/** Of several models the last one counts. @returns undefined where none is named */
export function parseSmoothing(json: JsonObject): Smoothing | undefined {
  let model: Smoothing | undefined;
  for (const name of Object.keys(json)) {
    const body = json[name];
    if (!isObject(body)) {
      throw errorAt(json, { value: name }, `[smoothing] unknown token [${tokenName(body)}] after [${name}]`);
    }
    if (name === "linear") model = linear(body);
    else if (name === "laplace") model = { kind: "laplace", alpha: onlyNumber(body, "alpha") ?? 0.5 };
    else if (name === "stupid_backoff")
      model = { kind: "stupid_backoff", discount: onlyNumber(body, "discount") ?? 0.4 };
    else throw illegalArgument(`suggester[phrase] doesn't support object field [${name}]`);
  }
  return model;
}

/** The one key that these readers look at; others they pass over. */
function onlyNumber(json: JsonObject, key: string): number | undefined {
  const value = json[key];
  if (value === undefined || value === null || isArray(value) || isObject(value)) return undefined;
  return readDouble(value, json, key);
}

const LAMBDAS = ["trigram_lambda", "bigram_lambda", "unigram_lambda"];

function linear(json: JsonObject): Smoothing {
  const lambdas = new Map<string, number>();
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (value === null || isArray(value) || isObject(value)) {
      throw errorAt(json, { value: key }, `[linear] unknown token [${tokenName(value)}] after [${key}]`);
    }
    if (!LAMBDAS.includes(key)) {
      throw illegalArgument(`suggester[phrase][smoothing][linear] doesn't support field [${key}]`);
    }
    const lambda = readDouble(value, json, key);
    if (lambda < 0) throw illegalArgument(`${key} must be positive`);
    lambdas.set(key, lambda);
  }
  const [trigram, bigram, unigram] = LAMBDAS.map((key) => lambdas.get(key) ?? 0);
  const sum = trigram + bigram + unigram;
  if (Math.abs(sum - 1) > 0.001) throw illegalArgument("linear smoothing lambdas must sum to 1");
  return { kind: "linear", trigram, bigram, unigram };
}
