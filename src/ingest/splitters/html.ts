/** LlamaIndex's HTMLNodeParser: the text of chosen elements, neighbours of one kind together. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from "parse5";
import { pythonStrip, type Splitter } from "../../schema/index.ts";
import { parsePage } from "../readers/html-text.ts";
import { timeSlices } from "../slices.ts";
import { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
import { splitterName } from "./text.ts";

type Node = DefaultTreeAdapterTypes.Node;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

/** Which elements' text becomes nodes. */
export interface HtmlSplitterOptions extends NodeOptions {
  /** Elements whose text is taken, in lower case. Default `p h1 … h6 li b i u section`. */
  tags?: readonly string[];
}

const TAGS = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "b", "i", "u", "section"];

/**
 * Makes a splitter that takes the text of chosen elements of HTML. Neighbours with the same tag share a node; `tag` in the metadata says
 * which. An element within another chosen one is taken by itself, not twice.
 *
 * @example const nodes = await htmlSplitter({ tags: ["p", "li"] }).split(document({ text: html }));
 */
export function htmlSplitter(options: HtmlSplitterOptions = {}): Splitter {
  const tags = new Set(options.tags ?? TAGS);
  return {
    name: splitterName("html", options),
    async split(document, { signal } = {}) {
      signal?.throwIfAborted();
      const pause = timeSlices(signal);
      const pieces: Piece[] = [];
      let last: string | undefined;
      let section = "";
      const close = () => {
        const text = pythonStrip(section);
        if (last !== undefined && text !== "") pieces.push({ text, metadata: { tag: last } });
        section = "";
      };
      for (const element of elements(parsePage(document.text))) {
        await pause();
        if (!tags.has(element.tagName)) continue;
        const text = ownText(element, tags);
        if (text === "") continue;
        if (element.tagName !== last) close();
        last = element.tagName;
        section += `${text}\n`;
      }
      close();
      return buildNodes(document, pieces, options);
    },
  };
}

/** All elements in document order, with a stack of one's own: pages may nest deeply. */
function* elements(root: ParentNode): Generator<DefaultTreeAdapterTypes.Element> {
  const stack: Node[] = [...root.childNodes].reverse();
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (!defaultTreeAdapter.isElementNode(node)) continue;
    yield node;
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
  }
}

/** An element's text without that of chosen elements right below it. */
function ownText(element: DefaultTreeAdapterTypes.Element, tags: ReadonlySet<string>): string {
  const texts: string[] = [];
  for (const child of element.childNodes) {
    if (defaultTreeAdapter.isTextNode(child)) texts.push(pythonStrip(child.value));
    else if (defaultTreeAdapter.isElementNode(child) && !tags.has(child.tagName))
      texts.push(pythonStrip(allText(child, tags)));
  }
  return texts.filter((text) => text !== "").join("\n");
}

function allText(element: DefaultTreeAdapterTypes.Element, tags: ReadonlySet<string>): string {
  let out = "";
  const stack: Node[] = [...element.childNodes].reverse();
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (defaultTreeAdapter.isTextNode(node)) out += node.value;
    else if (defaultTreeAdapter.isElementNode(node) && !tags.has(node.tagName)) {
      for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
    }
  }
  return out;
}
