/**
 * LlamaIndex's IngestionPipeline: documents are cut, given metadata, embedded and stored, in batches. A docstore remembers what is done:
 * what has not changed is left out, and a run that was cut short goes on where it stopped.
 */
import {
  type CallOptions,
  type Docstore,
  type Document,
  type EmbeddingModel,
  embedTexts,
  InvalidArgumentError,
  type Node,
  nodeContent,
  nodeHash,
  type OnProgress,
  type Splitter,
  step,
  type VectorStore,
} from "../schema/index.ts";
import { type Extractor, withExtracted } from "./extractors/index.ts";
import { cacheKey, type IngestionCache } from "./ingestion-cache.ts";
import { inParallel } from "./pool.ts";

/** What a pipeline does with documents that it has seen before, by LlamaIndex's names. */
export const DOCSTORE_STRATEGIES = ["upserts", "duplicates_only", "upserts_and_delete"] as const;

/**
 * - `upserts`: what is known by its id and unchanged is left out, what has changed is replaced;
 * - `duplicates_only`: what is known by its content, under whatever id, is left out;
 * - `upserts_and_delete`: as `upserts`, and what is known and not among the documents is removed.
 */
export type DocstoreStrategy = (typeof DOCSTORE_STRATEGIES)[number];

/** A step of one's own. Results are cached if it has a name, which must say how it works. */
export interface Transformation {
  readonly name?: string;
  transform(nodes: readonly Node[], options: CallOptions): Promise<Node[]>;
}

/** A pipeline's transformations, and where it keeps what it has seen. */
export interface PipelineOptions {
  /** Cuts documents; first of all. */
  splitter: Splitter & { readonly name?: string };
  /** What is done with the nodes, in order. */
  transformations?: readonly (Extractor | Transformation)[];
  /** Embeds the nodes, for the store. */
  embedding?: EmbeddingModel;
  store?: VectorStore;
  /** Remembers what was ingested. */
  docstore?: Docstore;
  /** Default `upserts`. */
  strategy?: DocstoreStrategy;
  cache?: IngestionCache;
  /** Documents of a batch. Default 16. */
  batchSize?: number;
  /** Batches at the same time. Default 1. */
  concurrency?: number;
}

/** What one run of a pipeline takes. */
export interface PipelineRun extends CallOptions {
  documents: Iterable<Document>;
  /** Hears after each document. */
  onProgress?: OnProgress;
  /** Called when a batch is done: the moment to persist stores that live in memory. */
  checkpoint?: () => void | Promise<void>;
}

/** The nodes that a run made, and what became of the documents. */
export interface PipelineResult {
  nodes: Node[];
  /** Ids of documents. */
  added: string[];
  updated: string[];
  skipped: string[];
  removed: string[];
}

/** Transformations in a row, over documents; `ingestionPipeline` makes one. */
export interface IngestionPipeline {
  run(options: PipelineRun): Promise<PipelineResult>;
}

/**
 * Makes a pipeline.
 *
 * @example
 * const pipeline = ingestionPipeline({ splitter: sentenceSplitter(), transformations: [titleExtractor({ model })], embedding, store, docstore });
 * const { added, skipped } = await pipeline.run({ documents, onProgress });
 */
export function ingestionPipeline(options: PipelineOptions): IngestionPipeline {
  const { splitter, transformations = [], embedding, store, docstore, cache, strategy = "upserts" } = options;
  const { batchSize = 16, concurrency = 1 } = options;
  if (!DOCSTORE_STRATEGIES.includes(strategy)) {
    throw new InvalidArgumentError(
      "strategy",
      strategy,
      `unknown strategy "${strategy}": known are ${DOCSTORE_STRATEGIES.join(", ")}`,
    );
  }
  if (!Number.isInteger(batchSize) || batchSize < 1) {
    throw new InvalidArgumentError("batchSize", batchSize, "batchSize must be a whole number, at least 1");
  }
  if (store?.isEmbeddingQuery && !embedding) {
    throw new InvalidArgumentError(
      "embedding",
      embedding,
      "the store compares vectors: give the pipeline an embedding model",
    );
  }

  async function cached(nodes: readonly (Node | Document)[], name: string | undefined, make: () => Promise<Node[]>) {
    if (!cache || name === undefined) return make();
    const key = cacheKey(nodes, name);
    const known = await cache.get(key);
    if (known) return known;
    const made = await make();
    await cache.put(key, made);
    return made;
  }

  /** From a document to its nodes, each step from the cache where it is there. */
  async function transformed(document: Document, call: CallOptions): Promise<Node[]> {
    let nodes = await cached([document], splitter.name, () =>
      step(call, { kind: "split", name: document.id }, (inner) => splitter.split(document, inner)),
    );
    for (const part of transformations) {
      const before = nodes;
      nodes = await cached(before, part.name, () =>
        "extract" in part ? withExtracted(before, part, call) : part.transform(before, call),
      );
    }
    return nodes;
  }

  async function kept(document: Document, nodes: readonly Node[], known: boolean, call: CallOptions): Promise<void> {
    const vectors = embedding
      ? await embedTexts(
          embedding,
          nodes.map((node) => nodeContent(node, "embed")),
          { kind: "document", ...call },
        )
      : [];
    if (known) await forget(document.id, call);
    await store?.add(
      nodes.map((node, i) => ({ node, ...(vectors[i] ? { embedding: vectors[i]! } : {}) })),
      call,
    );
    await docstore?.add(nodes, call);
    // Last: a document whose hash is known is there as a whole.
    await docstore?.setHash(document.id, nodeHash(document));
  }

  async function forget(id: string, call: CallOptions): Promise<void> {
    await store?.delete(id, call);
    await docstore?.deleteRefDoc(id);
  }

  return {
    async run({ documents, onProgress, checkpoint, ...call }) {
      const all = [...documents];
      const { todo, skipped } = await selected(all, docstore, strategy);
      const result: PipelineResult = { nodes: [], added: [], updated: [], skipped, removed: [] };
      let done = skipped.length;
      const nodesOf = new Map<string, Node[]>();
      const attributes = { documents: all.length, skipped: skipped.length };
      await step(call, { kind: "ingest", name: "pipeline", attributes }, async (inner) => {
        await inParallel(batches(todo, batchSize), concurrency, async (batch) => {
          for (const { document, known } of batch) {
            inner.signal?.throwIfAborted();
            const nodes = await transformed(document, inner);
            await kept(document, nodes, known, inner);
            nodesOf.set(document.id, nodes);
            (known ? result.updated : result.added).push(document.id);
            onProgress?.({ done: ++done, total: all.length, file: document.id, stage: "index" });
          }
          await checkpoint?.();
        });
        if (strategy === "upserts_and_delete" && docstore) {
          const present = new Set(all.map((document) => document.id));
          for (const id of (await docstore.hashes()).keys()) {
            if (present.has(id)) continue;
            await forget(id, inner);
            result.removed.push(id);
          }
          if (result.removed.length > 0) await checkpoint?.();
        }
      });
      result.nodes = todo.flatMap(({ document }) => nodesOf.get(document.id) ?? []);
      return result;
    },
  };
}

interface Todo {
  document: Document;
  /** An older version is there. */
  known: boolean;
}

/** What is to be done; of documents with one id the last counts. */
async function selected(
  documents: readonly Document[],
  docstore: Docstore | undefined,
  strategy: DocstoreStrategy,
): Promise<{ todo: Todo[]; skipped: string[] }> {
  const unique = [...new Map(documents.map((document) => [document.id, document])).values()];
  if (!docstore) return { todo: unique.map((document) => ({ document, known: false })), skipped: [] };
  const hashes = await docstore.hashes();
  const contents = new Set(hashes.values());
  const todo: Todo[] = [];
  const skipped: string[] = [];
  for (const document of unique) {
    const hash = nodeHash(document);
    const same = strategy === "duplicates_only" ? contents.has(hash) : hashes.get(document.id) === hash;
    if (same) skipped.push(document.id);
    else todo.push({ document, known: hashes.has(document.id) });
    if (strategy === "duplicates_only") contents.add(hash);
  }
  return { todo, skipped };
}

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
