/** terms: a bucket for each value of a field. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import { readInt } from "../../../query/dsl/read.ts";
import { COUNT_DESCENDING, type Order, order, withTieBreaker } from "../../order.ts";
import { bucketOrds } from "../../support/bucket-ords.ts";
import { bool, type FieldReader, field } from "../../support/object-parser.ts";
import { bindSource, readSource, type SourceKind, type ValuesSource } from "../../support/values-source.ts";
import type { AggregationParser } from "../../types.ts";
import { type TermsSettings, termsAggregator } from "./aggregator.ts";
import { exclude, type IncludeExclude, include, type TermList } from "./include-exclude.ts";
import { compareKeys, DOUBLE_TERMS, LONG_TERMS, STRING_TERMS, type TermKey, UNMAPPED_TERMS } from "./internal-terms.ts";
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

export const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword", "ip"];

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

export const collectMode: FieldReader<string> = field(["string"], (value) => {
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
  const settings = settingsOf(options);
  const limits: IncludeExclude = {
    ...(options.include ? { include: options.include } : {}),
    ...(options.exclude ? { exclude: options.exclude } : {}),
  };
  return {
    takesSubs: true,
    bind(context, own) {
      const source = bindSource(context, options, { type: "terms", supports: SUPPORTED, fallback: "keyword" });
      const text = source.kind === "keyword" || source.kind === "ip";
      if (text && source.hasValues) context.atCreation(() => checkHint(options.execution_hint));
      const ords = bucketOrds(context.memory);
      const keys = () => (text ? stringKeys : numberKeys)(source, limits, ords, context, name);
      return termsAggregator<TermKey>({
        context,
        own,
        settings,
        // Nobody knows how many different numbers there are.
        deferred: options.collect_mode === "breadth_first" || (options.collect_mode === undefined && !text),
        kind: kindOf(source, text),
        keys: source.hasValues ? keys() : undefined,
        ords,
        compare: compareKeys,
        printing: { format: source.format, floating: source.floating },
      });
    },
  };
};

function kindOf({ hasValues, floating }: ValuesSource, text: boolean) {
  if (!hasValues) return UNMAPPED_TERMS;
  return text ? STRING_TERMS : floating ? DOUBLE_TERMS : LONG_TERMS;
}

export function checkHint(hint: string | undefined): void {
  if (hint === undefined || hint === "map" || hint === "global_ordinals") return;
  throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [map, global_ordinals]`);
}

/** @param options as they were read; what is left out has its default */
export function settingsOf(options: Partial<Omit<TermsOptions, "include" | "exclude">>): TermsSettings {
  const size = options.size ?? 10;
  const by = options.order ?? withTieBreaker([COUNT_DESCENDING]);
  const shardSize = options.shard_size ?? (by[0].by === "key" ? size : shardSizeFor(size));
  const minDocCount = options.min_doc_count ?? 1;
  return {
    size,
    order: by,
    shardSize: Math.max(shardSize, size),
    minDocCount,
    shardMinDocCount: Math.min(options.shard_min_doc_count ?? 0, minDocCount),
    showError: options.show_term_doc_count_error ?? false,
  };
}
