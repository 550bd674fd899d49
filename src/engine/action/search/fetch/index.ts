/**
 * The fetch phase: what is printed of hits, from the snapshots that were searched. Any list of hits can be fetched, with options of its own:
 * a search's page, the hits within a hit, those of an aggregation. A new part is a file beside this one and a line in the list.
 */
import { parseJson } from "../../../json/parse.ts";
import type { JsonObject } from "../../../json/types.ts";
import { writeJson } from "../../../json/write.ts";
import type { Query } from "../../../query/types.ts";
import { createFetchProfile, type FetchPhaseName, type FetchProfile } from "../../../search/profile/fetch-profile.ts";
import type { LeafReader } from "../../../segment/types.ts";
import type { Slices } from "../../../slices.ts";
import type { ResponseValue } from "../../response-value.ts";
import { nestedIdentity, nestedSource } from "../inner-hits/nested-identity.ts";
import type { FetchOptions } from "../request.ts";
import type { Rescored } from "../rescoring.ts";
import type { Shard, ShardHit } from "../shard.ts";
import { explanation } from "./explanation.ts";
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
import type { FetchedHit, FetchSubPhase } from "./types.ts";
import { seqNoPrimaryTerm, version } from "./version.ts";

export type { FetchContext, FetchedHit, FetchSubPhase, HitParts } from "./types.ts";

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
  { queries, rescored, profiles }: FoundBy,
  slices: Slices,
): Promise<ResponseValue[]> {
  const printed = new Map<ShardHit, ResponseValue>();
  for (const shard of new Set(hits.map((hit) => hit.shard))) {
    const own = hits.filter((hit) => hit.shard === shard).sort((a, b) => a.doc - b.doc);
    let profile: FetchProfile | undefined;
    const fetched = own.map((hit) => read(hit, () => profile));
    const context = {
      shard,
      query: queries.get(shard),
      rescored: rescored?.get(shard) ?? [],
      options,
      slices,
      hits: fetched,
      profile: () => profile,
    };
    const phases = SUB_PHASES.flatMap((phase) => {
      const run = phase(context);
      return run ? [{ run, name: PROFILED.get(phase) }] : [];
    });
    if (profiles) profile = createFetchProfile(profiledPhases(phases, options));
    for (const [i, hit] of fetched.entries()) {
      if (slices.due()) await slices.pause();
      const shown = {};
      profile?.hit(hit.leaf);
      for (const { run, name } of phases) {
        const parts = profile && name ? profile.during(name, () => run(hit)) : run(hit);
        Object.assign(shown, parts instanceof Promise ? await parts : parts);
      }
      printed.set(own[i], shown);
    }
    const { includes, excludes } = options.source;
    const whole = includes.length === 0 && excludes.length === 0;
    if (profile) profiles?.set(shard, profile.print({ stored: storedNames(options), whole }));
  }
  return hits.map((hit) => printed.get(hit)!);
}

/** Elasticsearch's parts, with those that are read together with others here. */
function profiledPhases(phases: readonly { readonly name: FetchPhaseName | undefined }[], options: FetchOptions) {
  if (!options.storedFields) return [];
  const names = phases.flatMap(({ name }) => name ?? []);
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

function read(hit: ShardHit, profile: () => FetchProfile | undefined): FetchedHit {
  const leaf = leafOf(hit.shard, hit.doc);
  const local = hit.doc - leaf.docBase;
  const nested = nestedIdentity(leaf, local, hit.shard.context.mapping);
  let bytes: { readonly source: Uint8Array | undefined } | undefined;
  let object: JsonObject | undefined;
  let indexed: JsonObject | undefined;
  const { snapshot } = hit.shard;
  const root = nested === undefined ? local : (leaf.segment.roots()?.nextSetBit(local) ?? local);
  const stored = () => {
    const load = () => snapshot.source(leaf, root);
    const measured = profile();
    return measured ? measured.reading(load) : load();
  };
  const read = (): JsonObject => {
    const root = parseJson(stored() ?? "{}") as JsonObject;
    return nested === undefined ? root : nestedSource(root, nested);
  };
  const source = () => {
    bytes ??= { source: nested === undefined ? stored() : new TextEncoder().encode(writeJson(object ?? read())) };
    return bytes.source;
  };
  return {
    ...hit,
    leaf,
    local,
    nested,
    source,
    indexed() {
      if (indexed === undefined) {
        const whole = parseJson(snapshot.indexed(leaf, root) ?? "{}") as JsonObject;
        indexed = nested === undefined ? whole : nestedSource(whole, nested);
      }
      return indexed;
    },
    object() {
      object ??= read();
      return object;
    },
  };
}

/** The segment of a document. */
export function leafOf(shard: Shard, doc: number): LeafReader {
  const { leaves } = shard.snapshot;
  let low = 0;
  let high = leaves.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (leaves[middle].docBase <= doc) low = middle;
    else high = middle - 1;
  }
  return leaves[low];
}
