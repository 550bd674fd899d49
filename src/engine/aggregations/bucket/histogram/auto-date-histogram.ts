/**
 * auto_date_histogram: no more buckets than are wanted, whatever times there are. A shard begins with the finest rounding and goes to a
 * coarser one when its buckets are too many or too far apart (AutoDateHistogramAggregator).
 */
import { EngineError, illegalArgument } from "../../../errors.ts";
import { parseZone } from "../../../mapping/date/zone.ts";
import { toLong } from "../../../mapping/java-numbers.ts";
import { readInt } from "../../../query/dsl/read.ts";
import type { LeafReader } from "../../../segment/types.ts";
import { buildSubs, subCollector } from "../../collect.ts";
import { NUMERIC } from "../../metrics/numeric.ts";
import { type FieldReader, field } from "../../support/object-parser.ts";
import { type CalendarUnit, calendarRounding } from "../../support/rounding.ts";
import { timeZone } from "../../support/time-zone.ts";
import { bindSource, readSource } from "../../support/values-source.ts";
import { type AggregationParser, internal, NO_BUCKET } from "../../types.ts";
import { autoBuckets } from "./auto-buckets.ts";
import { type AutoRounding, autoDateKind, largest } from "./internal-auto-date-histogram.ts";

const SECOND = 1000;
const DAY = 86_400_000;

const UNITS: readonly (Omit<AutoRounding, "rounding"> & { readonly name: CalendarUnit })[] = [
  { name: "second", unit: "s", duration: SECOND, multiples: [1, 5, 10, 30] },
  { name: "minute", unit: "m", duration: 60 * SECOND, multiples: [1, 5, 10, 30] },
  { name: "hour", unit: "h", duration: 3600 * SECOND, multiples: [1, 3, 12] },
  { name: "day", unit: "d", duration: DAY, multiples: [1, 7] },
  { name: "month", unit: "M", duration: 30 * DAY, multiples: [1, 3] },
  { name: "year", unit: "y", duration: 365 * DAY, multiples: [1, 5, 10, 20, 50, 100] },
];

function roundingsOf(least: string | undefined, zone: string | undefined): readonly AutoRounding[] {
  const parsed = zone === undefined ? undefined : parseZone(zone);
  const from = least === undefined ? 0 : UNITS.findIndex(({ name }) => name === least);
  return UNITS.slice(from).map(({ name, ...unit }) => ({ ...unit, rounding: calendarRounding(name, parsed) }));
}

/** Buckets that a search may give back (`search.max_buckets`). */
const MAX_BUCKETS = 65_535;
const DEFAULT_BUCKETS = 10;

/** Fewer than any rounding but the last could make too many of. */
function checkTarget(target: number, roundings: readonly AutoRounding[]): void {
  const multiples = roundings.slice(0, -1).map(largest);
  if (multiples.length === 0) {
    throw new EngineError("no_such_element_exception", "No value present", { status: 500 });
  }
  const most = Math.floor(MAX_BUCKETS / Math.max(...multiples));
  if (target > most) throw illegalArgument(`buckets must be less than ${most}`);
}

/** Aggregations whose documents lie in one bucket. */
const SINGLE: ReadonlySet<string> = new Set([
  "filter",
  "global",
  "missing",
  "nested",
  "reverse_nested",
  "sampler",
  "diversified_sampler",
]);

interface Options {
  buckets: number;
  minimum_interval: string | undefined;
  time_zone: string;
}

const leastInterval: FieldReader<string | undefined> = field(["string", "null"], (value) => {
  if (value === null || UNITS.some(({ name }) => name === value)) return (value as string | null) ?? undefined;
  throw illegalArgument(`minimum_interval must be one of [[${UNITS.map(({ name }) => name).join(", ")}]]`);
});

export const parseAutoDateHistogram: AggregationParser = (name, json) => {
  const options = readSource<Options>("auto_date_histogram", name, json, {
    buckets: field(["number", "string"], (value, object, key) => {
      const number = readInt(value, object, key);
      if (number > 0) return number;
      throw illegalArgument(`buckets must be greater than 0 for [${name}]`);
    }),
    minimum_interval: leastInterval,
    time_zone: timeZone,
  });
  const target = options.buckets ?? DEFAULT_BUCKETS;
  return {
    takesSubs: true,
    sequential: { minDocCount: 0 },
    bind(context, own) {
      const source = bindSource(context, options, {
        type: "auto_date_histogram",
        supports: NUMERIC,
        fallback: "date",
        ...(options.time_zone === undefined ? {} : { timeZone: options.time_zone }),
      });
      const roundings = roundingsOf(options.minimum_interval, options.time_zone);
      checkTarget(target, roundings);
      const subs = own.subs();
      const needsScores = subs.some((sub) => sub.needsScores);
      const buckets = autoBuckets(
        roundings,
        target,
        own.parents.some(({ type }) => !SINGLE.has(type)),
        context.memory,
      );
      const later: { leaf: LeafReader; docs: number[]; ords: number[]; scores: number[] }[] = [];
      return {
        name,
        needsScores,
        subs,
        sortable: { kind: "none" },
        leaf(leaf, scores) {
          if (!source.hasValues) return undefined;
          const { start, end, value } = source.numbers(leaf);
          const part = { leaf, docs: [] as number[], ords: [] as number[], scores: [] as number[] };
          if (subs.length > 0) later.push(part);
          return (doc, owner) => {
            const last = end(doc);
            let before = Number.NaN;
            for (let i = start(doc); i < last; i++) {
              const key = buckets.round(owner, source.floating ? Number(toLong(value(i))) : value(i));
              if (key === before) continue;
              before = key;
              const ord = buckets.add(owner, key);
              if (subs.length === 0) continue;
              context.memory.take(24);
              part.docs.push(doc);
              part.ords.push(ord);
              part.scores.push(needsScores ? scores.score() : 0);
            }
          };
        },
        // Which bucket a document lies in is known when all are there.
        async finish() {
          buckets.finish();
          for (const { leaf, docs, ords, scores } of later) {
            let at = 0;
            const collect = subCollector(subs, leaf, { score: () => scores[at] });
            for (at = 0; at < docs.length; at++) {
              if (at % 256 === 0 && context.slices.due()) await context.slices.pause();
              collect?.(docs[at], buckets.current(ords[at]));
            }
          }
        },
        build(owner) {
          const { at, list } = buckets.of(owner);
          return internal(own, autoDateKind, {
            buckets: list.map(({ key, docCount, ord }) => ({ key, docCount, subs: buildSubs(subs, ord) })),
            roundings,
            at,
            multiple: 1,
            target,
            format: source.format,
            empty: buildSubs(subs, NO_BUCKET),
          });
        },
      };
    },
  };
};
