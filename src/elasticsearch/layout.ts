/**
 * How nodes lie in an index: the layout of Python LlamaIndex's `ElasticsearchStore`, so that each library reads what the other wrote.
 * A document has the text in `content`, the vector in `embedding` (where the model gives one for each passage), and `metadata` with the
 * node's metadata and the whole node, without its text, as JSON in `_node_content`. Beside it Huiliu keeps `windows`: nested documents
 * with the vectors of sentence windows.
 */
import type { estypes } from "@elastic/elasticsearch";
import {
  CLASS_NAMES,
  isWritableObject,
  type Metadata,
  type MetadataValue,
  type Node,
  nodeFromJson,
  nodeToJson,
  sourceId,
  textNode,
} from "../schema/index.ts";

export const TEXT_FIELD = "content";
export const VECTOR_FIELD = "embedding";
export const WINDOWS_FIELD = "windows";
export const WINDOW_VECTOR_FIELD = "windows.vector";
export const METADATA_FIELD = "metadata";

/** Characters of a text that filters can match as a whole: a term has 32,766 bytes at most, a character up to four. */
export const KEYWORD_LENGTH = 8191;
/** Texts of metadata, when this library makes the index: by default Elasticsearch leaves those of more than 256 characters unfound. */
export const METADATA_TEXT: estypes.MappingProperty = {
  type: "text",
  fields: { keyword: { type: "keyword", ignore_above: KEYWORD_LENGTH } },
};

/** One window's vector and its place in the passage's text, in UTF-16 units. */
export interface Window {
  vector: number[];
  start: number;
  end: number;
}

export interface PassageSource {
  content: string;
  metadata: { [key: string]: MetadataValue };
  embedding?: number[];
  windows?: Window[];
}

/** Keys of `metadata` that belong to the layout, not to the node. */
const LAYOUT_KEYS = new Set(["_node_content", "_node_type", "document_id", "doc_id", "ref_doc_id"]);

/** What an index node stands for stays where it is: an index keeps texts. */
function writable(node: Node): Node {
  return node.type === "index" && !isWritableObject(node.obj) ? { ...node, obj: undefined } : node;
}

/** The document that stands for a node in an index. */
export function nodeToSource(node: Node, vectors: { embedding?: number[]; windows?: Window[] } = {}): PassageSource {
  const document = sourceId(node) ?? "None";
  return {
    content: node.text,
    metadata: {
      ...node.metadata,
      _node_content: JSON.stringify({ ...nodeToJson(writable(node)), text: "" }),
      _node_type: CLASS_NAMES[node.type],
      document_id: document,
      doc_id: document,
      ref_doc_id: document,
    },
    ...(vectors.embedding ? { embedding: vectors.embedding } : {}),
    ...(vectors.windows?.length ? { windows: vectors.windows } : {}),
  };
}

/**
 * The node that a hit stands for. A hit without a readable `_node_content` (written by other software) becomes a plain text node with
 * the metadata as they are.
 */
export function sourceToNode(id: string, source: unknown, textField = TEXT_FIELD): Node {
  const record = isRecord(source) ? source : {};
  const text = typeof record[textField] === "string" ? record[textField] : "";
  const metadata = isRecord(record[METADATA_FIELD]) ? record[METADATA_FIELD] : {};
  const stored = parsed(metadata["_node_content"]);
  const node = stored && nodeFromJson({ id_: id, ...stored, text });
  if (node && node.type !== "document") return node;
  const plain = Object.fromEntries(Object.entries(metadata).filter(([key]) => !LAYOUT_KEYS.has(key)));
  return textNode({ id, text, metadata: plain as Metadata });
}

function parsed(json: unknown): Record<string, unknown> | undefined {
  if (typeof json !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
