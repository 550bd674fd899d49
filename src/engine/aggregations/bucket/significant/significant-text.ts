/** significant_text: words of a text field, analyzed anew from the source, that are more frequent in a bucket than elsewhere. */
import { illegalArgument, unsupported } from "../../../errors.ts";
import type { JsonValue } from "../../../json/types.ts";
import { RAW_TEXT } from "../../../mapping/doc-value-format.ts";
import type { MappedField } from "../../../mapping/types.ts";
import { textOf } from "../../../query/dsl/read.ts";
import { bucketOrds } from "../../support/bucket-ords.ts";
import { Doubles } from "../../support/memory.ts";
import { bool, type FieldReader, field, readObject, text } from "../../support/object-parser.ts";
import { type AggregationParser, internal } from "../../types.ts";
import { termFilter } from "../terms/include-exclude.ts";
import { backgroundOf } from "./background.ts";
import { isHeuristic } from "./heuristics.ts";
import { SIGNIFICANT_STRINGS, significantOf, UNMAPPED_SIGNIFICANT } from "./internal-significant.ts";
import { heuristicOf, type SignificantOptions, settingsOf, significantFields } from "./significant-terms.ts";

interface Options extends Omit<SignificantOptions, "execution_hint"> {
  readonly field: string;
  readonly source_fields: readonly string[];
  readonly filter_duplicate_text: boolean;
}

const KEYS = [
  "field",
  "size",
  "shard_size",
  "min_doc_count",
  "shard_min_doc_count",
  "background_filter",
  "include",
  "exclude",
  "source_fields",
  "filter_duplicate_text",
];

/** How the words are compared and printed. */
const TEXT = { kind: "keyword", format: RAW_TEXT, parse: (word: string) => word } as const;

/** Words of a sequence that counts as repeated when it was there before. */
const SEQUENCE = 6;

export const parseSignificantText: AggregationParser = (name, json) => {
  const heuristic = heuristicOf("significant_text", json, KEYS);
  const { execution_hint: _, ...shared } = significantFields(name);
  const skip: FieldReader<never> = () => undefined as never;
  const options = readObject<Options>("significant_text", json, {
    ...shared,
    field: text,
    source_fields: field(["array"], (value) => (value as readonly JsonValue[]).map((each) => textOf(each) ?? "")),
    filter_duplicate_text: bool,
    ...Object.fromEntries(
      Object.keys(json)
        .filter(isHeuristic)
        .map((key) => [key, skip]),
    ),
  } as never);
  const fieldName = options.field;
  if (fieldName === undefined) throw illegalArgument("[field] must be set for a [significant_text] aggregation");
  const settings = settingsOf(options);
  const filter = options.background_filter;
  return {
    takesSubs: false,
    ...(filter ? { queries: [filter] } : {}),
    bind(context, own) {
      const { sourceValues } = context;
      if (!sourceValues) throw unsupported("significant_text");
      const mapped = context.query.mapping.field(fieldName);
      const analyze = mapped && analyzerOf(mapped, fieldName);
      const { mapping } = context.query;
      // Where the source has the values: those of a multi-field stand under its parent, none under the name of an alias.
      const named = options.source_fields ?? [mapped?.name ?? fieldName];
      const paths = named.flatMap((path) => (mapping.field(path)?.name === path ? mapping.sourcePaths(path) : [path]));
      const background = context.atCreation(() => mapped && backgroundOf(mapped, TEXT, filter, context));
      const accepted = context.atCreation(() => termFilter(settings.limits, TEXT, { name, context: context.query }));
      const ords = bucketOrds(context.memory);
      const counts = new Doubles(context.memory);
      const sizes = new Doubles(context.memory);
      const ids = new Map<string, number>();
      const terms: string[] = [];
      const repeated = options.filter_duplicate_text ? repetitions() : undefined;
      const idOf = (term: string): number => {
        const known = ids.get(term);
        if (known !== undefined) return known;
        context.memory.take(64 + term.length * 2);
        ids.set(term, terms.length);
        return terms.push(term) - 1;
      };
      return {
        name,
        needsScores: false,
        subs: [],
        sortable: { kind: "none" },
        leaf(leaf) {
          if (!analyze) return undefined;
          const accepts = accepted();
          return (doc, bucket) => {
            sizes.add(bucket, 1);
            const seen = new Set<string>();
            for (const path of paths) {
              for (const value of sourceValues(leaf, doc, path)) {
                const words = wordsOf(analyze, value);
                const old = repeated?.(words);
                words.forEach((word, at) => {
                  if (!old?.[at] && (!accepts || accepts(word))) seen.add(word);
                });
              }
            }
            for (const word of seen) {
              const ord = ords.add(bucket, idOf(word));
              counts.add(ord < 0 ? -1 - ord : ord, 1);
            }
          };
        },
        build(bucket) {
          const data = significantOf({
            ...settings,
            heuristic,
            format: RAW_TEXT,
            boolean: false,
            subsetSize: sizes.get(bucket),
            supersetSize: background()?.size ?? 0,
            ords: background() ? ords.ordsOf(bucket) : [],
            count: (ord) => counts.get(ord),
            key: (ord) => terms[ords.key(ord)],
            background: (key) => background()!.count(key),
            subs: () => [],
          });
          return internal(own, mapped ? SIGNIFICANT_STRINGS : UNMAPPED_SIGNIFICANT, data);
        },
      };
    },
  };
};

type Analyze = (value: string, take: (word: string) => void) => void;

/** Metadata fields that are texts of one word. */
const TEXT_METADATA = ["_id", "_routing", "_field_names", "_ignored", "_nested_path"];

function analyzerOf(field: MappedField, name: string): Analyze {
  const { indexAnalyzer, family, normalizer, type } = field;
  if (field.completion) throw unsupported("significant_text of a completion field");
  if (indexAnalyzer) return (value, take) => void indexAnalyzer.analyze(value, (term) => take(term));
  if (normalizer) return (value, take) => take(normalizer.normalize(value));
  // A key of a flattened field is asked for its analyzer when there is a value.
  if (family === "flattened") {
    return () => {
      throw illegalArgument(`No analyzer configured for field ${field.name}`);
    };
  }
  const whole = family === "keyword" || family === "boolean" || type === "sparse_vector";
  if (whole || TEXT_METADATA.includes(name)) return wholeValue;
  throw illegalArgument(`Field [${name}] has no analyzer, but SignificantText requires an analyzed field`);
}

/** A whole value as one word. */
const wholeValue: Analyze = (value, take) => take(value);

function wordsOf(analyze: Analyze, value: JsonValue): string[] {
  const words: string[] = [];
  analyze(textOf(value) ?? "", (word) => void words.push(word));
  return words;
}

/** Says of each word whether it is of a sequence of six that was there before, in this text or another (DeDuplicatingTokenFilter). */
function repetitions(): (words: readonly string[]) => boolean[] {
  const sequences = new Set<string>();
  return (words) => {
    const old = words.map(() => false);
    for (let at = 0; at + SEQUENCE <= words.length; at++) {
      const sequence = words.slice(at, at + SEQUENCE).join("\u0000");
      if (sequences.has(sequence)) old.fill(true, at, at + SEQUENCE);
      else sequences.add(sequence);
    }
    return old;
  };
}
