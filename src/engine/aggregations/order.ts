/** The order of buckets: by count, by key, by what was computed within them (InternalOrder, AggregationPath). */
import { EngineError, illegalArgument } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { errorAt, isObject, located, tokenName } from "../query/dsl/read.ts";
import { type FieldReader, field, nextToken } from "./support/object-parser.ts";
import type { Aggregator, Bucket, SortValue } from "./types.ts";

export type Order =
  | { readonly by: "count" | "key"; readonly ascending: boolean }
  | { readonly by: "path"; readonly path: AggregationPath; readonly ascending: boolean };

export const COUNT_DESCENDING: Order = { by: "count", ascending: false };
export const KEY_ASCENDING: Order = { by: "key", ascending: true };

/** `order`: an object or a list of objects. The key decides where all else is equal. */
export const order: FieldReader<readonly Order[]> = field(["object", "array"], (value) => {
  if (isObject(value)) return withTieBreaker([readOrder(value)]);
  const list = value as readonly JsonValue[];
  const orders = list.map((item, at) => {
    if (isObject(item)) return readOrder(item);
    // The reader takes the next token for a key of the order.
    const { name, place } = nextToken(list, at);
    throw errorAt(list, place, `Unexpected token [${name}] for [order]`);
  });
  if (orders.length === 0) {
    const error = new EngineError("index_out_of_bounds_exception", "Index 0 out of bounds for length 0");
    throw located(error, list, "end");
  }
  return withTieBreaker(orders);
});

export function withTieBreaker(orders: readonly Order[]): readonly Order[] {
  return orders.some(({ by }) => by === "key") ? orders : [...orders, KEY_ASCENDING];
}

function readOrder(json: JsonObject): Order {
  let read: Order | undefined;
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (typeof value !== "string")
      throw errorAt(json, { value: key }, `Unexpected token [${tokenName(value)}] for [order]`);
    const direction = value.toLowerCase();
    if (direction !== "asc" && direction !== "desc")
      throw errorAt(json, { value: key }, `Unknown order direction [${value}]`);
    const ascending = direction === "asc";
    read =
      key === "_count" || key === "_key"
        ? { by: key === "_count" ? "count" : "key", ascending }
        : { by: "path", path: pathIn(json, key), ascending };
  }
  if (!read) throw errorAt(json, "end", "Must specify at least one field for [order]");
  return read;
}

function pathIn(json: JsonObject, key: string): AggregationPath {
  try {
    return parsePath(key);
  } catch (error) {
    throw error instanceof EngineError ? located(error, json, "end") : error;
  }
}

export interface PathElement {
  readonly name: string;
  /** A bucket (`a['x']`) or a value (`a[max]`, `a.max`). */
  readonly key?: string;
  /** What follows a bucket: `a['x']._count`. */
  readonly metric?: string;
  readonly text: string;
}

/** The way to a value: aggregations within each other, the last with the name of one of its values. */
export interface AggregationPath {
  readonly text: string;
  readonly elements: readonly PathElement[];
}

function invalid(element: string, path: string): EngineError {
  return illegalArgument(`Invalid path element [${element}] in path [${path}]`);
}

/** `a>b.max`, `a>b[max]`. @throws illegal_argument_exception */
export function parsePath(text: string): AggregationPath {
  const elements = text.split(">").filter((part) => part !== "");
  if (elements.length === 0) throw illegalArgument("Invalid path []");
  return {
    text,
    elements: elements.map((element, at) => {
      const last = at === elements.length - 1;
      const bracket = element.lastIndexOf("[");
      if (bracket >= 0) {
        const [, key, metric] = /^\[(.+)\](?:\.(.+))?$/s.exec(element.slice(bracket)) ?? [];
        if (bracket === 0 || key === undefined || (metric !== undefined && !last)) throw invalid(element, text);
        return { name: element.slice(0, bracket), key, ...(metric === undefined ? {} : { metric }), text: element };
      }
      const dot = last ? element.lastIndexOf(".") : -1;
      if (dot < 0) return { name: element, text: element };
      if (dot === 0 || dot === element.length - 1) throw invalid(element, text);
      return { name: element.slice(0, dot), key: element.slice(dot + 1), text: element };
    }),
  };
}

const ONLY_SINGLE =
  "Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within the path and a " +
  "final single-bucket or a metrics aggregation at the path end.";

/** The value that a path names of the aggregators within a bucket. @throws invalid_path */
export function sortValueOf(path: AggregationPath, subs: readonly Aggregator[]): SortValue {
  try {
    return resolve(path, subs);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError("invalid_path", `Invalid aggregation order path [${path.text}]. ${error.reason}`, {
      cause: error,
    });
  }
}

function resolve({ elements }: AggregationPath, subs: readonly Aggregator[]): SortValue {
  let within = subs;
  for (const [at, { name, key, metric, text }] of elements.entries()) {
    const found = within.find((each) => each.name === name);
    if (!found) {
      throw illegalArgument(
        `The provided aggregation [${text}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
      );
    }
    if (at === elements.length - 1) return lastValue(found, metric ?? key);
    if (key !== undefined) throw illegalArgument(`Key only allowed on last aggregation path element but got [${text}]`);
    if (found.sortable.kind !== "bucket") throw illegalArgument(`${ONLY_SINGLE} [${found.name}] is not single-bucket.`);
    within = found.subs;
  }
  throw illegalArgument("Invalid path []");
}

function lastValue({ name, sortable }: Aggregator, key: string | undefined): SortValue {
  switch (sortable.kind) {
    case "value":
      if (key === undefined || key === "value") return sortable.value;
      throw illegalArgument(
        "Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key " +
          `(a la "${name}") or change it to "value" (a la "${name}.value")`,
      );
    case "values": {
      if (key === undefined)
        throw illegalArgument("When ordering on a multi-value metrics aggregation a metric name must be specified.");
      const value = sortable.value(key);
      if (value) return value;
      throw illegalArgument(`Unknown metric name [${key}] on multi-value metrics aggregation [${name}]`);
    }
    case "bucket":
      if (key === undefined || key === "doc_count") return sortable.docCount;
      if (!sortable.explains) throw illegalArgument(ONLY_SINGLE);
      throw illegalArgument(
        "Ordering on a single-bucket aggregation can only be done on its doc_count. Either drop the key " +
          `(a la "${name}") or change it to "doc_count" (a la "${name}.doc_count") or "key".`,
      );
    default:
      throw illegalArgument(ONLY_SINGLE);
  }
}

/** As Java compares doubles, but what is no number comes last in both directions (Comparators.compareDiscardNaN). */
export function compareValues(a: number, b: number, ascending: boolean): number {
  const aNaN = Number.isNaN(a);
  const bNaN = Number.isNaN(b);
  if (aNaN || bNaN) return (aNaN ? 1 : 0) - (bNaN ? 1 : 0);
  const sign = ascending ? 1 : -1;
  if (a !== b) return a < b ? -sign : sign;
  if (a === 0) return ((Object.is(a, -0) ? 0 : 1) - (Object.is(b, -0) ? 0 : 1)) * sign;
  return 0;
}

/** Orders of ordinals while a shard collects. @throws invalid_path */
export function sortersOf(orders: readonly Order[], subs: readonly Aggregator[]) {
  return orders.map((each) => ({
    by: each.by,
    ascending: each.ascending,
    value: each.by === "path" ? sortValueOf(each.path, subs) : undefined,
  }));
}

export function compareOrds(
  sorters: ReturnType<typeof sortersOf>,
  count: (ord: number) => number,
  compareKeys: (a: number, b: number) => number,
): (a: number, b: number) => number {
  return (a, b) => {
    for (const { by, ascending, value } of sorters) {
      const order = value
        ? compareValues(value(a), value(b), ascending)
        : (by === "count" ? count(a) - count(b) : compareKeys(a, b)) * (ascending ? 1 : -1);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Order of buckets that are reduced. */
export function bucketOrder<B extends Bucket>(
  orders: readonly Order[],
  compareKeys: (a: B, b: B) => number,
): (a: B, b: B) => number {
  return (a, b) => {
    for (const each of orders) {
      const order =
        each.by === "path"
          ? compareValues(valueIn(a, each.path), valueIn(b, each.path), each.ascending)
          : (each.by === "count" ? a.docCount - b.docCount : compareKeys(a, b)) * (each.ascending ? 1 : -1);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** The value that a path names in a bucket. */
function valueIn(bucket: Bucket, { elements }: AggregationPath): number {
  let within = bucket;
  for (const [at, { name, key, metric }] of elements.entries()) {
    const found = within.subs.find((each) => each.name === name);
    if (!found) return Number.NaN;
    const inner = found.kind.bucket?.(found.data);
    if (at === elements.length - 1) {
      return inner ? inner.docCount : (found.kind.value?.(found.data, metric ?? key) ?? Number.NaN);
    }
    if (!inner) return Number.NaN;
    within = inner;
  }
  return Number.NaN;
}
