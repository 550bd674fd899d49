/** One index of a search, on one snapshot. */
import { EngineError } from "../../errors.ts";
import { listSettingOf, ofSettings, settingOf } from "../../index/settings.ts";
import type { Index, IndexSnapshot, NewIndex } from "../../index/types.ts";
import { parseJson } from "../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { writeJson } from "../../json/write.ts";
import type { Mapping } from "../../mapping/types.ts";
import { unmarked } from "../../query/dsl/builder.ts";
import {
  isShardError,
  lookupsOf,
  parseInnerQuery,
  type QueryBuilder,
  type QueryContext,
  shardError,
} from "../../query/dsl/index.ts";
import type { LookedUp } from "../../query/dsl/terms-lookup.ts";
import { booleanQuery } from "../../query/lucene/boolean.ts";
import type { IndexSearcher } from "../../query/types.ts";
import { createSearcher, shareStatistics } from "../../search/searcher.ts";
import type { SortValue } from "../../search/sort/index.ts";
import { compareNumbers } from "../../segment/index.ts";
import type { ResolvedIndex } from "../index-names.ts";

export interface Shard {
  readonly index: Index;
  readonly snapshot: IndexSnapshot;
  /** Its place among the shards of the search. */
  readonly number: number;
  /** `indices_boost`: the factor of its scores. */
  readonly boost: number;
  readonly searcher: IndexSearcher;
  readonly context: QueryContext;
  /** Filters of the aliases it was reached by. */
  readonly aliasFilter: QueryBuilder | undefined;
}

/** A hit of a shard: what the fetch phase is given. */
export interface ShardHit {
  readonly shard: Shard;
  /** In the snapshot's order. */
  readonly doc: number;
  /** NaN where nobody asked for it. */
  readonly score: number;
  /** What it was sorted by, as it is shown. */
  readonly sort?: readonly JsonValue[];
  /** The same as it is compared. */
  readonly values?: readonly SortValue[];
}

export interface ShardOptions {
  /** Terms from the documents that the request names. */
  readonly lookedUp?: LookedUp;
  readonly number?: number;
  readonly boost?: number;
  /** One that is held already. */
  readonly snapshot?: IndexSnapshot;
  /** Runtime fields of this search alone. */
  readonly runtimeMappings?: JsonObject | undefined;
  /** Hits that the request wants. */
  readonly size?: number;
}

export function openShard({ index, filters }: ResolvedIndex, now: number, options: ShardOptions = {}): Shard {
  const { lookedUp = new Map(), snapshot = index.acquire(), runtimeMappings, size } = options;
  // Of a moment that is held for long the documents stay, and fields may come.
  const own = options.snapshot ? index.mapping : snapshot.mapping;
  let known = runtimeMappings === undefined ? own : undefined;
  const mapping = () => (known ??= withRuntime(own, runtimeMappings!));
  const hasRuntime = runtimeMappings !== undefined || own.runtimeFields().length > 0;
  const context: QueryContext = contextOf(index, {
    mapping: own,
    now,
    existsInIndex: fieldsIn(snapshot),
    pointRange: (field) => pointRange(snapshot, field),
    document: (id) => documentOf(index, id),
    lookedUp,
    requestSize: size,
  });
  // What is wrong with a search's own fields is told when somebody asks for them.
  if (runtimeMappings !== undefined) Object.defineProperty(context, "mapping", { enumerable: true, get: mapping });
  return {
    index,
    snapshot,
    number: options.number ?? 0,
    boost: options.boost ?? 1,
    searcher: createSearcher(index, snapshot, own, hasRuntime ? mapping : undefined),
    aliasFilter: filters && aliasFilterBuilder(filters),
    context,
  };
}

/** @throws what is wrong with the runtime fields of a search, as the shard's error */
function withRuntime(mapping: Mapping, runtimeMappings: JsonObject): Mapping {
  try {
    return mapping.withRuntime(runtimeMappings);
  } catch (error) {
    throw error instanceof EngineError && error.type !== "unsupported_feature_exception" ? shardError(error) : error;
  }
}

/** Whether a document has brought a field, be it without a token or only to be kept (Lucene's FieldInfos). */
function fieldsIn({ leaves }: IndexSnapshot): (field: string) => boolean {
  let names: Set<string> | undefined;
  return (field) => {
    names ??= new Set(leaves.flatMap(({ segment }) => segment.fieldInfos().map(({ name }) => name)));
    return names.has(field) || leaves.some(({ segment }) => (segment.terms("_field_names")?.lookup(field) ?? -1) >= 0);
  };
}

function pointRange({ leaves }: IndexSnapshot, field: string) {
  const points = leaves.map(({ segment }) => segment.points(field)).filter((each) => each !== undefined);
  if (points.length === 0) return undefined;
  const [min] = points.map((each) => each.min()).sort(compareNumbers);
  const max = points.map((each) => each.max()).sort(compareNumbers)[points.length - 1];
  return { min, max };
}

function documentOf(index: Index, id: string): ReturnType<QueryContext["document"]> {
  const document = index.get(id);
  if (document === undefined) return undefined;
  const indexed = parseJson(document.indexed) as JsonObject;
  if (document.source === document.indexed) return { indexed, kept: indexed };
  return { indexed, kept: document.source && (parseJson(document.source) as JsonObject) };
}

/** What one of several filters matches. */
function aliasFilterBuilder(filters: readonly JsonObject[]): QueryBuilder {
  const builders = filters.map((_, i) => parseInnerQuery(filters, i, 1));
  if (builders.length === 1) return builders[0];
  return {
    name: "bool",
    toQuery: (context) =>
      booleanQuery(builders.map((builder) => ({ occur: "should", query: builder.toQuery(context) }))),
  };
}

type OfSearch = "mapping" | "now" | "existsInIndex" | "pointRange" | "document" | "lookedUp" | "requestSize";

/** What queries ask of an index, and of the search that they are part of. */
function contextOf(
  { name, uuid, settings, analysis }: Omit<NewIndex, "mapping">,
  { mapping, now, existsInIndex, pointRange, document, lookedUp, requestSize }: Pick<QueryContext, OfSearch>,
): QueryContext {
  const { defaultFields, defaultSimilarity, maxTermsCount, maxRegexLength } = definedBy(settings);
  return {
    indexName: name,
    indexUuid: uuid,
    mapping,
    analysis,
    defaultFields,
    now,
    defaultSimilarity,
    maxTermsCount,
    maxRegexLength,
    existsInIndex,
    pointRange,
    requestSize,
    document,
    lookedUp,
    searches: [],
    lostInnerHits: new Set(),
    named: [],
  };
}

const definedBy = ofSettings((settings) => ({
  defaultFields: listSettingOf(settings, "query.default_field") ?? ["*"],
  defaultSimilarity: settingOf(settings, "similarity.default.type") ?? "BM25",
  maxTermsCount: Number(settingOf(settings, "max_terms_count") ?? 65_536),
  maxRegexLength: Number(settingOf(settings, "max_regex_length") ?? 1000),
}));

/** Builds the filter of an alias for an index, there yet or not: its documents are not looked at. @throws what is wrong with it */
export function checkAliasFilter(index: NewIndex, filter: JsonObject): void {
  // It is kept for itself, and errors name places in it alone.
  const builder = parseInnerQuery([parseJson(writeJson(filter), { positions: true })], 0, 1);
  // A filter stays as it is: nothing is read from documents for it.
  if (lookupsOf([builder]).length > 0) {
    throw new EngineError("illegal_state_exception", "async actions are left after rewrite");
  }
  try {
    const context = contextOf(index, {
      mapping: index.mapping,
      now: Date.now(),
      existsInIndex: () => true,
      pointRange: () => ({ min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }),
      document: () => undefined,
      lookedUp: new Map(),
    });
    builder.toQuery(context);
  } catch (error) {
    throw isShardError(error) ? unmarked(error) : error;
  }
}

/** Shards that score by the statistics of all of them together. */
export function withGlobalStatistics(shards: readonly Shard[]): readonly Shard[] {
  const searchers = shareStatistics(shards.map(({ searcher }) => searcher));
  return shards.map((shard, i) => ({ ...shard, searcher: searchers[i] }));
}

export function closeShards(shards: readonly Shard[]): void {
  for (const { snapshot } of shards) snapshot.release();
}
