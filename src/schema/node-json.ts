/**
 * Nodes and documents as the JSON that Python's LlamaIndex writes (`to_dict`) and reads (`from_dict`). Places in a text count UTF-16 units
 * here and code points there, and are written as code points; where both differ, ours stand beside them under `huiliu_char_idx`, which Python
 * ignores. Places that Python wrote are read as they are: behind an emoji they are too small.
 */
import { InvalidArgumentError } from "./errors.ts";
import {
  type BaseNode,
  codePoints,
  type Document,
  document,
  type IndexNode,
  imageNode,
  indexNode,
  type Metadata,
  type Node,
  type NodeType,
  type RelatedNode,
  type Relationships,
  type TextNode,
  textNode,
} from "./node.ts";
import type { NodeWithScore } from "./parts.ts";

/** LlamaIndex numbers the kinds of relationship and of node. */
const RELATIONS = { source: "1", previous: "2", next: "3", parent: "4" } as const;
const CHILDREN = "5";
const TYPES: Record<NodeType, string> = { text: "1", image: "2", index: "3", document: "4" };
/** LlamaIndex's names of the kinds of nodes, as its JSON has them. */
export const CLASS_NAMES = {
  text: "TextNode",
  index: "IndexNode",
  image: "ImageNode",
  document: "Document",
} as const satisfies Record<NodeType, string>;

/** A node as LlamaIndex writes it. */
export type NodeJson = { [key: string]: unknown };

/**
 * A node or a document as LlamaIndex's JSON. An index node's `obj` is kept where it is a node.
 *
 * @throws InvalidArgumentError for an index node whose `obj` is a retriever, a query engine or anything else that is no node
 */
export function nodeToJson(node: Node | Document, embedding?: ArrayLike<number>): NodeJson {
  const head = {
    id_: node.id,
    embedding: embedding ? Array.from(embedding) : null,
    metadata: node.metadata,
    excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
    excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    relationships: relationsToJson(node.relationships),
    metadata_template: node.metadataTemplate,
    metadata_separator: node.metadataSeparator,
  };
  if (node.type === "document") {
    return {
      ...head,
      text_resource: { embeddings: null, text: node.text, path: null, url: null, mimetype: null },
      image_resource: null,
      audio_resource: null,
      video_resource: null,
      text_template: node.textTemplate,
      class_name: CLASS_NAMES.document,
      text: node.text,
    };
  }
  return {
    ...head,
    text: node.text,
    mimetype: "text/plain",
    ...placeToJson(node),
    text_template: node.textTemplate,
    ...(node.type === "index" ? { index_id: node.indexId, obj: objectToJson(node) } : {}),
    ...(node.type === "image"
      ? {
          image: node.image ?? null,
          image_path: node.imagePath ?? null,
          image_url: node.imageUrl ?? null,
          image_mimetype: node.imageMimeType ?? null,
          text_embedding: null,
        }
      : {}),
    class_name: CLASS_NAMES[node.type],
  };
}

/**
 * The node or document that such JSON describes.
 *
 * @throws InvalidArgumentError for what is not the JSON of a node
 */
export function nodeFromJson(json: unknown): Node | Document {
  if (!isRecord(json)) throw new InvalidArgumentError("json", json, "the JSON of a node is an object");
  const resource = json["text_resource"];
  const text = string(json["text"]) ?? (isRecord(resource) ? string(resource["text"]) : undefined) ?? "";
  const input = {
    ...optional("id", json["id_"], "string"),
    text,
    metadata: (isRecord(json["metadata"]) ? json["metadata"] : {}) as Metadata,
    relationships: relationsFromJson(json["relationships"]),
    excludedEmbedMetadataKeys: strings(json["excluded_embed_metadata_keys"]),
    excludedLlmMetadataKeys: strings(json["excluded_llm_metadata_keys"]),
    // Older versions shortened one name and misspelt the other.
    ...optional("metadataTemplate", json["metadata_template"] ?? json["metadata_tmpl"], "string"),
    ...optional("metadataSeparator", json["metadata_separator"] ?? json["metadata_seperator"], "string"),
    ...optional("textTemplate", json["text_template"], "string"),
  } satisfies Partial<BaseNode>;
  const className = json["class_name"];
  if (className === CLASS_NAMES.document) return document(input);
  const placed = {
    ...input,
    ...placeFromJson(json),
  };
  if (className === CLASS_NAMES.index && typeof json["index_id"] === "string") {
    const obj = objectFromJson(json["obj"]);
    return indexNode({ ...placed, indexId: json["index_id"], ...(obj ? { obj } : {}) });
  }
  if (className === CLASS_NAMES.image) {
    return imageNode({
      ...placed,
      ...optional("image", json["image"], "string"),
      ...optional("imagePath", json["image_path"], "string"),
      ...optional("imageUrl", json["image_url"], "string"),
      ...optional("imageMimeType", json["image_mimetype"], "string"),
    });
  }
  return textNode(placed);
}

/** A scored node as LlamaIndex's JSON. */
export function scoredNodeToJson({ node, score }: NodeWithScore): NodeJson {
  return { node: nodeToJson(node), score: score ?? null, class_name: "NodeWithScore" };
}

/** @throws InvalidArgumentError for what is not the JSON of a scored node */
/** A node with its score from LlamaIndex's JSON. */
export function scoredNodeFromJson(json: unknown): NodeWithScore {
  if (!isRecord(json)) throw new InvalidArgumentError("json", json, "the JSON of a scored node is an object");
  const node = nodeFromJson(json["node"]);
  if (node.type === "document") {
    throw new InvalidArgumentError("json", json, "a scored node holds a node, not a document");
  }
  return { node, ...optional("score", json["score"], "number") };
}

/** The place in code points; and in UTF-16 units where that is something else. */
function placeToJson({ text, startCharIdx: start, endCharIdx: end, startCodePoint }: Node): NodeJson {
  const from = startCodePoint ?? start ?? null;
  // What stands at the place is the text, unless somebody has put another there.
  const length = start === undefined || end === undefined ? undefined : end - start;
  const points = length === undefined || length !== text.length ? length : codePoints(text)(length);
  const to = from === null || points === undefined ? (end ?? null) : from + points;
  const differs = from !== (start ?? null) || to !== (end ?? null);
  return {
    start_char_idx: from,
    end_char_idx: to,
    ...(differs ? { huiliu_char_idx: [start ?? null, end ?? null] } : {}),
  };
}

function placeFromJson(json: NodeJson): Pick<TextNode, "startCharIdx" | "endCharIdx" | "startCodePoint"> {
  const { start_char_idx, end_char_idx, huiliu_char_idx: ours } = json;
  if (!Array.isArray(ours)) {
    return { ...optional("startCharIdx", start_char_idx, "number"), ...optional("endCharIdx", end_char_idx, "number") };
  }
  return {
    ...optional("startCharIdx", ours[0], "number"),
    ...optional("endCharIdx", ours[1], "number"),
    ...optional("startCodePoint", start_char_idx, "number"),
  };
}

/** Whether an index node stands for a node, so that it can be written with it. */
export function isWritableObject(obj: unknown): obj is Node | Document | undefined {
  if (obj === undefined || obj === null) return true;
  return isRecord(obj) && typeof obj["id"] === "string" && Object.hasOwn(TYPES, String(obj["type"]));
}

function objectToJson({ id, indexId, obj }: IndexNode): NodeJson | null {
  if (obj === undefined || obj === null) return null;
  if (!isWritableObject(obj)) {
    throw new InvalidArgumentError(
      "obj",
      obj,
      `the index node ${id} stands for something that cannot be written (a retriever or a query engine): leave \`obj\` out and give the ` +
        `retriever \`objects: { "${indexId}": … }\` each time it is made`,
    );
  }
  return { __data__: nodeToJson(obj), __type__: TYPES[obj.type] };
}

function objectFromJson(json: unknown): Node | Document | undefined {
  return isRecord(json) && isRecord(json["__data__"]) ? nodeFromJson(json["__data__"]) : undefined;
}

function relationsToJson(relationships: Relationships): NodeJson {
  const out: NodeJson = {};
  for (const name of ["source", "previous", "next", "parent"] as const) {
    const related = relationships[name];
    if (related) out[RELATIONS[name]] = relationToJson(related);
  }
  if (relationships.children) out[CHILDREN] = relationships.children.map(relationToJson);
  return out;
}

function relationToJson(related: RelatedNode): NodeJson {
  return {
    node_id: related.id,
    node_type: related.type ? TYPES[related.type] : null,
    metadata: related.metadata ?? {},
    hash: related.hash ?? null,
    class_name: "RelatedNodeInfo",
  };
}

function relationsFromJson(json: unknown): Relationships {
  if (!isRecord(json)) return {};
  const out: Relationships = {};
  for (const name of ["source", "previous", "next", "parent"] as const) {
    const related = relationFromJson(json[RELATIONS[name]]);
    if (related) out[name] = related;
  }
  const children = json[CHILDREN];
  if (Array.isArray(children)) out.children = children.map(relationFromJson).filter((item) => item !== undefined);
  return out;
}

function relationFromJson(json: unknown): RelatedNode | undefined {
  if (!isRecord(json) || typeof json["node_id"] !== "string") return undefined;
  const type = (Object.keys(TYPES) as NodeType[]).find((name) => TYPES[name] === json["node_type"]);
  return {
    id: json["node_id"],
    ...(type ? { type } : {}),
    ...(isRecord(json["metadata"]) ? { metadata: json["metadata"] as Metadata } : {}),
    ...(typeof json["hash"] === "string" ? { hash: json["hash"] } : {}),
  };
}

function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
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
