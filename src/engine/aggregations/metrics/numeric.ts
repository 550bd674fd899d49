/** What the metrics over the numbers of one field share: reading the field, walking over its values, printing. */
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { type DocValueFormat, printDouble } from "../../mapping/doc-value-format.ts";
import type { Memory } from "../support/memory.ts";
import type { FieldReader, Fields } from "../support/object-parser.ts";
import { bindSource, type Numbers, readSource, type SourceKind, type ValuesSource } from "../support/values-source.ts";
import { type AggregationParser, type InternalKind, internal, type Sortable } from "../types.ts";

export const NUMERIC: readonly SourceKind[] = ["number", "date", "boolean"];

/** What a metric keeps by bucket. */
export interface MetricState<D> {
  /** Takes the values of a document, at least one. */
  collect(bucket: number, numbers: Numbers, start: number, end: number): void;
  /** Of any bucket. */
  data(bucket: number): D;
  readonly sortable: Sortable;
}

export interface NumericMetric<D, O extends object> {
  readonly type: string;
  readonly options: Fields<O>;
  readonly kind: InternalKind<D>;
  /** Kinds of fields that it takes; default: all whose values are numbers. */
  readonly supports?: readonly SourceKind[];
  /** What is wrong with the body as a whole. */
  readonly check?: (options: Partial<O>) => void;
  state(memory: Memory, format: DocValueFormat, options: Partial<O>): MetricState<D>;
}

export function numericMetric<D, O extends object>(metric: NumericMetric<D, O>): AggregationParser {
  const { type, kind, supports = NUMERIC, check } = metric;
  return (name: string, json: JsonObject) => {
    const options = readSource<O>(type, name, json, metric.options as { readonly [K in keyof O]-?: FieldReader<O[K]> });
    check?.(options);
    return {
      takesSubs: false,
      bind(context, own) {
        const source = bindSource(context, options, { type, supports, fallback: "number" });
        const state = metric.state(context.memory, source.format, options);
        return {
          name,
          needsScores: false,
          subs: [],
          sortable: state.sortable,
          leaf: (leaf) => collectNumbers(source, leaf, state.collect),
          build: (bucket) => internal(own, kind, state.data(bucket)),
        };
      },
    };
  };
}

function collectNumbers(
  source: ValuesSource,
  leaf: Parameters<ValuesSource["numbers"]>[0],
  collect: MetricState<unknown>["collect"],
) {
  if (!source.hasValues) return undefined;
  const numbers = source.numbers(leaf);
  const { start, end } = numbers;
  return (doc: number, bucket: number) => {
    const from = start(doc);
    const to = end(doc);
    if (from < to) collect(bucket, numbers, from, to);
  };
}

/** A value, and as text where its format says more. @param shown null: there is none */
export function printValue(
  name: string,
  value: number | null,
  format: DocValueFormat,
): { readonly [key: string]: JsonValue } {
  if (value === null) return { [name]: null };
  return {
    [name]: printDouble(value),
    ...(format.raw ? {} : { [`${name}_as_string`]: formatText(format, value) }),
  };
}

/** As text: booleans too. */
export function formatText(format: DocValueFormat, value: number | bigint | string): string {
  return String(format.format(value));
}
