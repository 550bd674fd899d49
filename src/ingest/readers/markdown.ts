/** Markdown: the text as it is written, its front matter as metadata, its headings as sections. */
import type { Reader, Section } from "../../schema/index.ts";
import { decodeText } from "./decode.ts";
import { fileDocument, headingTrail, oneLine } from "./document.ts";
import { splitFrontMatter } from "./front-matter.ts";

export const markdownReader: Reader = {
  extensions: ["md", "mdx", "markdown"],
  async read(source) {
    const { text, metadata } = splitFrontMatter(decodeText(source));
    const sections = markdownSections(text);
    const title = metadata["title"];
    const known = typeof title === "string" || typeof title === "number" ? { title: String(title) } : {};
    return [fileDocument(source, { text, metadata, sections, ...known })];
  },
};

/** A heading is not longer than this; a longer line is looked at no further. */
const LONGEST_HEADING = 1000;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/;
/** Lines that are no paragraph, and so no heading when underlined. */
const OTHER_BLOCK = /^(?: {4}|\t| {0,3}(?:[-*+>|#]|\d{1,9}[.)]))/;

/** The headings of a Markdown text: CommonMark's `#` and underlined ones, outside of code blocks. */
export function markdownSections(text: string): Section[] {
  const sections: Section[] = [];
  const trail = headingTrail();
  let fence = "";
  // Of the line before: where it starts, its text, and whether a paragraph begins with it.
  let previous = { start: 0, line: "", alone: false };

  function add(start: number, heading: string, level: number): void {
    sections.push({ start, heading, headingPath: trail(heading, level), level });
  }

  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + LONGEST_HEADING));
    const blankBefore = previous.line.trim() === "";
    let paragraph = false;
    const opened = FENCE.exec(line)?.[1];
    const atx = ATX.exec(line);
    const underline = UNDERLINE.exec(line)?.[1];
    if (fence !== "") {
      if (opened?.startsWith(fence) && line.trim() === opened) fence = "";
    } else if (opened) fence = opened;
    else if (atx) {
      const heading = plainHeading(line.slice(atx[0].length).replace(/(^|[ \t])#+[ \t]*$/, ""));
      if (heading !== "") add(start, heading, atx[1]!.length);
    } else if (underline && previous.alone) {
      const heading = plainHeading(previous.line);
      if (heading !== "") add(previous.start, heading, underline.startsWith("=") ? 1 : 2);
    } else {
      paragraph = line.trim() !== "" && !OTHER_BLOCK.test(line) && end - start < LONGEST_HEADING;
    }
    previous = { start, line: paragraph ? line : "", alone: paragraph && blankBefore };
    start = end + 1;
  }
  return sections;
}

/** A heading as it reads: without emphasis, code marks, link targets and anchors. */
function plainHeading(text: string): string {
  return oneLine(
    text
      .replace(/\s*\{#[^{}]{0,200}\}\s*$/, "")
      .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, "$1")
      .replace(/(\*\*|__|`)/g, "")
      .replace(/<\/?[a-zA-Z][^<>]{0,200}>/g, ""),
  );
}
