/** Small things that are found and stand for large ones: summaries of documents, and parts of passages. */
import { sentenceSplitter } from "../ingest/index.ts";
import { defineRetriever } from "../retrieval/index.ts";
import {
  type AnswerLanguage,
  askModel,
  type CallOptions,
  type Document,
  type EmbeddingModel,
  type IndexNode,
  InvalidArgumentError,
  indexNode,
  inLanguage,
  type LanguageModel,
  type Node,
  type PromptOption,
  questionLanguage,
  type Splitter,
  type Verbose,
} from "../schema/index.ts";
import { type VectorStoreIndex, vectorStoreIndex } from "./vector-store-index.ts";

/** The model that sums documents up, and how. */
export interface DocumentSummaryOptions extends CallOptions {
  documents: Iterable<Document>;
  model: LanguageModel;
  embedding: EmbeddingModel;
  /** Default `sentenceSplitter()`. */
  splitter?: Splitter;
  /** `{context_str}` is the document's text. */
  prompt?: PromptOption;
  /** Characters of a document that the model reads. Default 12,000. */
  maxChars?: number;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

const PROMPT: Record<AnswerLanguage, string> = {
  en:
    "{context_str}\n\nSummarise this document in a few sentences and in its language: what it is about, for whom, and which questions it " +
    "answers.\nSummary: ",
  zh: "{context_str}\n\n用几句话概括这份文档，使用它的语言：内容是什么、面向谁、能回答哪些问题。\n概括：",
};

/**
 * LlamaIndex's DocumentSummaryIndex: a model summarises each document, the summaries are embedded, and a question that finds a summary gets
 * the document's passages. `asRetriever({ topK })` counts documents.
 *
 * @example
 * const index = await documentSummaryIndex({ documents, model, embedding });
 * const passages = await index.asRetriever({ topK: 2 }).retrieve("出差标准");
 */
export async function documentSummaryIndex(options: DocumentSummaryOptions): Promise<VectorStoreIndex> {
  const {
    documents,
    model,
    embedding,
    splitter = sentenceSplitter(),
    prompt = PROMPT,
    maxChars = 12_000,
    verbose,
    ...call
  } = options;
  const nodes: IndexNode[] = [];
  for (const document of documents) {
    const values = { context_str: document.text.slice(0, maxChars) };
    const asked = inLanguage(prompt, questionLanguage(values.context_str));
    const summary = await askModel({ model, prompt: asked, values, purpose: "summary", verbose }, call);
    const passages = await splitter.split(document, call);
    nodes.push(
      indexNode({
        id: `${document.id}:summary`,
        text: summary.trim(),
        metadata: document.metadata,
        indexId: document.id,
        obj: defineRetriever(() => passages.map((node) => ({ node })), { name: document.id }),
      }),
    );
  }
  return vectorStoreIndex({ nodes, embedding, ...call });
}

/**
 * Small to big: for each node with a parent an index node that stands for it. They are embedded; every retriever that finds one gives the
 * parent instead, once.
 *
 * @param nodes of all levels, as `hierarchicalSplitter` gives them
 * @example
 * const nodes = await hierarchicalSplitter({ chunkSizes: [1024, 128] }).split(document);
 * const index = await vectorStoreIndex({ nodes: smallToBig(nodes), embedding });
 */
export function smallToBig(nodes: readonly Node[]): IndexNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes
    .filter((node) => !node.relationships.children?.length && node.relationships.parent)
    .map((node) => {
      const parent = byId.get(node.relationships.parent!.id);
      if (!parent) {
        throw new InvalidArgumentError(
          "nodes",
          node.id,
          `the parent of ${node.id} is not among the nodes: give those of all levels`,
        );
      }
      const { id, text, metadata, relationships, excludedEmbedMetadataKeys, excludedLlmMetadataKeys } = node;
      const shown = { excludedEmbedMetadataKeys, excludedLlmMetadataKeys };
      return indexNode({ id, text, metadata, relationships, ...shown, indexId: parent.id, obj: parent });
    });
}
