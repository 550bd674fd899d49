/** Results of pipelines: one number, or one with the keys of the buckets that have it. */
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import { printValue } from "../metrics/numeric.ts";
import type { InternalKind, PrintedObject } from "../types.ts";

export interface SimpleValue {
  readonly value: number;
  readonly format: DocValueFormat;
}

const alone = <D>(all: readonly D[]): D => all[0];
const named = ({ value }: SimpleValue, name: string | undefined) =>
  name === undefined || name === "value" ? value : undefined;

export function shown({ value, format }: SimpleValue, name = "value"): PrintedObject {
  return printValue(name, Number.isFinite(value) ? value : null, format);
}

export const SIMPLE_VALUE: InternalKind<SimpleValue> = {
  typedName: "simple_value",
  reduce: alone,
  print: (data) => shown(data),
  value: named,
};

export interface KeyedValue extends SimpleValue {
  readonly keys: readonly string[];
}

export const KEYED_VALUE: InternalKind<KeyedValue> = {
  typedName: "bucket_metric_value",
  reduce: alone,
  print: (data) => ({ ...shown(data), keys: data.keys }),
  value: named,
};

export interface Derivative extends SimpleValue {
  /** Units of the x-axis between two buckets; −1: not asked for. */
  readonly units: number;
}

export const DERIVATIVE: InternalKind<Derivative> = {
  typedName: "derivative",
  reduce: alone,
  print: (data) => ({
    ...shown(data),
    ...(data.units > 0 ? shown({ value: data.value / data.units, format: data.format }, "normalized_value") : {}),
  }),
  value: (data, name) => (name === "normalized_value" ? data.value / data.units : named(data, name)),
};
