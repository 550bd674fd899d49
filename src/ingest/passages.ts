/**
 * Cuts a text into passages: whole sentences packed up to a size, starting at sections where that is possible, each overlapping the one
 * before by a sentence or two. A sentence that is longer than a passage is cut at commas, spaces, or between characters.
 */
import type { Section } from "../schema/index.ts";
import { isSpace, type Span, trimmedSpan } from "./characters.ts";
import { naturalCut } from "./cuts.ts";
import { eachSentence } from "./sentences.ts";

export interface PassageLimits {
  /** Tokens of a passage at most. */
  size: number;
  /** Tokens that two passages share, about. */
  overlap: number;
  count: (text: string) => number;
}

/** A sentence, or a part of a long one. */
interface Unit extends Span {
  tokens: number;
  /** Tokens of the white space before it. */
  gap: number;
  /** What begins here: a heading, another section (a row, an element), or nothing. */
  opens: "heading" | "section" | undefined;
}

/** A section below this share of a passage shares it with the next section; a heading without text is such a one. */
const TINY = 1 / 8;
/** A full passage ends at the last section's start, if at least this share of it lies before. */
const ENOUGH = 1 / 3;
/** UTF-16 units to a token that no language reaches: a longer sentence is cut before it is counted. */
const UNITS_PER_TOKEN = 6;
/** One sentence may be this many times the overlap. */
const OVERLAP_SLACK = 1.5;

/** The passages in order, one by one. Between two that do not overlap lies nothing but white space. */
export function* eachPassage(text: string, sections: readonly Section[], limits: PassageLimits): Generator<Span> {
  const source = eachUnit(text, sections, limits);
  // Units from the start of the current passage on; more are taken as they are needed.
  let units: Unit[] = [];
  let more = true;
  const unitAt = (i: number): Unit | undefined => {
    while (more && units.length <= i) {
      const step = source.next();
      if (step.done) more = false;
      else units.push(step.value);
    }
    return units[i];
  };

  /** Units at the head that the passage before had as well. */
  let shared = 0;
  while (unitAt(shared)) {
    let first = 0;
    let end = shared + 1;
    let tokens = tokensOf(units, first, end);
    while (first < shared && tokens > limits.size) tokens = tokensOf(units, ++first, end);
    for (let unit = unitAt(end); unit; unit = unitAt(++end)) {
      if (unit.opens === "heading" && tokens >= limits.size * TINY) break;
      if (tokens + unit.gap + unit.tokens > limits.size) {
        end = lastSectionStart(units, first, shared, end, limits) ?? end;
        break;
      }
      tokens += unit.gap + unit.tokens;
    }
    // Tokens of a whole may be more than those of its sentences: what counts is the whole.
    while (end - first > 1 && limits.count(text.slice(units[first]!.start, units[end - 1]!.end)) > limits.size) {
      if (first < shared) first++;
      else end--;
    }
    yield { start: units[first]!.start, end: units[end - 1]!.end };
    const next = overlapStart(units, first, end, unitAt(end), limits);
    units = units.slice(next);
    shared = end - next;
  }
}

function tokensOf(units: readonly Unit[], first: number, end: number): number {
  let tokens = 0;
  for (let i = first; i < end; i++) tokens += units[i]!.tokens + (i > first ? units[i]!.gap : 0);
  return tokens;
}

/** Where the passage `first … end` would better end, so that the next one begins with a section. */
function lastSectionStart(
  units: readonly Unit[],
  first: number,
  shared: number,
  end: number,
  { size }: PassageLimits,
): number | undefined {
  if (units[end]!.opens) return undefined;
  for (let i = end - 1; i > shared; i--) {
    if (!units[i]!.opens) continue;
    // A heading does not stay behind without its text.
    const lonely = units[i]!.opens === "heading" && i === end - 1;
    return lonely || tokensOf(units, first, i) >= size * ENOUGH ? i : undefined;
  }
  return undefined;
}

/** The first unit of the next passage: some of the last ones again, unless a section begins. */
function overlapStart(
  units: readonly Unit[],
  first: number,
  end: number,
  next: Unit | undefined,
  { overlap }: PassageLimits,
): number {
  if (!next || next.opens) return end;
  let start = end;
  let tokens = 0;
  while (start - 1 > first) {
    const unit = units[start - 1]!;
    tokens += unit.tokens + unit.gap;
    if (tokens > (start === end ? overlap * OVERLAP_SLACK : overlap)) break;
    start--;
    if (unit.opens) break;
  }
  return start;
}

function* eachUnit(text: string, sections: readonly Section[], limits: PassageLimits): Generator<Unit> {
  let last = 0;
  for (const region of regions(text, sections)) {
    let { opens } = region;
    for (const sentence of eachSentence(text, region.start, region.end)) {
      for (const part of partsThatFit(text, sentence, limits)) {
        yield { ...part, gap: gapTokens(text, last, part.start), opens };
        opens = undefined;
        last = part.end;
      }
    }
  }
}

/** The text between the sections' starts. A page is no section here: sentences go on from page to page. */
function regions(text: string, sections: readonly Section[]): (Span & Pick<Unit, "opens">)[] {
  const starts = sections
    .filter((section) => section.heading !== undefined || section.page === undefined)
    .filter((section) => section.start >= 0 && section.start < text.length)
    .sort((a, b) => a.start - b.start);
  const out: (Span & Pick<Unit, "opens">)[] = [{ start: 0, end: text.length, opens: undefined }];
  for (const { start, heading } of starts) {
    const open = out[out.length - 1]!;
    const opens = heading === undefined ? "section" : "heading";
    if (start === open.start) {
      if (open.opens !== "heading") open.opens = opens;
      continue;
    }
    open.end = start;
    out.push({ start, end: text.length, opens });
  }
  return out;
}

/** White space is about a token, except for the single space that belongs to the next word; much of it counts in full. */
function gapTokens(text: string, from: number, to: number): number {
  const length = to - from;
  if (length === 0 || (length === 1 && text[from] === " ")) return 0;
  return length <= 4 ? 1 : length;
}

/** A sentence, or parts of it, none larger than a passage. */
function* partsThatFit(
  text: string,
  { start, end }: Span,
  limits: PassageLimits,
): Generator<Span & { tokens: number }> {
  const longest = limits.size * UNITS_PER_TOKEN;
  let from = start;
  while (end - from > longest) {
    const cut = naturalCut(text, from + longest, from + Math.ceil(longest / 2), from + longest);
    yield* countedParts(text, from, cut, limits);
    from = cut;
  }
  yield* countedParts(text, from, end, limits);
}

/** An estimate is taken for a count where it is this far above what fits. */
const SURELY = 1.1;

function* countedParts(
  text: string,
  start: number,
  end: number,
  limits: PassageLimits,
): Generator<Span & { tokens: number }> {
  let from = start;
  /** Tokens left, about: counting the rest again after each part would take the square of the parts. */
  let left = 0;
  for (;;) {
    const span = trimmedSpan(text, from, end);
    if (!span) return;
    const length = span.end - span.start;
    const tokens = left > limits.size * SURELY ? left : limits.count(text.slice(span.start, span.end));
    if (tokens <= limits.size || length === 1) {
      yield { ...span, tokens };
      return;
    }
    const share = Math.max(1, Math.floor(length / Math.ceil(tokens / limits.size)));
    const ideal = span.start + share;
    const highest = Math.min(span.end - 1, ideal + (share >> 2));
    const cut = naturalCut(text, ideal, span.start + (share >> 1), Math.max(highest, ideal));
    if (cut >= span.end) {
      // A single character of two units.
      yield { ...span, tokens };
      return;
    }
    left = tokens;
    for (const part of countedParts(text, span.start, cut, limits)) {
      left -= part.tokens;
      yield part;
    }
    from = cut;
  }
}

/** Whether a text holds nothing but white space. */
export function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isSpace(text.charCodeAt(i))) return false;
  return true;
}
