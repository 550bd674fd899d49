/** The fetch phase's parts. */
import type { JsonObject } from "../../../json/types.ts";
import type { Query } from "../../../query/types.ts";
import type { FetchProfile } from "../../../search/profile/fetch-profile.ts";
import type { LeafReader } from "../../../segment/types.ts";
import type { Slices } from "../../../slices.ts";
import type { ResponseValue } from "../../response-value.ts";
import type { NestedIdentity } from "../inner-hits/nested-identity.ts";
import type { FetchOptions } from "../request.ts";
import type { Rescored } from "../rescoring.ts";
import type { Shard, ShardHit } from "../shard.ts";

/** A hit whose document is read. */
export interface FetchedHit {
  readonly hit: ShardHit;
  readonly leaf: LeafReader;
  /** The document within its segment. */
  readonly local: number;
  /** The stored bytes of the source; read once, when they are asked for. */
  source(): Uint8Array | undefined;
  /** A nested document's place in its root; its source is what it has alone there. */
  readonly nested: NestedIdentity | undefined;
  /** What was indexed of the document, whatever its source shows, as values; read once. */
  indexed(): JsonObject;
  /** The source as values; read once. */
  object(): JsonObject;
}

export interface FetchContext {
  readonly shard: Shard;
  /** What the hits were found by; undefined where nothing was searched for. */
  readonly query: Query | undefined;
  /** Second passes over the hits. */
  readonly rescored: readonly Rescored[];
  readonly options: FetchOptions;
  readonly slices: Slices;
  /** The hits of this shard, in the order of their documents. */
  readonly hits: readonly FetchedHit[];
  /** What fetching takes is measured, where the search is profiled. */
  readonly profile?: () => FetchProfile | undefined;
}

/** What is printed of a hit, as far as it is there. */
export type ShownHit = { [key: string]: ResponseValue };

/** Adds a part to what is shown of a hit; a promise is waited for. */
export type FetchPart = (hit: FetchedHit, shown: ShownHit) => unknown;

/**
 * A part of what is printed of hits: prepared once for the hits of a shard, then asked for each in the order of its documents. Undefined when
 * the options do not want it.
 */
export type FetchSubPhase = (context: FetchContext) => FetchPart | undefined;
