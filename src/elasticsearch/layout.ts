/**
 * How nodes lie in an index: the layout of Python LlamaIndex's `ElasticsearchStore`, so that each library reads what the other wrote.
 * A document has the text in `content`, the vector in `embedding` (where the model gives one for each passage), and `metadata` with the
 * node's metadata and the whole node, without its text, as JSON in `_node_content`. Beside it Huiliu keeps `windows`: nested documents
 * with the vectors of sentence windows.
 */
import {
  imageNode,
  indexNode,
  type Metadata,
  type MetadataValue,
  type Node,
  type RelatedNode,
  type Relationships,
  sourceId,
  textNode,
} from "../schema/index.ts";

export const TEXT_FIELD = "content";
export const VECTOR_FIELD = "embedding";
export const WINDOWS_FIELD = "windows";
export const WINDOW_VECTOR_FIELD = "windows.vector";
export const METADATA_FIELD = "metadata";

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

/** LlamaIndex numbers the kinds of relationship. */
const RELATIONS = { source: "1", previous: "2", next: "3", parent: "4", children: "5" } as const;
const RELATED_TYPES = { text: "1", image: "2", index: "3", document: "4" } as const;
const CLASS_NAMES = { text: "TextNode", index: "IndexNode", image: "ImageNode" } as const;

/** Keys of `metadata` that belong to the layout, not to the node. */
const LAYOUT_KEYS = new Set(["_node_content", "_node_type", "document_id", "doc_id", "ref_doc_id"]);

interface StoredRelation {
  node_id: string;
  node_type: string;
  metadata: Metadata;
  hash: string | null;
  class_name: "RelatedNodeInfo";
}

function storedRelation(related: RelatedNode): StoredRelation {
  return {
    node_id: related.id,
    node_type: RELATED_TYPES[related.type ?? "text"],
    metadata: related.metadata ?? {},
    hash: related.hash ?? null,
    class_name: "RelatedNodeInfo",
  };
}

function storedRelations(relationships: Relationships): Record<string, StoredRelation | StoredRelation[]> {
  const out: Record<string, StoredRelation | StoredRelation[]> = {};
  for (const name of ["source", "previous", "next", "parent"] as const) {
    const related = relationships[name];
    if (related) out[RELATIONS[name]] = storedRelation(related);
  }
  if (relationships.children) out[RELATIONS.children] = relationships.children.map(storedRelation);
  return out;
}

/** The node as LlamaIndex's JSON, text and embedding left out. */
function nodeContentJson(node: Node): string {
  return JSON.stringify({
    id_: node.id,
    embedding: null,
    metadata: node.metadata,
    excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
    excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    relationships: storedRelations(node.relationships),
    metadata_template: node.metadataTemplate,
    metadata_separator: node.metadataSeparator,
    text: "",
    mimetype: "text/plain",
    start_char_idx: node.startCharIdx ?? null,
    end_char_idx: node.endCharIdx ?? null,
    text_template: node.textTemplate,
    ...(node.type === "index" ? { index_id: node.indexId, obj: null } : {}),
    ...(node.type === "image"
      ? {
          image: node.image ?? null,
          image_path: node.imagePath ?? null,
          image_url: node.imageUrl ?? null,
          image_mimetype: node.imageMimeType ?? null,
        }
      : {}),
    class_name: CLASS_NAMES[node.type],
  });
}

/** The document that stands for a node in an index. */
export function nodeToSource(node: Node, vectors: { embedding?: number[]; windows?: Window[] } = {}): PassageSource {
  const document = sourceId(node) ?? "None";
  return {
    content: node.text,
    metadata: {
      ...node.metadata,
      _node_content: nodeContentJson(node),
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
  if (!stored) {
    const plain = Object.fromEntries(Object.entries(metadata).filter(([key]) => !LAYOUT_KEYS.has(key)));
    return textNode({ id, text, metadata: plain as Metadata });
  }
  const input = {
    id: typeof stored["id_"] === "string" ? stored["id_"] : id,
    text,
    metadata: (isRecord(stored["metadata"]) ? stored["metadata"] : {}) as Metadata,
    relationships: readRelations(stored["relationships"]),
    excludedEmbedMetadataKeys: strings(stored["excluded_embed_metadata_keys"]),
    excludedLlmMetadataKeys: strings(stored["excluded_llm_metadata_keys"]),
    ...optional("metadataTemplate", stored["metadata_template"] ?? stored["metadata_tmpl"], "string"),
    ...optional("metadataSeparator", stored["metadata_separator"] ?? stored["metadata_seperator"], "string"),
    ...optional("textTemplate", stored["text_template"], "string"),
    ...optional("startCharIdx", stored["start_char_idx"], "number"),
    ...optional("endCharIdx", stored["end_char_idx"], "number"),
  };
  if (stored["class_name"] === "IndexNode" && typeof stored["index_id"] === "string") {
    return indexNode({ ...input, indexId: stored["index_id"] });
  }
  if (stored["class_name"] === "ImageNode") {
    return imageNode({
      ...input,
      ...optional("image", stored["image"], "string"),
      ...optional("imagePath", stored["image_path"], "string"),
      ...optional("imageUrl", stored["image_url"], "string"),
      ...optional("imageMimeType", stored["image_mimetype"], "string"),
    });
  }
  return textNode(input);
}

function readRelations(stored: unknown): Relationships {
  if (!isRecord(stored)) return {};
  const out: Relationships = {};
  for (const name of ["source", "previous", "next", "parent"] as const) {
    const related = readRelation(stored[RELATIONS[name]]);
    if (related) out[name] = related;
  }
  const children = stored[RELATIONS.children];
  if (Array.isArray(children)) out.children = children.map(readRelation).filter((item) => item !== undefined);
  return out;
}

function readRelation(stored: unknown): RelatedNode | undefined {
  if (!isRecord(stored) || typeof stored["node_id"] !== "string") return undefined;
  const type = (Object.keys(RELATED_TYPES) as (keyof typeof RELATED_TYPES)[]).find(
    (name) => RELATED_TYPES[name] === stored["node_type"],
  );
  return {
    id: stored["node_id"],
    ...(type ? { type } : {}),
    ...(isRecord(stored["metadata"]) ? { metadata: stored["metadata"] as Metadata } : {}),
    ...(typeof stored["hash"] === "string" ? { hash: stored["hash"] } : {}),
  };
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

function optional<K extends string>(key: K, value: unknown, type: "string"): { [key in K]?: string };
function optional<K extends string>(key: K, value: unknown, type: "number"): { [key in K]?: number };
function optional(key: string, value: unknown, type: string): Record<string, unknown> {
  return typeof value === type ? { [key]: value } : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
