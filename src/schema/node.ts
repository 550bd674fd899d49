/**
 * Documents and nodes: plain objects made by the functions here. The words are LlamaIndex's; the text that is embedded,
 * shown to a model and hashed is composed by its rules, so that both libraries can work on one index.
 */

import { randomId } from "./id.ts";
import { pythonRepr, pythonStr, pythonStrip } from "./python-text.ts";
import { sha256 } from "./sha256.ts";

/** What metadata may hold: JSON. */
export type MetadataValue = string | number | boolean | null | MetadataValue[] | { [key: string]: MetadataValue };

/** What is known about a text. Order of keys counts: it is the order in which they are shown to models. */
export type Metadata = { [key: string]: MetadataValue };

/** What a node is. */
export type NodeType = "text" | "index" | "image" | "document";

/** A reference to another node, with what LlamaIndex keeps of it. */
export interface RelatedNode {
  id: string;
  type?: NodeType;
  metadata?: Metadata;
  hash?: string;
}

/** A node's neighbours, parent, children and source. */
export interface Relationships {
  /** The document that the node was cut from. */
  source?: RelatedNode;
  previous?: RelatedNode;
  next?: RelatedNode;
  parent?: RelatedNode;
  children?: RelatedNode[];
}

/** What documents and nodes have in common. */
export interface BaseNode {
  id: string;
  text: string;
  metadata: Metadata;
  relationships: Relationships;
  /** Keys left out of the text that is embedded. */
  excludedEmbedMetadataKeys: string[];
  /** Keys left out of the text that a language model reads. */
  excludedLlmMetadataKeys: string[];
  /** How a key and its value are shown. Default `{key}: {value}`. */
  metadataTemplate: string;
  /** Between two shown keys. Default a newline. */
  metadataSeparator: string;
  /** How metadata and text are joined. Default `{metadata_str}\n\n{content}` (LlamaIndex's names). */
  textTemplate: string;
}

/**
 * A place in a document's text where something begins: a heading's section, a page. Ordered by `start`; a section ends
 * where the next one starts. What is not set is not known (text before the first heading has none).
 */
export interface Section {
  /** Index into `text`, in UTF-16 units. */
  start: number;
  heading?: string;
  /** The headings above, outermost first, this one included. */
  headingPath?: string[];
  /** 1 to 6 for headings. */
  level?: number;
  /** From 1. */
  page?: number;
}

/** A text as it was read: a file, or a row of one. */
export interface Document extends BaseNode {
  type: "document";
  /** Headings and pages, where the reader knows them. */
  sections?: Section[];
}

/** A passage of a document. `startCharIdx` and `endCharIdx` are UTF-16 indexes: `document.text.slice(start, end) === node.text`. */
export interface TextNode extends BaseNode {
  type: "text";
  startCharIdx?: number;
  endCharIdx?: number;
  /** The start in code points, which is what Python counts; set where it differs (an emoji stands before it). */
  startCodePoint?: number;
}

/** A node that stands for something else, which recursive retrieval follows. */
export interface IndexNode extends Omit<TextNode, "type"> {
  type: "index";
  indexId: string;
  /** What it stands for: a retriever, a query engine, a node, or a node with its score. */
  obj?: unknown;
}

/** An image with what is known of it; its text may be empty. */
export interface ImageNode extends Omit<TextNode, "type"> {
  type: "image";
  /** Base64. */
  image?: string;
  imagePath?: string;
  imageUrl?: string;
  imageMimeType?: string;
}

/** Any node that a retriever may return. */
export type Node = TextNode | IndexNode | ImageNode;

type BaseInput = Partial<Omit<BaseNode, "text">> & { text: string };

/** What `document` makes a document of. */
export type DocumentInput = BaseInput & { sections?: Section[] };
/** What `textNode` makes a node of. */
export type TextNodeInput = BaseInput & Pick<TextNode, "startCharIdx" | "endCharIdx" | "startCodePoint">;
/** What `indexNode` makes a node of. */
export type IndexNodeInput = TextNodeInput & { indexId: string; obj?: unknown };
/** What `imageNode` makes a node of. */
export type ImageNodeInput = Partial<Omit<TextNodeInput, "text">> &
  Pick<Partial<ImageNode>, "text" | "image" | "imagePath" | "imageUrl" | "imageMimeType">;

const METADATA_TEMPLATE = "{key}: {value}";
const TEXT_TEMPLATE = "{metadata_str}\n\n{content}";

function base(input: Partial<BaseNode>): BaseNode {
  return {
    id: input.id ?? randomId(),
    text: input.text ?? "",
    metadata: input.metadata ?? {},
    relationships: input.relationships ?? {},
    excludedEmbedMetadataKeys: input.excludedEmbedMetadataKeys ?? [],
    excludedLlmMetadataKeys: input.excludedLlmMetadataKeys ?? [],
    metadataTemplate: input.metadataTemplate ?? METADATA_TEMPLATE,
    metadataSeparator: input.metadataSeparator ?? "\n",
    textTemplate: input.textTemplate ?? TEXT_TEMPLATE,
  };
}

type Span = Pick<TextNode, "startCharIdx" | "endCharIdx" | "startCodePoint">;

function span({ startCharIdx, endCharIdx, startCodePoint }: Span): Span {
  return {
    ...(startCharIdx === undefined ? {} : { startCharIdx }),
    ...(endCharIdx === undefined ? {} : { endCharIdx }),
    ...(startCodePoint === undefined || startCodePoint === startCharIdx ? {} : { startCodePoint }),
  };
}

/** Places in a text in code points, asked for by their UTF-16 index. Quick for places in order. */
export function codePoints(text: string): (at: number) => number {
  let counted = 0;
  let pairs = 0;
  return (at) => {
    if (at < counted) {
      counted = 0;
      pairs = 0;
    }
    for (; counted < at; counted++) if (isPair(text, counted)) pairs++;
    return at - pairs;
  };
}

/** Whether two units that are one character begin here. */
function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/**
 * Makes a document. Without an `id` it gets a random one.
 *
 * @example document({ text: "年休假共五天。", metadata: { file: "leave.md" } })
 */
export function document(input: DocumentInput): Document {
  return { type: "document", ...base(input), ...(input.sections ? { sections: input.sections } : {}) };
}

/** Makes a text node. Without an `id` it gets a random one. */
export function textNode(input: TextNodeInput): TextNode {
  return { type: "text", ...base(input), ...span(input) };
}

/** Makes a node that stands for `obj`, or for what a retriever knows under `indexId`. */
export function indexNode(input: IndexNodeInput): IndexNode {
  const { indexId, obj } = input;
  return { type: "index", ...base(input), ...span(input), indexId, ...(obj === undefined ? {} : { obj }) };
}

/** Makes an image node; its text (a caption) may be empty. */
export function imageNode(input: ImageNodeInput): ImageNode {
  const { image, imagePath, imageUrl, imageMimeType } = input;
  return {
    type: "image",
    ...base(input),
    ...span(input),
    ...(image === undefined ? {} : { image }),
    ...(imagePath === undefined ? {} : { imagePath }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(imageMimeType === undefined ? {} : { imageMimeType }),
  };
}

/** For whom a node's content is composed: everything, the embedding, the language model, or the text alone. */
export type MetadataMode = "all" | "embed" | "llm" | "none";

/** The metadata as text, one `key: value` a line, values printed as Python prints them. */
export function metadataText(node: BaseNode, mode: MetadataMode = "all"): string {
  if (mode === "none") return "";
  const excluded =
    mode === "llm" ? node.excludedLlmMetadataKeys : mode === "embed" ? node.excludedEmbedMetadataKeys : [];
  const lines: string[] = [];
  for (const [key, value] of Object.entries(node.metadata)) {
    if (!excluded.includes(key)) lines.push(fillTemplate(node.metadataTemplate, { key, value: pythonStr(value) }));
  }
  return lines.join(node.metadataSeparator);
}

/**
 * Metadata and text together, as `mode` wants them. Without metadata the text is returned untouched; with metadata the
 * whole is stripped (LlamaIndex's rule).
 */
export function nodeContent(node: BaseNode, mode: MetadataMode = "none"): string {
  if (mode === "none") return node.text;
  const metadata = pythonStrip(metadataText(node, mode));
  if (metadata === "") return node.text;
  return pythonStrip(fillTemplate(node.textTemplate, { metadata_str: metadata, content: node.text }));
}

/** Fills `{name}` of the known names once; braces in the values stay. */
export function fillTemplate(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));
}

/** The same for two nodes exactly if text and metadata (order of keys included) are the same. For maps; short texts stay short. */
export function contentKey(node: Pick<BaseNode, "text" | "metadata">): string {
  return node.text + pythonRepr(node.metadata);
}

/**
 * LlamaIndex's `node.hash`, SHA-256 in hex. Of a node: of its text and metadata; of a document: of the metadata as they are shown and of
 * the text's own hash.
 */
export function nodeHash(node: Pick<BaseNode, "text" | "metadata"> | Document): string {
  if (!("type" in node) || node.type !== "document") return sha256(contentKey(node));
  const metadata = metadataText(node, "all");
  const text = sha256(node.text === "" ? "<empty_string>" : node.text);
  return sha256(metadata === "" ? text : `${metadata}-${text}`);
}

/** The id of the document that a node comes from; of a document, its own. */
export function sourceId(node: Node | Document): string | undefined {
  return node.type === "document" ? node.id : node.relationships.source?.id;
}

/** The reference to a node that another one keeps. */
export function relatedNode(node: Node | Document): RelatedNode {
  return { id: node.id, type: node.type, metadata: node.metadata, hash: nodeHash(node) };
}
