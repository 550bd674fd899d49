/** range, date_range: buckets between given bounds, the lower one within and the upper one without. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { printDouble } from "../../mapping/doc-value-format.ts";
import { halfFloatBits, halfFloatOf, parseJavaDouble } from "../../mapping/java-numbers.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { contentError, isObject, textOf, wrongKind } from "../../query/dsl/read.ts";
import { formatText, NUMERIC } from "../metrics/numeric.ts";
import { bool, type FieldReader, field, nextToken, readObject } from "../support/object-parser.ts";
import { timeZone } from "../support/time-zone.ts";
import { bindSource, readSource, type ValuesSource } from "../support/values-source.ts";
import type { AggregationParser, Collect } from "../types.ts";
import { type RangeBucket, rangesAggregator, rangesKind } from "./ranges.ts";

/** A range as the request has it: numbers, or text in the field's format. */
interface GivenRange {
  readonly key: string;
  readonly from: number | string;
  readonly to: number | string;
}

const bound: FieldReader<number | string | undefined> = (json, key, parser) => {
  const value = json[key];
  if (value === null) return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind(parser, json, key);
  return parseJavaDouble(textOf(value)!);
};

const rangeFields = { key: field(["string"], (value) => value as string), from: bound, to: bound } as unknown as {
  readonly [K in keyof GivenRange]-?: FieldReader<GivenRange[K]>;
};

const ranges: FieldReader<readonly Partial<GivenRange>[]> = field(["array", "object"], (value) => {
  const read = (json: JsonObject) => readObject<GivenRange>("range", json, rangeFields);
  if (isObject(value)) return [read(value)];
  const list = value as readonly JsonValue[];
  return list.map((item, at) => {
    if (isObject(item)) return read(item);
    const { name, place } = nextToken(list, at);
    throw contentError(list, place, `[range] Expected START_OBJECT but was: ${name}`);
  });
});

interface RangeOptions {
  ranges: readonly Partial<GivenRange>[];
  keyed: boolean;
  time_zone: string;
}

/** Numbers that a field keeps with less precision are compared as it keeps them (MappedFieldType.reduceToStoredPrecision). */
function storedPrecision({ field: mapped }: ValuesSource): (value: number) => number {
  if (mapped?.type === "float") return Math.fround;
  if (mapped?.type === "half_float")
    return (value) => (Number.isFinite(value) ? halfFloatOf(halfFloatBits(value)) : value);
  return (value) => value;
}

function parseRanges(type: "range" | "date_range"): AggregationParser {
  const kind = rangesKind<number>(type, (bucket, format) => {
    const shown: { [key: string]: JsonValue } = {};
    for (const end of ["from", "to"] as const) {
      const value = bucket[end];
      if (value === undefined || value === Infinity || value === -Infinity) continue;
      shown[end] = printDouble(value);
      if (!format.raw) shown[`${end}_as_string`] = format.format(value);
    }
    return shown;
  });
  return (name, json) => {
    const own = { ranges, keyed: bool } as const;
    const options = readSource<RangeOptions>(
      type,
      name,
      json,
      (type === "range" ? own : { ...own, time_zone: timeZone }) as never,
    );
    const given = options.ranges ?? [];
    return {
      takesSubs: true,
      single: given.length === 1,
      bind(context, around) {
        if (given.length === 0) throw illegalArgument(`No [ranges] specified for the [${name}] aggregation`);
        const source = bindSource(context, options, {
          type,
          supports: NUMERIC,
          fallback: type === "range" ? "number" : "date",
          ...(options.time_zone === undefined ? {} : { timeZone: options.time_zone }),
        });
        const { format } = source;
        const precise = storedPrecision(source);
        const value = (end: number | string | undefined, open: number) => {
          if (end === undefined) return open;
          if (typeof end === "string") return Number(source.parse(end));
          // A date's number is text in its format (`epoch_second`, `yyyy`).
          return type === "range" || !Number.isFinite(end) ? end : Number(source.parse(String(Math.trunc(end))));
        };
        const text = (end: number) =>
          end === Infinity || end === -Infinity ? "*" : format.raw ? javaDouble(end) : formatText(format, end);
        const buckets = given
          .map(({ key, from, to }): RangeBucket<number> => {
            const low = value(from, -Infinity);
            const high = value(to, Infinity);
            return { key: key ?? `${text(low)}-${text(high)}`, from: low, to: high };
          })
          .sort((a, b) => compare(a.from!, b.from!) || compare(a.to!, b.to!));
        const lows = Float64Array.from(buckets, ({ from }) => precise(from!));
        const highs = Float64Array.from(buckets, ({ to }) => precise(to!));
        return rangesAggregator({
          context,
          own: around,
          mapped: source.hasValues,
          kind,
          format,
          keyed: options.keyed ?? false,
          buckets,
          leaf(leaf, take): Collect | undefined {
            if (!source.hasValues) return undefined;
            const { start, end, value: at } = source.numbers(leaf);
            return (doc, owner) => {
              const first = start(doc);
              const last = end(doc);
              if (first >= last) return;
              for (let i = 0; i < lows.length; i++) {
                // A document is in a bucket once.
                for (let j = first; j < last; j++) {
                  const number = at(j);
                  if (number < lows[i] || !(number < highs[i])) continue;
                  if (number >= lows[i]) take(doc, owner, i);
                  break;
                }
              }
            };
          },
        });
      },
    };
  };
}

/** Java's order of doubles: what is no number comes last. */
const compare = (a: number, b: number): number => {
  if (Number.isNaN(a) || Number.isNaN(b)) return (Number.isNaN(a) ? 1 : 0) - (Number.isNaN(b) ? 1 : 0);
  return a < b ? -1 : a > b ? 1 : 0;
};

export const parseRange = parseRanges("range");
export const parseDateRange = parseRanges("date_range");
