/** Functions that change scores, without those of distances (`decay.ts`): weights, values of fields, random numbers. */

import { EngineError } from "../../errors.ts";
import { javaDouble, javaFloat } from "../../mapping/java-text.ts";
import { mix, murmur3 } from "../../murmur3.ts";
import type { LeafReader } from "../../segment/types.ts";
import { type Explanation, matched } from "../explanation.ts";
import type { FirstBytes, Numbers } from "../field-data.ts";

/** A function of a document; doubles, as Lucene has them here. */
export interface ScoreFunction {
  /** Share in an average: that of a function without a weight is 1. */
  readonly weight: number;
  /** Tells the function from all others. */
  readonly text: string;
  /** Its class, which Elasticsearch shows in the query's text (with a number that differs from run to run). */
  readonly shown: string;
  leaf(leaf: LeafReader): LeafScoreFunction;
}

export interface LeafScoreFunction {
  /** @throws where Elasticsearch takes no such score */
  score(doc: number): number;
  explain(doc: number): Explanation;
}

const PACKAGE = "org.elasticsearch.common.lucene.search.function";

const ONE: LeafScoreFunction = {
  score: () => 1,
  explain: () => matched(1, "constant score 1.0 - no function provided"),
};

/** A function times a weight; the weight alone without a function (WeightFactorFunction). */
export function weightFunction(weight: number, inner?: ScoreFunction): ScoreFunction {
  const factor = Math.fround(weight);
  return {
    weight: factor,
    shown: `${PACKAGE}.WeightFactorFunction`,
    text: `weight(${factor}, ${inner?.text ?? ""})`,
    leaf(leaf) {
      const of = inner?.leaf(leaf) ?? ONE;
      return {
        score: (doc) => of.score(doc) * factor,
        explain(doc) {
          const explained = of.explain(doc);
          return matched(explained.value * factor, "product of:", [explained, matched(factor, "weight")]);
        },
      };
    },
  };
}

/** FieldValueFactorFunction.Modifier, by their names in the DSL. */
export const MODIFIERS = {
  none: (n: number) => n,
  log: Math.log10,
  log1p: (n: number) => Math.log10(n + 1),
  log2p: (n: number) => Math.log10(n + 2),
  ln: Math.log,
  ln1p: Math.log1p,
  ln2p: (n: number) => Math.log1p(n + 1),
  square: (n: number) => n ** 2,
  sqrt: Math.sqrt,
  reciprocal: (n: number) => 1 / n,
} as const;

export type Modifier = keyof typeof MODIFIERS;

export interface FieldValueFactor {
  readonly field: string;
  readonly numbers: Numbers;
  /** A float. */
  readonly factor: number;
  readonly modifier: Modifier;
  /** In the place of a value where there is none. */
  readonly missing: number | undefined;
}

/** An error of a document, found while it is scored. */
function scoringError(type: string, reason: string, status: number): EngineError {
  return new EngineError(type, reason, { status, metadata: { phase: "shard" } });
}

/** The smallest value of a field, changed (FieldValueFactorFunction). */
export function fieldValueFactor({ field, numbers, factor, modifier, missing }: FieldValueFactor): ScoreFunction {
  const modify = MODIFIERS[modifier];
  const shown = `${modifier}(doc['${field}'].value${missing === undefined ? "" : `?:${javaDouble(missing)}`} * factor=${javaFloat(factor)})`;
  return {
    weight: 1,
    shown: `${PACKAGE}.FieldValueFactorFunction`,
    text: `field_value_factor ${shown}`,
    leaf(leaf) {
      const values = numbers(leaf);
      const score = (doc: number): number => {
        const value = values.count(doc) > 0 ? values.value(doc, 0) : missing;
        if (value === undefined) throw scoringError("exception", `Missing value for field [${field}]`, 500);
        const result = modify(value * factor);
        if (result < 0) throw negative(modifier, result, value);
        return result;
      };
      return {
        score,
        explain: (doc) => matched(score(doc), `field value function: ${shown}`),
      };
    },
  };
}

function negative(modifier: Modifier, result: number, value: number): EngineError {
  const instead =
    modifier === "ln" || modifier === "log"
      ? `; consider using ${modifier}1p or ${modifier}2p instead of ${modifier} to avoid negative scores`
      : "";
  const got = `[${javaDouble(result)}] for field value: [${javaDouble(value)}]${instead}`;
  const reason = `field value function must not produce negative scores, but got: ${got}`;
  return scoringError("illegal_argument_exception", reason, 400);
}

export interface RandomScore {
  readonly seed: number;
  /** Tells indices apart. */
  readonly salt: number;
  /** What makes a document's number: a field's value, or the document's place. */
  readonly values: { readonly field: string; readonly bytes: FirstBytes } | undefined;
}

/** A number from 0 to 1 for each document, the same one for the same seed and value (RandomScoreFunction). */
export function randomScore({ seed, salt, values }: RandomScore): ScoreFunction {
  const salted = mix(seed ^ salt);
  return {
    weight: 1,
    shown: `${PACKAGE}.RandomScoreFunction`,
    text: `random_score(${salted}, ${values?.field ?? "doc"})`,
    leaf(leaf) {
      const bytes = values?.bytes(leaf);
      const hash = (doc: number): number => {
        if (bytes === undefined) return mix((leaf.docBase + doc) ^ salted);
        const value = bytes(doc);
        return value === undefined ? salted : murmur3(value, salted);
      };
      const score = (doc: number) => (hash(doc) & 0xffffff) / 2 ** 24;
      const description = `random score function (seed: ${seed}, field: ${values?.field ?? "null"})`;
      return { score, explain: (doc) => matched(score(doc), description) };
    },
  };
}
