/** missing: the documents without a value. global: all documents, whatever was searched for. */
import { illegalArgument } from "../../errors.ts";
import { errorAt, tokenName } from "../../query/dsl/read.ts";
import { bindSource, readSource, type SourceKind } from "../support/values-source.ts";
import type { AggregationParser, Own } from "../types.ts";
import { singleBucket, singleKind } from "./single.ts";

const missingKind = singleKind("missing");
const globalKind = singleKind("global");

const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword", "ip", "range", "geo_point"];

export const parseMissing: AggregationParser = (name, json) => {
  const options = readSource("missing", name, json, {});
  return {
    takesSubs: true,
    single: true,
    bind(context, own) {
      const source = bindSource(context, options, { type: "missing", supports: SUPPORTED, fallback: "keyword" });
      return singleBucket({
        context,
        own,
        kind: missingKind,
        subs: own.subs(source.hasValues ? context : { ...context, notOneBucket: true }),
        leaf(leaf, take) {
          if (!source.hasValues) return take;
          const { start, end } = source.values(leaf);
          return (doc, bucket) => void (start(doc) >= end(doc) && take(doc, bucket));
        },
      });
    },
  };
};

export const parseGlobal: AggregationParser = (name, json) => {
  const [key] = Object.keys(json);
  if (key !== undefined) {
    const reason = `Expected [FIELD_NAME] under a [START_OBJECT], but got a [${tokenName(json[key])}] in [${name}]`;
    throw errorAt(json, { value: key }, reason);
  }
  return {
    takesSubs: true,
    single: true,
    bind(context, own) {
      context.atCreation(() => checkTop(name, own));
      const subs = own.subs({ ...context, mainQuery: context.everything });
      return singleBucket({ context, own, kind: globalKind, subs, leaf: (_leaf, take) => take });
    },
  };
};

function checkTop(name: string, { parents: [parent] }: Own): void {
  if (!parent) return;
  throw illegalArgument(
    `Aggregation [${parent.name}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level ` +
      "aggregations",
  );
}
