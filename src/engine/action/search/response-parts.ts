/** What a response shows beside its hits (aggregations, suggestions): computed on each shard in the query phase, then reduced. */
import type { EngineError } from "../../errors.ts";
import type { Query } from "../../query/types.ts";
import type { CollectorNames } from "../../search/profile/shard-profile.ts";
import type { Slices } from "../../slices.ts";
import type { ResponseValue } from "../response-value.ts";
import { aggregationsPart } from "./aggregations-part.ts";
import type { FoundBy } from "./fetch/index.ts";
import type { SearchRequest } from "./request.ts";
import type { Shard, ShardHit } from "./shard.ts";
import type { ShardSearch } from "./shard-search.ts";
import { suggestPart } from "./suggest-part.ts";

export interface PartContext {
  readonly shard: Shard;
  /** What is searched for, filters of aliases included and the filter after the query left out. */
  readonly query: Query;
  readonly built: ShardSearch;
  readonly request: SearchRequest;
  readonly slices: Slices;
}

export interface ResponsePart<T = unknown> {
  wanted(request: SearchRequest): boolean;
  /**
   * What fails here as a shard's error is a failure of the shard. It comes when hits were collected; what is wrong with the request is told
   * before, in its place among the steps of shard-search.ts.
   */
  onShard(context: PartContext): T | Promise<T>;
  /** The collector as which a profile shows it. */
  collector?(request: SearchRequest): CollectorNames;
  /** It shows documents: they are fetched with the hits, and what fails then is noted. */
  readonly fetches?: boolean;
  /** The keys that it adds to the response; the shards' snapshots are still held. */
  reduce(
    results: readonly { readonly shard: Shard; readonly result: T }[],
    request: SearchRequest,
    slices: Slices,
    page: FetchedPage,
  ): Parts | Promise<Parts>;
}

/** The hits that are fetched, and the shards that fail at it. */
export interface FetchedPage {
  readonly hits: readonly ShardHit[];
  readonly foundBy: FoundBy;
  readonly failed: Map<Shard, EngineError>;
}

type Parts = { readonly [key: string]: ResponseValue };

/** In the order in which they are printed: aggregations, suggest, profile. */
export const RESPONSE_PARTS: readonly ResponsePart[] = [aggregationsPart as ResponsePart, suggestPart as ResponsePart];
