/** Reads the documents that the terms queries of a request name, before queries are built (TermsQueryBuilder.doRewrite). */
import type { IndexRegistry } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import type { QueryBuilder } from "../query/dsl/index.ts";
import { type LookedUp, type TermsLookup, valuesAt } from "../query/dsl/terms-lookup.ts";
import { resolveOne } from "./index-names.ts";
import { validationFailed } from "./write.ts";

/**
 * Once for a request, whatever its indices: what cannot be read is the request's error and no shard's. Documents are read as they are now,
 * refreshed or not; one that is not there has no terms.
 */
export function lookUpTerms(registry: IndexRegistry, builders: readonly (QueryBuilder | undefined)[]): LookedUp {
  const found = new Map<TermsLookup, readonly JsonValue[]>();
  for (const lookup of builders.flatMap((builder) => builder?.lookups ?? [])) {
    if ("failure" in lookup) throw lookup.failure;
    if (lookup.id === "") throw validationFailed(["id is missing"]);
    const source = resolveOne(registry, lookup.index).get(lookup.id)?.source;
    found.set(lookup, source === undefined ? [] : valuesAt(parseJson(source) as JsonObject, lookup.path));
  }
  return found;
}
