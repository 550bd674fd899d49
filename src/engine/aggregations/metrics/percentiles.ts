/** percentiles and percentile_ranks: where the values of a field lie, by a t-digest or an HDR histogram for each bucket. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { type DocValueFormat, printDouble } from "../../mapping/doc-value-format.ts";
import { parseJavaDouble } from "../../mapping/java-numbers.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { isArray, isObject, located, placeOf, readDouble, readInt } from "../../query/dsl/read.ts";
import { HdrHistogram } from "../sketch/hdr-histogram.ts";
import { createDigest, type Digest } from "../sketch/tdigest.ts";
import type { Memory } from "../support/memory.ts";
import { bool, type FieldReader, field, readObject } from "../support/object-parser.ts";
import type { Numbers } from "../support/values-source.ts";
import type { AggregationParser, InternalKind, Printed } from "../types.ts";
import { formatText, type MetricState, numericMetric } from "./numeric.ts";

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99];
const DEFAULT_COMPRESSION = 100;
const DEFAULT_DIGITS = 3;

/** What answers both questions, 0 … 100. */
interface Sketch {
  readonly size: number;
  valueAt(percent: number): number;
  percentOf(value: number): number;
}

interface Percentiles<S extends Sketch = Sketch> {
  readonly keys: readonly number[];
  readonly keyed: boolean;
  readonly format: DocValueFormat;
  readonly sketch: S;
}

type Question = "percentiles" | "percentile_ranks";

/** How one of the two sketches is made, filled and joined. */
interface Method<S extends Sketch> {
  readonly typedName: string;
  create(memory: Memory): S;
  add(sketch: S, value: number): void;
  merge(into: S, other: S): void;
}

const NO_MEMORY: Memory = { take() {} };

interface DigestSketch extends Sketch {
  readonly digest: Digest;
}

const tdigest = (compression: number): Method<DigestSketch> => ({
  typedName: "tdigest",
  create(memory) {
    const digest = createDigest(compression, memory);
    return {
      digest,
      get size() {
        return digest.size;
      },
      valueAt: (percent) => digest.quantile(percent / 100),
      percentOf: (value) => digest.cdf(value) * 100,
    };
  },
  add: ({ digest }, value) => digest.add(value),
  merge: (into, other) => into.digest.merge(other.digest),
});

interface HistogramSketch extends Sketch {
  readonly histogram: HdrHistogram;
}

const hdr = (digits: number): Method<HistogramSketch> => ({
  typedName: "hdr",
  create(memory) {
    const histogram = new HdrHistogram(digits, memory);
    return {
      histogram,
      get size() {
        return histogram.size;
      },
      valueAt: (percent) => histogram.valueAtPercentile(percent),
      percentOf: (value) => histogram.percentileOf(value),
    };
  },
  add({ histogram }, value) {
    if (value < 0) throw negative(value);
    histogram.add(value);
  },
  merge: (into, other) => into.histogram.merge(other.histogram),
});

function negative(value: number): EngineError {
  return new EngineError(
    "array_index_out_of_bounds_exception",
    `The value ${javaDouble(value)} is out of bounds for histogram: negative values cannot be recorded by [hdr]. Use [tdigest].`,
    { status: 500 },
  );
}

const answer = (question: Question, sketch: Sketch, key: number): number =>
  question === "percentiles" ? sketch.valueAt(key) : sketch.percentOf(key);

function kindOf<S extends Sketch>(question: Question, method: Method<S>): InternalKind<Percentiles<S>> {
  return {
    typedName: `${method.typedName}_${question}`,
    reduce(all) {
      const [first] = all;
      if (all.length === 1) return first;
      const sketch = method.create(NO_MEMORY);
      for (const each of all) method.merge(sketch, each.sketch);
      return { ...first, sketch };
    },
    print({ keys, keyed, format, sketch }) {
      const none = sketch.size === 0;
      const values = keys.map((key) => {
        const value = answer(question, sketch, key);
        const shown = none ? null : printDouble(value);
        return { key, shown, text: none || format.raw ? undefined : formatText(format, value) };
      });
      if (!keyed) {
        return {
          values: values.map(({ key, shown, text }) => ({
            key: printDouble(key),
            value: shown,
            ...(text === undefined ? {} : { value_as_string: text }),
          })),
        };
      }
      const printed: { [key: string]: Printed } = {};
      for (const { key, shown, text } of values) {
        printed[javaDouble(key)] = shown;
        if (text !== undefined) printed[`${javaDouble(key)}_as_string`] = text;
      }
      return { values: printed };
    },
    value: ({ sketch }, name) => (name === undefined ? undefined : answer(question, sketch, parseJavaDouble(name))),
  };
}

function stateOf<S extends Sketch>(
  question: Question,
  method: Method<S>,
  { memory, format, keys, keyed }: { memory: Memory; format: DocValueFormat; keys: readonly number[]; keyed: boolean },
): MetricState<Percentiles<S>> {
  const sketches: (S | undefined)[] = [];
  return {
    collect(bucket: number, numbers: Numbers, start: number, end: number) {
      sketches[bucket] ??= method.create(memory);
      const sketch = sketches[bucket];
      for (let i = start; i < end; i++) method.add(sketch, numbers.value(i));
    },
    data: (bucket) => ({ keys, keyed, format, sketch: sketches[bucket] ?? method.create(memory) }),
    sortable: {
      kind: "values",
      value(name) {
        const key = parseJavaDouble(name);
        if (!keys.includes(key)) return undefined;
        return (bucket) => {
          const sketch = sketches[bucket];
          return sketch ? answer(question, sketch, key) : Number.NaN;
        };
      },
    },
  };
}

interface Options {
  readonly percents: readonly number[];
  readonly values: readonly number[];
  readonly keyed: boolean;
  readonly tdigest: number;
  readonly hdr: number;
}

/** Numbers, also one alone. */
const doubles: FieldReader<readonly number[]> = field(["array", "number", "string"], (value, json, key) =>
  isArray(value) ? value.map((_, i) => doubleIn(value, i)) : [readDouble(value, json, key)],
);

function doubleIn(list: readonly JsonValue[], at: number): number {
  try {
    return readDouble(list[at], list, at);
  } catch (error) {
    throw error instanceof EngineError && !placeOf(error) ? located(error, list, { value: at }) : error;
  }
}

const tdigestOptions: FieldReader<number> = field(["object"], (value) => {
  if (!isObject(value)) return DEFAULT_COMPRESSION;
  const { compression = DEFAULT_COMPRESSION } = readObject<{ compression: number; execution_hint: string }>(
    "tdigest",
    value,
    {
      compression: compressionFrom((number) => number >= 0, "greater than or equal to 0", ""),
      execution_hint: executionHint,
    },
  );
  return compression;
});

/** @param where what the error ends with */
export function compressionFrom(valid: (value: number) => boolean, words: string, where: string): FieldReader<number> {
  return field(["number", "string"], (value, json, key) => {
    const compression = readDouble(value, json, key);
    if (valid(compression)) return compression;
    throw illegalArgument(`[compression] must be ${words}. Found [${javaDouble(compression)}]${where}`);
  });
}

export const executionHint: FieldReader<string> = field(["string"], (value) => {
  if (value === "default") return value;
  if (value === "high_accuracy") throw unsupported("tdigest.execution_hint [high_accuracy]");
  throw illegalArgument(`Invalid execution_hint [${String(value)}], valid values are [default, high_accuracy]`);
});

const hdrOptions: FieldReader<number> = field(["object"], (value) => {
  if (!isObject(value)) return DEFAULT_DIGITS;
  const reason = "[numberOfSignificantValueDigits] must be between 0 and 5";
  const digits: FieldReader<number> = field(["number", "string"], (given, json, key) => {
    const number = readInt(given, json, key);
    if (number >= 0 && number <= 5) return number;
    throw illegalArgument(reason);
  });
  const { number_of_significant_value_digits = DEFAULT_DIGITS } = readObject<{
    number_of_significant_value_digits: number;
  }>("hdr", value, { number_of_significant_value_digits: digits });
  return number_of_significant_value_digits;
});

const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

function percentsOf(name: string, percents: readonly number[] = DEFAULT_PERCENTS): readonly number[] {
  if (percents.length === 0) throw illegalArgument(`[percents] must not be empty: [${name}]`);
  const sorted = ascending(percents);
  for (const [i, percent] of sorted.entries()) {
    if (!(percent >= 0 && percent <= 100)) {
      throw illegalArgument(`percent must be in [0,100], got [${javaDouble(percent)}]: [${name}]`);
    }
    if (i > 0 && percent === sorted[i - 1]) {
      throw illegalArgument(`percent [${javaDouble(percent)}] has been specified twice: [${name}]`);
    }
  }
  return sorted;
}

function valuesOf(name: string, values: readonly number[] | undefined): readonly number[] {
  if (!values) throw illegalArgument(`[values] must not be null: [${name}]`);
  if (values.length === 0) throw illegalArgument(`[values] must not be an empty array: [${name}]`);
  return ascending(values);
}

/** What fails when the whole body has been read (ConstructingObjectParser). */
function built<T>(type: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const reason = `Failed to build [${type}] after last required field arrived`;
    throw new EngineError("x_content_parse_exception", reason, { cause: error });
  }
}

function parser(question: Question): AggregationParser {
  const list = question === "percentiles" ? "percents" : "values";
  return (name: string, json: JsonObject) => {
    const keysIn = (options: Partial<Options>) =>
      built(question, () => {
        if (options.tdigest !== undefined && options.hdr !== undefined) {
          throw illegalArgument("Only one percentiles method should be declared.");
        }
        return question === "percentiles" ? percentsOf(name, options.percents) : valuesOf(name, options.values);
      });
    const withMethod = <S extends Sketch>(method: Method<S>) =>
      numericMetric<Percentiles<S>, Options>({
        type: question,
        options: { [list]: doubles, keyed: bool, tdigest: tdigestOptions, hdr: hdrOptions } as never,
        kind: kindOf(question, method),
        check: (options) => void keysIn(options),
        state: (memory, format, options) =>
          stateOf(question, method, { memory, format, keys: keysIn(options), keyed: options.keyed ?? true }),
      })(name, json);
    // Which sketch it is stands in the body, which is read once it is known to be sound.
    const { tdigest: compression, hdr: digits } = sketchIn(question, json);
    return digits !== undefined && compression === undefined
      ? withMethod(hdr(digits))
      : withMethod(tdigest(compression ?? DEFAULT_COMPRESSION));
  };
}

function sketchIn(question: Question, json: JsonObject): { tdigest?: number; hdr?: number } {
  return {
    ...(isObject(json["tdigest"]) ? { tdigest: tdigestOptions(json, "tdigest", question) } : {}),
    ...(isObject(json["hdr"]) ? { hdr: hdrOptions(json, "hdr", question) } : {}),
  };
}

export const parsePercentiles = parser("percentiles");
export const parsePercentileRanks = parser("percentile_ranks");
