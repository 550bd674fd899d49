/** cardinality: how many different values a field has, about (HyperLogLog++). */
import { illegalArgument, unsupported } from "../../errors.ts";
import { readInt } from "../../query/dsl/read.ts";
import type { LeafReader } from "../../segment/types.ts";
import { type Hash64, hashBytes, hashDouble, hashLong, hashSafeInteger } from "../sketch/hash64.ts";
import { HyperLogLog, precisionFor } from "../sketch/hyper-log-log.ts";
import type { Memory } from "../support/memory.ts";
import { field, unknownField } from "../support/object-parser.ts";
import { bindSource, readSource, type SourceKind, type ValuesSource } from "../support/values-source.ts";
import { type AggregationParser, type Collect, type InternalKind, internal } from "../types.ts";

const DEFAULT_THRESHOLD = 3000;
const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword", "ip", "range", "geo_point"];
const UTF8 = new TextEncoder();
const HINTS = ["global_ordinal", "segment_ordinal", "direct"];

/** Undefined: nothing was counted. */
type Cardinality = HyperLogLog | undefined;

const cardinalityOf = (counter: Cardinality) => counter?.cardinality() ?? 0;

const kind: InternalKind<Cardinality> = {
  typedName: "cardinality",
  reduce(all) {
    const counters = all.filter((each) => each !== undefined);
    if (counters.length <= 1) return counters[0];
    const merged = new HyperLogLog(counters[0].precision);
    for (const counter of counters) merged.merge(counter);
    return merged;
  },
  print: (counter) => ({ value: cardinalityOf(counter) }),
  value: (counter, name) => (name === undefined || name === "value" ? cardinalityOf(counter) : undefined),
};

interface Options {
  readonly precision_threshold: number;
  readonly execution_hint: string;
  readonly format: never;
}

export const parseCardinality: AggregationParser = (name, json) => {
  const options = readSource<Options>("cardinality", name, json, {
    precision_threshold: field(["number", "string"], (value, object, key) => {
      const threshold = readInt(value, object, key);
      if (threshold >= 0) return threshold;
      throw illegalArgument(
        `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}] in [${name}]`,
      );
    }),
    execution_hint: field(["string"], (value) => value as string),
    // What is counted is not printed.
    format: (object, key, parser) => {
      throw unknownField(parser, object, key, ["field", "missing", "precision_threshold", "execution_hint"]);
    },
  });
  const precision = precisionFor(options.precision_threshold ?? DEFAULT_THRESHOLD);
  return {
    takesSubs: false,
    bind(context, own) {
      const source = bindSource(context, options, { type: "cardinality", supports: SUPPORTED, fallback: "keyword" });
      // What is counted is how Elasticsearch writes all ranges of a document as one value.
      if (source.kind === "range") throw unsupported("aggregation cardinality of ranges");
      const { execution_hint: hint } = options;
      if (hint !== undefined && !HINTS.includes(hint.toLowerCase())) {
        throw illegalArgument(
          `Invalid execution mode for cardinality aggregation.  Got [${hint}]expected one of [${HINTS.join(", ")}]`,
        );
      }
      const counters: Cardinality[] = [];
      const add = (bucket: number, hash: Hash64) => {
        counters[bucket] ??= new HyperLogLog(precision, context.memory);
        counters[bucket].add(hash);
      };
      const text = source.kind === "keyword" || source.kind === "ip";
      return {
        name,
        ...(text ? { className: "GlobalOrdCardinalityAggregator" } : {}),
        needsScores: false,
        subs: [],
        sortable: { kind: "value", value: (bucket) => cardinalityOf(counters[bucket]) },
        leaf(leaf) {
          if (!source.hasValues) return undefined;
          return text ? textCollector(source, leaf, add, context.memory) : numberCollector(source, leaf, add);
        },
        build: (bucket) => internal(own, kind, counters[bucket]),
      };
    },
  };
};

type Add = (bucket: number, hash: Hash64) => void;

function numberCollector(source: ValuesSource, leaf: LeafReader, add: Add): Collect {
  const { start, end, value, bigint, wide } = source.numbers(leaf);
  const hash: Hash64 = { high: 0, low: 0 };
  const hashAt = (index: number) => {
    // Points are counted as they are printed.
    if (source.kind === "geo_point") hashBytes(hash, UTF8.encode(String(source.format.format(bigint(index)))));
    else if (source.floating) hashDouble(hash, value(index));
    else if (wide) hashLong(hash, bigint(index));
    else hashSafeInteger(hash, value(index));
  };
  return (doc, bucket) => {
    const to = end(doc);
    for (let i = start(doc); i < to; i++) {
      hashAt(i);
      add(bucket, hash);
    }
  };
}

/** Each term is hashed once for a segment, and counted once where there is one bucket. */
function textCollector(source: ValuesSource, leaf: LeafReader, add: Add, memory: Memory): Collect | undefined {
  const { start, end, ord, term, valueCount } = source.ordinals(leaf);
  if (valueCount === 0) return undefined;
  memory.take(valueCount * 10);
  const known = new Uint8Array(valueCount);
  const counted = new Uint8Array(valueCount);
  const highs = new Int32Array(valueCount);
  const lows = new Int32Array(valueCount);
  const hash: Hash64 = { high: 0, low: 0 };
  const hashOf = (at: number) => {
    if (known[at] === 1) {
      hash.high = highs[at];
      hash.low = lows[at];
      return;
    }
    const text = term(at);
    hashBytes(hash, source.kind === "ip" ? bytesOfHex(text) : UTF8.encode(text));
    highs[at] = hash.high;
    lows[at] = hash.low;
    known[at] = 1;
  };
  return (doc, bucket) => {
    const to = end(doc);
    for (let i = start(doc); i < to; i++) {
      const at = ord(i);
      if (bucket === 0) {
        if (counted[at] === 1) continue;
        counted[at] = 1;
      }
      hashOf(at);
      add(bucket, hash);
    }
  };
}

const bytesOfHex = (text: string) =>
  Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
