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
const VALUE = "\"[^\"]*\"|'[^']*'|[^\\s\"'<>]+";
const ATTRIBUTES = `(?:\\s+${NAME}(?:\\s*=\\s*(?:${VALUE}))?)*`;
const TAG = new RegExp(`<\\s*(/?)\\s*(${NAME})(${ATTRIBUTES})\\s*/?\\s*>`, "uy");
const RAW_END = { script: /<\s*\/\s*script\s*>/giu, style: /<\s*\/\s*style\s*>/giu };
const REFERENCE = /&(?:#([0-9]+)|#[xX]([0-9a-fA-F]+)|([A-Za-z][A-Za-z0-9]*))(?:;|$)/y;
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
    entities.set("nbsp", " ");
  }
  return entities.get(CAPITALS.has(name) ? name.toLowerCase() : name);
}

function numeric(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  if (code === 0xa0) return " ";
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
}

/** @param escapedTags elements whose tags stay in the text */
export function htmlStripCharFilter(name: string, escapedTags: readonly string[]): CharFilter {
  const escaped = new Set(escapedTags.map((tag) => tag.toLowerCase()));

  /** What begins at a `<`: how long it is and what stands for it. */
  function markup(text: string, at: number): { length: number; replacement: string } | undefined {
    const until = (end: string, from: number) => {
      const found = text.indexOf(end, from);
      return (found < 0 ? text.length : found + end.length) - at;
    };
    if (text.startsWith("<!--", at)) return { length: until("-->", at + 4), replacement: "" };
    if (text.startsWith("<?", at)) return { length: until("?>", at + 2), replacement: "" };
    if (/^<![A-Za-z]/.test(text.slice(at, at + 3))) return { length: until(">", at + 2), replacement: "" };
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    if (match === null) return undefined;
    const tag = match[2].toLowerCase();
    if (escaped.has(tag)) return { length: match[0].length, replacement: match[0] };
    const selfClosed = /\/\s*>$/.test(match[0]);
    if ((tag === "script" || tag === "style") && match[1] === "" && !selfClosed) {
      const end = RAW_END[tag];
      end.lastIndex = at + match[0].length;
      const closing = end.exec(text);
      if (closing === null) return { length: text.length - at, replacement: "" };
      return { length: closing.index + closing[0].length - at, replacement: "\n" };
    }
    return { length: match[0].length, replacement: INLINE.has(tag) ? "" : "\n" };
  }

  return {
    name,
    apply(text) {
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
          REFERENCE.lastIndex = i;
          const match = REFERENCE.exec(text);
          const decoded =
            match === null
              ? undefined
              : match[1] !== undefined
                ? numeric(match[1], 10)
                : match[2] !== undefined
                  ? numeric(match[2], 16)
                  : entity(match[3]);
          if (match !== null && decoded !== undefined) {
            replace(i, match[0].length, decoded);
            i += match[0].length;
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
