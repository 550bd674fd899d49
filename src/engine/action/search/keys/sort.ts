/** `sort` and `search_after`. */
import { illegalArgument } from "../../../errors.ts";
import { JsonNumber, type JsonValue } from "../../../json/types.ts";
import { errorAt, isArray, isObject, tokenName } from "../../../query/dsl/read.ts";
import { namedSort, parseSorts, type SortBuilder } from "../../../search/sort/index.ts";
import type { Draft } from "../request.ts";
import type { RequestFeature } from "./types.ts";

function setSorts(draft: Draft, sorts: readonly SortBuilder[]): void {
  draft.sorts = [...draft.sorts, ...sorts];
  draft.queries.push(...sorts.flatMap(({ queries }) => queries));
}

function isBeyondLong(text: string): boolean {
  return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) !== BigInt(text);
}

function readAfter(list: readonly JsonValue[]): readonly JsonValue[] {
  for (const [i, value] of list.entries()) {
    if (!isArray(value) && !isObject(value)) continue;
    const reason = `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${tokenName(value)}] inside search_after.`;
    throw errorAt(list, { value: i }, reason);
  }
  if (list.length === 0) throw illegalArgument("Values must contains at least one value.");
  // Integers that no long holds are read as texts.
  return list.map((value) => (value instanceof JsonNumber && isBeyondLong(value.text) ? value.text : value));
}

/** `name`, or `name:asc`; with another word behind the colon it sorts by nothing (RestSearchAction). */
function urlSorts(text: string): SortBuilder[] {
  // As Java splits: nothing behind the last comma.
  const names = text.split(",");
  while (names.at(-1) === "") names.pop();
  return names.flatMap((each) => {
    const colon = each.lastIndexOf(":");
    if (colon < 0) return [namedSort(each, undefined)];
    const order = each.slice(colon + 1);
    return order === "asc" || order === "desc" ? [namedSort(each.slice(0, colon), order === "desc")] : [];
  });
}

export const sortKeys: RequestFeature = {
  keys: {
    sort: {
      kinds: ["object", "list", "scalar"],
      read(body, key, draft) {
        // A list or an object takes the place of what was read before, a name is added.
        if (isArray(body[key]) || isObject(body[key])) draft.sorts = [];
        setSorts(draft, parseSorts(body, key));
      },
    },
    search_after: {
      kinds: ["list"],
      read(body, key, draft) {
        draft.searchAfter = readAfter(body[key] as readonly JsonValue[]);
      },
    },
  },
  params(params, draft) {
    const sorts = params.text("sort");
    if (sorts !== undefined) setSorts(draft, urlSorts(sorts));
    const preFilter = params.int("pre_filter_shard_size");
    if (preFilter === undefined) return;
    if (preFilter < 1) throw illegalArgument("preFilterShardSize must be >= 1");
    draft.preFilterShardSize = preFilter;
  },
  validate: ({ searchAfter, from }) =>
    searchAfter && from > 0 ? ["[from] parameter must be set to 0 when [search_after] is used"] : [],
};
