import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { type BulkEmbeddingOptions, bulkEmbedding } from "../../src/embedding/bulk.ts";
import { openEmbeddingCache } from "../../src/embedding/cache.ts";
import type { BulkProgress } from "../../src/embedding/progress.ts";
import { dashScope } from "../../src/models/dashscope/index.ts";
import { type EmbeddingModel, ModelError, type ModelFailure, type Tokenizer } from "../../src/schema/index.ts";
import { provider } from "../models/server.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "huiliu-embeddings-"));
  folders.push(made);
  return made;
}

/** Characters as tokens. */
const characters: Tokenizer = { name: "characters", count: (text) => text.length };

/** A vector that tells texts apart. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(4);
  for (let i = 0; i < text.length; i++) vector[i % 4]! += text.charCodeAt(i) * (i + 1);
  vector[0]! += text.length;
  return vector;
}

interface Paid {
  model: EmbeddingModel;
  /** Texts that were embedded, once for each time it was paid for. */
  paid: string[];
  calls: string[][];
  /** The most calls at one time. */
  most: number;
}

/** A service that fails as `failing` says (by the number of the call) and answers when it pleases. */
function service(
  options: {
    failing?: (call: number, texts: string[]) => ModelError | undefined;
    maxBatch?: number;
    ticks?: (call: number) => number;
    name?: string;
  } = {},
): Paid {
  const state: Paid = { paid: [], calls: [], most: 0, model: undefined as never };
  let running = 0;
  state.model = {
    name: options.name ?? "test/embedding",
    dimensions: 4,
    similarity: "cosine",
    ...(options.maxBatch === undefined ? {} : { maxBatch: options.maxBatch }),
    async embed(texts, { onTokens, signal } = {}) {
      const call = state.calls.push(texts) - 1;
      state.most = Math.max(state.most, ++running);
      try {
        for (let i = options.ticks?.(call) ?? 0; i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        const failure = options.failing?.(call, texts);
        if (failure) throw failure;
        state.paid.push(...texts);
        onTokens?.(texts.join("").length);
        return texts.map(vectorOf);
      } finally {
        running--;
      }
    },
  };
  return state;
}

const failure = (reason: ModelFailure, retryable: boolean) => new ModelError("test", reason, { reason, retryable });
const quick: BulkEmbeddingOptions = { firstWaitMs: 0, tokenizer: characters };

describe("embedding in bulk", () => {
  test("loses, doubles and reorders no text, whatever fails on the way", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 5 }),
        fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
        fc.infiniteStream(
          fc.constantFrom<ModelFailure | undefined>(undefined, undefined, "rate_limit", "server", "network"),
        ),
        fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
        async (texts, maxBatch, concurrency, maxBatchTokens, failures, ticks) => {
          const state = service({
            failing: () => {
              const reason = failures.next().value;
              return reason && failure(reason, true);
            },
            ticks: () => ticks.next().value,
          });
          const model = bulkEmbedding(state.model, {
            ...quick,
            maxBatch,
            concurrency,
            maxRetries: 1000,
            ...(maxBatchTokens === undefined ? {} : { maxBatchTokens }),
          });
          expect(await model.embed(texts)).toEqual(texts.map(vectorOf));
          expect([...state.paid].sort()).toEqual([...new Set(texts)].sort());
          expect(state.most).toBeLessThanOrEqual(concurrency);
          for (const call of state.calls) {
            expect(call.length).toBeLessThanOrEqual(maxBatch);
            if (maxBatchTokens !== undefined && call.length > 1)
              expect(call.join("").length).toBeLessThanOrEqual(maxBatchTokens);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("ends after the last attempt, and begins no batch after a failure", async () => {
    const state = service({ failing: (call) => (call >= 2 ? failure("server", true) : undefined) });
    const model = bulkEmbedding(state.model, { ...quick, maxBatch: 1, concurrency: 1, maxRetries: 3 });
    await expect(model.embed(["a", "b", "c", "d", "e"])).rejects.toMatchObject({ reason: "server" });
    expect(state.calls.map(([text]) => text)).toEqual(["a", "b", "c", "c", "c", "c"]);
  });

  test("pays for nothing twice when it was cut short, by a failure, an abort or a crash", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: "binary", maxLength: 8 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 8 }),
        fc.boolean(),
        async (texts, breaksAt, aborts) => {
          const path = await folder();
          const controller = new AbortController();
          const first = service({
            ticks: () => 1,
            failing: (call) => {
              if (call < breaksAt) return undefined;
              if (aborts) controller.abort(new Error("enough"));
              return failure("quota", false);
            },
          });
          let cache = openEmbeddingCache(path);
          const options = { ...quick, maxBatch: 3, concurrency: 2 };
          const whole = await bulkEmbedding(first.model, { ...options, cache })
            .embed(texts, { signal: controller.signal })
            .catch(() => undefined);
          await cache.close();
          cache = openEmbeddingCache(path);
          const second = service();
          const model = bulkEmbedding(second.model, { ...options, cache });
          expect(await model.embed(texts)).toEqual(texts.map(vectorOf));
          expect([...first.paid, ...second.paid].sort()).toEqual([...texts].sort());
          if (whole) expect(second.calls).toEqual([]);
          await cache.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  test("halves a batch that is refused because of one text, embeds the others, and names it", async () => {
    const cache = openEmbeddingCache(await folder());
    const refused = service({
      failing: (_call, texts) => (texts.includes("bad words") ? failure("inspection", false) : undefined),
    });
    const texts = ["a", "b", "c", "bad words", "d", "e", "f", "g"];
    const model = bulkEmbedding(refused.model, { ...quick, cache });
    await expect(model.embed(texts)).rejects.toMatchObject({
      reason: "inspection",
      message: expect.stringContaining('the text begins: "bad words"') as string,
    });
    expect([...refused.paid].sort()).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    expect(await model.embed(["a", "g"])).toEqual(["a", "g"].map(vectorOf));
    expect(refused.paid.length).toBe(7);
    await cache.close();
  });

  test("tells how far it is, with tokens, rate and what the cache had", async () => {
    const cache = openEmbeddingCache(await folder());
    const told: BulkProgress[] = [];
    const state = service({ failing: (call) => (call === 1 ? failure("network", true) : undefined) });
    const model = bulkEmbedding(state.model, { ...quick, maxBatch: 2, cache, onProgress: (p) => told.push(p) });
    await model.embed(["aa", "bb", "cc", "aa"]);
    expect(told.at(-1)).toMatchObject({ done: 3, total: 3, cached: 0, tokens: 6, retries: 1 });
    expect(told.at(-1)!.tokensPerSecond).toBeGreaterThan(0);
    await model.embed(["cc", "dd"]);
    expect(told.at(-1)).toMatchObject({ done: 5, total: 5, cached: 1, tokens: 8 });
    expect(told.every(({ done, total }) => done <= total)).toBe(true);
    await cache.close();
  });

  test("refuses an answer that is not one vector of the right length for each text", async () => {
    const answers: Float32Array[][] = [[], [new Float32Array(4)], [new Float32Array(4), new Float32Array(3)]];
    for (const answer of answers) {
      const model: EmbeddingModel = { ...service().model, embed: async () => answer };
      await expect(bulkEmbedding(model, quick).embed(["a", "b"])).rejects.toThrow(/returned/);
    }
  });

  test("waits as long as a provider's Retry-After says, with every other call", async () => {
    const times: number[] = [];
    const server = await provider((asked) => {
      times.push(performance.now());
      const texts = (asked.body["input"] as { texts: string[] }).texts;
      if (times.length === 1) {
        return {
          status: 429,
          headers: { "retry-after-ms": "120" },
          body: { code: "Throttling.RateQuota", message: "slow" },
        };
      }
      const embeddings = texts.map((_, text_index) => ({ text_index, embedding: Array<number>(1024).fill(1) }));
      return { body: { output: { embeddings }, usage: { total_tokens: 1 } } };
    });
    const inner = dashScope({ apiKey: "k", baseUrl: server.url, maxRetries: 0 }).embeddingModel("text-embedding-v3");
    const model = bulkEmbedding(inner, { concurrency: 1, firstWaitMs: 1 });
    await model.embed(Array.from({ length: 15 }, (_, i) => `text ${i}`));
    expect(times.length).toBe(3);
    expect(Math.min(...times.slice(1)) - times[0]!).toBeGreaterThanOrEqual(118);
  });
});

describe("texts that are too long", () => {
  const long = "one two three, four five six, seven eight";

  test("are refused before anything is sent, with place and remedy", async () => {
    const state = service();
    const model = bulkEmbedding(state.model, { ...quick, maxTokens: 10 });
    await expect(model.embed(["short", long])).rejects.toMatchObject({
      code: "TEXT_TOO_LONG",
      index: 1,
      tokens: 41,
      maxTokens: 10,
      message: expect.stringMatching(/reads 10: .*"truncate" or "split"/) as string,
    });
    expect(state.calls).toEqual([]);
  });

  test("are cut where that was chosen, and the caller is told", async () => {
    const state = service();
    const told: unknown[] = [];
    const model = bulkEmbedding(state.model, {
      ...quick,
      maxTokens: 20,
      tooLong: "truncate",
      onTooLong: ({ index, handled, tokens, parts }) => told.push({ index, handled, tokens, parts }),
    });
    await model.embed(["short", long]);
    expect(told).toEqual([{ index: 1, handled: "truncated", tokens: 41, parts: 1 }]);
    expect(state.paid[1]!.length).toBeLessThanOrEqual(20);
    expect(long.startsWith(state.paid[1]!)).toBe(true);
  });

  test("in parts have the mean of the parts' directions, of length one", async () => {
    const model = bulkEmbedding(service().model, { ...quick, maxTokens: 20, tooLong: "split" });
    const [vector] = await model.embed([long]);
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
  });

  test("lose no character in parts, and no part is too long", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.integer({ min: 2, max: 30 }),
        async (text, maxTokens) => {
          const state = service();
          const parts: number[] = [];
          const model = bulkEmbedding(state.model, {
            ...quick,
            maxTokens,
            tooLong: "split",
            maxBatch: 1000,
            concurrency: 1,
            onTooLong: (event) => parts.push(event.parts),
          });
          await model.embed([text]);
          const sent = state.paid;
          expect(sent.every((part) => part.length <= maxTokens)).toBe(true);
          expect(sent.every((part) => !/^[\udc00-\udfff]/.test(part) || /^[\udc00-\udfff]/.test(text))).toBe(true);
          // Equal parts are sent once.
          if ((parts[0] ?? 1) === sent.length) expect(sent.join("")).toBe(text);
          else expect(new Set(sent).size).toBe(sent.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("are counted by cl100k_base where no tokenizer is given", async () => {
    const state = service();
    const model = bulkEmbedding(state.model, { maxTokens: 4 });
    expect(await model.embed(["internationalization"])).toHaveLength(1);
    await expect(model.embed(["one two three four five"])).rejects.toMatchObject({ tokens: 5 });
  });
});
