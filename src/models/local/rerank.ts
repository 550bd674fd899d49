/** Cross-encoders on this machine: bge-reranker and its like, in ONNX, through `@huggingface/transformers`. */

import { HuiliuError, ModelError } from "../../schema/errors.ts";
import type { RerankModel } from "../../schema/models.ts";
import {
  type LoadedModel,
  type LocalModelOptions,
  lengthBatches,
  loadLocal,
  localName,
  longestFitting,
  type Tensor,
  tokenCounts,
} from "./library.ts";

/** How a cross-encoder on this machine reads pairs. */
export interface LocalRerankOptions extends LocalModelOptions {
  /** Told of each text of which only the beginning is read. */
  onTruncated?: (event: { index: number; text: string; read: number }) => void;
}

/** Short names, and where the weights lie. */
const KNOWN: Record<string, string> = {
  "bge-reranker-base": "Xenova/bge-reranker-base",
  "bge-reranker-large": "Xenova/bge-reranker-large",
  "bge-reranker-v2-m3": "onnx-community/bge-reranker-v2-m3-ONNX",
};

/**
 * A cross-encoder: it reads question and text together, and is the most exact and the slowest way to compare them. It is loaded at the first
 * use. Scores lie between 0 and 1. Of a pair that is longer than the model reads, the end of the text is left out, never the question
 * (of which at most half the room is used).
 *
 * @param id `bge-reranker-base`, `-large`, `-v2-m3`, any model's name on the hub, or a folder
 * @example const reranker = localRerank("bge-reranker-base");
 */
export function localRerank(id: string, options: LocalRerankOptions = {}): RerankModel {
  const place = Object.hasOwn(KNOWN, id) ? KNOWN[id]! : id;
  const name = localName(id);
  const maxBatch = options.maxBatch ?? 16;
  let loading: Promise<LoadedModel> | undefined;

  async function open(): Promise<LoadedModel> {
    loading ??= loadLocal("AutoModelForSequenceClassification", place, options);
    return loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  }

  return {
    name,
    async rerank(query, texts, { signal, topN } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      const loaded = await open();
      signal?.throwIfAborted();
      const { question, parts, lengths } = fitPairs(loaded, query, texts, options.onTruncated);
      const scores: { index: number; score: number }[] = [];
      for (const batch of lengthBatches(lengths, maxBatch)) {
        // Batches are the slices of this work: the event loop turns between them.
        signal?.throwIfAborted();
        const found = await scoresOf(
          name,
          loaded,
          question,
          batch.map((i) => parts[i]!),
        );
        batch.forEach((index, i) => {
          scores.push({ index, score: found[i]! });
        });
      }
      scores.sort((a, b) => b.score - a.score || a.index - b.index);
      return topN === undefined ? scores : scores.slice(0, topN);
    },
  };
}

/** Question and texts cut so that each pair fits, and the pairs' lengths in tokens. */
function fitPairs(
  { tokenizer, maxTokens }: LoadedModel,
  query: string,
  texts: string[],
  onTruncated: LocalRerankOptions["onTruncated"],
) {
  const pairLength = (question: string, text: string) => tokenCounts(tokenizer, [question], [text])[0]!;
  const half = Math.ceil(maxTokens / 2);
  const question =
    pairLength(query, "") <= half ? query : longestFitting(query, (part) => pairLength(part, "") <= half);
  const lengths = tokenCounts(
    tokenizer,
    texts.map(() => question),
    texts,
  );
  const parts = texts.map((text, index) => {
    if (lengths[index]! <= maxTokens) return text;
    const part = longestFitting(text, (beginning) => pairLength(question, beginning) <= maxTokens);
    lengths[index] = pairLength(question, part);
    onTruncated?.({ index, text, read: part.length });
    return part;
  });
  return { question, parts, lengths };
}

async function scoresOf(name: string, loaded: LoadedModel, question: string, texts: string[]): Promise<number[]> {
  const inputs = loaded.tokenizer(
    texts.map(() => question),
    { text_pair: texts, padding: true, truncation: false },
  );
  let logits: Tensor | undefined;
  try {
    logits = (await loaded.model(inputs))["logits"];
  } catch (error) {
    if (error instanceof HuiliuError) throw error;
    throw new ModelError(name, `${name} failed: ${(error as Error).message}`, { cause: error });
  }
  const labels = logits?.dims[1];
  if (!logits || logits.dims[0] !== texts.length || (labels !== 1 && labels !== 2)) {
    throw new ModelError(
      name,
      `${name} is not a reranker: it gives ${labels ?? "no"} labels, where one or two are wanted`,
    );
  }
  const { data } = logits;
  return texts.map((_, i) =>
    // One logit is the relevance; of two, the second stands for "relevant".
    labels === 1 ? sigmoid(Number(data[i])) : sigmoid(Number(data[2 * i + 1]) - Number(data[2 * i])),
  );
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
