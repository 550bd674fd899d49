/** Embedding models on this machine, through `@huggingface/transformers`: e5, bge, gte and their like, in ONNX. */

import { HuiliuError, InvalidArgumentError, ModelError } from "../../schema/errors.ts";
import type { EmbeddingModel, Tokenizer } from "../../schema/models.ts";
import {
  type LoadedModel,
  type LocalModelOptions,
  lengthBatches,
  loadLocal,
  localName,
  type Tensor,
  tokenCounts,
} from "./library.ts";

/** How a model on this machine embeds: pooling, and what stands before texts. */
export interface LocalEmbeddingOptions extends LocalModelOptions {
  /** What stands before questions and passages; known for e5, bge and gte. */
  prefixes?: { query: string; document: string };
  /** How tokens become one vector; known for e5, bge and gte. Default `mean`. */
  pooling?: "mean" | "cls";
}

interface Family {
  pattern: RegExp;
  prefixes: { query: string; document: string };
  pooling: "mean" | "cls";
}

const NONE = { query: "", document: "" };

/** Families by the model's name: what their authors trained them with. The first that fits holds. */
const FAMILIES: Family[] = [
  {
    pattern: /e5-.*instruct/,
    prefixes: { query: "Instruct: Given a question, retrieve passages that answer it\nQuery: ", document: "" },
    pooling: "mean",
  },
  { pattern: /(^|[/-])e5-/, prefixes: { query: "query: ", document: "passage: " }, pooling: "mean" },
  { pattern: /bge-m3/, prefixes: NONE, pooling: "cls" },
  { pattern: /bge-.*-zh/, prefixes: { query: "为这个句子生成表示以用于检索相关文章：", document: "" }, pooling: "cls" },
  {
    pattern: /bge-.*-en/,
    prefixes: { query: "Represent this sentence for searching relevant passages: ", document: "" },
    pooling: "cls",
  },
  { pattern: /gte-multilingual|gte-(modernbert|.*-v1\.5)/, prefixes: NONE, pooling: "cls" },
  { pattern: /gte-.*-zh/, prefixes: NONE, pooling: "cls" },
  { pattern: /gte-/, prefixes: NONE, pooling: "mean" },
];

const KNOWN: Record<string, string> = {
  "multilingual-e5-small": "Xenova/multilingual-e5-small",
  "multilingual-e5-base": "Xenova/multilingual-e5-base",
  "multilingual-e5-large": "Xenova/multilingual-e5-large",
  "bge-small-zh-v1.5": "Xenova/bge-small-zh-v1.5",
  "bge-base-zh-v1.5": "Xenova/bge-base-zh-v1.5",
  "bge-small-en-v1.5": "Xenova/bge-small-en-v1.5",
  "bge-base-en-v1.5": "Xenova/bge-base-en-v1.5",
  "bge-m3": "Xenova/bge-m3",
  "gte-small": "Xenova/gte-small",
  "gte-base": "Xenova/gte-base",
  "gte-multilingual-base": "onnx-community/gte-multilingual-base",
};

/** What a model of this name wants before its texts, and how its tokens become a vector. */
export function familyOf(id: string): { prefixes: { query: string; document: string }; pooling: "mean" | "cls" } {
  return FAMILIES.find(({ pattern }) => pattern.test(id.toLowerCase())) ?? { prefixes: NONE, pooling: "mean" };
}

/**
 * An embedding model on this machine, loaded at the first use. Vectors have length one. A text that is longer than the model reads is refused
 * (`reason: "too_long"`): `bulkEmbedding` cuts or splits such texts, by the model's own count.
 *
 * @param id `multilingual-e5-small`, `bge-small-zh-v1.5`, `gte-small` …, any model's name on the hub, or a folder
 */
export function localEmbedding(id: string, options: LocalEmbeddingOptions = {}): EmbeddingModel {
  const place = Object.hasOwn(KNOWN, id) ? KNOWN[id]! : id;
  const name = localName(id);
  const family = familyOf(id);
  const prefixes = options.prefixes ?? family.prefixes;
  const pooling = options.pooling ?? family.pooling;
  if (pooling !== "mean" && pooling !== "cls")
    throw new InvalidArgumentError("pooling", pooling, `pooling is "mean" or "cls"; got "${String(pooling)}"`);
  const maxBatch = options.maxBatch ?? 16;
  let loading: Promise<LoadedModel> | undefined;
  let dimensions: number | undefined;

  function open(): Promise<LoadedModel> {
    loading ??= loadLocal("AutoModel", place, options);
    return loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  }

  return {
    name,
    get dimensions() {
      return dimensions;
    },
    similarity: "dot_product",
    async limits(): Promise<{ maxTokens: number; tokenizer: Tokenizer }> {
      const { tokenizer, maxTokens } = await open();
      const prefix = prefixes.document;
      return { maxTokens, tokenizer: { name, count: (text) => tokenCounts(tokenizer, [prefix + text])[0]! } };
    },
    async embed(texts, { signal, kind = "document", onTokens } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      const loaded = await open();
      const prefixed = texts.map((text) => prefixes[kind] + text);
      const lengths = tokenCounts(loaded.tokenizer, prefixed);
      const long = lengths.findIndex((length) => length > loaded.maxTokens);
      if (long >= 0) {
        const message = `${name} reads ${loaded.maxTokens} tokens, and text ${long} has ${lengths[long]}: cut it, or use bulkEmbedding with tooLong`;
        throw new ModelError(name, message, { reason: "too_long" });
      }
      const vectors = new Array<Float32Array>(texts.length);
      for (const batch of lengthBatches(lengths, maxBatch)) {
        signal?.throwIfAborted();
        const found = await vectorsOf(
          name,
          loaded,
          batch.map((i) => prefixed[i]!),
          pooling,
        );
        batch.forEach((place, i) => {
          vectors[place] = found[i]!;
        });
      }
      dimensions = vectors[0]!.length;
      onTokens?.(lengths.reduce((sum, length) => sum + length, 0));
      return vectors;
    },
  };
}

async function vectorsOf(
  name: string,
  { tokenizer, model }: LoadedModel,
  texts: string[],
  pooling: "mean" | "cls",
): Promise<Float32Array[]> {
  const inputs = tokenizer(texts, { padding: true, truncation: false });
  let outputs: Record<string, Tensor>;
  try {
    outputs = await model(inputs);
  } catch (error) {
    if (error instanceof HuiliuError) throw error;
    throw new ModelError(name, `${name} failed: ${(error as Error).message}`, { cause: error });
  }
  const states = outputs["last_hidden_state"] ?? outputs["token_embeddings"];
  if (states?.dims.length !== 3 || states.dims[0] !== texts.length) {
    throw new ModelError(name, `${name} is not an embedding model: it gives no vectors of tokens`);
  }
  const [, length, size] = states.dims as [number, number, number];
  const mask = inputs["attention_mask"]!.data;
  return texts.map((_, i) => {
    const sum = new Float64Array(size);
    const last = pooling === "cls" ? 1 : length;
    for (let t = 0; t < last; t++) {
      if (pooling === "mean" && Number(mask[i * length + t]) === 0) continue;
      const at = (i * length + t) * size;
      for (let k = 0; k < size; k++) sum[k]! += Number(states.data[at + k]);
    }
    const norm = Math.hypot(...sum) || 1;
    return Float32Array.from(sum, (value) => value / norm);
  });
}
