/** What Elasticsearch knows and this engine refuses where it says something, and parameters that change nothing here. */
import { illegalArgument, unsupported } from "../../../errors.ts";
import type { JsonValue } from "../../../json/types.ts";
import { isArray, isObject } from "../../../query/dsl/read.ts";
import type { BodyKey, Kind, RequestFeature } from "./types.ts";

const UNSUPPORTED: Readonly<Record<string, readonly Kind[]>> = {
  ext: ["object"],
  rank: ["object"],
  sub_searches: ["list"],
};

/** Keys for which an empty list or object asks for nothing; elsewhere something is missing in it. */
const MAY_BE_EMPTY = new Set(["ext"]);

function saysNothing(value: JsonValue): boolean {
  return isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

const refused = (kinds: readonly Kind[]): BodyKey => ({
  kinds,
  read(body, key) {
    if (!(saysNothing(body[key]) && MAY_BE_EMPTY.has(key))) throw unsupported(key);
  },
});

/** Names of what is refused, for documentation. */
export const REFUSED_KEYS: readonly string[] = Object.keys(UNSUPPORTED);

export const unsupportedKeys: RequestFeature = {
  keys: Object.fromEntries(Object.entries(UNSUPPORTED).map(([key, kinds]) => [key, refused(kinds)])),
  params(params) {
    params.accept("preference", "routing", "request_cache", "ccs_minimize_roundtrips");
    params.accept("max_concurrent_shard_requests");
    const reduced = params.int("batched_reduce_size");
    if (reduced !== undefined && reduced < 2) throw illegalArgument("batchedReduceSize must be >= 2");
  },
};
