/** From the pieces of a text to nodes that know their source, their neighbours and their place. */
import {
  codePoints,
  type Document,
  type Metadata,
  type Node,
  nodeHash,
  type RelatedNode,
  relatedNode,
  type TextNode,
  textNode,
} from "../../schema/index.ts";

/** What every splitter can be told about the nodes that it makes. */
export interface NodeOptions {
  /** Id of the n-th node of a document (from 0). Default `<document's id>:<n>`, the same each time. */
  id?: (n: number, source: Document | Node) => string;
  /** Whether nodes carry the document's metadata. Default true. */
  includeMetadata?: boolean;
  /** Whether neighbours know each other. Default true. */
  includePrevNext?: boolean;
}

/** A piece of a text; metadata of its own come after the document's and win over them. */
export interface Piece {
  text: string;
  metadata?: Metadata;
  /** Place in the source where it is known; otherwise it is looked for behind the start of the piece before. */
  start?: number;
}

/**
 * The nodes of a document's pieces, in order. Cut from a node, they keep that node's document as their source, and their places count
 * in the document.
 */
export function buildNodes(
  source: Document | TextNode,
  pieces: readonly Piece[],
  { id = defaultId, includeMetadata = true, includePrevNext = true }: NodeOptions = {},
): TextNode[] {
  const origin: RelatedNode =
    source.type === "document" ? relatedNode(source) : (source.relationships.source ?? relatedNode(source));
  const base = source.type === "document" ? 0 : (source.startCharIdx ?? 0);
  const basePoint = source.type === "document" ? 0 : (source.startCodePoint ?? base);
  const pointAt = codePoints(source.text);
  let from = 0;
  const nodes = pieces.map((piece, n) => {
    const metadata = { ...(includeMetadata ? source.metadata : {}), ...piece.metadata };
    const known = piece.start !== undefined && source.text.startsWith(piece.text, piece.start);
    const start = known ? piece.start! : source.text.indexOf(piece.text, from);
    // What is not found leaves the place where the next one is looked for.
    if (start >= 0) from = start + 1;
    const end = start + piece.text.length;
    return textNode({
      id: id(n, source),
      text: piece.text,
      metadata,
      ...(start < 0
        ? {}
        : { startCharIdx: base + start, endCharIdx: base + end, startCodePoint: basePoint + pointAt(start) }),
      excludedEmbedMetadataKeys: [...source.excludedEmbedMetadataKeys],
      excludedLlmMetadataKeys: [...source.excludedLlmMetadataKeys],
      metadataTemplate: source.metadataTemplate,
      metadataSeparator: source.metadataSeparator,
      textTemplate: source.textTemplate,
      relationships: { source: origin },
    });
  });
  if (includePrevNext) linkNeighbours(nodes);
  return nodes;
}

/** Tells nodes that stand side by side about each other. */
export function linkNeighbours(nodes: readonly TextNode[]): void {
  let last: RelatedNode | undefined;
  nodes.forEach((node, n) => {
    const related: RelatedNode = { id: node.id, type: node.type, metadata: node.metadata, hash: nodeHash(node) };
    if (last) {
      node.relationships.previous = last;
      nodes[n - 1]!.relationships.next = related;
    }
    last = related;
  });
}

function defaultId(n: number, source: Document | Node): string {
  return `${source.id}:${n}`;
}
