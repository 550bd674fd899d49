/** Asking an embedding model for many texts, or for a question. */
import { DimensionsError, InvalidArgumentError, ModelError } from "./errors.ts";
import type { CallOptions, EmbeddingModel, EmbedOptions, SparseEmbeddingModel, SparseVector } from "./models.ts";
import type { QueryBundle } from "./query.ts";
import { step } from "./trace.ts";

const BATCH = 64;

/** One vector a text, in order, asked for in batches that the model takes. */
export async function embedTexts(
  model: EmbeddingModel,
  texts: readonly string[],
  options: CallOptions & { kind: "query" | "document"; onProgress?: (done: number) => void },
): Promise<Float32Array[]> {
  return inBatches(model, texts, options, (batch, inner) => model.embed(batch, inner));
}

/** Terms with their weights, one vector a text, as an index takes them: what does not weigh anything is left out. */
export async function embedSparseTexts(
  model: SparseEmbeddingModel,
  texts: readonly string[],
  options: CallOptions & { kind: "query" | "document" },
): Promise<SparseVector[]> {
  const vectors = await inBatches(model, texts, options, (batch, inner) => model.embedSparse(batch, inner));
  return vectors.map((vector) =>
    Object.fromEntries(Object.entries(vector).filter(([, weight]) => weighs(model, weight))),
  );
}

/** The smallest weight that an index keeps: Java's smallest normal float. */
const LEAST_WEIGHT = 2 ** -126;

function weighs({ name }: SparseEmbeddingModel, weight: number): boolean {
  if (Number.isFinite(weight)) return weight >= LEAST_WEIGHT;
  throw new ModelError(name, `${name} gave a term the weight ${weight}: weights are numbers`);
}

async function inBatches<V>(
  model: { name: string; maxBatch?: number },
  texts: readonly string[],
  options: CallOptions & { kind: "query" | "document"; onProgress?: (done: number) => void },
  embed: (texts: string[], options: EmbedOptions) => Promise<V[]>,
): Promise<V[]> {
  const { kind, onProgress, ...call } = options;
  if (texts.length === 0) return [];
  const size = Math.max(1, model.maxBatch ?? BATCH);
  return step(call, { kind: "embed", name: model.name, attributes: { texts: texts.length } }, async (inner) => {
    const out: V[] = [];
    for (let i = 0; i < texts.length; i += size) {
      inner.signal?.throwIfAborted();
      const batch = texts.slice(i, i + size);
      const vectors = await embed(batch, { kind, ...inner });
      if (vectors.length !== batch.length) {
        throw new ModelError(model.name, `${model.name} gave ${vectors.length} vectors for ${batch.length} texts`);
      }
      out.push(...vectors);
      onProgress?.(out.length);
    }
    return out;
  });
}

/**
 * A question's vector: as given, else the mean of those of the texts that stand in its place, else its own. Undefined where there is
 * nothing to embed. The mean is not brought to unit length.
 */
export async function embedQuery(
  model: EmbeddingModel | undefined,
  bundle: QueryBundle,
  options: CallOptions = {},
): Promise<ArrayLike<number> | undefined> {
  if (bundle.embedding) return bundle.embedding;
  const texts = bundle.embeddingTexts ?? (bundle.query === "" ? [] : [bundle.query]);
  if (texts.length === 0) return undefined;
  if (!model) {
    throw new InvalidArgumentError(
      "embedding",
      undefined,
      "finding by vectors needs an embedding model: give the index one, or the question its `embedding`",
    );
  }
  const vectors = await embedTexts(model, texts, { kind: "query", ...options });
  return vectors.length === 1 ? vectors[0]! : meanVector(model, vectors);
}

/** The mean of a model's vectors, at least one. @throws DimensionsError where they differ in length */
export function meanVector(model: EmbeddingModel, vectors: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) {
    if (vector.length !== mean.length) {
      throw new DimensionsError(
        mean.length,
        vector.length,
        `the model ${model.name} gave vectors of different lengths`,
      );
    }
    for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / vectors.length;
  }
  return mean;
}
