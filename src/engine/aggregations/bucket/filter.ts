/** filter: the documents that a query matches. filters: a bucket for each of several queries, and one for what none of them matches. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../../query/dsl/index.ts";
import { errorAt, isArray, isObject, tokenName } from "../../query/dsl/read.ts";
import { confirms } from "../../query/scorers/index.ts";
import type { LeafReader } from "../../segment/types.ts";
import { buildSubs, subCollector } from "../collect.ts";
import { printAll, reduceSubs } from "../reduce.ts";
import { Doubles } from "../support/memory.ts";
import {
  type AggregationContext,
  type AggregationParser,
  type Bucket,
  type Collect,
  type InternalKind,
  internal,
} from "../types.ts";
import { singleBucket, singleKind } from "./single.ts";

const filterKind = singleKind("filter");

export const parseFilter: AggregationParser = (_name, json) => {
  const query = parseInnerQuery([json], 0, 1);
  return {
    takesSubs: true,
    single: true,
    queries: [query],
    bind(context, own) {
      const subs = own.subs();
      const matchesOf = matcher(query, context);
      return singleBucket({
        context,
        own,
        kind: filterKind,
        subs,
        leaf(leaf, take) {
          const matches = matchesOf(leaf);
          return matches && ((doc, bucket) => void (matches(doc) && take(doc, bucket)));
        },
      });
    },
  };
};

/** Whether a document is among those that a query matches. */
type Matches = (doc: number) => boolean;

/**
 * Asks a query about the documents of a segment that are asked for, and about no others: those may be ones that it fails at. What is wrong with
 * the query is told as it is, and the names in it are not those of the search (AggregationContext.buildQuery).
 */
function matcher(query: QueryBuilder, context: AggregationContext): (leaf: LeafReader) => Matches | undefined {
  const weight = context.searcher.filterWeight(query.toQuery({ ...context.query, named: [] }));
  return (leaf) => {
    let scorer = weight.scorer(leaf);
    let asked = -1;
    let found = false;
    if (scorer === undefined) return undefined;
    return (doc) => {
      if (doc === asked) return found;
      // They come in their order but where buckets are gone through again.
      if (doc < asked) scorer = weight.scorer(leaf)!;
      asked = doc;
      found = (scorer!.docID() < doc ? scorer!.advance(doc) : scorer!.docID()) === doc && confirms(scorer!);
      return found;
    };
  };
}

interface FilterBucket extends Bucket {
  readonly key: string;
}

interface Filters {
  readonly named: boolean;
  readonly keyed: boolean;
  readonly buckets: readonly FilterBucket[];
}

const filtersKind: InternalKind<Filters> = {
  typedName: "filters",
  reduce(all, context) {
    const [first] = all;
    const buckets = first.buckets.map(({ key }, at) => {
      const same = all.map(({ buckets: each }) => each[at]);
      return { key, docCount: same.reduce((sum, { docCount }) => sum + docCount, 0), subs: reduceSubs(same, context) };
    });
    context.consumeBuckets(buckets.length);
    return { ...first, buckets };
  },
  print({ named, keyed, buckets }, context) {
    const body = ({ docCount, subs }: Bucket) => ({ doc_count: docCount, ...printAll(subs, context) });
    if (named && keyed) {
      return { buckets: Object.fromEntries(buckets.map((bucket) => [bucket.key, body(bucket)])) };
    }
    return { buckets: buckets.map((bucket) => ({ ...(named ? { key: bucket.key } : {}), ...body(bucket) })) };
  },
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly FilterBucket[] }),
    keyText: (_data, bucket) => (bucket as FilterBucket).key,
    key: (bucket) => (bucket as FilterBucket).key,
  },
};

interface FiltersOptions {
  filters: readonly { readonly key: string; readonly query: QueryBuilder }[];
  named: boolean;
  otherKey: string | undefined;
  other: boolean;
  keyed: boolean;
}

/** FiltersAggregationBuilder.parse: keys are known by the kind of their value. */
function readFilters(name: string, json: JsonObject): FiltersOptions {
  const options: FiltersOptions = { filters: [], named: true, otherKey: undefined, other: false, keyed: true };
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (typeof value === "boolean" && key === "other_bucket") options.other = value;
    else if (typeof value === "boolean" && key === "keyed") options.keyed = value;
    else if (typeof value === "string" && key === "other_bucket_key") {
      options.otherKey = value;
      options.other = json["other_bucket"] !== false;
    } else if (key === "filters" && (isObject(value) || isArray(value))) {
      options.named = isObject(value);
      options.filters = namedQueries(value);
    } else throw errorAt(json, { value: key }, `Unknown key for a ${tokenName(value)} in [${name}]: [${key}].`);
  }
  if (options.filters.length === 0) throw illegalArgument("[filters] cannot be empty.");
  return options;
}

/** Named ones in the order of their names. */
function namedQueries(value: JsonObject | readonly JsonValue[]) {
  const keys = Object.keys(value);
  const queries = keys.map((key) => {
    const query = isObject(value) ? parseInnerQuery(value, key, 1) : parseInnerQuery(value, Number(key), 1);
    return { key, query };
  });
  return isObject(value) ? queries.sort((a, b) => (a.key < b.key ? -1 : 1)) : queries;
}

export const parseFilters: AggregationParser = (name, json) => {
  const { filters, named, keyed, other, otherKey = "_other_" } = readFilters(name, json);
  const keys = [...filters.map(({ key }) => key), ...(other ? [otherKey] : [])];
  const total = keys.length;
  return {
    takesSubs: true,
    single: total === 1,
    queries: filters.map(({ query }) => query),
    bind(context, own) {
      const subs = own.subs();
      const matchers = filters.map(({ query }) => matcher(query, context));
      const counts = new Doubles(context.memory);
      return {
        name,
        needsScores: subs.some(({ needsScores }) => needsScores),
        subs,
        sortable: { kind: "none" },
        leaf(leaf, scores): Collect {
          const matches = matchers.map((match) => match(leaf));
          const within = subCollector(subs, leaf, scores);
          const take = (doc: number, bucket: number) => {
            counts.add(bucket, 1);
            within?.(doc, bucket);
          };
          return (doc, bucket) => {
            let found = false;
            for (let i = 0; i < matches.length; i++) {
              if (!matches[i]?.(doc)) continue;
              found = true;
              take(doc, bucket * total + i);
            }
            if (other && !found) take(doc, bucket * total + matches.length);
          };
        },
        build(bucket) {
          const buckets = keys.map((key, i) => {
            const at = bucket * total + i;
            return { key, docCount: counts.get(at), subs: buildSubs(subs, at) };
          });
          return internal(own, filtersKind, { named, keyed, buckets });
        },
      };
    },
  };
};
