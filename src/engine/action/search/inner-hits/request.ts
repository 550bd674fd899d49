/** `inner_hits` as the fetch phase needs them: what is shown of nested documents, read with the keys of a search. */
import { unsupported } from "../../../errors.ts";
import type { JsonObject } from "../../../json/types.ts";
import type { HitOptions, InnerHits } from "../../../query/dsl/index.ts";
import { inField, isArray, isObject } from "../../../query/dsl/read.ts";
import type { SortBuilder } from "../../../search/sort/index.ts";
import { BODY_KEYS } from "../keys/index.ts";
import { emptyDraft, type FetchOptions, finishedSource } from "../request.ts";

/** What is shown of hits within a hit, and in which order they come. */
export interface HitRequest {
  readonly options: FetchOptions;
  readonly sorts: readonly SortBuilder[];
  readonly trackScores: boolean;
  /** A part is asked for that is read from the source. */
  readonly readsSource: boolean;
}

export interface InnerHitsRequest extends HitRequest {
  readonly of: InnerHits;
}

/** Keys that a search reads too, in the same way. */
const SHARED = [
  "_source",
  "stored_fields",
  "fields",
  "docvalue_fields",
  "script_fields",
  "highlight",
  "sort",
  "version",
  "seq_no_primary_term",
  "explain",
  "track_scores",
];

export function readInnerHits(of: InnerHits): InnerHitsRequest {
  refuseNested(of.json);
  const read = readHitOptions(of);
  const innerHits = (of.query.innerHits ?? []).map(readInnerHits);
  return { ...read, of, options: { ...read.options, innerHits } };
}

export function readHitOptions({ json }: HitOptions): HitRequest {
  const draft = emptyDraft();
  for (const key of Object.keys(json)) {
    if (!SHARED.includes(key)) continue;
    inField("inner_hits", json, key, () => BODY_KEYS.get(key)!.read(json, key, draft));
  }
  const { sorts, trackScores } = draft;
  const source = finishedSource(draft);
  return {
    options: { ...draft, source },
    sorts,
    trackScores,
    readsSource: (draft.sourceGiven && source.fetch) || "fields" in json || draft.highlight !== undefined,
  };
}

/** Sorting by what lies below nested documents is not built. */
function refuseNested(json: JsonObject): void {
  const list = isArray(json["sort"]) ? json["sort"] : [json["sort"]];
  const nested = list.some(
    (item) => isObject(item) && Object.values(item).some((options) => isObject(options) && "nested" in options),
  );
  if (nested) throw unsupported("nested in the sort of inner_hits");
}
