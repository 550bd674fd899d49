/** significant_terms: values of a field that are more frequent among the documents of a bucket than elsewhere. */
import { EngineError, illegalArgument, unsupported } from "../../../errors.ts";
import { positionOf } from "../../../json/parse.ts";
import type { JsonObject } from "../../../json/types.ts";
import { isSearchable } from "../../../mapping/fielddata.ts";
import { parseInnerQuery, type QueryBuilder } from "../../../query/dsl/index.ts";
import { contentError, located } from "../../../query/dsl/read.ts";
import { suggestion } from "../../../query/dsl/suggestion.ts";
import { buildSubs, deferredCollector } from "../../collect.ts";
import { bucketOrds } from "../../support/bucket-ords.ts";
import { Doubles } from "../../support/memory.ts";
import { type FieldReader, field } from "../../support/object-parser.ts";
import { bindSource, readSource, type SourceKind } from "../../support/values-source.ts";
import { type AggregationParser, internal } from "../../types.ts";
import { exclude, include, type TermList } from "../terms/include-exclude.ts";
import { numberKeys } from "../terms/number-keys.ts";
import { stringKeys } from "../terms/string-keys.ts";
import { checkHint, shardSizeFor, thresholds } from "../terms/terms.ts";
import { backgroundOf } from "./background.ts";
import { DEFAULT_HEURISTIC, HEURISTICS, type Heuristic, isHeuristic, readHeuristic } from "./heuristics.ts";
import { SIGNIFICANT_LONGS, SIGNIFICANT_STRINGS, significantOf, UNMAPPED_SIGNIFICANT } from "./internal-significant.ts";

const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword", "ip"];
const DEFAULT_MIN_DOC_COUNT = 3;

export interface SignificantOptions {
  readonly size: number;
  readonly shard_size: number;
  readonly min_doc_count: number;
  readonly shard_min_doc_count: number;
  readonly background_filter: QueryBuilder;
  readonly include: TermList;
  readonly exclude: TermList;
  readonly execution_hint: string;
}

export const significantFields = (
  name: string,
): { readonly [K in keyof SignificantOptions]-?: FieldReader<SignificantOptions[K]> } => ({
  ...thresholds(name),
  background_filter: field(["object"], (_value, json, key) => parseInnerQuery(json, key, 1)),
  include,
  exclude,
  execution_hint: field(["string"], (value) => value as string),
});

/** How many are looked for, and how often they must be there. */
export function settingsOf(options: Partial<SignificantOptions>) {
  const size = options.size ?? 10;
  const minDocCount = options.min_doc_count ?? DEFAULT_MIN_DOC_COUNT;
  return {
    size,
    minDocCount,
    shardSize: Math.max(options.shard_size ?? Math.min(2 * shardSizeFor(size), 2 ** 31 - 1), size),
    shardMinDocCount: Math.min(options.shard_min_doc_count ?? 0, minDocCount),
    limits: {
      ...(options.include ? { include: options.include } : {}),
      ...(options.exclude ? { exclude: options.exclude } : {}),
    },
  };
}

/** The heuristic of a body: it stands among the other keys, the last one counts. @throws for what is neither */
export function heuristicOf(type: string, json: JsonObject, known: readonly string[]): Heuristic {
  let heuristic = DEFAULT_HEURISTIC;
  for (const key of Object.keys(json)) {
    if (isHeuristic(key)) heuristic = readHeuristic(json, key);
    else if (!known.includes(key)) throw unknown(type, json, key, known);
  }
  return heuristic;
}

/** What is no key is looked for among the heuristics, and either may have been meant. */
function unknown(type: string, json: JsonObject, key: string, known: readonly string[]): EngineError {
  const place = positionOf(json, { value: key });
  const cause = new EngineError(
    "named_object_not_found_exception",
    `${place ? `[${place.line}:${place.col}] ` : ""}unknown field [${key}]`,
  );
  const close = suggestion(key, [...known, ...HEURISTICS]);
  const error = contentError(json, { key }, `[${type}] unknown field [${key}]${close}`);
  return located(new EngineError(error.type, error.reason, { cause }), json, { value: key });
}

const KEYS = [
  "field",
  "format",
  "missing",
  "script",
  "value_type",
  "size",
  "shard_size",
  "min_doc_count",
  "shard_min_doc_count",
  "background_filter",
  "include",
  "exclude",
  "execution_hint",
];

const noFractions = () =>
  new EngineError("unsupported_operation_exception", "No support for examining floating point numerics", {
    status: 500,
  });

export const parseSignificantTerms: AggregationParser = (name, json) => {
  const heuristic = heuristicOf("significant_terms", json, KEYS);
  const skip: FieldReader<never> = () => undefined as never;
  const options = readSource<SignificantOptions & { readonly [heuristic: string]: unknown }>(
    "significant_terms",
    name,
    json,
    {
      ...significantFields(name),
      ...Object.fromEntries(
        Object.keys(json)
          .filter(isHeuristic)
          .map((key) => [key, skip]),
      ),
    } as never,
  );
  const settings = settingsOf(options);
  const filter = options.background_filter;
  return {
    takesSubs: true,
    ...(filter ? { queries: [filter] } : {}),
    bind(context, own) {
      const source = bindSource(context, options, {
        type: "significant_terms",
        supports: SUPPORTED,
        fallback: "keyword",
      });
      if (source.field?.type === "date_nanos") throw unsupported("significant_terms of [date_nanos] fields");
      const text = source.kind === "keyword" || source.kind === "ip";
      // Elasticsearch fails on it, in a cast of classes.
      if (text && options.missing !== undefined) throw unsupported("significant_terms.missing for text");
      const background = context.atCreation(() => source.field && backgroundOf(source.field, source, filter, context));
      context.atCreation(() => {
        if (source.field && source.field.family !== "metadata" && !isSearchable(source.field)) {
          throw illegalArgument(
            `SignificantText aggregation requires fields to be searchable, but [${source.field.name}] is not`,
          );
        }
        if (source.floating) throw noFractions();
        if (text && source.hasValues) checkHint(options.execution_hint);
      });
      const ords = bucketOrds(context.memory);
      const counts = new Doubles(context.memory);
      const sizes = new Doubles(context.memory);
      const keys = (text ? stringKeys : numberKeys)(source, settings.limits, ords, context, own.name);
      const subs = own.subs();
      return {
        name,
        needsScores: subs.some(({ needsScores }) => needsScores),
        subs,
        sortable: { kind: "none" },
        leaf(leaf, scores) {
          if (!background()) return undefined;
          const within = deferredCollector(subs, leaf, scores);
          const take = keys.leaf(leaf, (doc, ord) => {
            counts.add(ord, 1);
            within?.(doc, ord);
          });
          return (doc, bucket) => {
            sizes.add(bucket, 1);
            take?.(doc, bucket);
          };
        },
        build(bucket) {
          const data = significantOf({
            ...settings,
            heuristic,
            format: source.format,
            boolean: source.kind === "boolean",
            subsetSize: sizes.get(bucket),
            supersetSize: background()?.size ?? 0,
            ords: background() ? ords.ordsOf(bucket) : [],
            count: (ord) => counts.get(ord),
            key: keys.key,
            background: (key) => background()!.count(key),
            subs: (ord) => buildSubs(subs, ord),
          });
          const kind = !source.hasValues ? UNMAPPED_SIGNIFICANT : text ? SIGNIFICANT_STRINGS : SIGNIFICANT_LONGS;
          return internal(own, kind, data);
        },
      };
    },
  };
};
