/** multi_terms: a bucket for each combination of values of several fields. */
import { illegalArgument } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import type { DocValueFormat } from "../../../mapping/doc-value-format.ts";
import { contentError, isObject } from "../../../query/dsl/read.ts";
import type { LeafReader } from "../../../segment/types.ts";
import { formatText } from "../../metrics/numeric.ts";
import { type Order, order } from "../../order.ts";
import { bucketOrds } from "../../support/bucket-ords.ts";
import { bool, type FieldReader, field, nextToken, readObject } from "../../support/object-parser.ts";
import {
  bindSource,
  requiredField,
  SOURCE_FIELDS,
  type SourceOptions,
  type ValuesSource,
} from "../../support/values-source.ts";
import type { AggregationContext, AggregationParser } from "../../types.ts";
import { type TermKeys, termsAggregator } from "./aggregator.ts";
import { compareKeys, type TermKey, termsKind } from "./internal-terms.ts";
import { collectMode, SUPPORTED, settingsOf, thresholds } from "./terms.ts";

type MultiKey = readonly TermKey[];

const compareMulti = (a: MultiKey, b: MultiKey): number => {
  for (let i = 0; i < a.length; i++) {
    const order = compareKeys(a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
};

const textOf = (key: MultiKey) =>
  JSON.stringify(key.map((part) => (typeof part === "string" ? part : [`${Object.is(part, -0) ? "-0" : part}`])));

const shown = (formats: readonly DocValueFormat[] | undefined, key: MultiKey) =>
  key.map((part, i) => formats?.[i].format(part) ?? null);

const keyText = (formats: readonly DocValueFormat[] | undefined, key: MultiKey) =>
  key.map((part, i) => formatText(formats![i], part)).join("|");

const MULTI_TERMS = termsKind<MultiKey>("multi_terms", {
  compare: compareMulti,
  text: textOf,
  print: ({ formats }, key) => ({ key: shown(formats, key), key_as_string: keyText(formats, key) }),
  keyText: ({ formats }, key) => keyText(formats, key),
  key: (key) => String(key[0]),
});

type Source = Partial<SourceOptions> & { readonly field: string };

const sources: FieldReader<readonly Source[]> = field(["array", "object"], (value) => {
  const read = (item: JsonObject): Source => {
    const options = readObject<SourceOptions>("multi_terms", item, SOURCE_FIELDS);
    return { ...options, field: requiredField(options.field) };
  };
  if (isObject(value)) return [read(value)];
  const list = value as readonly JsonValue[];
  return list.map((item, at) => {
    if (isObject(item)) return read(item);
    const { name, place } = nextToken(list, at);
    throw contentError(list, place, `[multi_terms] Expected START_OBJECT but was: ${name}`);
  });
});

interface MultiTermsOptions {
  terms: readonly Source[];
  size: number;
  shard_size: number;
  min_doc_count: number;
  shard_min_doc_count: number;
  order: readonly Order[];
  show_term_doc_count_error: boolean;
  collect_mode: string;
}

export const parseMultiTerms: AggregationParser = (name, json) => {
  const options = readObject<MultiTermsOptions>("multi_terms", json, {
    terms: sources,
    ...thresholds(name),
    order,
    show_term_doc_count_error: bool,
    collect_mode: collectMode,
  });
  const given = options.terms;
  if (!given) throw illegalArgument("Required [terms]");
  if (given.length < 2) {
    throw illegalArgument(
      `The [terms] parameter in the aggregation [${name}] must be present and have at least 2 fields or scripts. Found [${given.length}] ` +
        "fields.",
    );
  }
  const settings = settingsOf(options);
  return {
    takesSubs: true,
    bind(context, own) {
      const bound = given.map((source) =>
        bindSource(context, source, { type: "multi_terms", supports: SUPPORTED, fallback: "keyword" }),
      );
      const ords = bucketOrds(context.memory);
      const formats = bound.map(({ format }) => format);
      return termsAggregator<MultiKey>({
        context,
        own,
        settings,
        kind: MULTI_TERMS,
        keys: bound.every(({ hasValues }) => hasValues) ? multiKeys(bound, ords, context) : undefined,
        ords,
        compare: compareMulti,
        printing: { format: formats[0], formats },
      });
    },
  };
};

function multiKeys(
  bound: readonly ValuesSource[],
  ords: ReturnType<typeof bucketOrds>,
  context: AggregationContext,
): TermKeys<MultiKey> {
  const ids = new Map<string, number>();
  const keys: MultiKey[] = [];
  const idOf = (key: readonly TermKey[]): number => {
    const text = textOf(key);
    const known = ids.get(text);
    if (known !== undefined) return known;
    context.memory.take(96 + text.length * 2);
    ids.set(text, keys.length);
    keys.push([...key]);
    return keys.length - 1;
  };
  /** Gives all combinations of the values of a document. */
  const combinations = (leaf: LeafReader) => {
    const readers = bound.map((source) => valuesOf(source, leaf));
    const key: TermKey[] = [];
    return (doc: number, give: (key: readonly TermKey[]) => void) => {
      const values = readers.map((read) => read(doc));
      const combine = (at: number): void => {
        if (at === values.length) {
          give(key);
          return;
        }
        for (const value of values[at]) {
          key[at] = value;
          combine(at + 1);
        }
      };
      combine(0);
    };
  };
  return {
    leaf(leaf, take) {
      const each = combinations(leaf);
      return (doc, owner) =>
        each(doc, (key) => {
          const ord = ords.add(owner, idOf(key));
          take(doc, ord < 0 ? -1 - ord : ord);
        });
    },
    key: (ord) => keys[ords.key(ord)],
    fill(owner) {
      for (const leaf of context.searcher.leaves) {
        const each = combinations(leaf);
        for (let doc = 0; doc < leaf.segment.maxDoc; doc++) each(doc, (key) => ords.add(owner, idOf(key)));
      }
    },
  };
}

/** The values of a document, each once. */
function valuesOf(source: ValuesSource, leaf: LeafReader): (doc: number) => TermKey[] {
  if (source.kind === "keyword" || source.kind === "ip") {
    const { start, end, ord, term } = source.ordinals(leaf);
    return (doc) => {
      const values: TermKey[] = [];
      for (let i = start(doc), to = end(doc); i < to; i++) values.push(term(ord(i)));
      return values;
    };
  }
  const { start, end, value, bigint, wide } = source.numbers(leaf);
  const at = wide && !source.floating ? (i: number) => narrowed(bigint(i)) : value;
  return (doc) => {
    const values: TermKey[] = [];
    for (let i = start(doc), to = end(doc); i < to; i++) {
      const next = at(i);
      if (values.length === 0 || !Object.is(values[values.length - 1], next)) values.push(next);
    }
    return values;
  };
}

const narrowed = (long: bigint): number | bigint => (Number.isSafeInteger(Number(long)) ? Number(long) : long);
