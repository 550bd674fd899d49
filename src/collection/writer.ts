/**
 * Writes files to a collection, several in one bulk request. A file's record goes before its passages (`writing`) and after them
 * (`complete`), so that whatever cuts the work short, the next run knows what may be there.
 */
import type { Client } from "@elastic/elasticsearch";
import { type BulkOperation, type BulkOptions, sendBulk } from "../elasticsearch/bulk.ts";
import { nodeToSource, type PassageSource } from "../elasticsearch/layout.ts";
import {
  type CallOptions,
  type EmbeddingModel,
  HuiliuError,
  isZero,
  nodeContent,
  type TextNode,
} from "../schema/index.ts";
import { type CollectionMeta, recordsIndex } from "./layout.ts";
import { type MetadataShape, metadataShape } from "./metadata-shape.ts";
import { type FileRecord, passageId } from "./records.ts";
import { numbers, windowVectors } from "./window-vectors.ts";

/** A bulk request is sent when it has this many operations or characters. */
const BULK_OPERATIONS = 1000;
const BULK_CHARACTERS = 4_000_000;
/** Passages are embedded together, whatever files they are of: small files would leave a model's batches almost empty. */
const EMBED_PASSAGES = 128;

export interface FileWrite {
  record: Omit<FileRecord, "state" | "passages">;
  /** The file's passages, in order; their ids are replaced by the collection's. */
  nodes: TextNode[];
  /** Passages that an earlier version may have left. */
  previousPassages: number;
  /** Called when all of it is durable, or with the reason why not. */
  settled: (error: Error | undefined, unfiltered?: string[]) => void;
}

/** Some operations of a bulk request were refused. Code `BULK_FAILED`. */
export class BulkError extends HuiliuError {
  readonly type: string;
  constructor(type: string, reason: string) {
    super("BULK_FAILED", reason);
    this.type = type;
  }
}

/** A full disk, a blocked index, an overloaded cluster: the next file would fare no better. */
function isOfThePlace(type: string, status = 0): boolean {
  return status === 429 || status >= 500 || type === "i_o_exception" || type === "cluster_block_exception";
}

interface Operation extends BulkOperation {
  file: OpenFile;
}

/** A file whose operations are partly sent. */
interface OpenFile {
  write: FileWrite;
  pending: number;
  /** Passages of this version or the one before, whichever has more. */
  most: number;
  /** True when the last operation has been queued. */
  whole: boolean;
  /** True when the record that says "complete" has been queued. */
  complete: boolean;
  error?: Error;
  /** Names of metadata that the index cannot hold. */
  unfiltered?: string[];
}

export interface CollectionWriter {
  /** Queues a file; embeds and sends what is full. */
  write(file: FileWrite, options?: CallOptions): Promise<void>;
  /** Queues the removal of a file. */
  remove(record: FileRecord, settled: FileWrite["settled"], options?: CallOptions): Promise<void>;
  /** Embeds and sends the rest. An aborted signal ends the waits for a busy cluster. */
  flush(options?: BulkOptions): Promise<void>;
  /** Forgets the files that are not embedded yet: after an abort, or where the model failed and must not be asked again. */
  abandon(): void;
}

export function collectionWriter(target: {
  client: Client;
  collection: string;
  meta: CollectionMeta;
  embedding: EmbeddingModel;
}): CollectionWriter {
  const { client, collection, meta, embedding } = target;
  const records = recordsIndex(collection);
  let queue: Operation[] = [];
  let characters = 0;
  let shape: MetadataShape | undefined;
  /** Files that wait to be embedded, with their passages under the collection's ids. */
  let waiting: { write: FileWrite; nodes: TextNode[] }[] = [];
  let passages = 0;

  async function send(call: BulkOptions): Promise<void> {
    const sent = queue;
    queue = [];
    characters = 0;
    if (sent.length === 0) return;
    let unwritable: BulkError | undefined;
    try {
      const fates = await sendBulk(client, sent, call);
      for (const [i, refusal] of fates.entries()) {
        if (!refusal) continue;
        const refused = new BulkError(refusal.type, refusal.reason);
        sent[i]!.file.error ??= refused;
        if (isOfThePlace(refusal.type, refusal.status)) unwritable ??= refused;
      }
    } catch (error) {
      for (const item of sent) item.file.error ??= error as Error;
      throw error;
    } finally {
      for (const item of sent) item.file.pending--;
      await settle(new Set(sent.map((item) => item.file)));
    }
    if (unwritable) throw unwritable;
  }

  /** Tells the fate of the files that are done. Of a file with an error, the record says again that it is unfinished. */
  async function settle(files: Iterable<OpenFile>): Promise<void> {
    const done = [...files].filter((file) => file.whole && file.pending === 0);
    const failed = done.filter((file) => file.error && file.complete);
    if (failed.length > 0) {
      const operations = failed.map(({ write, most }) =>
        recordOperation({ ...write.record, hash: "", state: "writing", passages: most }),
      );
      // When this fails as well, what failed first is still what the caller has to know.
      await sendBulk(client, operations, { retries: 0 }).catch(() => undefined);
    }
    for (const file of done) file.write.settled(file.error, file.unfiltered);
  }

  async function queueOperation(file: OpenFile, operation: BulkOperation, call: CallOptions): Promise<void> {
    queue.push({ ...operation, file });
    file.pending++;
    characters += operation.source?.length ?? 0;
    if (queue.length >= BULK_OPERATIONS || characters >= BULK_CHARACTERS) await send(call);
  }

  const recordOperation = (record: FileRecord): BulkOperation => ({
    index: records,
    id: record.key,
    source: JSON.stringify(record),
  });
  const passage = (key: string, n: number, source?: PassageSource): BulkOperation => ({
    index: collection,
    id: passageId(key, n),
    ...(source ? { source: JSON.stringify(source) } : {}),
  });

  function abandon(): void {
    waiting = [];
    passages = 0;
  }

  async function embedWaiting(call: CallOptions): Promise<void> {
    const files = waiting;
    abandon();
    const sources = await embedded(
      files.flatMap(({ nodes }) => nodes),
      meta,
      embedding,
      call.signal,
    );
    let at = 0;
    for (const { write, nodes } of files) {
      await queueFile(write, nodes, sources.slice(at, at + nodes.length), call);
      at += nodes.length;
    }
  }

  async function queueFile(
    write: FileWrite,
    nodes: TextNode[],
    sources: PassageSource[],
    call: CallOptions,
  ): Promise<void> {
    const { key } = write.record;
    shape ??= await metadataShape(client, collection);
    const unfiltered = new Set<string>();
    for (const [i, { metadata }] of nodes.entries()) {
      for (const name of shape.misfits(metadata)) {
        delete sources[i]!.metadata[name];
        unfiltered.add(name);
      }
    }
    const most = Math.max(nodes.length, write.previousPassages);
    const file: OpenFile = { write, pending: 0, most, whole: false, complete: false };
    if (unfiltered.size > 0) file.unfiltered = [...unfiltered];
    const begun = recordOperation({ ...write.record, hash: "", state: "writing", passages: most });
    await queueOperation(file, begun, call);
    for (const [n, source] of sources.entries()) await queueOperation(file, passage(key, n, source), call);
    for (let n = nodes.length; n < write.previousPassages; n++) await queueOperation(file, passage(key, n), call);
    file.whole = true;
    if (file.error) return settle([file]);
    file.complete = true;
    await queueOperation(file, recordOperation({ ...write.record, state: "complete", passages: nodes.length }), call);
  }

  return {
    async write(write, call = {}) {
      const { nodes } = write;
      waiting.push({ write, nodes: nodes.map((node, n) => withIds(node, write.record.key, n, nodes.length)) });
      passages += nodes.length;
      if (passages >= EMBED_PASSAGES) await embedWaiting(call);
    },
    async remove(record, settled, call = {}) {
      const write: FileWrite = { record, nodes: [], previousPassages: record.passages, settled };
      const file: OpenFile = { write, pending: 0, most: record.passages, whole: false, complete: false };
      for (let n = 0; n < record.passages; n++) await queueOperation(file, passage(record.key, n), call);
      file.whole = true;
      await queueOperation(file, { index: records, id: record.key }, call);
    },
    async flush(call = {}) {
      if (waiting.length > 0) await embedWaiting(call);
      await send(call);
    },
    abandon,
  };
}

/** The node under the collection's ids, its neighbours within the file named by theirs. */
function withIds(node: TextNode, key: string, n: number, count: number): TextNode {
  const { previous, next, ...relationships } = node.relationships;
  return {
    ...node,
    id: passageId(key, n),
    relationships: {
      ...relationships,
      ...(previous && n > 0 ? { previous: { ...previous, id: passageId(key, n - 1) } } : {}),
      ...(next && n + 1 < count ? { next: { ...next, id: passageId(key, n + 1) } } : {}),
    },
  };
}

/** The passages as they are stored, with the vectors that the collection keeps. */
async function embedded(nodes: TextNode[], meta: CollectionMeta, embedding: EmbeddingModel, signal?: AbortSignal) {
  if (!meta.embedding.windows) {
    const vectors = await embedAll(
      nodes.map((node) => nodeContent(node, "embed")),
      embedding,
      signal,
    );
    // An index that compares by the dot product takes nothing but vectors of length one.
    const passageVector =
      meta.embedding.similarity === "cosine" ? numbers : (vector: Float32Array) => Array.from(vector);
    return nodes.map((node, i) =>
      nodeToSource(node, isZero(vectors[i]!) ? {} : { embedding: passageVector(vectors[i]!) }),
    );
  }
  const windows = await windowVectors(nodes, (texts) => embedAll(texts, embedding, signal));
  return nodes.map((node, i) => nodeToSource(node, { windows: windows[i]! }));
}

async function embedAll(texts: string[], embedding: EmbeddingModel, signal?: AbortSignal): Promise<Float32Array[]> {
  const size = embedding.maxBatch ?? 256;
  const out: Float32Array[] = [];
  for (let i = 0; i < texts.length; i += size) {
    out.push(...(await embedding.embed(texts.slice(i, i + size), { kind: "document", ...(signal ? { signal } : {}) })));
  }
  return out;
}
