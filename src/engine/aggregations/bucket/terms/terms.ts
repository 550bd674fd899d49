/** terms: a bucket for each value of a field. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import { readInt } from "../../../query/dsl/read.ts";
import { buildSubs, subCollector } from "../../collect.ts";
import { COUNT_DESCENDING, compareOrds, type Order, order, sortersOf, withTieBreaker } from "../../order.ts";
import { bucketOrds } from "../../support/bucket-ords.ts";
import { Doubles } from "../../support/memory.ts";
import { bool, type FieldReader, field } from "../../support/object-parser.ts";
import { selectTop } from "../../support/select.ts";
import { bindSource, readSource, type SourceKind, type ValuesSource } from "../../support/values-source.ts";
import {
  type AggregationContext,
  type AggregationParser,
  type Aggregator,
  type Collect,
  internal,
  NO_BUCKET,
  type Own,
} from "../../types.ts";
import { exclude, type IncludeExclude, include, type TermList } from "./include-exclude.ts";
import {
  compareKeys,
  DOUBLE_TERMS,
  LONG_TERMS,
  STRING_TERMS,
  type Terms,
  type TermsBucket,
  UNMAPPED_TERMS,
} from "./internal-terms.ts";
import { numberKeys } from "./number-keys.ts";
import { stringKeys } from "./string-keys.ts";

export interface TermsOptions {
  size: number;
  shard_size: number;
  min_doc_count: number;
  shard_min_doc_count: number;
  order: readonly Order[];
  show_term_doc_count_error: boolean;
  collect_mode: string;
  execution_hint: string;
  include: TermList;
  exclude: TermList;
}

const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword", "ip"];

/** Limits on buckets, as several aggregations have them. */
export function thresholds(name: string) {
  const limit = (label: string, least: 0 | 1): FieldReader<number> =>
    field(["number", "string"], (value, json, key) => {
      const number = readInt(value, json, key);
      if (number >= least) return number;
      const words = least === 1 ? "greater than 0" : "greater than or equal to 0";
      throw illegalArgument(`[${label}] must be ${words}. Found [${number}] in [${name}]`);
    });
  return {
    size: limit("size", 1),
    shard_size: limit("shardSize", 1),
    min_doc_count: limit("minDocCount", 0),
    shard_min_doc_count: limit("shardMinDocCount", 0),
  };
}

const collectMode: FieldReader<string> = field(["string"], (value) => {
  if (value === "depth_first" || value === "breadth_first") return value;
  throw new EngineError("parse_exception", `no [collect_mode] found for value [${String(value)}]`);
});

/** More than what is asked for, so that shards seldom miss a term (BucketUtils.suggestShardSideQueueSize). */
export const shardSizeFor = (size: number) => Math.min(Math.trunc(size * 1.5 + 10), 2 ** 31 - 1);

export const parseTerms: AggregationParser = (name, json) => {
  const options = readSource<TermsOptions>("terms", name, json, {
    ...thresholds(name),
    order,
    show_term_doc_count_error: bool,
    collect_mode: collectMode,
    execution_hint: field(["string"], (value) => value as string),
    include,
    exclude,
  });
  const size = options.size ?? 10;
  const by = options.order ?? withTieBreaker([COUNT_DESCENDING]);
  const shardSize = options.shard_size ?? (by[0].by === "key" ? size : shardSizeFor(size));
  const settings: Settings = {
    size,
    order: by,
    shardSize: Math.max(shardSize, size),
    minDocCount: options.min_doc_count ?? 1,
    shardMinDocCount: Math.min(options.shard_min_doc_count ?? 0, options.min_doc_count ?? 1),
    showError: options.show_term_doc_count_error ?? false,
    limits: {
      ...(options.include ? { include: options.include } : {}),
      ...(options.exclude ? { exclude: options.exclude } : {}),
    },
  };
  return {
    takesSubs: true,
    bind(context, own) {
      const source = bindSource(context, options, { type: "terms", supports: SUPPORTED, fallback: "keyword" });
      const text = source.kind === "keyword" || source.kind === "ip";
      if (text && source.hasValues) checkHint(options.execution_hint);
      return termsAggregator(source, settings, context, own);
    },
  };
};

export function checkHint(hint: string | undefined): void {
  if (hint === undefined || hint === "map" || hint === "global_ordinals") return;
  throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [map, global_ordinals]`);
}

interface Settings {
  readonly size: number;
  readonly order: readonly Order[];
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly showError: boolean;
  readonly limits: IncludeExclude;
}

function termsAggregator(source: ValuesSource, settings: Settings, context: AggregationContext, own: Own): Aggregator {
  const subs = own.subs();
  const sorters = sortersOf(settings.order, subs);
  const text = source.kind === "keyword" || source.kind === "ip";
  const kind = !source.hasValues ? UNMAPPED_TERMS : text ? STRING_TERMS : source.floating ? DOUBLE_TERMS : LONG_TERMS;
  const ords = bucketOrds(context.memory);
  const counts = new Doubles(context.memory);
  const keys = text
    ? stringKeys(source, settings.limits, ords, context, own.name)
    : numberKeys(source, settings.limits, ords, context, own.name);
  const result = (otherDocCount: number, buckets: readonly TermsBucket[]): Terms => ({
    order: settings.order,
    size: settings.size,
    shardSize: settings.shardSize,
    minDocCount: settings.minDocCount,
    showError: settings.showError,
    format: source.format,
    docCountError: undefined,
    floating: source.floating,
    otherDocCount,
    buckets,
  });
  return {
    name: own.name,
    needsScores: subs.some(({ needsScores }) => needsScores),
    subs,
    sortable: { kind: "none" },
    leaf(leaf, scores): Collect | undefined {
      if (!source.hasValues) return undefined;
      const within = subCollector(subs, leaf, scores);
      return keys.leaf(leaf, (doc, ord) => {
        counts.add(ord, 1);
        within?.(doc, ord);
      });
    },
    build(bucket) {
      if (source.hasValues && settings.minDocCount === 0 && bucket !== NO_BUCKET) keys.fill(bucket);
      const candidates = ords.ordsOf(bucket).filter((ord) => counts.get(ord) >= settings.shardMinDocCount);
      const compare = compareOrds(
        sorters,
        (ord) => counts.get(ord),
        (a, b) => compareKeys(keys.key(a), keys.key(b)),
      );
      const best = selectTop(candidates, settings.shardSize, compare);
      let other = 0;
      for (const ord of ords.ordsOf(bucket)) other += counts.get(ord);
      for (const ord of best) other -= counts.get(ord);
      const buckets = best.map((ord) => ({
        key: keys.key(ord),
        docCount: counts.get(ord),
        docCountError: 0,
        subs: buildSubs(subs, ord),
      }));
      return internal(own, kind, result(other, buckets));
    },
  };
}
