/** DashScope's text embeddings: `text-embedding-v1` … `-v4`, over the native API, which knows questions from documents. */

import { DimensionsError, InvalidArgumentError, ModelError } from "../../schema/errors.ts";
import type { EmbeddingModel } from "../../schema/models.ts";
import { callDashScope, type DashScopeAccess } from "./call.ts";

/** How long the vectors of an embedding of DashScope are. */
export interface DashScopeEmbeddingOptions {
  /** Length of the vectors: of `text-embedding-v3` 64 … 1024, of `-v4` 64 … 2048, each 1024 by default. */
  dimensions?: number;
}

interface Known {
  /** Lengths of vectors that can be asked for, the default first. */
  dimensions: readonly number[];
  maxBatch: number;
  maxTokens: number;
}

const V3 = [1024, 768, 512, 256, 128, 64] as const;
const KNOWN: Record<string, Known> = {
  "text-embedding-v1": { dimensions: [1536], maxBatch: 25, maxTokens: 2048 },
  "text-embedding-v2": { dimensions: [1536], maxBatch: 25, maxTokens: 2048 },
  "text-embedding-v3": { dimensions: V3, maxBatch: 10, maxTokens: 8192 },
  "text-embedding-v4": { dimensions: [...V3, 1536, 2048], maxBatch: 10, maxTokens: 8192 },
};

/** The batch that every model takes. */
const SAFE_BATCH = 10;
const PATH = "embeddings/text-embedding/text-embedding";

export function dashScopeEmbedding(
  access: DashScopeAccess,
  id: string,
  options: DashScopeEmbeddingOptions = {},
): EmbeddingModel {
  const known = Object.hasOwn(KNOWN, id) ? KNOWN[id] : undefined;
  const { dimensions: asked } = options;
  if (asked !== undefined && known && !known.dimensions.includes(asked)) {
    const choice = [...known.dimensions].sort((a, b) => a - b).join(", ");
    throw new InvalidArgumentError("dimensions", asked, `${id} gives vectors of ${choice} dimensions; got ${asked}`);
  }
  const name = `dashscope/${id}`;
  const maxBatch = known?.maxBatch ?? SAFE_BATCH;
  // Models with one length do not know the parameter.
  const parameters = asked !== undefined && known?.dimensions.length !== 1 ? { dimension: asked } : {};
  let dimensions = asked ?? known?.dimensions[0];

  return {
    name,
    get dimensions() {
      return dimensions;
    },
    maxBatch,
    ...(known ? { maxTokens: known.maxTokens } : {}),
    similarity: "cosine",
    async embed(texts, { signal, kind = "document", onTokens } = {}) {
      signal?.throwIfAborted();
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += maxBatch) {
        const batch = texts.slice(at, at + maxBatch);
        const body = { model: id, input: { texts: batch }, parameters: { text_type: kind, ...parameters } };
        const answer = await callDashScope(access, name, PATH, body, signal);
        for (const vector of inOrder(name, answer.output, batch.length)) {
          dimensions ??= vector.length;
          if (vector.length !== dimensions) {
            const message = `${name} returned a vector of ${vector.length} dimensions instead of ${dimensions}`;
            throw new DimensionsError(dimensions, vector.length, message);
          }
          vectors.push(Float32Array.from(vector));
        }
        const { usage } = answer;
        if (typeof usage?.total_tokens === "number") onTokens?.(usage.total_tokens);
      }
      return vectors;
    },
  };
}

/** The vectors by their `text_index`: the order of the answer is not promised. */
function inOrder(name: string, output: unknown, count: number): number[][] {
  const { embeddings } = (output ?? {}) as { embeddings?: { text_index?: unknown; embedding?: unknown }[] };
  const vectors = new Array<number[] | undefined>(count).fill(undefined);
  for (const item of Array.isArray(embeddings) ? embeddings : []) {
    const at = item.text_index;
    if (typeof at === "number" && at < count && Array.isArray(item.embedding)) vectors[at] ??= item.embedding;
  }
  const missing = vectors.indexOf(undefined);
  if (missing >= 0 || embeddings?.length !== count) {
    const got = Array.isArray(embeddings) ? `${embeddings.length} vectors` : "no vectors";
    throw new ModelError(
      name,
      `${name} returned ${got} for ${count} texts${missing >= 0 ? `, none for text ${missing}` : ""}`,
    );
  }
  return vectors as number[][];
}
