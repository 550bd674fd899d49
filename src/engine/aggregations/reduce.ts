/** Results of shards as one, and as they are printed. */
import { EngineError, illegalArgument } from "../errors.ts";
import { hashMapOrder } from "./support/hash-order.ts";
import type { Bucket, Internal, PrintedObject, ReduceContext } from "./types.ts";

/** `search.max_buckets` */
export const MAX_BUCKETS = 65_536;

/** @param count how many, where that is known */
export function tooManyBuckets(most: number, count?: number): EngineError {
  const was = count === undefined ? "this number of buckets was exceeded" : `was [${count}]`;
  return new EngineError(
    "too_many_buckets_exception",
    `Trying to create too many buckets. Must be less than or equal to: [${most}] but ${was}. This limit can be set by changing the ` +
      "[search.max_buckets] cluster level setting.",
    { metadata: { max_buckets: most } },
  );
}

/** What fails when all shards have answered: no shard's error. */
export function reducing(cause: EngineError): EngineError {
  return new EngineError("search_phase_execution_exception", "", {
    status: cause.status,
    metadata: { phase: "rank-feature", grouped: true, failed_shards: [] },
    rootCause: [],
    cause,
  });
}

export function reduceContext(
  options: { readonly typedKeys?: boolean; readonly totalAsInt?: boolean; readonly maxBuckets?: number } = {},
): ReduceContext {
  const { typedKeys = false, totalAsInt = false, maxBuckets = MAX_BUCKETS } = options;
  let count = 0;
  return {
    typedKeys,
    totalAsInt,
    consumeBuckets(more) {
      count += more;
      if (count <= maxBuckets) return;
      throw reducing(tooManyBuckets(maxBuckets));
    },
  };
}

/** Results of one level, of several shards or buckets, by their names. A single list keeps its order. */
export function reduceAll(lists: readonly (readonly Internal[])[], context: ReduceContext): readonly Internal[] {
  return lists.length === 1 ? lists[0].map((each) => reduceOne([each], context)) : inHashOrder(lists, context);
}

function inHashOrder(lists: readonly (readonly Internal[])[], context: ReduceContext): readonly Internal[] {
  if (lists.length === 0) return [];
  const names = lists[0].map(({ name }) => name);
  return hashMapOrder(names, lists.length).map((at) => {
    const all = lists.map((list) =>
      list[at]?.name === names[at] ? list[at] : list.find(({ name }) => name === names[at])!,
    );
    return reduceOne(all, context);
  });
}

/** A field of one name in several indices. */
function typesDiffer(name: string): EngineError {
  return illegalArgument(
    `Merging/Reducing the aggregations failed when computing the aggregation [${name}] because the field you gave in the aggregation query ` +
      "existed as two different types in two different indices",
  );
}

/** The kind of the first shard that knows the field leads; those of unmapped fields have nothing to say. */
export function reduceOne(all: readonly Internal[], context: ReduceContext): Internal {
  const mapped = all.filter(({ kind }) => kind.unmapped !== true);
  const leader = mapped.reduce(
    (best, each) => ((each.kind.precedence ?? 0) > (best.kind.precedence ?? 0) ? each : best),
    mapped[0] ?? all[0],
  );
  const { kind, name, meta } = leader;
  if (mapped.some((each) => each.kind !== kind && (kind.family === undefined || each.kind.family !== kind.family))) {
    throw reducing(typesDiffer(name));
  }
  const data = all.filter((each) => each.kind.unmapped !== true || kind.unmapped === true).map((each) => each.data);
  return { name, meta, kind, data: kind.reduce(data, context, all.length) };
}

/** What lies within buckets of one key. */
export const reduceSubs = (buckets: readonly Bucket[], context: ReduceContext): readonly Internal[] =>
  inHashOrder(
    buckets.map(({ subs }) => subs),
    context,
  );

export function printAll(all: readonly Internal[], context: ReduceContext): PrintedObject {
  // By entries, as a name may be `__proto__`.
  return Object.fromEntries(
    all.map(({ name, meta, kind, data }) => [
      context.typedKeys ? `${kind.typedName}#${name}` : name,
      { ...(meta === undefined ? {} : { meta }), ...kind.print(data, context) },
    ]),
  );
}
