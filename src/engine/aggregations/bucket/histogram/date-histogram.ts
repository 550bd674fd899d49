/** date_histogram: buckets of the calendar, or of a fixed length, in a time zone. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { parseZone } from "../../../mapping/date/zone.ts";
import { toLong } from "../../../mapping/java-numbers.ts";
import { javaDouble } from "../../../mapping/java-text.ts";
import { readInt } from "../../../query/dsl/read.ts";
import { NUMERIC } from "../../metrics/numeric.ts";
import { KEY_ASCENDING, type Order, order } from "../../order.ts";
import { bool, type FieldReader, field, readObject } from "../../support/object-parser.ts";
import { checkRanges, collectRanges } from "../../support/ranges.ts";
import {
  CALENDAR_UNITS,
  type CalendarUnit,
  calendarRounding,
  fixedRounding,
  type Rounding,
  withOffset,
} from "../../support/rounding.ts";
import { parseTimeValue } from "../../support/time-value.ts";
import { timeZone } from "../../support/time-zone.ts";
import { bindSource, readSource, type ValuesSource } from "../../support/values-source.ts";
import type { AggregationParser, Collect } from "../../types.ts";
import { thresholds } from "../terms/terms.ts";
import { histogramAggregator } from "./aggregator.ts";
import { histogramKind } from "./internal-histogram.ts";

const kind = histogramKind("date_histogram", true);

export interface DateInterval {
  calendar_interval: CalendarUnit;
  fixed_interval: number;
}

/** One of the two. */
export const intervalFields: { readonly [K in keyof DateInterval]: FieldReader<DateInterval[K]> } = {
  calendar_interval: field(["string"], (value, json, key) => {
    const unit = CALENDAR_UNITS.get(value as string);
    checkGiven(value);
    if (!unit)
      throw illegalArgument(`The supplied interval [${String(value)}] could not be parsed as a calendar interval.`);
    checkAlone(json, key, "fixed_interval");
    return unit;
  }),
  fixed_interval: field(["string"], (value, json, key) => {
    checkGiven(value);
    const interval = parseTimeValue(value as string, "date_histogram.fixedInterval");
    checkAlone(json, key, "calendar_interval");
    return interval;
  }),
};

function checkGiven(value: JsonValue): void {
  if (value === "") throw illegalArgument("[interval] must not be null: [date_histogram]");
}

function checkAlone(json: JsonObject, key: string, other: string): void {
  const keys = Object.keys(json);
  if (!keys.includes(other) || keys.indexOf(other) > keys.indexOf(key)) return;
  throw illegalArgument(`Cannot use [${key}] with [${other}] configuration option.`);
}

export function roundingOf(
  { calendar_interval, fixed_interval }: Partial<DateInterval>,
  zone: string | undefined,
): Rounding {
  const parsed = zone === undefined ? undefined : parseZone(zone);
  if (calendar_interval !== undefined) return calendarRounding(calendar_interval, parsed);
  if (fixed_interval !== undefined) return fixedRounding(fixed_interval, parsed);
  throw illegalArgument("Invalid interval specified, must be non-null and non-empty");
}

/** Milliseconds, or a duration with a sign. */
export const offsetField: FieldReader<number> = field(["number", "string"], (value, json, key) => {
  if (typeof value !== "string") return readInt(value, json, key);
  if (value === "") throw new EngineError("string_index_out_of_bounds_exception", "String index out of range: 0");
  const setting = "DateHistogramAggregationBuilder.parseOffset";
  if (value.startsWith("-")) return -parseTimeValue(value.slice(1), setting);
  return parseTimeValue(value.startsWith("+") ? value.slice(1) : value, setting);
});

/** Ends as they are written; text is read in the field's format. */
interface Bounds {
  readonly min?: string | number;
  readonly max?: string | number;
}

const end: FieldReader<string | number | undefined> = field(["number", "string", "null"], (value) => {
  if (value === null) return undefined;
  if (typeof value === "string") return value;
  const number = Number(value);
  if (Number.isInteger(number)) return number;
  throw illegalArgument(`${javaDouble(number)} cannot be converted to Long without data loss`);
});

const bounds: FieldReader<Bounds> = field(["object"], (value) => {
  const fields = { min: end, max: end };
  return readObject<{ min: string | number | undefined; max: string | number | undefined }>(
    "bounds",
    value as JsonObject,
    fields,
  ) as Bounds;
});

interface DateHistogramOptions extends DateInterval {
  offset: number;
  min_doc_count: number;
  keyed: boolean;
  order: readonly Order[];
  time_zone: string;
  extended_bounds: Bounds;
  hard_bounds: Bounds;
}

export const parseDateHistogram: AggregationParser = (name, json) => {
  const options = readSource<DateHistogramOptions>("date_histogram", name, json, {
    ...intervalFields,
    offset: offsetField,
    min_doc_count: thresholds(name).min_doc_count,
    keyed: bool,
    order,
    time_zone: timeZone,
    extended_bounds: bounds,
    hard_bounds: bounds,
  });
  const { offset = 0 } = options;
  return {
    takesSubs: true,
    // Elasticsearch collects it as ranges, as many as it finds.
    single: true,
    sequential: { minDocCount: options.min_doc_count ?? 0 },
    bind(context, own) {
      const source = bindSource(context, options, {
        type: "date_histogram",
        supports: [...NUMERIC, "range"],
        fallback: "date",
        ...(options.time_zone === undefined ? {} : { timeZone: options.time_zone }),
      });
      const ranges = source.kind === "range";
      if (ranges) checkRanges(source, true, options.missing !== undefined);
      const plain = roundingOf(options, options.time_zone);
      const rounding = withOffset(plain, offset);
      const moved = (value: number | undefined) => (value === undefined ? undefined : plain.round(value) + offset);
      const bounded = (label: "extended_bounds" | "hard_bounds") => {
        const { min, max } = readBounds(options[label], label, source, name);
        return { min: moved(min), max: moved(max) };
      };
      const [extended, hard] = [bounded("extended_bounds"), bounded("hard_bounds")];
      checkInside(extended, hard, options);
      return histogramAggregator({
        context: source.hasValues ? context : { ...context, notOneBucket: true },
        own,
        kind,
        order: options.order ?? [KEY_ASCENDING],
        minDocCount: options.min_doc_count ?? 0,
        keyed: options.keyed ?? false,
        format: source.format,
        empty: { first: extended.min, last: extended.max, next: rounding.next },
        leaf(leaf, take): Collect | undefined {
          if (!source.hasValues) return undefined;
          if (ranges) {
            const { min: least = Number.NEGATIVE_INFINITY, max: most = Number.POSITIVE_INFINITY } = hard;
            return collectRanges(source, leaf, { least, most, ...rounding }, take);
          }
          const { start, end: endOf, value } = source.numbers(leaf);
          return (doc, owner) => {
            const last = endOf(doc);
            let before = Number.NaN;
            for (let i = start(doc); i < last; i++) {
              const key = rounding.round(source.floating ? Number(toLong(value(i))) : value(i));
              if (key === before) continue;
              before = key;
              const inside = (hard.min === undefined || key >= hard.min) && (hard.max === undefined || key < hard.max);
              if (inside) take(doc, owner, key);
            }
          };
        },
      });
    },
  };
};

function readBounds(given: Bounds | undefined, label: string, source: ValuesSource, name: string) {
  const value = (bound: string | number | undefined) =>
    bound === undefined ? undefined : typeof bound === "string" ? Number(source.parse(bound)) : Math.trunc(bound);
  const [min, max] = [value(given?.min), value(given?.max)];
  if (min !== undefined && max !== undefined && min > max) {
    throw illegalArgument(
      `[${label}.min][${min}] cannot be greater than [${label}.max][${max}] for histogram aggregation [${name}]`,
    );
  }
  return { min, max };
}

interface RoundedBounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** @param given the bounds as they were written */
function checkInside(
  extended: RoundedBounds,
  hard: RoundedBounds,
  given: { readonly extended_bounds?: Bounds; readonly hard_bounds?: Bounds },
): void {
  const beyond = hard.max !== undefined && extended.max !== undefined && hard.max < extended.max;
  const before = hard.min !== undefined && extended.min !== undefined && hard.min > extended.min;
  if (!beyond && !before) return;
  const show = ({ min, max }: Bounds = {}) => `[${min ?? ""}--${max ?? ""}]`;
  throw illegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: ${show(given.hard_bounds)}, extended bounds: ${show(given.extended_bounds)}`,
  );
}
