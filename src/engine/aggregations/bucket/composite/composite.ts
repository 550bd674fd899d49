/** composite: a bucket for each combination of values of several sources, page by page. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { isArray, located } from "../../../query/dsl/read.ts";
import { innermost, matchesAll } from "../../../query/lucene/constant.ts";
import { pointRangeOf } from "../../../query/lucene/range.ts";
import type { LeafReader } from "../../../segment/types.ts";
import { buildSubs, subCollector } from "../../collect.ts";
import { MAX_BUCKETS, tooManyBuckets } from "../../reduce.ts";
import { Doubles } from "../../support/memory.ts";
import { type FieldReader, field, int, readObject } from "../../support/object-parser.ts";
import { type AggregationContext, type AggregationParser, type Collect, internal, type Own } from "../../types.ts";
import { COMPOSITE, type Part } from "./internal-composite.ts";
import { compositeQueue } from "./queue.ts";
import { type BoundSource, bindCompositeSource, type GivenSource, readCompositeSource, type Walk } from "./sources.ts";

interface CompositeOptions {
  sources: readonly GivenSource[];
  size: number;
  after: JsonObject;
}

const sources: FieldReader<readonly GivenSource[]> = field(["array", "object"], (value, json, key) => {
  const list = isArray(value)
    ? value.map((item, at) => readCompositeSource(value, at, item))
    : [readCompositeSource(json, key, value)];
  const wrong = wrongSources(list);
  if (wrong === undefined) return list;
  // Elasticsearch builds the aggregation as soon as its sources are there.
  const error = new EngineError(
    "x_content_parse_exception",
    "Failed to build [composite] after last required field arrived",
    { cause: illegalArgument(wrong) },
  );
  throw located(error, value as readonly JsonValue[], "end");
});

function wrongSources(list: readonly GivenSource[]): string | undefined {
  if (list.length === 0) return "Composite [sources] cannot be null or empty";
  const names = list.map(({ name }) => name);
  const twice = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
  return twice.length === 0
    ? undefined
    : `Composite source names must be unique, found duplicates: [${twice.join(",")}]`;
}

/** Aggregations within which a composite may stand; of others Elasticsearch names the class. */
const AROUND = new Set(["filter", "nested"]);

function checkParents({ parents }: Own): void {
  const wrong = parents.find(({ type }) => !AROUND.has(type));
  if (!wrong) return;
  const camel = wrong.type.replace(/(^|_)([a-z])/g, (_, _under: string, letter: string) => letter.toUpperCase());
  throw illegalArgument(
    `[composite] aggregation cannot be used with a parent aggregation of type: [${camel}AggregatorFactory]`,
  );
}

function readAfter(name: string, after: JsonObject, bound: readonly BoundSource[]): Part[] {
  const given = Object.keys(after).length;
  if (given !== bound.length) throw illegalArgument(`[after] has ${given} value(s) but [sources] has ${bound.length}`);
  for (const source of bound) {
    const value = after[source.name];
    if (value === undefined) throw illegalArgument(`Missing value for [after.${source.name}]`);
    if (value === null && source.missingBucket) continue;
    const structure = value === null ? "null" : isArray(value) ? "ArrayList" : "HashMap";
    if (value === null || (typeof value === "object" && !("text" in value))) {
      throw illegalArgument(`Invalid value for [after.${source.name}], expected comparable, got [${structure}]`);
    }
  }
  return bound.map((source, at) => {
    const value = after[source.name];
    return value === null ? null : parsePart(name, source, value, at);
  });
}

function parsePart(name: string, source: BoundSource, value: JsonValue, at: number): Part {
  try {
    return source.parse(value);
  } catch (error) {
    if (!(error instanceof EngineError) || !/^(illegal_argument|number_format)_exception$/.test(error.type))
      throw error;
    const where = `incompatible value in the position ${at}: ${error.reason}`;
    throw new EngineError("parse_exception", `Cannot set after key in the composite aggregation [${name}] - ${where}`, {
      cause: illegalArgument(where, { cause: error }),
    });
  }
}

export const parseComposite: AggregationParser = (name, json) => {
  const options = readObject<CompositeOptions>("composite", json, {
    sources,
    size: int,
    after: field(["object"], (value) => value as JsonObject),
  });
  if (options.sources === undefined) throw illegalArgument("Required [sources]");
  const { size = 10, after } = options;
  const given = options.sources;
  return {
    takesSubs: true,
    bind(context, own) {
      checkParents(own);
      const bound = given.map((source) => bindCompositeSource(source, context));
      const from = after && readAfter(name, after, bound);
      if (size > MAX_BUCKETS) throw tooManyBuckets(MAX_BUCKETS, size);
      context.atCreation(() => checkSize(size));
      const subs = own.subs();
      const counts = new Doubles(context.memory);
      let known: { readonly walk: Walk | undefined } | undefined;
      const walkIn = (leaf: LeafReader) => {
        known ??= { walk: walkOf(bound[0], from, own, context) };
        return mostlyLive(leaf) ? known.walk : undefined;
      };
      const queue = compositeQueue(bound, size, from, context.memory.take);
      return {
        name,
        needsScores: subs.some(({ needsScores }) => needsScores),
        subs,
        sortable: { kind: "none" },
        leaf(leaf, scores): Collect {
          // What is within is collected afterwards, in segments that have something for it.
          let within: Collect | undefined;
          let begun = false;
          const collect = (doc: number, ord: number) => {
            if (!begun) within = subCollector(subs, leaf, scores);
            begun = true;
            within?.(doc, ord);
          };
          const readers = bound.map((source, at) => source.leaf(leaf, at === 0 ? walkIn(leaf) : undefined));
          const values: Part[][] = bound.map(() => []);
          const key: Part[] = bound.map(() => null);
          /** All combinations of the values of a document. */
          const combine = (at: number, doc: number): void => {
            if (at === key.length) {
              const ord = queue.add(key);
              if (ord < 0) return;
              counts.add(ord, 1);
              collect(doc, ord);
              return;
            }
            for (const part of values[at]) {
              key[at] = part;
              combine(at + 1, doc);
            }
          };
          return (doc) => {
            for (let i = 0; i < readers.length; i++) {
              values[i].length = 0;
              readers[i](doc, values[i]);
              if (values[i].length === 0) return;
            }
            combine(0, doc);
          };
        },
        build: () =>
          internal(own, COMPOSITE, {
            size,
            sources: bound,
            buckets: queue
              .entries()
              .map(({ key, ord }) => ({ key, docCount: counts.get(ord), subs: buildSubs(subs, ord) })),
          }),
      };
    },
  };
};

/**
 * Whether Elasticsearch walks the values of the first source rather than the documents that the query finds, which it does for all documents and for
 * a range of that field. Documents without a value are not met then, nor are values outside the range, though their documents may be by others
 * (PointsSortedDocsProducer, TermsSortedDocsProducer).
 */
function walkOf(
  { walked, missingBucket }: BoundSource,
  from: readonly Part[] | undefined,
  { parents }: Own,
  { mainQuery, searcher }: AggregationContext,
): Walk | undefined {
  if (walked === undefined || parents.length > 0 || (missingBucket && (from?.[0] ?? null) === null)) return undefined;
  const query = mainQuery().rewrite(searcher);
  // For terms a boost makes it another query.
  if (!walked.points) return matchesAll(query) ? {} : undefined;
  if (matchesAll(innermost(query))) return {};
  const range = pointRangeOf(query);
  return range?.field === walked.field ? { range } : undefined;
}

/** A segment of which more than half is deleted is not walked. */
function mostlyLive({ live, segment: { maxDoc } }: LeafReader): boolean {
  return live === undefined || live.cardinality() >= maxDoc / 2;
}

/** Elasticsearch does not look at the size, and fails over its queue. */
function checkSize(size: number): void {
  if (size > 0) return;
  throw size === 0
    ? new EngineError(
        "null_pointer_exception",
        'Cannot invoke "java.lang.Integer.intValue()" because the return value of ' +
          '"org.elasticsearch.search.aggregations.bucket.composite.CompositeValuesCollectorQueue.top()" is null',
        { status: 500 },
      )
    : new EngineError("negative_array_size_exception", String(size * 8), { status: 500 });
}
