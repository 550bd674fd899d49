/** The parts that compose: each is an object with one method, and anything with that method can take its place. */

import type { CallOptions } from "./models.ts";
import type { Document, Node, TextNode } from "./node.ts";
import type { QueryBundle } from "./query.ts";
import type { Response } from "./response.ts";

/** Where one of several result lists had a node. */
export interface Rank {
  /** Name of the list, such as `bm25`. */
  list: string;
  /** From 1. */
  rank: number;
  score?: number;
  /** Where the list compares vectors: what `score` was scaled from, as in `NodeWithScore`. */
  similarity?: number;
  /** The question that found it, where several were asked. */
  query?: string;
}

/** What a reranker made of a node. */
export interface Reranked {
  /** Name of the model. */
  model: string;
  score: number;
  /** Score and rank (from 1) that the node came with. */
  scoreBefore?: number;
  rankBefore: number;
}

/** A found node, its score, and the rank that each list gave it. */
export interface NodeWithScore<N extends Node = Node> {
  node: N;
  /** Missing where a step gives none (a neighbour that was added). */
  score?: number;
  /**
   * Of vectors, as they compare before Elasticsearch makes a score of it that is never negative: cosine, dot product, inner product, or the
   * distance under `l2_norm`.
   */
  similarity?: number;
  /** Fragments by field, with the found words marked. */
  highlights?: Record<string, string[]>;
  /** Where each list had it, when lists were fused. */
  ranks?: Rank[];
  /** Set by a reranker, whose score `score` then is. */
  reranked?: Reranked;
}

/** What one retrieval takes: an abort signal, a trace, a budget. */
export interface RetrieveOptions extends CallOptions {
  /** Retrievers and query engines that are being asked, outermost first: pointers back to them are not followed. */
  within?: readonly object[];
}

/** The options that every call hands on: the signal, the trace and the budget. */
export function callOptions({ signal, trace, budget }: CallOptions): CallOptions {
  return { ...(signal ? { signal } : {}), ...(trace ? { trace } : {}), ...(budget ? { budget } : {}) };
}

/** Finds nodes for a question. An object with this one method can take a retriever's place anywhere. */
export interface Retriever {
  retrieve(query: string | QueryBundle, options?: RetrieveOptions): Promise<NodeWithScore[]>;
}

/** Drops, rewrites or reorders found nodes. It gives new ones back and changes none. */
export interface Postprocessor {
  postprocess(
    nodes: NodeWithScore[],
    options: CallOptions & { query?: QueryBundle },
  ): NodeWithScore[] | Promise<NodeWithScore[]>;
}

/** What one answer is made of: the question, the nodes, further sources. */
export interface SynthesizeOptions extends CallOptions {
  query: string | QueryBundle;
  nodes: NodeWithScore[];
  /** Sources that are reported but not read by the model. */
  additionalSources?: NodeWithScore[];
}

/** Makes an answer of a question and nodes. */
export interface Synthesizer {
  synthesize(options: SynthesizeOptions): Promise<Response>;
}

/** Answers questions. An object with this one method can take an engine's place anywhere. */
export interface QueryEngine {
  query(query: string | QueryBundle, options?: RetrieveOptions): Promise<Response>;
}

/** Cuts a document into nodes. */
export interface Splitter {
  /** Says how it cuts: results are cached under it. */
  readonly name?: string;
  /** Cuts a document into nodes that know their source, their neighbours and their place. */
  split(document: Document, options?: CallOptions): Promise<TextNode[]>;
}

/** A file as readers get it: bytes in memory, and what is known without parsing them. */
export interface FileSource {
  /** The path as it is shown and stored: relative to where reading started, with `/`. */
  file: string;
  bytes: Uint8Array;
  /** Goes into every document's metadata. */
  metadata: Document["metadata"];
}

/** Reads files into documents. */
export interface Reader {
  /** Lower-case, without the dot. */
  readonly extensions: readonly string[];
  /** The documents of a file. Throws a `FileError` for a file that it cannot read. */
  read(source: FileSource, options?: CallOptions): Promise<Document[]>;
}

/** How far a long piece of work is. */
export interface Progress {
  done: number;
  /** Grows while files are still being found. */
  total: number;
  file?: string;
  stage?: "read" | "split" | "embed" | "index";
}

/** Called with each step: how many of how many are done, and which is at hand. */
export type OnProgress = (progress: Progress) => void;
