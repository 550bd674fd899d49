/** LlamaIndex's MarkdownNodeParser: a node for each section, from one heading to the next. */
import { pythonStrip, type Splitter } from "../../schema/index.ts";
import { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
import { splitterName } from "./text.ts";

/** How the headings above a section stand in its metadata. */
export interface MarkdownSplitterOptions extends NodeOptions {
  /** Between the headings above a section, and around them. Default `/`. */
  headerPathSeparator?: string;
}

const HEADING = /^(#+)\s(.*)/;

/**
 * Makes a splitter that cuts Markdown at its headings. `header_path` in the metadata names the headings above a section, its own left
 * out. A `#` inside a fence of back-ticks is no heading.
 *
 * @example const nodes = await markdownSplitter().split(document({ text: "# Leave\nFive days." }));
 */
export function markdownSplitter(options: MarkdownSplitterOptions = {}): Splitter {
  const { headerPathSeparator: separator = "/" } = options;
  return {
    name: splitterName("markdown", options),
    async split(document, { signal } = {}) {
      signal?.throwIfAborted();
      const pieces: Piece[] = [];
      const above: { level: number; title: string }[] = [];
      let section = "";
      let fenced = false;
      const close = () => {
        const text = pythonStrip(section);
        section = "";
        if (text === "") return;
        const path = above.slice(0, -1).map((heading) => heading.title);
        const joined = path.length > 0 ? `${separator}${path.join(separator)}${separator}` : separator;
        pieces.push({ text, metadata: { header_path: joined } });
      };
      for (const line of document.text.split("\n")) {
        if (line.trimStart().startsWith("```")) fenced = !fenced;
        const heading = fenced ? null : HEADING.exec(line);
        if (!heading) {
          section += `${line}\n`;
          continue;
        }
        close();
        const level = heading[1]!.length;
        while (above.length > 0 && above[above.length - 1]!.level >= level) above.pop();
        above.push({ level, title: heading[2]! });
        section = `${heading[1]} ${heading[2]}\n`;
      }
      close();
      return buildNodes(document, pieces, options);
    },
  };
}
