/** value_count: how many values there are, of any kind. */
import { Doubles } from "../support/memory.ts";
import { bindSource, readSource, type SourceKind } from "../support/values-source.ts";
import { type AggregationParser, type Collect, type InternalKind, internal } from "../types.ts";

const kind: InternalKind<number> = {
  typedName: "value_count",
  reduce: (all) => all.reduce((sum, count) => sum + count, 0),
  print: (value) => ({ value }),
  value: (value, name) => (name === undefined || name === "value" ? value : undefined),
};

const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword", "ip", "range", "geo_point"];

export const parseValueCount: AggregationParser = (name, json) => {
  const options = readSource("value_count", name, json, {});
  return {
    takesSubs: false,
    bind(context, own) {
      const source = bindSource(context, options, { type: "value_count", supports: SUPPORTED, fallback: "keyword" });
      const counts = new Doubles(context.memory);
      return {
        name,
        needsScores: false,
        subs: [],
        sortable: { kind: "value", value: (bucket) => counts.get(bucket) },
        leaf(leaf): Collect | undefined {
          if (!source.hasValues) return undefined;
          const { start, end } = source.values(leaf);
          return (doc, bucket) => {
            const more = end(doc) - start(doc);
            // All ranges of a document are one value.
            if (more > 0) counts.add(bucket, source.kind === "range" ? 1 : more);
          };
        },
        build: (bucket) => internal(own, kind, counts.get(bucket)),
      };
    },
  };
};
