/**
 * A static embedding out of any embedding model: the model embeds each entry of the bundled vocabulary by itself, principal components bring the
 * vectors to few dimensions, frequent entries weigh less, and values are rounded to four bits. (The bundled file was trained further:
 * docs/embedding.md.)
 */
import { readFile } from "node:fs/promises";
import { InvalidArgumentError, ModelError } from "../schema/errors.ts";
import type { CallOptions, EmbeddingModel } from "../schema/models.ts";
import { assetPath } from "./asset.ts";
import { principalComponents, project } from "./principal.ts";
import { aligned, parseStaticFile, writeStaticFile } from "./static-file.ts";

/** The model that is distilled, and how. */
export interface DistillOptions extends CallOptions {
  /** Embeds the vocabulary. */
  model: EmbeddingModel;
  /** Of the new vectors; a multiple of 8. Default 256, or as many as the model has. */
  dimensions?: number;
  /** A file whose vocabulary is taken. Default: the bundled one. */
  vocabularyOf?: Uint8Array;
  /** Entries that are embedded. */
  onProgress?: (progress: { done: number; total: number }) => void;
}

const DEFAULT_DIMENSIONS = 256;
/** Texts that are handed to the model in one call. */
const GROUP = 256;
/** Smooth inverse frequency (Arora, Liang and Ma 2017): an entry of probability p weighs a / (a + p). */
const A = 3e-4;
/** The largest of the sixteen values of four bits, on the side that has fewer. */
const LARGEST = 7;
const SLICE_MS = 10;

/**
 * The bytes of a static embedding's file: see `openStaticEmbedding`.
 *
 * @example await writeFile("model.bin", await distill({ model: localEmbedding("multilingual-e5-small") }));
 */
export async function distill(options: DistillOptions): Promise<Uint8Array> {
  const { model, signal, onProgress } = options;
  const base = parseStaticFile(options.vocabularyOf ?? (await readFile(await assetPath("embedding/model.bin"))));
  const entries = new TextDecoder().decode(base.section("vocab")).split("\n");
  const rows = await embedEntries(model, entries, signal, onProgress);
  const size = rows[0]!.length;
  const dimensions = dimensionsOf(options.dimensions, size, model.name);

  let sliceEnd = 0;
  const pause = async () => {
    if (performance.now() < sliceEnd) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  };
  const components = await principalComponents(rows, size, dimensions, pause);
  const thousandths = new Uint16Array(aligned(base.section("scores")));
  const matrix = new Uint8Array((entries.length * dimensions) / 2);
  const scales = new Float32Array(entries.length);
  for (const [i, row] of rows.entries()) {
    if (i % GROUP === 0) await pause();
    const probability = Math.exp(-thousandths[i]! / 1000);
    const vector = project(row, components).map((value) => (value * A) / (A + probability));
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = largest / LARGEST;
    scales[i] = scale;
    for (let k = 0; k < dimensions; k += 2) {
      const [low, high] = [vector[k]!, vector[k + 1]!].map((value) =>
        scale === 0 ? 8 : Math.round(value / scale) + 8,
      );
      matrix[(i * dimensions + k) / 2] = low! | (high! << 4);
    }
  }
  const { sections: _sections, ...header } = base.header;
  return writeStaticFile(
    { ...header, bits: 4, dims: dimensions, name: `static/${model.name}-${dimensions}` },
    {
      vocab: base.section("vocab"),
      scores: base.section("scores"),
      t2s: base.section("t2s"),
      scales: littleEndian(scales),
      matrix,
    },
  );
}

/** Each entry's vector, of length one. */
async function embedEntries(
  model: EmbeddingModel,
  entries: readonly string[],
  signal: AbortSignal | undefined,
  onProgress: DistillOptions["onProgress"],
): Promise<Float32Array[]> {
  const rows: Float32Array[] = [];
  for (let at = 0; at < entries.length; at += GROUP) {
    signal?.throwIfAborted();
    // The sign of a word's beginning is the vocabulary's own.
    const texts = entries.slice(at, at + GROUP).map((entry) => entry.replace(/^▁(?=.)/u, ""));
    const vectors = await model.embed(texts, { kind: "document", ...(signal ? { signal } : {}) });
    for (const vector of vectors) {
      const length = Math.hypot(...vector) || 1;
      rows.push(vector.map((value) => value / length));
    }
    onProgress?.({ done: rows.length, total: entries.length });
  }
  if (rows.length !== entries.length)
    throw new ModelError(model.name, `${model.name} returned ${rows.length} vectors for ${entries.length} texts`);
  return rows;
}

function dimensionsOf(asked: number | undefined, size: number, name: string): number {
  const most = size - (size % 8);
  const dimensions = asked ?? Math.min(DEFAULT_DIMENSIONS, most);
  if (Number.isInteger(dimensions) && dimensions > 0 && dimensions % 8 === 0 && dimensions <= most) return dimensions;
  throw new InvalidArgumentError(
    "dimensions",
    dimensions,
    `dimensions must be a multiple of 8 and at most the ${size} of ${name}; got ${dimensions}`,
  );
}

function littleEndian(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i]!, true);
  return bytes;
}
