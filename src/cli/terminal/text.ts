/**
 * Text from documents on a terminal: made harmless, measured in columns, wrapped and cut. A document may hold anything, escape sequences
 * that rewrite the screen or reverse the reading order included; what is shown is what can be seen.
 */
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Marks that reorder text (bidirectional controls) or hide it (zero-width characters, tags). ZWJ stays: emoji need it. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Text of several lines without control characters: each is shown as a picture of itself (␛), tabs become spaces. */
export function harmless(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll("\t", "    ")
    .replace(INVISIBLE, "")
    .replace(LONE_SURROGATE, "\ufffd")
    .replace(CONTROL, controlPicture);
}

/** The same on one line: every run of white space is one space. For headings and text. */
export function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, " ").trim();
}

/** The same for names, where white space counts: a line break is shown as ␊. */
export function nameLine(name: string): string {
  return harmless(name.replaceAll("\n", "\u240a").replaceAll("\r", "\u240d"));
}

/** Unicode's control pictures; C1 controls, which have none, as U+FFFD. */
function controlPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Columns that a text takes on a terminal. */
export function width(text: string): number {
  return stringWidth(text);
}

/** The text followed by spaces up to `columns`. */
export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - width(text))) + text;
}

/** At most `columns` wide, cut at the end. */
export function truncateEnd(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  return `${take(segments(text), columns - 1).join("")}…`;
}

/** At most `columns` wide, cut at the start: of a path, the file's own name is what tells. */
export function truncateStart(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  return `…${take(segments(text).reverse(), columns - 1)
    .reverse()
    .join("")}`;
}

function segments(text: string): string[] {
  return Array.from(graphemes.segment(text), (item) => item.segment);
}

function take(parts: string[], columns: number): string[] {
  const out: string[] = [];
  let used = 0;
  for (const part of parts) {
    used += width(part);
    if (used > columns) break;
    out.push(part);
  }
  return out;
}
