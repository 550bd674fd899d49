/** Results of shards as one, and as they are printed. */
import { EngineError } from "../errors.ts";
import type { Bucket, Internal, Printed, PrintedObject, ReduceContext } from "./types.ts";

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
  options: { readonly typedKeys?: boolean; readonly maxBuckets?: number } = {},
): ReduceContext {
  const { typedKeys = false, maxBuckets = MAX_BUCKETS } = options;
  let count = 0;
  return {
    typedKeys,
    consumeBuckets(more) {
      count += more;
      if (count <= maxBuckets) return;
      throw reducing(tooManyBuckets(maxBuckets));
    },
  };
}

/** Results of one level, of several shards or buckets, by their names. */
export function reduceAll(lists: readonly (readonly Internal[])[], context: ReduceContext): readonly Internal[] {
  if (lists.length === 0) return [];
  return lists[0].map(({ name }, at) => {
    const all = lists.map((list) => (list[at]?.name === name ? list[at] : list.find((each) => each.name === name)!));
    return reduceOne(all, context);
  });
}

/** The kind of the first shard that knows the field leads; those of unmapped fields have nothing to say. */
export function reduceOne(all: readonly Internal[], context: ReduceContext): Internal {
  const leader = all.find(({ kind }) => kind.unmapped !== true) ?? all[0];
  const { kind, name, meta } = leader;
  const data = all.filter((each) => each.kind.unmapped !== true || kind.unmapped === true).map((each) => each.data);
  return { name, meta, kind, data: kind.reduce(data, context) };
}

export const reduceSubs = (buckets: readonly Bucket[], context: ReduceContext): readonly Internal[] =>
  reduceAll(
    buckets.map(({ subs }) => subs),
    context,
  );

export function printAll(all: readonly Internal[], context: ReduceContext): PrintedObject {
  const printed: { [key: string]: Printed } = {};
  for (const { name, meta, kind, data } of all) {
    printed[context.typedKeys ? `${kind.typedName}#${name}` : name] = {
      ...(meta === undefined ? {} : { meta }),
      ...kind.print(data, context),
    };
  }
  return printed;
}
