/** Where passages are cut: at most so long, value by value, or one for each value. */
import { illegalArgument } from "../../errors.ts";
import { type BreakIterator, DONE, ruleBreaks } from "./break-iterator.ts";
import { SENTENCES, WORDS } from "./rules.ts";

/** Stands between the values of a field (CustomUnifiedHighlighter). */
export const VALUE_SEPARATOR = "\0";

export const sentenceBreaks = () => ruleBreaks(SENTENCES);
export const wordBreaks = () => ruleBreaks(WORDS);

/**
 * Sentences of at most a number of characters: several short ones together, a longer one cut between words around what is marked
 * (Elasticsearch's BoundedBreakIteratorScanner). It is asked for ascending places, `preceding` first.
 */
export function boundedSentences(longest: number): BreakIterator {
  const sentences = sentenceBreaks();
  const words = wordBreaks();
  let length = 0;
  let asked = -1;
  let [windowStart, windowEnd] = [-1, -1];
  let [start, end] = [-1, 0];

  const openWindow = (offset: number): void => {
    start = Math.max(sentences.preceding(offset), 0);
    const target = offset + Math.max(0, longest - (offset - start));
    end = target + 1 > length ? length : sentences.preceding(target + 1);
    // No sentence ends in time.
    if (end === start) end = sentences.following(target);
    [windowStart, windowEnd] = [start, end];
  };
  return {
    setText(text) {
      sentences.setText(text);
      words.setText(text);
      length = text.length;
      [asked, windowStart, windowEnd, start, end] = [-1, -1, -1, -1, 0];
    },
    preceding(offset) {
      if (offset < asked) {
        throw illegalArgument("offset < lastPrecedingOffset: usage doesn't look like UnifiedHighlighter");
      }
      if (offset > windowStart && offset < windowEnd) [start, end] = [end, windowEnd];
      else openWindow(offset);
      if (end - start > longest) {
        if (offset - longest > start) start = Math.max(start, words.preceding(offset - longest));
        const left = Math.max(0, longest - (offset - start));
        if (offset + left < windowEnd) end = Math.min(windowEnd, words.following(offset + left));
      }
      asked = offset - 1;
      return start;
    },
    following(offset) {
      if (end === DONE) {
        throw illegalArgument("preceding should be called first, usage doesn't look like UnifiedHighlighter");
      }
      return Math.max(offset, end);
    },
  };
}

/** One part for each value: cut behind the separator only (CustomSeparatorBreakIterator). */
export function separatorBreaks(): BreakIterator {
  let text = "";
  return {
    setText(next) {
      text = next;
    },
    preceding(offset) {
      if (offset === 0) return DONE;
      return text.lastIndexOf(VALUE_SEPARATOR, offset - 1) + 1;
    },
    following(offset) {
      if (offset === text.length) return DONE;
      const at = text.indexOf(VALUE_SEPARATOR, offset + 1);
      return at < 0 ? text.length : at + 1;
    },
  };
}

/** Cuts on both sides of each separator, and within a value as another iterator does (Lucene's SplittingBreakIterator). */
export function splitByValues(within: BreakIterator): BreakIterator {
  let text = "";
  let [start, end] = [0, 0];
  const toValue = (from: number, to: number): void => {
    [start, end] = [from, to];
    if (start < end) within.setText(text.slice(start, end));
  };
  const endOf = (offset: number): number => {
    const at = text.indexOf(VALUE_SEPARATOR, offset);
    return at < 0 ? text.length : at;
  };
  return {
    setText(next) {
      text = next;
      toValue(0, endOf(0));
    },
    preceding(offset) {
      if (offset - 1 < start || offset - 1 > end) {
        if (offset === 0) return DONE;
        const to = endOf(offset);
        toValue(Math.min(text.lastIndexOf(VALUE_SEPARATOR, offset - 1) + 1, to), to);
      }
      if (start === end) return offset - 1;
      if (offset === end + 1) return end;
      return start + within.preceding(offset - start);
    },
    following(offset) {
      if (offset + 1 < start || offset + 1 > end) {
        if (offset === text.length) return DONE;
        const from = offset < 0 ? 0 : text.lastIndexOf(VALUE_SEPARATOR, offset) + 1;
        toValue(from, endOf(Math.max(offset + 1, from)));
      }
      if (start === end) return offset + 1;
      if (offset === start - 1) return start;
      return start + within.following(offset - start);
    },
  };
}
