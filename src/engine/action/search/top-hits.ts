/**
 * top_hits: the best documents of a bucket, printed as hits. It stands with the search, whose keys it takes and whose fetch phase it uses; each
 * shard prints its own, as Elasticsearch's shards do.
 */
import type {
  AggregationBuilder,
  AggregationContext,
  Collect,
  Internal,
  InternalKind,
  Own,
} from "../../aggregations/index.ts";
import { Doubles } from "../../aggregations/support/memory.ts";
import { internal } from "../../aggregations/types.ts";
import { illegalArgument, unsupported } from "../../errors.ts";
import { settingOf } from "../../index/settings.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { errorAt, isArray, isObject, readInt, tokenName } from "../../query/dsl/read.ts";
import type { Query } from "../../query/types.ts";
import { compareRows, type SortBuilder, type SortKey, type SortValue } from "../../search/sort/index.ts";
import type { Slices } from "../../slices.ts";
import { printScore } from "../print-score.ts";
import type { ResponseValue } from "../response-value.ts";
import { highlightQuery } from "./fetch/highlight.ts";
import { fetchHits } from "./fetch/index.ts";
import { BODY_KEYS } from "./keys/index.ts";
import { emptyDraft, type FetchOptions, finishedSource } from "./request.ts";
import type { Shard, ShardHit } from "./shard.ts";
import { byScore, sortKeysOf } from "./sorting.ts";

/** Keys that a search reads too, in the same way. */
const SHARED = new Set([
  "_source",
  "stored_fields",
  "fields",
  "docvalue_fields",
  "highlight",
  "sort",
  "version",
  "seq_no_primary_term",
  "explain",
  "track_scores",
]);

const DEFAULT_SIZE = 3;
/** `index.max_inner_result_window` */
const DEFAULT_WINDOW = 100;

interface TopHitsRequest {
  readonly from: number;
  readonly size: number;
  readonly options: FetchOptions;
  /** It says itself which fields are shown. */
  readonly ownFields: boolean;
  readonly sorts: readonly SortBuilder[];
  readonly trackScores: boolean;
}

interface Row {
  readonly hit: ShardHit;
  readonly values: readonly SortValue[];
  printed?: ResponseValue;
}

interface TopHits {
  readonly request: TopHitsRequest;
  /** Undefined: by score. */
  readonly keys: readonly SortKey[] | undefined;
  readonly query: Query;
  readonly total: number;
  /** NaN where nobody asked for scores. */
  readonly maxScore: number;
  /** The best from the first on. */
  readonly rows: readonly Row[];
}

function readTopHits(name: string, json: JsonObject) {
  const draft = emptyDraft();
  let from = 0;
  let size = DEFAULT_SIZE;
  for (const key of Object.keys(json)) {
    const value = json[key];
    const scalar = value !== null && !isObject(value) && !isArray(value);
    if (key === "script_fields" && isObject(value)) throw unsupported("script_fields");
    if (key === "from" && scalar) from = notNegative(name, key, readInt(value, json, key));
    else if (key === "size" && scalar) size = notNegative(name, key, readInt(value, json, key));
    else {
      const reader = SHARED.has(key) ? BODY_KEYS.get(key) : undefined;
      if (!reader?.kinds.includes(kindOf(value)) || value === null) {
        throw errorAt(json, { value: key }, `Unknown key for a ${tokenName(value)} in [${key}].`);
      }
      reader.read(json, key, draft);
    }
  }
  const { sorts, trackScores, queries } = draft;
  const options: FetchOptions = { ...draft, source: finishedSource(draft) };
  const request: TopHitsRequest = { from, size, options, ownFields: options.fields.length > 0, sorts, trackScores };
  return { request, queries };
}

const kindOf = (value: JsonValue) => (isArray(value) ? "list" : isObject(value) ? "object" : "scalar");

function notNegative(name: string, key: string, value: number): number {
  if (value >= 0) return value;
  throw illegalArgument(`[${key}] must be greater than or equal to 0. Found [${value}] in [${name}]`);
}

export function parseTopHits(name: string, json: JsonObject): AggregationBuilder {
  const { request, queries } = readTopHits(name, json);
  return { takesSubs: false, queries, bind: (context, own) => topHitsAggregator(request, context, own) };
}

function topHitsAggregator(request: TopHitsRequest, context: AggregationContext, own: Own) {
  const around = context.shard as Shard;
  checkWindow(around, own.name, request.from + request.size);
  // What is within nested objects is seen from there.
  const shard: Shard =
    context.nestedPath === undefined ? around : { ...around, context: { ...context.query, named: [] } };
  // What is wrong with a query of the highlighting is told before anything is found.
  for (const highlighted of request.options.highlight?.queries ?? []) highlightQuery(shard, highlighted);
  const keys = byScore(request.sorts) ? undefined : sortKeysOf(request, shard);
  const byBucket = new Map<number, Row[]>();
  const totals = new Doubles(context.memory);
  const best = new Doubles(context.memory, Number.NEGATIVE_INFINITY);
  const wanted = request.from + request.size;
  const scored = keys === undefined || request.trackScores || keys.some(({ type }) => type === "SCORE");
  const shown = keys === undefined || request.trackScores;
  const order = rowOrder(keys);
  return {
    name: own.name,
    needsScores: scored,
    subs: [],
    sortable: { kind: "none" } as const,
    leaf(leaf, scores): Collect {
      const leafKeys = keys?.map((key) => key.leaf(leaf)) ?? [];
      return (doc, bucket) => {
        if (wanted === 0) throw noHits();
        totals.add(bucket, 1);
        const score = scored ? scores.score() : Number.NaN;
        best.ensure(bucket);
        if (score > best.values[bucket]) best.values[bucket] = score;
        const rows = byBucket.get(bucket) ?? [];
        if (rows.length === 0) byBucket.set(bucket, rows);
        const last = rows.at(-1);
        const full = rows.length === wanted;
        if (full && keys === undefined && score <= last!.hit.score) return;
        const values = leafKeys.map((key) => key.value(doc, score));
        const hit: ShardHit = {
          shard,
          doc: doc + leaf.docBase,
          score: shown ? score : Number.NaN,
          ...(keys === undefined ? {} : { sort: keys.map((key, i) => key.print(values[i])) }),
        };
        const row: Row = { hit, values };
        if (full && order(row, last!) >= 0) return;
        if (full) rows.pop();
        else context.memory.take(200);
        insert(rows, row, order);
      };
    },
    build: (bucket) =>
      internal<TopHits>(own, TOP_HITS, {
        request,
        keys,
        query: context.mainQuery(),
        total: totals.get(bucket),
        maxScore: shown ? best.get(bucket) : Number.NaN,
        rows: byBucket.get(bucket) ?? [],
      }),
  } satisfies ReturnType<AggregationBuilder["bind"]>;
}

const rowOrder = (keys: readonly SortKey[] | undefined) =>
  keys === undefined
    ? (a: Row, b: Row) => b.hit.score - a.hit.score
    : (a: Row, b: Row) => compareRows(keys, a.values, b.values);

/** Behind those that are as good: documents come in order. */
function insert(rows: Row[], row: Row, order: (a: Row, b: Row) => number): void {
  let low = 0;
  for (let high = rows.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (order(rows[middle], row) <= 0) low = middle + 1;
    else high = middle;
  }
  rows.splice(low, 0, row);
}

function noHits() {
  return illegalArgument(
    "numHits must be > 0; please use TotalHitCountCollectorManager if you just need the total hit count",
  );
}

function checkWindow({ index }: Shard, name: string, hits: number): void {
  const window = Number(settingOf(index.settings, "max_inner_result_window") ?? DEFAULT_WINDOW);
  if (hits <= window) return;
  throw illegalArgument(
    `Top hits result window is too large, the top hits aggregator [${name}]'s from + size must be less than or equal to: [${window}] but was ` +
      `[${hits}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
  );
}

const TOP_HITS: InternalKind<TopHits> = {
  typedName: "top_hits",
  reduce(all) {
    const [first] = all;
    const { from, size } = first.request;
    checkTypes(all);
    // Stable: equal ones stay in the order of the shards.
    const rows = all.flatMap((each) => each.rows).sort(rowOrder(first.keys));
    return {
      ...first,
      total: all.reduce((sum, { total }) => sum + total, 0),
      maxScore: all.reduce(
        (most, { maxScore }) => (Number.isNaN(maxScore) ? maxScore : Math.max(most, maxScore)),
        Number.NEGATIVE_INFINITY,
      ),
      rows: rows.slice(from, from + size),
    };
  },
  print: ({ total, maxScore, rows }, { totalAsInt }) => ({
    hits: {
      total: totalAsInt ? total : { value: total, relation: "eq" },
      max_score: Number.isFinite(maxScore) ? printScore(maxScore) : null,
      hits: rows.map(({ printed }) => printed!),
    },
  }),
};

/** Values of several types have no order. */
function checkTypes(all: readonly TopHits[]): void {
  const found = all.filter(({ rows, keys }) => rows.length > 0 && keys !== undefined);
  const types = new Set(found.map(({ keys }) => keys!.map(({ type, shape }) => `${type} ${shape}`).join()));
  if (types.size > 1) throw unsupported("top_hits sorted by fields of several types in several indices");
}

/**
 * Prints the hits of a shard's results.
 *
 * @param search of which they show the inner hits wherever they stand, and the fields where they ask for none of their own
 */
export async function fetchTopHits(
  results: readonly Internal[],
  slices: Slices,
  { innerHits, fields }: Pick<FetchOptions, "innerHits" | "fields">,
): Promise<void> {
  const found = new Map<TopHitsRequest, TopHits[]>();
  gather(results, found);
  for (const [{ options, ownFields }, all] of found) {
    const rows = all.flatMap((each) => each.rows);
    if (rows.length === 0) continue;
    const queries = new Map(all.flatMap((each) => each.rows.map(({ hit }) => [hit.shard, each.query] as const)));
    const printed = await fetchHits(
      rows.map(({ hit }) => hit),
      { ...options, innerHits, ...(ownFields ? {} : { fields }) },
      { queries },
      slices,
    );
    for (const [i, row] of rows.entries()) row.printed = printed[i];
  }
}

function gather(results: readonly Internal[], found: Map<TopHitsRequest, TopHits[]>): void {
  for (const { kind, data } of results) {
    if (kind === (TOP_HITS as InternalKind<unknown>)) {
      const top = data as TopHits;
      const same = found.get(top.request);
      if (same) same.push(top);
      else found.set(top.request, [top]);
    } else if (kind.buckets) for (const { subs } of kind.buckets.list(data)) gather(subs, found);
    else if (kind.bucket) gather(kind.bucket(data).subs, found);
  }
}
