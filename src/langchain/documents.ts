/** Nodes as LangChain's documents, and the reverse. */
import { Document, type DocumentInterface } from "@langchain/core/documents";
import { type Metadata, type Node, type NodeWithScore, type TextNode, textNode } from "../schema/index.ts";

/** A found node as a document: its text, its metadata and, where it has one, the score as `_score`. */
export function toLangChain({ node, score }: NodeWithScore | { node: Node; score?: undefined }): Document {
  return new Document({
    id: node.id,
    pageContent: node.text,
    metadata: { ...node.metadata, ...(score === undefined ? {} : { _score: score }) },
  });
}

/** A document as a node under its id, or a new one. Metadata are kept as JSON has them. */
export function fromLangChain(document: DocumentInterface, id = document.id): TextNode {
  const metadata = JSON.parse(JSON.stringify(document.metadata ?? {})) as Metadata;
  return textNode({ text: document.pageContent, metadata, ...(id === undefined ? {} : { id }) });
}
