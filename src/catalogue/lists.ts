/** Several strategies as the lists that a fusion reads. */
import { z } from "zod";
import type { StrategyCall } from "../retrieval/index.ts";
import { InvalidArgumentError, type Retriever } from "../schema/index.ts";

/** A strategy by its name, or with options of its own. */
export const STRATEGY_REFERENCE = z.union([z.string().min(1), z.looseObject({ strategy: z.string().min(1) })]);
/** A strategy by name, or with its options: `"bm25"`, `{ strategy: "phrase", slop: 1 }`. */
export type StrategyReference = z.output<typeof STRATEGY_REFERENCE>;

/** The schema of a list of strategies, as `strategies` takes it. */
export const STRATEGY_LIST = z.array(STRATEGY_REFERENCE).min(1).max(32).meta({ list: "strategies" });

export const DEPTH = z
  .int()
  .min(1)
  .max(10_000)
  .default(100)
  .describe("hits of each list that count; never fewer than topK");

/** Name and options of a reference. */
export function referenceParts(reference: StrategyReference): { name: string; options: Record<string, unknown> } {
  if (typeof reference === "string") return { name: reference, options: {} };
  const { strategy, ...options } = reference;
  return { name: strategy, options };
}

/** The lists by the names of their strategies; the second of a name is called `name 2`. */
export function lists(references: readonly StrategyReference[], call: StrategyCall, depth: number) {
  const out: Record<string, Retriever> = {};
  for (const reference of references) {
    const { name, options } = referenceParts(reference);
    let key = name;
    for (let n = 2; Object.hasOwn(out, key); n++) key = `${name} ${n}`;
    out[key] = call.strategy(name, options, { topK: listDepth(call, depth), idsOnly: true });
  }
  return out;
}

export function listDepth({ topK }: StrategyCall, depth: number): number {
  return Math.max(topK, depth);
}

/** A weight for each list, by its name or its place. */
export function listWeights(
  names: readonly string[],
  weights: Readonly<Record<string, number>> | readonly number[] | undefined,
): Record<string, number> | undefined {
  if (weights === undefined) return undefined;
  const byPlace = Array.isArray(weights) ? (weights as readonly number[]) : undefined;
  if (byPlace && byPlace.length !== names.length)
    throw new InvalidArgumentError("weights", weights, `give ${names.length} weights, of ${names.join(", ")}`);
  const given = byPlace ? Object.fromEntries(names.map((name, i) => [name, byPlace[i]!])) : { ...weights };
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  const missing = names.find((name) => !Object.hasOwn(given, name));
  if (unknown !== undefined || missing !== undefined) {
    throw new InvalidArgumentError(
      "weights",
      weights,
      `weights are for the lists ${names.join(", ")}: ${unknown === undefined ? `"${missing}" has none` : `"${unknown}" is none of them`}`,
    );
  }
  return given as Record<string, number>;
}
