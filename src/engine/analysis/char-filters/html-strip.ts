/**
 * Takes the markup out of HTML, as Lucene's HTMLStripCharFilter: block elements (and all that are not known to be inline) leave a line
 * break, inline elements, comments and declarations nothing; scripts and styles go with their content; character references are decoded.
 */
import type { CharFilter } from "../chain.ts";
import { createEdits } from "./edits.ts";
import { ENTITIES } from "./entities.ts";

const INLINE = new Set(
  (
    "a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike strong sub sup " +
    "textarea tt u var"
  ).split(" "),
);

const NAME = "[\\p{L}_:][\\p{L}\\p{N}\\p{M}_:.\\-·]*";
/** An opening tag: behind the name white space and anything but angle brackets, which may stand in quoted values only. */
const OPENING = new RegExp(
  `<\\s*(${NAME})(?:\\s+(?:=\\s*"[^"]*"|=\\s*'[^']*'|[^<>])*|/)?(?:>|(?<=<\\s*${NAME})$)`,
  "uy",
);
const CLOSING = new RegExp(`</\\s*(${NAME})(?:\\s*>|$)`, "uy");
const DECLARATION = /<![^>]*>/y;
const INSTRUCTION = /<\?[^>]*\?>/y;
/** What ends a script or a style sheet; comments in it are passed over. */
const RAW_END = {
  script: /<!--[\s\S]*?(?:-->|$)|<\/\s*script\s*>/giu,
  style: /<!--[\s\S]*?(?:-->|$)|<\/\s*style\s*>/giu,
};
const REFERENCE = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*))(?:;|$)/y;
/** Names that may be written in capitals. */
const CAPITALS = new Set(["AMP", "COPY", "GT", "LT", "QUOT", "REG"]);

let entities: Map<string, string> | undefined;

function entity(name: string): string | undefined {
  if (entities === undefined) {
    entities = new Map(
      ENTITIES.split(" ").map((entry) => {
        const [key, code] = entry.split("=");
        return [key, String.fromCodePoint(Number.parseInt(code, 16))];
      }),
    );
    // A no-break space would glue words together.
    entities.set("nbsp", " ").set("apos", "'");
  }
  return entities.get(CAPITALS.has(name) ? name.toLowerCase() : name);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** A decoded reference: how long it is and what it stands for. */
interface Decoded {
  length: number;
  text: string;
}

function numericCode(match: RegExpExecArray): number | undefined {
  if (match[1] !== undefined) return Number.parseInt(match[1], 10);
  return match[2] === undefined ? undefined : Number.parseInt(match[2], 16);
}

function decode(text: string, at: number): Decoded | undefined {
  REFERENCE.lastIndex = at;
  const match = REFERENCE.exec(text);
  if (match === null) return undefined;
  const { length } = match[0];
  const code = numericCode(match);
  if (code === undefined) {
    const named = entity(match[3]);
    return named === undefined ? undefined : { length, text: named };
  }
  if (code > 0x10ffff) return undefined;
  if (code === 0xa0) return { length, text: " " };
  if (code < 0xd800 || code > 0xdfff) return { length, text: String.fromCodePoint(code) };
  // Halves of a surrogate pair are one character when they stand together, and none else.
  if (code < 0xdc00) {
    REFERENCE.lastIndex = at + length;
    const second = REFERENCE.exec(text);
    const low = second === null ? undefined : numericCode(second);
    if (second !== null && low !== undefined && low >= 0xdc00 && low <= 0xdfff) {
      return { length: length + second[0].length, text: String.fromCharCode(code, low) };
    }
  }
  return { length, text: "\ufffd" };
}

/** Units that Lucene's scanner reads at once. */
const BUFFER = 16_384;

/**
 * Where a text ends with half of a pair, the scanner takes the read that meets it for the end: what that read would have brought is lost.
 */
function readable(text: string): string {
  const isHigh = (at: number) => (text.charCodeAt(at) & 0xfc00) === 0xd800;
  if (text === "" || !isHigh(text.length - 1)) return text;
  let read = 0;
  while (text.length - read >= BUFFER) read += isHigh(read + BUFFER - 1) ? BUFFER - 1 : BUFFER;
  return text.slice(0, read);
}

/** @param escapedTags elements whose tags stay in the text */
export function htmlStripCharFilter(name: string, escapedTags: readonly string[]): CharFilter {
  const escaped = new Set(escapedTags.map((tag) => tag.toLowerCase()));

  /** What begins at a `<`: how long it is and what stands for it. */
  function markup(text: string, at: number): { length: number; replacement: string } | undefined {
    if (text.startsWith("<!--", at)) {
      const end = text.indexOf("-->", at + 4);
      return { length: (end < 0 ? text.length : end + 3) - at, replacement: "" };
    }
    const declared = matchAt(DECLARATION, text, at) ?? matchAt(INSTRUCTION, text, at);
    if (declared !== undefined) return { length: declared[0].length, replacement: "" };
    const opening = matchAt(OPENING, text, at);
    const match = opening ?? matchAt(CLOSING, text, at);
    if (match === undefined) return undefined;
    const { length } = match[0];
    const tag = match[1].toLowerCase();
    if (escaped.has(tag)) return { length, replacement: match[0] };
    // Cut off by the end of the text.
    if (!match[0].endsWith(">")) return { length, replacement: "" };
    if (opening !== undefined && (tag === "script" || tag === "style") && !match[0].endsWith(`${match[1]}/>`)) {
      const end = RAW_END[tag];
      end.lastIndex = at + length;
      for (let closing = end.exec(text); closing !== null; closing = end.exec(text)) {
        if (!closing[0].startsWith("<!--"))
          return { length: closing.index + closing[0].length - at, replacement: "\n" };
      }
      return { length: text.length - at, replacement: "" };
    }
    return { length, replacement: INLINE.has(tag) ? "" : "\n" };
  }

  return {
    name,
    apply(whole) {
      const text = readable(whole);
      const edits = createEdits();
      let copied = 0;
      const replace = (from: number, length: number, replacement: string) => {
        edits.copy(text.slice(copied, from));
        edits.replace(length, replacement);
        copied = from + length;
      };
      for (let i = 0; i < text.length; ) {
        const c = text[i];
        if (c === "<") {
          if (text.startsWith("<![CDATA[", i)) {
            // The content stays as it is.
            replace(i, 9, "");
            const end = text.indexOf("]]>", i + 9);
            i = end < 0 ? text.length : end;
            if (end >= 0) replace(end, 3, "");
            i = end < 0 ? i : end + 3;
            continue;
          }
          const found = markup(text, i);
          if (found !== undefined) {
            replace(i, found.length, found.replacement);
            i += found.length;
            continue;
          }
        } else if (c === "&") {
          const decoded = decode(text, i);
          if (decoded !== undefined) {
            replace(i, decoded.length, decoded.text);
            i += decoded.length;
            continue;
          }
        }
        i++;
      }
      edits.copy(text.slice(copied));
      return edits.done();
    },
  };
}
