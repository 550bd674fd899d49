/** Vectors on disk, by model and content: what was paid for once. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open } from "lmdb";

/** A text's vector by a model, as the cache keeps it. */
export interface CachedVector {
  model: string;
  text: string;
  vector: Float32Array;
}

/** Keeps vectors by model and text, so that nothing is paid for twice. */
export interface EmbeddingCache {
  /** The vectors of texts, `undefined` where there is none. */
  get(model: string, texts: readonly string[]): Promise<(Float32Array | undefined)[]>;
  /** Keeps vectors; they are on disk when it returns. */
  put(vectors: readonly CachedVector[]): Promise<void>;
  close(): Promise<void>;
}

/** Bytes of the checksum before a vector. */
const CHECK = 4;

/**
 * Opens (or makes) a cache in a folder. Several processes may share it. Damaged entries count as missing.
 *
 * @example const cache = openEmbeddingCache(".huiliu/embeddings");
 */
export function openEmbeddingCache(folder: string): EmbeddingCache {
  mkdirSync(folder, { recursive: true });
  const store = open<Buffer, Buffer>({ path: folder, encoding: "binary", keyEncoding: "binary" });
  return {
    async get(model, texts) {
      return texts.map((text) => readVector(store.get(keyOf(model, text))));
    },
    async put(vectors) {
      if (vectors.length === 0) return;
      await store.batch(() => {
        for (const { model, text, vector } of vectors) void store.put(keyOf(model, text), bytesOf(vector));
      });
      await store.flushed;
    },
    close: () => store.close(),
  };
}

function keyOf(model: string, text: string): Buffer {
  // UTF-16, so that texts with different lone surrogates stay different.
  return createHash("sha256").update(model).update("\0").update(Buffer.from(text, "utf16le")).digest();
}

function bytesOf(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(CHECK + 4 * vector.length);
  for (let i = 0; i < vector.length; i++) bytes.writeFloatLE(vector[i]!, CHECK + 4 * i);
  bytes.writeUInt32LE(checksum(bytes), 0);
  return bytes;
}

function readVector(bytes: Buffer | undefined): Float32Array | undefined {
  if (!bytes || bytes.length <= CHECK || bytes.length % 4 !== 0 || bytes.readUInt32LE(0) !== checksum(bytes))
    return undefined;
  const vector = new Float32Array((bytes.length - CHECK) / 4);
  for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatLE(CHECK + 4 * i);
  return vector;
}

/** FNV-1a over what follows the checksum. */
function checksum(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (let i = CHECK; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0;
}
