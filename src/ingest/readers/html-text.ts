/**
 * The main text of an HTML page, its blocks as lines: headings with `#`, list items with `-`, table rows between `|`. The walk keeps its
 * own stack, and a page is refused when it would keep the parser busy for ever.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse } from "parse5";
import type { Section } from "../../schema/index.ts";
import { headingTrail, oneLine } from "./document.ts";
import { lineWriter } from "./line-writer.ts";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

export interface HtmlText {
  text: string;
  title: string | undefined;
  sections: Section[];
}

const MOST_DEPTH = 5000;
const MOST_ELEMENTS = 2_000_000;
const MOST_ATTRIBUTES = 20_000;

/** Never read. */
const SKIPPED = names(
  "script style noscript template head svg math iframe object canvas audio video select button textarea",
);
/** Around the text, not of it; read all the same when there is nothing else. */
const FRAME = names("nav footer aside");
const BLOCKS = names(
  "address article aside blockquote body center details dialog dd div dl dt fieldset figcaption figure footer form header hgroup hr " +
    "legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul caption h1 h2 h3 h4 h5 h6",
);
/** Blocks that stand apart from their neighbours by an empty line. */
const APART = names("p pre blockquote table ul ol dl h1 h2 h3 h4 h5 h6 article section main figure");
const LEVEL: Readonly<Record<string, number>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 };

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Throws an Error that says what is wrong with a page that is nested too deep or has too many elements or attributes. */
export function htmlText(source: string): HtmlText {
  const page = parsePage(source);
  const title = titleOf(page);
  const main = mainElement(page) ?? page;
  const read = readBlocks(main, FRAME);
  return { title, ...(read.text === "" ? readBlocks(page, new Set()) : read) };
}

/** The page as a tree. Throws an Error for a page that would keep the parser busy for ever. */
export function parsePage(source: string): DefaultTreeAdapterTypes.Document {
  checkAttributes(source);
  return parseBounded(source);
}

/** The parser looks through all attributes of a tag for each new one. */
function checkAttributes(source: string): void {
  const tag = /<[a-zA-Z]/g;
  let from = 0;
  for (tag.lastIndex = from; tag.exec(source); tag.lastIndex = from) {
    let quote = "";
    let words = 0;
    let i = tag.lastIndex;
    for (; i < source.length; i++) {
      const char = source[i]!;
      if (quote !== "") {
        if (char === quote) quote = "";
      } else if (char === ">") break;
      else if (char === '"' || char === "'") quote = char;
      else if (
        (char === " " || char === "\n" || char === "\t" || char === "/" || char === "=") &&
        source[i - 1] !== char
      )
        words++;
      if (words > MOST_ATTRIBUTES) throw new Error(`a tag has more than ${MOST_ATTRIBUTES} attributes`);
    }
    from = i;
  }
}

function parseBounded(source: string): DefaultTreeAdapterTypes.Document {
  let depth = 0;
  let elements = 0;
  return parse(source, {
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(tagName, namespace, attributes) {
        if (++elements > MOST_ELEMENTS) throw new Error(`more than ${MOST_ELEMENTS} elements`);
        return defaultTreeAdapter.createElement(tagName, namespace, attributes);
      },
      // What is open is looked through with each tag.
      onItemPush() {
        if (++depth > MOST_DEPTH) throw new Error(`elements are nested deeper than ${MOST_DEPTH}`);
      },
      onItemPop() {
        depth--;
      },
    },
  });
}

/** Visits nodes in document order; `enter` says whether to go into an element, whose `leave` comes after its last child. */
function walk(root: Node, enter: (node: Node) => boolean, leave: (node: Node) => void): void {
  const stack: { node: Node; left: boolean }[] = [{ node: root, left: false }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (top.left) {
      leave(top.node);
      continue;
    }
    if (!enter(top.node)) continue;
    stack.push({ node: top.node, left: true });
    const children = "childNodes" in top.node ? (top.node as ParentNode).childNodes : [];
    for (let i = children.length - 1; i >= 0; i--) stack.push({ node: children[i]!, left: false });
  }
}

function isElement(node: Node): node is Element {
  return "tagName" in node;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

function titleOf(page: Node): string | undefined {
  let title: string | undefined;
  walk(
    page,
    (node) => {
      if (title !== undefined || !isElement(node)) return title === undefined;
      if (node.tagName === "title" && node.namespaceURI === html.NS.HTML) {
        title = oneLine(node.childNodes.map((child) => ("value" in child ? child.value : "")).join(""));
      }
      return true;
    },
    () => {},
  );
  return title === "" ? undefined : title;
}

/** `main`, or the only `article`: where the page says itself what its text is. */
function mainElement(page: Node): Element | undefined {
  let main: Element | undefined;
  const articles: Element[] = [];
  walk(
    page,
    (node) => {
      if (!isElement(node)) return true;
      if (node.tagName === "main" || attribute(node, "role") === "main") main ??= node;
      if (node.tagName === "article") articles.push(node);
      return true;
    },
    () => {},
  );
  return main ?? (articles.length === 1 ? articles[0] : undefined);
}

function readBlocks(root: Node, frame: ReadonlySet<string>): { text: string; sections: Section[] } {
  const writer = lineWriter();
  const sections: Section[] = [];
  const trail = headingTrail();
  let preformatted = 0;
  let heading: { start: number; level: number } | undefined;

  function enter(node: Node): boolean {
    if (node.nodeName === "#text") {
      writer.text((node as DefaultTreeAdapterTypes.TextNode).value, preformatted > 0);
      return false;
    }
    if (!isElement(node)) return "childNodes" in node;
    const { tagName } = node;
    if (SKIPPED.has(tagName) || frame.has(tagName)) return false;
    if (attribute(node, "hidden") !== undefined || attribute(node, "aria-hidden") === "true") return false;
    if (BLOCKS.has(tagName)) writer.newLine(APART.has(tagName));
    if (tagName === "br") writer.newLine(false);
    else if (tagName === "img") writer.text(` ${attribute(node, "alt") ?? ""} `, false);
    else if (tagName === "li") writer.prefix("- ");
    else if (tagName === "pre") preformatted++;
    else if (tagName === "tr") writer.openRow();
    else if (tagName === "td" || tagName === "th") writer.openCell();
    else if (LEVEL[tagName] && !writer.inRow() && !heading) {
      writer.prefix(`${"#".repeat(LEVEL[tagName])} `);
      heading = { start: writer.place(), level: LEVEL[tagName] };
    }
    return true;
  }

  function leave(node: Node): void {
    if (!isElement(node)) return;
    const { tagName } = node;
    if (tagName === "pre") preformatted--;
    if (tagName === "tr") writer.closeRow();
    if (heading && LEVEL[tagName] === heading.level) {
      const words = oneLine(writer.since(heading.start).replace(/^(?:- )*#+ /, ""));
      writer.dropPrefix();
      if (words !== "") {
        sections.push({
          start: heading.start,
          heading: words,
          headingPath: trail(words, heading.level),
          level: heading.level,
        });
      }
      heading = undefined;
    }
    if (BLOCKS.has(tagName)) writer.newLine(APART.has(tagName));
  }

  walk(root, enter, leave);
  return { text: writer.whole(), sections };
}
