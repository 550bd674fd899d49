/** `buckets_path`: the way to a value in each bucket, and what is done where there is none (BucketHelpers). */
import { EngineError, illegalArgument } from "../../errors.ts";
import { type AggregationPath, parsePath } from "../order.ts";
import type { Bucket, Internal } from "../types.ts";

export type GapPolicy = "skip" | "insert_zeros" | "keep_values";

/** Names of aggregations and of the values in them, one after the other. */
export function pathNames({ elements }: AggregationPath): string[] {
  return elements.flatMap(({ name, key, metric }) => [name, key, metric].filter((part) => part !== undefined));
}

/** A path that leads nowhere in a bucket: the bucket has no value. */
class NoSuchPath extends Error {}

/** What a path names: a number, or an aggregation. */
type Property = number | Internal | "Bucket" | readonly Property[];

const isKey = (name: string) => name.startsWith("'") && name.endsWith("'") && name.length >= 2;

function ofBucket(bucket: Bucket, around: Internal, path: readonly string[]): Property {
  const [name, ...rest] = path;
  if (name === undefined) return "Bucket";
  if (name === "_count" || name === "_key") {
    if (rest.length > 0) throw new NoSuchPath(`${name} must be the last element in the path`);
    if (name === "_count") return bucket.docCount;
    const key = around.kind.buckets!.key(bucket);
    return typeof key === "string" ? Number.NaN : Number(key);
  }
  const found = bucket.subs.find((sub) => sub.name === name);
  if (!found) throw new NoSuchPath(`Cannot find an aggregation named [${name}] in [${around.name}]`);
  return ofAggregation(found, rest);
}

function ofAggregation(aggregation: Internal, path: readonly string[]): Property {
  const { kind, data, name: own } = aggregation;
  const [name, ...rest] = path;
  if (name === undefined) return aggregation;
  if (kind.bucket) {
    const bucket = kind.bucket(data);
    if (name === "_count") return bucket.docCount;
    const found = bucket.subs.find((sub) => sub.name === name);
    if (!found) throw illegalArgument(`Cannot find an aggregation named [${name}] in [${own}]`);
    return ofAggregation(found, rest);
  }
  if (kind.buckets) return ofBuckets(aggregation, path);
  const value = kind.value?.(data, name);
  if (value !== undefined && rest.length === 0) return value;
  if (kind.value?.(data, undefined) === undefined && rest.length === 0) throw unknownValue(aggregation, name);
  throw illegalArgument(`path not supported for [${own}]: [${path.join(", ")}]`);
}

function ofBuckets(aggregation: Internal, path: readonly string[]): Property {
  const { kind, data, name: own } = aggregation;
  const list = kind.buckets!.list(data);
  const [name, ...rest] = path;
  if (name === "_bucket_count") return list.length;
  if (!isKey(name)) return list.map((bucket) => ofBucket(bucket, aggregation, path));
  const bucket = list.find((each) => kind.buckets!.keyText(data, each) === name.slice(1, -1));
  if (!bucket) throw new NoSuchPath(`Cannot find an key [${name}] in [${own}]`);
  return ofBucket(bucket, aggregation, rest);
}

/** Java's words for a name that its table of values does not have. */
function unknownValue({ kind: { typedName } }: Internal, name: string): EngineError {
  const inTable = typedName.endsWith("stats") || typedName.endsWith("stats_bucket");
  return illegalArgument(
    inTable
      ? `No enum constant org.elasticsearch.search.aggregations.metrics.InternalStats.Metrics.${name}`
      : `Unknown value [${name}]`,
  );
}

/** Classes of results, as errors name them. */
const CLASSES: Readonly<Record<string, string>> = {
  sterms: "StringTerms",
  lterms: "LongTerms",
  dterms: "DoubleTerms",
  multi_terms: "InternalMultiTerms",
};

function className({ kind: { typedName } }: Internal): string {
  const camel = typedName.replace(/(^|_)([a-z])/g, (_, _under: string, letter: string) => letter.toUpperCase());
  return CLASSES[typedName] ?? `Internal${camel}`;
}

/** The value of a bucket; undefined when its path leads nowhere. @throws where it leads to no number */
export function bucketValue(
  around: Internal,
  bucket: Bucket,
  path: readonly string[],
  gapPolicy: GapPolicy,
): number | undefined {
  let property: Property;
  try {
    property = ofBucket(bucket, around, path);
  } catch (error) {
    if (error instanceof NoSuchPath) return undefined;
    throw error;
  }
  const value = typeof property === "number" ? property : singleValue(property, around, path);
  if (path.length === 1 && path[0] === "_count") return value;
  return withoutGap(value, bucket.docCount, gapPolicy);
}

function singleValue(property: Exclude<Property, number>, around: Internal, path: readonly string[]): number {
  if (typeof property !== "string" && "kind" in property) {
    const value = property.kind.value?.(property.data, undefined);
    if (value !== undefined) return value;
    // Of several values the one that is called as the aggregation is.
    if (property.kind.value) {
      const named = property.kind.value(property.data, path[path.length - 1]);
      if (named === undefined) throw unknownValue(property, path[path.length - 1]);
      return named;
    }
  }
  const got = typeof property === "string" ? property : "kind" in property ? className(property) : "Object[]";
  throw illegalArgument(
    `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [${got}] at aggregation ` +
      `[${path[0] ?? around.name}]`,
  );
}

function withoutGap(value: number, docCount: number, policy: GapPolicy): number {
  const infinite = value === Infinity || value === -Infinity;
  if (policy === "keep_values") return infinite ? Number.NaN : value;
  if (policy === "skip") return infinite || docCount === 0 ? Number.NaN : value;
  return infinite || Number.isNaN(value) || docCount === 0 ? 0 : value;
}

const pathError = (reason: string) => new EngineError("invalid_aggregation_path_exception", reason, { status: 500 });

/** The buckets that a sibling's path leads to, and what is left of it within them. */
export function bucketsAt(
  beside: readonly Internal[],
  path: string,
  own: string,
): { readonly around: Internal; readonly buckets: readonly Bucket[]; readonly rest: readonly string[] } | undefined {
  const names = pathNames(parsePath(path));
  let current = beside.find(({ name }) => name === names[0]);
  let at = 1;
  const invalid = () => illegalArgument(`bucket_path [${path}] for aggregation [${own}] is invalid`);
  if (!current) return undefined;
  while (at < names.length) {
    const { kind, data }: Internal = current;
    if (kind.buckets) {
      if (!isKey(names[at])) break;
      const keyed: Bucket | undefined = kind.buckets
        .list(data)
        .find((bucket) => kind.buckets!.keyText(data, bucket) === names[at].slice(1, -1));
      if (!keyed) throw pathError(`Cannot find an key [${names[at]}] in [${current.name}]`);
      at++;
      current = keyed.subs.find(({ name }) => name === names[at]);
    } else if (kind.bucket) current = kind.bucket(data).subs.find(({ name }) => name === names[at]);
    else break;
    at++;
    if (!current) throw invalid();
  }
  if (!current.kind.buckets) throw invalid();
  return { around: current, buckets: current.kind.buckets.list(current.data), rest: names.slice(at) };
}
