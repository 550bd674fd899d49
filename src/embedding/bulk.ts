/**
 * Embedding in bulk: any embedding model, with what many texts and a paid service need. Texts are sent in batches, several at a time, no
 * faster than the service allows, again where a call failed that may succeed; what was paid for is kept on disk before the next
 * batch counts, so that a crash costs at most the calls that were under way.
 */
import { cl100kTokenizer } from "../ingest/index.ts";
import { withRetries } from "../models/retry.ts";
import { DimensionsError, type EmbeddingModel, ModelError, type Tokenizer } from "../schema/index.ts";
import { batches, type SizedText } from "./batches.ts";
import type { EmbeddingCache } from "./cache.ts";
import { pacer } from "./pacer.ts";
import { bulkProgress, type OnBulkProgress } from "./progress.ts";
import { fitText, type OnTooLong, pieceVector, type TooLong } from "./too-long.ts";

/** How texts are embedded in bulk: batches, calls at a time, rates, repetition, a cache. */
export interface BulkEmbeddingOptions {
  /** Texts a call. Default: the model's limit, else 64. */
  maxBatch?: number;
  /** Tokens a call. Default: no limit. */
  maxBatchTokens?: number;
  /** Calls at the same time. Default 4. */
  concurrency?: number;
  /** Further attempts after a failed call. Default 5. */
  maxRetries?: number;
  /** The first wait between attempts, which doubles each time. Default 500 ms. */
  firstWaitMs?: number;
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  /** Tokens that a text may have. Default: the model's limit, where it is known. */
  maxTokens?: number;
  /** What becomes of a longer text: an error before anything is sent (the default), its beginning, or the mean of its parts. */
  tooLong?: TooLong;
  /** Told of each text that is not embedded as it is. */
  onTooLong?: OnTooLong;
  /** Counts tokens for the limits. Default: the model's own where it tells, else cl100k_base; where the model's own differs, keep a distance from its limit. */
  tokenizer?: Tokenizer;
  /** Keeps vectors of documents: see `openEmbeddingCache`. */
  cache?: EmbeddingCache;
  onProgress?: OnBulkProgress;
}

const DEFAULT_BATCH = 64;
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_RETRIES = 5;

/** What one call that failed because of a text says about that text. */
const TEXT_FAULTS = new Set(["inspection", "too_long", "invalid_request"]);

/**
 * Wraps a model; the result is used like any other. One wrapper's limits hold for all of its calls together.
 *
 * @example bulkEmbedding(model, { concurrency: 8, tokensPerMinute: 1_000_000, tooLong: "split", cache })
 * @throws TextTooLongError before anything is sent, with `tooLong: "error"`
 */
export function bulkEmbedding(model: EmbeddingModel, options: BulkEmbeddingOptions = {}): EmbeddingModel {
  const { tooLong = "error", cache, maxBatchTokens = Number.POSITIVE_INFINITY } = options;
  const maxBatch = Math.min(
    options.maxBatch ?? model.maxBatch ?? DEFAULT_BATCH,
    model.maxBatch ?? Number.POSITIVE_INFINITY,
  );
  // Of the model as it is made, before its first answer tells more.
  const identity = JSON.stringify([model.name, model.dimensions ?? null]);
  const pace = pacer({
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    requestsPerMinute: options.requestsPerMinute,
    tokensPerMinute: options.tokensPerMinute,
  });
  const progress = bulkProgress(options.onProgress);
  /** The limit of a text, and how tokens are counted: only where something depends on them. */
  async function limitsOf(): Promise<{ maxTokens: number | undefined; count: (text: string) => number }> {
    const own = options.maxTokens === undefined || options.tokenizer === undefined ? await model.limits?.() : undefined;
    const maxTokens = options.maxTokens ?? own?.maxTokens ?? model.maxTokens;
    if ([maxTokens, options.maxBatchTokens, options.tokensPerMinute].every((limit) => limit === undefined))
      return { maxTokens, count: () => 0 };
    const tokenizer = options.tokenizer ?? own?.tokenizer ?? (await cl100kTokenizer());
    return { maxTokens, count: (text) => tokenizer.count(text) };
  }

  return {
    name: model.name,
    get dimensions() {
      return model.dimensions;
    },
    similarity: model.similarity,
    ...(model.contextFree === undefined ? {} : { contextFree: model.contextFree }),
    ...(model.scripts === undefined ? {} : { scripts: model.scripts }),
    async embed(texts, { signal, kind = "document", onTokens } = {}) {
      signal?.throwIfAborted();
      const { maxTokens, count } = await limitsOf();
      const fitted = new Map<string, SizedText[]>();
      for (const [index, text] of texts.entries()) {
        if (fitted.has(text)) continue;
        fitted.set(
          text,
          fitText(text, { index, count, maxTokens, tooLong, model: model.name, onTooLong: options.onTooLong }),
        );
      }
      const pieces = new Map<string, SizedText>();
      for (const list of fitted.values()) for (const piece of list) pieces.set(piece.text, piece);
      const vectors = new Map<string, Float32Array>();
      const kept = kind === "document" ? cache : undefined;
      if (kept) await fromCache(kept, identity, [...pieces.keys()], vectors);
      const session = progress.start(pieces.size, vectors.size);

      const missing = [...pieces.values()].filter(({ text }) => !vectors.has(text));
      await runAll(batches(missing, maxBatch, maxBatchTokens), (batch) =>
        embedBatch(batch, { signal, kind }, async (part, found, tokens) => {
          for (const [i, { text }] of part.entries()) vectors.set(text, found[i]!);
          await kept?.put(part.map(({ text }, i) => ({ model: identity, text, vector: found[i]! })));
          onTokens?.(tokens);
          session.done(part.length, tokens);
        }),
      );
      return texts.map((text) => pieceVector(fitted.get(text)!, vectors));
    },
  };

  /** Embeds a batch. A batch that is refused because of one of its texts is halved until that text stands alone. */
  async function embedBatch(
    batch: SizedText[],
    call: { signal: AbortSignal | undefined; kind: "query" | "document" },
    keep: (part: SizedText[], found: Float32Array[], tokens: number) => Promise<void>,
  ): Promise<void> {
    try {
      const { found, tokens } = await callModel(batch, call);
      await keep(batch, found, tokens);
    } catch (error) {
      if (!(error instanceof ModelError) || !TEXT_FAULTS.has(error.reason ?? "")) throw error;
      if (batch.length === 1) throw namingText(error, batch[0]!.text);
      const half = Math.ceil(batch.length / 2);
      let failure: unknown;
      for (const part of [batch.slice(0, half), batch.slice(half)]) {
        await embedBatch(part, call, keep).catch((reason: unknown) => {
          failure ??= reason;
        });
      }
      if (failure !== undefined) throw failure;
    }
  }

  async function callModel(
    batch: SizedText[],
    { signal, kind }: { signal: AbortSignal | undefined; kind: "query" | "document" },
  ): Promise<{ found: Float32Array[]; tokens: number }> {
    const expected = batch.reduce((sum, { tokens }) => sum + tokens, 0);
    const texts = batch.map(({ text }) => text);
    let told = 0;
    const found = await withRetries(
      () =>
        pace.run(expected, signal, () => {
          told = 0;
          return model.embed(texts, { kind, onTokens: (n) => (told += n), ...(signal ? { signal } : {}) });
        }),
      {
        maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
        firstWaitMs: options.firstWaitMs,
        signal,
        onRetry({ waitMs, error }) {
          progress.retried();
          // What slows one call down would slow down the next ones too.
          if (error.reason === "rate_limit") pace.pause(waitMs);
        },
      },
    );
    if (found.length !== batch.length) {
      throw new ModelError(model.name, `${model.name} returned ${found.length} vectors for ${batch.length} texts`);
    }
    for (const vector of found) {
      if (vector.length !== found[0]!.length || (model.dimensions ?? vector.length) !== vector.length) {
        const length = model.dimensions ?? found[0]!.length;
        const message = `${model.name} returned a vector of ${vector.length} dimensions instead of ${length}`;
        throw new DimensionsError(length, vector.length, message);
      }
    }
    return { found, tokens: told || expected };
  }

  /**
   * Runs all batches, as many at once as the pace lets through. After a failure no new one is begun, those under way end (they are paid
   * for), and the first failure is thrown.
   */
  async function runAll(all: SizedText[][], run: (batch: SizedText[]) => Promise<void>): Promise<void> {
    let failure: { error: unknown } | undefined;
    let next = 0;
    const worker = async () => {
      while (!failure && next < all.length) {
        await run(all[next++]!).catch((error: unknown) => {
          failure ??= { error };
        });
      }
    };
    await Promise.all(Array.from({ length: Math.min(all.length, pace.concurrency) }, worker));
    if (failure) throw failure.error;
  }
}

async function fromCache(
  cache: EmbeddingCache,
  model: string,
  texts: string[],
  into: Map<string, Float32Array>,
): Promise<void> {
  const found = await cache.get(model, texts);
  found.forEach((vector, i) => {
    if (vector) into.set(texts[i]!, vector);
  });
}

/** The same error, with the beginning of the text that it is about. */
function namingText(error: ModelError, text: string): ModelError {
  const beginning = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const { status, reason, providerCode, requestId } = error;
  return new ModelError(error.model, `${error.message}; the text begins: ${JSON.stringify(beginning)}`, {
    ...(status === undefined ? {} : { status }),
    ...(reason === undefined ? {} : { reason }),
    ...(providerCode === undefined ? {} : { providerCode }),
    ...(requestId === undefined ? {} : { requestId }),
    cause: error,
  });
}
