/**
 * Wrapping by columns. Latin words stay whole; between two wide characters a line may end anywhere, except that closing punctuation never
 * begins a line and opening punctuation never ends one (the core of the Chinese and Japanese rules for line starts and ends).
 */
import { width } from "./text.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const NOT_FIRST = new Set("。，、；：？！）》」』】〕〉”’…—·～％℃,.;:?!)]}%");
const NOT_LAST = new Set("（《「『【〔〈“‘([{");

export interface Span {
  start: number;
  end: number;
}

/** The smallest pieces that a line must not cut, in order; white space belongs to the end of the piece before it. */
function pieces(text: string): Span[] {
  const out: Span[] = [];
  let start = 0;
  let previous = "";
  for (const { segment, index } of graphemes.segment(text)) {
    if (index > 0 && mayBreak(previous, segment)) {
      out.push({ start, end: index });
      start = index;
    }
    previous = segment;
  }
  if (start < text.length) out.push({ start, end: text.length });
  return out;
}

function mayBreak(before: string, after: string): boolean {
  if (before === "\n" || after === "\n") return true;
  if (isSpace(after)) return false;
  if (isSpace(before)) return true;
  if (NOT_FIRST.has(after) || NOT_LAST.has(before)) return false;
  return WIDE.test(before) || WIDE.test(after);
}

function isSpace(text: string): boolean {
  return text === " " || text === "\u3000";
}

/** The lines of a text as spans of it, without the spaces at their ends. A piece wider than a line is cut where it must be. */
export function wrapSpans(text: string, columns: number): Span[] {
  const lines: Span[] = [];
  let line: Span | undefined;
  let used = 0;
  const close = () => {
    if (line) lines.push(trimmedSpan(text, line));
    line = undefined;
    used = 0;
  };
  for (const piece of pieces(text)) {
    const content = text.slice(piece.start, piece.end);
    if (content === "\n") {
      line ??= { start: piece.start, end: piece.start };
      close();
      continue;
    }
    if (line && used + width(content.trimEnd()) > columns) close();
    for (const part of width(content.trimEnd()) > columns ? cut(piece, text, columns) : [piece]) {
      if (line && part !== piece) close();
      line = { start: line?.start ?? part.start, end: part.end };
      used += width(text.slice(part.start, part.end));
    }
  }
  close();
  return lines;
}

/** A piece that is wider than a line, in parts that are not. */
function cut(piece: Span, text: string, columns: number): Span[] {
  const out: Span[] = [];
  let start = piece.start;
  let used = 0;
  for (const { segment, index } of graphemes.segment(text.slice(piece.start, piece.end))) {
    const size = width(segment);
    if (used > 0 && used + size > columns) {
      out.push({ start, end: piece.start + index });
      start = piece.start + index;
      used = 0;
    }
    used += size;
  }
  out.push({ start, end: piece.end });
  return out;
}

function trimmedSpan(text: string, { start, end }: Span): Span {
  let last = end;
  while (last > start && isSpace(text[last - 1]!)) last--;
  return { start, end: last };
}

/** The lines of a text, at most `columns` wide. */
export function wrap(text: string, columns: number): string[] {
  return wrapSpans(text, columns).map(({ start, end }) => text.slice(start, end));
}

/** Wraps text that comes in pieces: what a line holds for certain is written at once. */
export function streamWrapper(
  columns: number,
  write: (text: string) => void,
): { push(text: string): void; end(): void } {
  let used = 0;
  /** Spaces that are written only when something follows them on the line. */
  let spaces = "";
  let rest = "";

  function place(text: string): void {
    if (text === "\n") {
      write("\n");
      used = 0;
      spaces = "";
      return;
    }
    const content = text.trimEnd();
    if (used > 0 && used + width(spaces + content) > columns) {
      write("\n");
      used = 0;
      spaces = "";
    }
    const lines = wrap(spaces + content, columns);
    write(lines.join("\n"));
    used = (lines.length > 1 ? 0 : used) + width(lines.at(-1) ?? "");
    spaces = text.slice(content.length);
  }

  return {
    push(text) {
      rest += text;
      const all = pieces(rest);
      // The last piece may go on in the next text, and what follows it decides whether the line may end there.
      const last = all.at(-1);
      for (const { start, end } of all.slice(0, -1)) place(rest.slice(start, end));
      rest = last ? rest.slice(last.start) : "";
    },
    end() {
      for (const { start, end } of pieces(rest)) place(rest.slice(start, end));
      rest = "";
    },
  };
}
