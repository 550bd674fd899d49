/** The features of a search's request. A new one is a file beside this one and a line here. */
import { aggregationKeys } from "./aggregations.ts";
import { collapseKeys } from "./collapse.ts";
import { contextKeys } from "./contexts.ts";
import { fieldKeys } from "./fields.ts";
import { flagKeys } from "./flags.ts";
import { highlightKeys } from "./highlight.ts";
import { boostKeys } from "./indices-boost.ts";
import { limitKeys } from "./limits.ts";
import { pagingKeys } from "./paging.ts";
import { profileKeys } from "./profile.ts";
import { queryKeys } from "./query.ts";
import { rescoreKeys } from "./rescore.ts";
import { retrieverKeys } from "./retriever.ts";
import { runtimeMappingsKeys } from "./runtime-mappings.ts";
import { sortKeys } from "./sort.ts";
import { sourceKeys } from "./source.ts";
import { statsKeys } from "./stats.ts";
import { suggestKeys } from "./suggest.ts";
import { totalHitsKeys } from "./total-hits.ts";
import type { BodyKey, RequestFeature } from "./types.ts";
import { unsupportedKeys } from "./unsupported.ts";

/** Parameters of the URL are read in this order. */
export const FEATURES: readonly RequestFeature[] = [
  queryKeys,
  pagingKeys,
  sourceKeys,
  fieldKeys,
  totalHitsKeys,
  contextKeys,
  sortKeys,
  rescoreKeys,
  collapseKeys,
  limitKeys,
  boostKeys,
  statsKeys,
  flagKeys,
  runtimeMappingsKeys,
  unsupportedKeys,
  aggregationKeys,
  highlightKeys,
  retrieverKeys,
  suggestKeys,
  profileKeys,
];

/** Keys of the body; a later feature's key replaces an earlier one's. */
export const BODY_KEYS: ReadonlyMap<string, BodyKey> = new Map(
  FEATURES.flatMap(({ keys = {} }) => Object.entries(keys)),
);
