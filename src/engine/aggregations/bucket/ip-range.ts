/** ip_range: buckets between addresses, or of networks. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import {
  formatAddress,
  GREATEST_ADDRESS,
  LEAST_ADDRESS,
  parseAddress,
  parseNetwork,
  stepAddress,
} from "../../mapping/ip-address.ts";
import { errorAt, isObject, located, textOf, tokenName } from "../../query/dsl/read.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import { bool, type FieldReader, field } from "../support/object-parser.ts";
import { bindSource, readSource } from "../support/values-source.ts";
import type { AggregationParser, Collect } from "../types.ts";
import { type RangeBucket, rangesAggregator, rangesKind } from "./ranges.ts";

const kind = rangesKind<string>("ip_range", ({ from, to }) => ({
  ...(from === undefined ? {} : { from: formatAddress(from) }),
  ...(to === undefined ? {} : { to: formatAddress(to) }),
}));

const ranges: FieldReader<readonly RangeBucket<string>[]> = field(["array"], (value) => {
  const list = value as readonly JsonValue[];
  return list.map((item, at) => {
    if (!isObject(item)) {
      throw errorAt(list, { value: at }, `[ranges] must contain objects, but hit a ${tokenName(item)}`);
    }
    return readRange(item);
  });
});

function readRange(json: JsonObject): RangeBucket<string> {
  const given: { [key: string]: string | undefined } = {};
  for (const key of Object.keys(json)) {
    if (!["key", "from", "to", "mask"].includes(key)) {
      throw errorAt(json, { value: key }, `Unexpected ip range parameter: [${key}]`);
    }
    given[key] = textOf(json[key]);
  }
  try {
    return rangeOf(given);
  } catch (error) {
    throw error instanceof EngineError ? located(error, json, "end") : error;
  }
}

/** A mask wins over ends that stand beside it. */
function rangeOf({ key, from, to, mask }: { readonly [key: string]: string | undefined }): RangeBucket<string> {
  if (mask !== undefined) {
    if (mask.split("/").length !== 2) throw illegalArgument(`Expected [ip/prefix] but was [${mask}]`);
    const { low, high } = parseNetwork(mask);
    return {
      key: key ?? mask,
      from: low === LEAST_ADDRESS ? undefined : low,
      to: high === GREATEST_ADDRESS ? undefined : stepAddress(high, 1n),
    };
  }
  const [low, high] = [from, to].map((end) => (end === undefined ? undefined : parseAddress(end)));
  const show = (end: string | undefined) => (end === undefined ? "*" : formatAddress(end));
  return { key: key ?? `${show(low)}-${show(high)}`, from: low, to: high };
}

const compareEnds = (a: string | undefined, b: string | undefined, open: 1 | -1): number => {
  if (a === undefined || b === undefined) return ((a === undefined ? 1 : 0) - (b === undefined ? 1 : 0)) * open;
  return compareUtf8(a, b);
};

export const parseIpRange: AggregationParser = (name, json) => {
  const options = readSource<{ ranges: readonly RangeBucket<string>[]; keyed: boolean }>(
    "ip_range",
    name,
    json,
    { ranges, keyed: bool },
    ["format", "value_type"],
  );
  const buckets = [...(options.ranges ?? [])].sort(
    (a, b) => compareEnds(a.from, b.from, -1) || compareEnds(a.to, b.to, 1),
  );
  return {
    takesSubs: true,
    single: buckets.length === 1,
    bind(context, own) {
      if (buckets.length === 0) throw illegalArgument(`No [ranges] specified for the [${name}] aggregation`);
      const source = bindSource(context, options, { type: "ip_range", supports: ["ip"], fallback: "ip" });
      return rangesAggregator({
        context,
        own,
        mapped: source.hasValues,
        kind,
        format: source.format,
        keyed: options.keyed ?? false,
        buckets,
        leaf(leaf, take): Collect | undefined {
          if (!source.hasValues) return undefined;
          const { start, end, ord, term } = source.ordinals(leaf);
          return (doc, owner) => {
            const last = end(doc);
            const seen = new Set<number>();
            for (let j = start(doc); j < last; j++) {
              const address = term(ord(j));
              for (const [i, { from, to }] of buckets.entries()) {
                if (seen.has(i) || (from !== undefined && compareUtf8(address, from) < 0)) continue;
                if (to !== undefined && compareUtf8(address, to) >= 0) continue;
                seen.add(i);
                take(doc, owner, i);
              }
            }
          };
        },
      });
    },
  };
};
