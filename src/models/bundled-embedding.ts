/** The embedding that ships in the package: Chinese and English, offline, ready in a tenth of a second. */

import { readFile } from "node:fs/promises";
import type { EmbeddingModel } from "../schema/models.ts";
import { assetPath } from "./asset.ts";
import { type StaticEmbedding, staticEmbedding } from "./static-embedding.ts";

/** Longest stretch of work between two looks at the signal and at the event loop, in milliseconds. */
const SLICE_MS = 5;

/** Properties of the shipped file, known without reading it. */
const NAME = "huiliu/stemb-zh-en";
const DIMENSIONS = 256;
const SCRIPTS = ["Latin", "Han"] as const;

export interface BundledEmbeddingOptions {
  /** Reads identifiers (`getUserName`) as the words that their capitals tell apart. Default false; collections do. */
  identifiers?: boolean;
}

/**
 * The bundled embedding. The file is read at the first use. Queries and documents are embedded alike; a text without a
 * known token gives the zero vector (`isZero`). Best fed with sentence windows (`sentenceWindows`), not whole passages.
 *
 * @example
 * const model = bundledEmbedding();
 * const [vector] = await model.embed(["年休假共五天。"]); // Float32Array(256), of length one
 */
export function bundledEmbedding(options: BundledEmbeddingOptions = {}): EmbeddingModel {
  let loading: Promise<StaticEmbedding> | undefined;
  return {
    name: NAME,
    dimensions: DIMENSIONS,
    similarity: "dot_product",
    contextFree: true,
    scripts: SCRIPTS,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      const model = await loading;
      const vectors: Float32Array[] = [];
      let sliceEnd = performance.now() + SLICE_MS;
      for (const text of texts) {
        vectors.push(model.embed(text, options));
        if (performance.now() < sliceEnd) continue;
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        sliceEnd = performance.now() + SLICE_MS;
      }
      return vectors;
    },
  };
}

async function load(): Promise<StaticEmbedding> {
  return staticEmbedding(await readFile(await assetPath("embedding/model.bin")));
}
