/** `_source`, whole or filtered. */

import type { FetchSource } from "../../fetch-source.ts";
import type { ResponseValue } from "../../response-value.ts";
import { filterParsedSource, sourceOf } from "../../source-filter.ts";
import { innerSource } from "../inner-hits/nested-identity.ts";
import type { FetchedHit, FetchSubPhase } from "./types.ts";

export const source: FetchSubPhase = ({ options }) =>
  options.source.fetch
    ? (hit) => {
        if (hit.nested) return { _source: nestedPart(hit, options.source) as ResponseValue };
        const stored = hit.source();
        return stored === undefined ? {} : { _source: sourceOf(stored, options.source) as ResponseValue };
      }
    : undefined;

/** Patterns name whole paths; what is shown is the object itself. */
function nestedPart(hit: FetchedHit, filter: FetchSource) {
  const whole = filter.includes.length === 0 && filter.excludes.length === 0;
  return innerSource(whole ? hit.object() : filterParsedSource(hit.object(), filter), hit.nested!.path);
}
