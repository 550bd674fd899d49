/** Highlighted fragments on a terminal. */
import type { NodeWithScore } from "../../schema/index.ts";
import type { Io } from "../context.ts";
import { marked } from "./matches.ts";
import { type Style, wantsColour } from "./style.ts";
import { oneLine } from "./text.ts";
import { type Span, wrapSpans } from "./wrap.ts";

export interface FragmentTags {
  preTag: string;
  postTag: string;
}

/** Lines of a passage's fragments, at most; and columns. */
const LINES = 6;
const WIDEST = 100;

/** For programs the usual ones; for people what no document holds, to be replaced by colours. */
export function fragmentTags(json: boolean): FragmentTags {
  if (json) return { preTag: "<em>", postTag: "</em>" };
  const id = Math.random().toString(36).slice(2, 12);
  return { preTag: `⟦${id}`, postTag: `${id}⟧` };
}

/** The fragments of a hit, one a line; undefined where it has none. */
export function fragmentsText(
  hit: NodeWithScore,
  tags: FragmentTags | undefined,
  indent: string,
  io: Io,
  style: Style,
): string | undefined {
  const fragments = tags ? Object.values(hit.highlights ?? {}).flat() : [];
  if (!tags || fragments.length === 0) return undefined;
  const colour = wantsColour(io.outIsTerminal, io.env);
  const mark = colour ? style.match : (text: string) => `«${text}»`;
  const columns = Math.max(20, Math.min(io.columns - 1, WIDEST) - indent.length);
  const lines = fragments.flatMap((fragment) => {
    const { text, spans } = spansOf(fragment, tags);
    return wrapSpans(text, columns).map((line) => indent + marked(text, line, spans, mark));
  });
  return lines.slice(0, LINES).join("\n") + (lines.length > LINES ? "…" : "");
}

/** A fragment's text without its tags, made harmless, and where the tags were. */
function spansOf(fragment: string, { preTag, postTag }: FragmentTags): { text: string; spans: Span[] } {
  let text = "";
  const spans: Span[] = [];
  for (const [i, piece] of fragment.split(preTag).entries()) {
    const [inside, ...rest] = i === 0 ? ["", piece] : piece.split(postTag);
    if (inside) {
      const shown = oneLine(inside);
      spans.push({ start: text.length, end: text.length + shown.length });
      text += shown;
    }
    text += plain(rest.join(postTag));
  }
  return { text, spans };
}

/** On one line, with the blanks at its ends, which stand beside words. */
function plain(text: string): string {
  const before = /^\s/.test(text) ? " " : "";
  const after = /\s$/.test(text) && text.trim() !== "" ? " " : "";
  return text === "" ? "" : before + oneLine(text) + after;
}
