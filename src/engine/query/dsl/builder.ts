/**
 * The DSL is read in two steps, as in Elasticsearch: a body becomes builders (errors here are the request's, with line and column), and a
 * builder becomes a query of one index (errors here are that shard's).
 */
import type { AnalysisRegistry } from "../../analysis/types.ts";
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import type { Mapping } from "../../mapping/types.ts";
import { boostQuery, matchesNone, matchNoneQuery } from "../lucene/constant.ts";
import type { KnnVectorQuery } from "../lucene/knn-vector-query.ts";
import type { Query } from "../types.ts";
import type { InnerHits } from "./inner-hits.ts";
import type { LookedUp, Lookup } from "./terms-lookup.ts";

/** What a builder needs to know of the index that is searched. */
export interface QueryContext {
  readonly indexName: string;
  readonly indexUuid: string;
  readonly mapping: Mapping;
  readonly analysis: AnalysisRegistry;
  /** `index.query.default_field`. */
  readonly defaultFields: readonly string[];
  /** Milliseconds since the epoch for `now`, one value for a whole request. */
  readonly now: number;
  /** `index.similarity.default.type` */
  readonly defaultSimilarity: string;
  /** `index.max_terms_count`. */
  readonly maxTermsCount: number;
  /** `index.max_regex_length`. */
  readonly maxRegexLength: number;
  /** Path of the nested object whose documents are matched; undefined: root documents. */
  readonly nestedPath?: string;
  /** Whether some document has or had something in a field, by the name that it has in segments. */
  existsInIndex(field: string): boolean;
  /** The least and the greatest point of a field, deleted documents included; undefined where there is none. */
  pointRange(field: string): { readonly min: number | bigint; readonly max: number | bigint } | undefined;
  /** The path of the level around `nestedPath`; undefined: root documents. */
  readonly outerNestedPath?: string;
  /** Hits that the request wants; undefined: it does not say. */
  readonly requestSize?: number | undefined;
  /** A document of the index as it is now, refreshed or not: as it was indexed, and what is kept of its source (the same object where that is all). */
  document(id: string): { readonly indexed: JsonObject; readonly kept: JsonObject | undefined } | undefined;
  /** Terms that were read from documents. */
  readonly lookedUp: LookedUp;
  /** Searches for vectors within the queries that were built, the inner ones first: whoever can wait runs them beforehand, in slices. */
  readonly searches: KnnVectorQuery[];
  /** Inner hits of queries that were rewritten to nothing: there are none to be shown. */
  readonly lostInnerHits?: Set<InnerHits>;
  /** Queries with a `_name`, in order. */
  readonly named: { name: string; query: Query }[];
}

export type RewritesToNone = (context: QueryContext, anyIndex?: boolean) => boolean;

export interface QueryBuilder {
  /** Name in the DSL. */
  readonly name: string;
  /** Factor of its scores, 1 when left out. */
  readonly boost?: number;
  /** Documents to read before it is built, those of the queries within it too, and mistakes that are told then. */
  readonly lookups?: readonly Lookup[];
  /** Nested documents to be shown with hits, those of the queries within it too. */
  readonly innerHits?: readonly InnerHits[];
  /** The query of an index, boost included. */
  toQuery(context: QueryContext): Query;
  /**
   * True when the query matches nothing in this index, whatever its documents: Elasticsearch then rewrites the queries around it before it
   * builds them, and a mistake in what is left out is never found.
   *
   * @param anyIndex only what holds in every index counts: so a request is rewritten before it is sent to its shards
   */
  rewritesToNone?: RewritesToNone;
  /** What is said of it then. */
  readonly noneReason?: string;
}

export interface BuilderOptions {
  readonly boost?: number;
  /** `_name`. */
  readonly queryName?: string;
  /** What is said of the query where it is rewritten to nothing. */
  readonly noneReason?: string | undefined;
}

/** A builder of a query without boost and name, which are added here. */
export function makeBuilder(
  name: string,
  { boost = 1, queryName, noneReason = reasonOfNone(name) }: BuilderOptions,
  build: (context: QueryContext) => Query,
  rewrites?: RewritesToNone,
  lookups: readonly Lookup[] = [],
  innerHits: readonly InnerHits[] = [],
): QueryBuilder {
  checkBoost(name, boost);
  // What is nothing in every index is not compared with this one, nor are the queries within it: their mistakes are not found.
  const rewritesToNone: RewritesToNone | undefined =
    rewrites && ((context, anyIndex = false) => rewrites(context, true) || (!anyIndex && rewrites(context, false)));
  return {
    name,
    boost,
    lookups,
    innerHits,
    rewritesToNone,
    noneReason,
    toQuery(context) {
      const none = rewritesToNone?.(context) ?? false;
      if (none) for (const lost of innerHits) context.lostInnerHits?.add(lost);
      const inner = none ? matchNoneQuery(noneReason) : build(context);
      const query = boosted(inner, boost);
      if (queryName !== undefined) context.named.push({ name: queryName, query });
      return query;
    },
  };
}

/** The documents that some queries need, in order. */
export function lookupsOf(builders: readonly QueryBuilder[]): Lookup[] {
  return builders.flatMap(({ lookups = [] }) => lookups);
}

/** Of what is rewritten in any index nobody asks for more than the documents that were read. */
const NOTHING_READ = { lookedUp: new Map() } as Pick<QueryContext, "lookedUp"> as QueryContext;

/**
 * What some queries need where they are looked at only when the first one may match something: of one that matches nothing in any index the
 * others are never rewritten, and neither their documents nor their mistakes are found.
 */
export function lookupsBehind(first: QueryBuilder, others: readonly QueryBuilder[]): readonly Lookup[] {
  return first.rewritesToNone?.(NOTHING_READ, true) ? (first.lookups ?? []) : lookupsOf([first, ...others]);
}

/** What Elasticsearch says of a query that it rewrites to nothing. */
export function reasonOfNone(name: string): string {
  if (name === "match_none") return 'User requested "match_none" query.';
  if (["term", "prefix", "wildcard"].includes(name))
    return `The "${name}" query is against a field that does not exist`;
  return `The "${name}" query was rewritten to a "match_none" query.`;
}

/** @throws illegal_argument_exception for a negative one */
export function checkBoost(query: string, boost: number | undefined): void {
  if (boost !== undefined && boost < 0)
    throw illegalArgument(`negative [boost] are not allowed in [${query}], use a value between 0 and 1 to deboost`);
}

/** Lucene's BoostQuery takes positive numbers only; what matches nothing needs no boost. */
export function boosted(query: Query, boost: number): Query {
  if (matchesNone(query) || boost === 1) return query;
  if (!(boost >= 0 && boost < Number.POSITIVE_INFINITY))
    throw illegalArgument(`boost must be a positive float, got ${boost}`);
  return boostQuery(query, boost);
}

/**
 * Marks what fails before queries are built, while they are compared with what is in the index: Elasticsearch reports it as it is, without
 * the query around it.
 */
export function whileRewriting<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof EngineError ? shardError(error) : error;
  }
}

/** An error that concerns one shard: Elasticsearch reports it within a search_phase_execution_exception. */
export function shardError(error: EngineError): EngineError {
  return new EngineError(error.type, error.reason, {
    status: error.status,
    metadata: { ...error.metadata, phase: "shard" },
    cause: error.cause,
    rootCause: error.rootCause,
    noReason: error.noReason,
  });
}

/** What fails in `run` is its shard's error. What is not supported stays what it is. */
export function asShard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof EngineError && error.type !== "unsupported_feature_exception" ? shardError(error) : error;
  }
}

/** The error of a shard as that of what is being built. */
export function unmarked(error: EngineError): EngineError {
  const { phase: _phase, ...metadata } = error.metadata;
  const { status, cause, rootCause } = error;
  return new EngineError(error.type, error.reason, { status, metadata, cause, rootCause });
}

export function isShardError(error: unknown): error is EngineError {
  return error instanceof EngineError && error.metadata["phase"] === "shard";
}

/** Builds the query of an index. What fails is the shard's error, wrapped as SearchExecutionContext.toQuery wraps it. */
export function buildQuery(builder: QueryBuilder, context: QueryContext): Query {
  try {
    return builder.toQuery(context);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    if (error.metadata["phase"] === "shard") throw error;
    const own = error.type === "query_shard_exception" || error.type === "parsing_exception";
    throw shardError(own ? error : queryShardError(context, `failed to create query: ${error.reason}`, error));
  }
}

export function queryShardError(context: QueryContext, reason: string, cause?: unknown): EngineError {
  return new EngineError("query_shard_exception", reason, {
    metadata: { index_uuid: context.indexUuid, index: context.indexName },
    ...(cause === undefined ? {} : { cause }),
  });
}
