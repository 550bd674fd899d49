/** `_source`, whole or filtered. */

import { illegalArgument } from "../../../errors.ts";
import { filterParsedSource, sourceOf } from "../../../mapping/source-filter.ts";
import { shardError } from "../../../query/dsl/index.ts";
import type { FetchSource } from "../../fetch-source.ts";
import type { ResponseValue } from "../../response-value.ts";
import { innerSource } from "../inner-hits/nested-identity.ts";
import type { FetchedHit, FetchSubPhase } from "./types.ts";

export const source: FetchSubPhase = ({ options, shard }) => {
  const { fetch, includes, excludes } = options.source;
  // Where nothing that is stored is shown, hits within hits and those of aggregations may still ask for it.
  if (!fetch || !options.storedFields) return undefined;
  if (!shard.context.mapping.keepsSource) {
    if (includes.length + excludes.length === 0) return undefined;
    const reason = `unable to fetch fields from _source field: _source is disabled in the mappings for index [${shard.index.name}]`;
    throw shardError(illegalArgument(reason));
  }
  return (hit, shown) => {
    const stored = hit.nested ? undefined : hit.source();
    if (hit.nested) shown["_source"] = nestedPart(hit, options.source) as ResponseValue;
    else if (stored !== undefined) shown["_source"] = sourceOf(stored, options.source) as ResponseValue;
  };
};

/** Patterns name whole paths; what is shown is the object itself. */
function nestedPart(hit: FetchedHit, filter: FetchSource) {
  const whole = filter.includes.length === 0 && filter.excludes.length === 0;
  return innerSource(whole ? hit.object() : filterParsedSource(hit.object(), filter), hit.nested!.path);
}
