/** The highlighter `plain` (Elasticsearch's PlainHighlighter): value by value, each an index of its own. */
import { illegalArgument } from "../../errors.ts";
import { utf8Length } from "../../json/utf8.ts";
import { MAX_TERM_BYTES } from "../../mapping/doc-buffer.ts";
import type { LeafReader } from "../../segment/types.ts";
import { analyzeText } from "../analyzed-text.ts";
import { encoderOf } from "../encode.ts";
import { checkLength, type FieldToHighlight, type Highlighter } from "../highlighter.ts";
import type { HighlightOptions } from "../options.ts";
import { textTerms } from "../text-index.ts";
import {
  bestFragments,
  type Fragmenter,
  simpleFragmenter,
  spanFragmenter,
  type TextFragment,
  wholeText,
} from "./fragments.ts";
import { weightedTerms } from "./weighted-terms.ts";

export const plainHighlighter: Highlighter = {
  canHighlight: () => true,
  highlighterOf(field) {
    const fragmenter = fragmenterOf(field.name, field.options);
    return (leaf, doc, values) => highlight(field, fragmenter, leaf, doc, values);
  },
};

function fragmenterOf(name: string, { fragmenter, fragmentSize, numberOfFragments }: HighlightOptions): Fragmenter {
  if (numberOfFragments === 0) return wholeText;
  if (fragmenter === undefined || fragmenter === "span") return spanFragmenter(fragmentSize);
  if (fragmenter === "simple") return simpleFragmenter(fragmentSize);
  throw illegalArgument(`unknown fragmenter option [${fragmenter}] for the field [${name}]`);
}

function highlight(
  field: FieldToHighlight,
  fragmenter: Fragmenter,
  leaf: LeafReader,
  doc: number,
  values: readonly string[],
): readonly string[] {
  const { options, analyzer } = field;
  const whole = options.numberOfFragments === 0;
  const most = whole ? 1 : options.numberOfFragments;
  const limit = options.maxAnalyzedOffset ?? Number.POSITIVE_INFINITY;
  const [preTag, postTag] = [options.preTags[0], options.postTags[0]];
  const marks = { preTag, postTag, encode: encoderOf(options.encoder) };
  const accepts = (name: string) => !options.requireFieldMatch || name === field.name;
  const found: TextFragment[] = [];
  let before = 0;
  for (const value of values) {
    if (most < 0) throw illegalArgument(`maxSize must be >= 0 and < 2147483631; got: ${most}`);
    checkLength(field, value.length, leaf.segment.id(doc));
    const tokens = analyzeText(analyzer, [value], limit);
    if (tokens.terms.some(isImmense)) continue;
    const terms = weightedTerms(field.query, accepts, textTerms(field.name, doc, tokens), leaf);
    const best = bestFragments(value, tokens, terms, fragmenter, most, marks);
    for (const fragment of best) {
      if (fragment.score > 0) found.push({ ...fragment, number: fragment.number + before });
    }
    before += best.length;
  }
  if (options.scoreOrdered) found.sort((a, b) => b.score - a.score);
  else found.sort((a, b) => a.number - b.number);
  const kept = whole && values.length > 1 ? found : found.slice(0, most);
  if (kept.length > 0) return kept.map(({ text }) => text);
  if (options.noMatchSize <= 0 || values.length === 0) return [];
  const first = field.bytes ? bytesOf(values[0]) : values[0];
  if (first.length <= options.noMatchSize) return first === "" ? [] : [first];
  const end = endOfBeginning(analyzeText(analyzer, [first], limit).ends, options.noMatchSize);
  return end > 0 ? [first.slice(0, end)] : [];
}

/** BytesRef.toString */
const bytesOf = (text: string): string =>
  `[${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16)).join(" ")}]`;

/** No index takes such a term. */
const isImmense = (term: string) => term.length > MAX_TERM_BYTES / 3 && utf8Length(term) > MAX_TERM_BYTES;

/** The end of the last token that is not beyond a size. */
function endOfBeginning(ends: readonly number[], size: number): number {
  let last = -1;
  for (const end of ends) {
    if (end >= size) return end === size ? size : last;
    last = end;
  }
  return last;
}
