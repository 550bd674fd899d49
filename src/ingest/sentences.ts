/**
 * Where sentences end, in Chinese and English text as it comes out of files: Markdown, plain text, lines of a table. One pass; what is
 * looked at before and after an end is bounded, so that the time grows with the length of the text whatever it holds.
 */
import { isLineBreak, isSpace, isWide, type Span, trimmedSpan } from "./characters.ts";

/** They end a sentence wherever they stand. */
const FULL_STOPS = new Set("。！？；｡‼⁇⁈⁉");
const ELLIPSES = new Set("…⋯");
const LATIN_STOPS = new Set(".!?");
/** They belong to the sentence that ended before them. The last ones are Markdown's emphasis and an emoji's selector. */
const CLOSERS = new Set("\"'”’」』）】》〉〕］｝)]}»›*_\ufe0f");
/** Full-width marks that go on with a sentence. */
const CONTINUES = new Set("，、：；。！？）】》”’」』");
/** A line that ends with one of these goes on in the next. */
const OPEN_LINE_ENDS = new Set(",，、(（[【{《“「『");

/** Never the end of a sentence, with their dot. */
const TITLES = new Set(
  "mr mrs ms dr prof rev gen col capt lt sgt hon st mt messrs vs cf e.g i.e eg ie viz al approx ca resp incl excl".split(
    " ",
  ),
);
/** Not the end of a sentence when a number follows. */
const BEFORE_NUMBERS = new Set(
  "no nos fig figs sec secs art arts vol ch chap eq eqs p pp para tab ver v jan feb mar apr jun jul aug sep sept oct nov dec".split(
    " ",
  ),
);
const LONGEST_ABBREVIATION = 8;

/** What a line may begin with that is not the middle of a sentence: bullets, numbers, headings, table rows, quotes, fences. */
const LINE_MARK =
  /[-*+•·▪◦●○■□◆–—]\s|#{1,6}\s|[|>]|`{3}|~{3}|-{3}|={3}|\d{1,4}[.)、．）](?!\d)|[a-zA-Z][.)]\s|[（(][一二三四五六七八九十百\da-zA-Z]{1,4}[)）]|[一二三四五六七八九十百]{1,4}[、.．]|第[一二三四五六七八九十百千零〇\d]{1,6}[条章节款项篇编部]|[①-⑳]/y;
/** `label: ` at the head of a line. */
const LINE_LABEL = /[^\s:：，。,.!?！？；;][^\n\r:：，。,!?！？；;]{0,30}(?::(?=\s)|：)/y;
const HEADING = /#{1,6}\s/y;
const LOWER = /\p{Ll}/u;
const DIGIT = /\d/;
const LETTER_OR_DOT = /[\p{L}.]/u;
/** What stands before the dot of a numbered item: `3`, `iv`, `a`. */
const ITEM_NUMBER = /^[\s#>*+-]{0,12}(?:\d{1,4}|[ivxIVX]{1,4}|[a-zA-Z])$/;

/** In columns: a shorter line was ended by its writer, not wrapped. */
const SHORT_LINE = 50;

/**
 * The sentences of a text, in order, without the white space around them and without blank ones. What lies between two is white space.
 *
 * @example sentences("年休假共五天。How many? 3.5 days.") // "年休假共五天。", "How many?", "3.5 days."
 */
export function sentences(text: string): Span[] {
  return [...eachSentence(text, 0, text.length)];
}

/** The sentences from `from` to `to`, one by one. */
export function* eachSentence(text: string, from: number, to: number): Generator<Span> {
  let start = from;
  let lineStart = from;
  let columns = 0;
  for (let i = from; i < to; ) {
    const code = text.charCodeAt(i);
    let ends = false;
    if (isLineBreak(code)) {
      const next = code === 0x0d && text.charCodeAt(i + 1) === 0x0a ? i + 2 : i + 1;
      ends = lineEndsSentence(text, lineStart, i, next, columns);
      i = lineStart = next;
      columns = 0;
    } else if (isStop(text[i]!)) {
      let end = i + 1;
      while (end < to && (isStop(text[end]!) || CLOSERS.has(text[end]!))) end++;
      ends = stopEndsSentence(text, lineStart, i, end);
      columns += end - i;
      i = end;
    } else {
      columns += isWide(code) ? 2 : 1;
      i++;
    }
    if (!ends) continue;
    const end = Math.min(i, to);
    const span = trimmedSpan(text, start, end);
    if (span) yield span;
    start = end;
  }
  const last = trimmedSpan(text, start, to);
  if (last) yield last;
}

function isStop(char: string): boolean {
  return LATIN_STOPS.has(char) || FULL_STOPS.has(char) || ELLIPSES.has(char);
}

/** Whether the marks from `at` to `end` close a sentence. */
function stopEndsSentence(text: string, lineStart: number, at: number, end: number): boolean {
  const first = text[at]!;
  for (let i = at; i < end; i++) if (FULL_STOPS.has(text[i]!)) return true;
  if (end >= text.length) return true;
  const next = text[end]!;
  if (!isSpace(next.charCodeAt(0))) {
    if (!isWide(next.charCodeAt(0)) || CONTINUES.has(next)) return false;
    return first !== "." || !DIGIT.test(text[at - 1] ?? "");
  }
  const following = nextVisible(text, end);
  if (LOWER.test(following)) return false;
  if (first !== "." || text[at + 1] === ".") return true;
  return !isAbbreviation(text, at, following) && !isItemNumber(text, lineStart, at);
}

/** The first visible character of the next few; "" where there is none so near. */
function nextVisible(text: string, from: number): string {
  for (let i = from; i < text.length && i < from + 16; i++) {
    if (!isSpace(text.charCodeAt(i))) return String.fromCodePoint(text.codePointAt(i)!);
  }
  return "";
}

function isAbbreviation(text: string, dot: number, following: string): boolean {
  let from = dot;
  while (from > 0 && dot - from <= LONGEST_ABBREVIATION && LETTER_OR_DOT.test(text[from - 1]!)) from--;
  const word = text.slice(from, dot);
  // An initial: "J. Smith". But "I." and "A." after a Chinese text are ends.
  if (/^[A-Z]$/.test(word)) return word !== "I" && /\p{Lu}/u.test(following);
  const lower = word.toLowerCase();
  return TITLES.has(lower) || (BEFORE_NUMBERS.has(lower) && DIGIT.test(following));
}

function isItemNumber(text: string, lineStart: number, dot: number): boolean {
  return dot - lineStart <= 20 && ITEM_NUMBER.test(text.slice(lineStart, dot));
}

/** Whether the break after a line closes a sentence: before and after paragraphs, headings, items, rows and labels, and after short lines. */
function lineEndsSentence(text: string, lineStart: number, lineEnd: number, next: number, columns: number): boolean {
  const first = firstVisible(text, lineStart, lineEnd);
  if (first === lineEnd) return true;
  const following = firstVisible(text, next, text.length);
  if (following === text.length || isLineBreak(text.charCodeAt(following))) return true;
  if (text[first] === "|" || matchesAt(HEADING, text, first)) return true;
  if (matchesAt(LINE_MARK, text, following) || matchesAt(LINE_LABEL, text, following)) return true;
  if (columns >= SHORT_LINE) return false;
  const last = trimmedSpan(text, first, lineEnd)!.end - 1;
  return !OPEN_LINE_ENDS.has(text[last]!) && !LOWER.test(nextVisible(text, following));
}

/** The first place that is neither a blank nor before a line break. */
function firstVisible(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && isSpace(text.charCodeAt(i)) && !isLineBreak(text.charCodeAt(i))) i++;
  return i;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
