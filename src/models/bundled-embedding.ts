/** Static embeddings as models: the one that ships in the package (Chinese and English, offline, ready in a tenth of a second), and files of one's own. */

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

/** How the bundled embedding reads texts. */
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
  const load = () => {
    loading ??= read().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return asModel({ name: NAME, dimensions: DIMENSIONS }, load, options);
}

/**
 * The static embedding of a file that `distill` made. It is used like the bundled one.
 *
 * @example const embedding = await openStaticEmbedding("model.bin");
 * @throws HuiliuError `MODEL_FILE_INVALID` for a file that is none
 */
export async function openStaticEmbedding(
  path: string,
  options: BundledEmbeddingOptions = {},
): Promise<EmbeddingModel> {
  const model = staticEmbedding(await readFile(path));
  return asModel(model, async () => model, options);
}

function asModel(
  { name, dimensions }: Pick<StaticEmbedding, "name" | "dimensions">,
  load: () => Promise<StaticEmbedding>,
  options: BundledEmbeddingOptions,
): EmbeddingModel {
  return {
    name,
    dimensions,
    similarity: "dot_product",
    contextFree: true,
    scripts: SCRIPTS,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      const model = await load();
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

async function read(): Promise<StaticEmbedding> {
  return staticEmbedding(await readFile(await assetPath("embedding/model.bin")));
}
