/**
 * The fetch phase: what is printed of hits, from the snapshots that were searched. Any list of hits can be fetched, with options of its own:
 * a search's page, the hits within a hit, those of an aggregation. A new part is a file beside this one and a line in the list.
 */
import type { Query } from "../../../query/types.ts";
import { createFetchProfile, type FetchPhaseName, type FetchProfile } from "../../../search/profile/fetch-profile.ts";
import type { Slices } from "../../../slices.ts";
import type { ResponseValue } from "../../response-value.ts";
import type { FetchOptions } from "../request.ts";
import type { Rescored } from "../rescoring.ts";
import type { Shard, ShardHit } from "../shard.ts";
import { explanation } from "./explanation.ts";
import { fetchedHit } from "./fetched-hit.ts";
import { fields } from "./fields.ts";
import { highlight } from "./highlight.ts";
import { identity } from "./identity.ts";
import { ignored } from "./ignored.ts";
import { innerHits } from "./inner-hits.ts";
import { matchedQueries } from "./matched-queries.ts";
import { routing } from "./routing.ts";
import { score } from "./score.ts";
import { sortValues } from "./sort-values.ts";
import { source } from "./source.ts";
import type { FetchPart, FetchSubPhase, ShownHit } from "./types.ts";
import { seqNoPrimaryTerm, version } from "./version.ts";

export type { FetchContext, FetchedHit, FetchSubPhase } from "./types.ts";

/** In the order in which their parts are printed (SearchHit.toInnerXContent). */
const SUB_PHASES: readonly FetchSubPhase[] = [
  identity,
  version,
  seqNoPrimaryTerm,
  score,
  ignored,
  routing,
  source,
  fields,
  highlight,
  sortValues,
  matchedQueries,
  explanation,
  innerHits,
];

/** How a profile calls them; those that are left out are Elasticsearch's own, and take nothing. */
const PROFILED = new Map<FetchSubPhase, FetchPhaseName>([
  [identity, "StoredFieldsPhase"],
  [version, "FetchVersionPhase"],
  [seqNoPrimaryTerm, "SeqNoPrimaryTermPhase"],
  [ignored, "FetchFieldsPhase"],
  [routing, "FetchFieldsPhase"],
  [source, "FetchSourcePhase"],
  [highlight, "HighlightPhase"],
  [matchedQueries, "MatchedQueriesPhase"],
  [explanation, "ExplainPhase"],
  [innerHits, "InnerHitsPhase"],
]);

/** What each shard's hits were found by. */
export interface FoundBy {
  readonly queries: ReadonlyMap<Shard, Query>;
  readonly rescored?: ReadonlyMap<Shard, readonly Rescored[]>;
  /** False: a phase came before the query's. */
  readonly alone?: boolean;
  /** Where fetching is profiled: what it took is put here. */
  readonly profiles?: Map<Shard, ResponseValue>;
}

export async function fetchHits(
  hits: readonly ShardHit[],
  options: FetchOptions,
  foundBy: FoundBy,
  slices: Slices,
): Promise<ResponseValue[]> {
  const printed = new Map<ShardHit, ResponseValue>();
  for (const [shard, own] of byShard(hits)) await fetchOfShard(shard, own, options, foundBy, slices, printed);
  return hits.map((hit) => printed.get(hit)!);
}

/** The hits of each shard, in the order of their documents. */
export function byShard(hits: readonly ShardHit[]): ReadonlyMap<Shard, readonly ShardHit[]> {
  const found = new Map<Shard, ShardHit[]>();
  let last: { readonly shard: Shard; readonly own: ShardHit[] } | undefined;
  for (const hit of hits) {
    if (hit.shard !== last?.shard) {
      last = { shard: hit.shard, own: found.get(hit.shard) ?? [] };
      found.set(hit.shard, last.own);
    }
    last.own.push(hit);
  }
  for (const own of found.values()) own.sort((a, b) => a.doc - b.doc);
  return found;
}

/** @param own in the order of their documents @param printed where what is shown of each is put */
export async function fetchOfShard(
  shard: Shard,
  own: readonly ShardHit[],
  options: FetchOptions,
  { queries, rescored, profiles }: FoundBy,
  slices: Slices,
  printed: Map<ShardHit, ResponseValue>,
): Promise<void> {
  let profile: FetchProfile | undefined;
  const fetched = own.map((hit) => fetchedHit(hit, () => profile));
  const context = {
    shard,
    query: queries.get(shard),
    rescored: rescored?.get(shard) ?? [],
    options,
    slices,
    hits: fetched,
    profile: () => profile,
  };
  const phases: { readonly run: FetchPart; readonly name: FetchPhaseName | undefined }[] = [];
  for (const phase of SUB_PHASES) {
    const run = phase(context);
    if (run) phases.push({ run, name: PROFILED.get(phase) });
  }
  if (profiles) profile = createFetchProfile(profiledPhases(phases, options));
  for (const hit of fetched) {
    if (slices.due()) await slices.pause();
    const shown: ShownHit = {};
    profile?.hit(hit.leaf);
    for (const { run, name } of phases) {
      const done = profile && name ? profile.during(name, () => run(hit, shown)) : run(hit, shown);
      if (done instanceof Promise) await done;
    }
    printed.set(hit.hit, shown);
  }
  const { includes, excludes } = options.source;
  const whole = includes.length === 0 && excludes.length === 0;
  if (profile) profiles?.set(shard, profile.print({ stored: storedNames(options), whole }));
}

/** Elasticsearch's parts, with those that are read together with others here. */
function profiledPhases(phases: readonly { readonly name: FetchPhaseName | undefined }[], options: FetchOptions) {
  if (!options.storedFields) return [];
  // What is read with the source is asked for whether an index has it or not.
  const names: FetchPhaseName[] = ["FetchFieldsPhase", ...phases.flatMap(({ name }) => name ?? [])];
  if (options.docValueFields.length > 0) names.push("FetchDocValuesPhase");
  if (options.fetchScores) names.push("FetchScorePhase");
  return names;
}

/** What is stored apart from nothing else here, under Elasticsearch's names. */
function storedNames({ storedFields, source, fields, highlight }: FetchOptions): string[] {
  if (!storedFields) return [];
  const needed = source.fetch || fields.length > 0 || highlight !== undefined;
  return ["_id", "_routing", ...(needed ? ["_source"] : [])];
}
