/** The real library on small models made here. It is an optional peer, and is installed beside the tests from the package registry. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bulkEmbedding } from "../../src/embedding/bulk.ts";
import { localEmbedding } from "../../src/models/local/embedding.ts";
import { TRANSFORMERS } from "../../src/models/local/library.ts";
import { localRerank } from "../../src/models/local/rerank.ts";
import { writeModel } from "./onnx.ts";

const WORDS = ["annual", "leave", "five", "days", "who", "query", "passage", ":", "年", "假"];
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

let folder: string;
let transformers: unknown;
let options: { transformers: unknown; dtype: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-transformers-"));
  await writeFile(join(folder, "package.json"), '{"private":true}');
  const { packageName, version } = TRANSFORMERS;
  // Its scripts fetch what only GPUs need.
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${packageName}@${version}`];
  await promisify(execFile)("npm", install, { cwd: folder });
  const path = createRequire(join(folder, "package.json")).resolve(packageName);
  transformers = await import(pathToFileURL(path).href);
  options = { transformers, dtype: "fp32" };
  await writeModel(join(folder, "reranker"), "cross-encoder", { words: WORDS, maxTokens: 12 });
  await writeModel(join(folder, "two-labels"), "cross-encoder", { words: WORDS, labels: 2 });
  await writeModel(join(folder, "e5-test"), "encoder", { words: WORDS, maxTokens: 12 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a cross-encoder on this machine", () => {
  test("scores pairs alike alone and in batches of any size", async () => {
    const texts = ["days", "annual leave five", "leave leave leave", "", "who knows", "年假 leave"];
    const matches = [0, 2, 3, 0, 0, 1];
    for (const maxBatch of [1, 2, 16]) {
      const model = localRerank(join(folder, "reranker"), { ...options, maxBatch });
      const ranked = await model.rerank("annual leave", texts);
      expect(ranked.map(({ index }) => index)).toEqual([2, 1, 5, 0, 3, 4]);
      for (const { index, score } of ranked) expect(score).toBeCloseTo(sigmoid(matches[index]! - 2), 5);
      expect(await model.rerank("annual leave", texts, { topN: 1 })).toHaveLength(1);
    }
  });

  test("takes the second of two labels for relevance", async () => {
    const model = localRerank(join(folder, "two-labels"), options);
    const [best] = await model.rerank("annual leave", ["days", "leave"]);
    expect(best).toEqual({ index: 1, score: expect.closeTo(sigmoid(-1), 5) as number });
    expect(model.name).toBe("transformers/two-labels");
  });

  test("reads the beginning of a text that is too long, and the question whole", async () => {
    const told: { index: number; read: number }[] = [];
    const model = localRerank(join(folder, "reranker"), {
      ...options,
      onTruncated: ({ index, read }) => told.push({ index, read }),
    });
    const texts = [`leave ${"who ".repeat(30)}`, `${"who ".repeat(30)} leave`, "leave"];
    const scores = new Map((await model.rerank("annual leave", texts)).map(({ index, score }) => [index, score]));
    expect(scores.get(0)).toBeCloseTo(sigmoid(-1), 5);
    expect(scores.get(1)).toBeCloseTo(sigmoid(-2), 5);
    expect(scores.get(2)).toBeCloseTo(sigmoid(-1), 5);
    expect(told.map(({ index }) => index)).toEqual([0, 1]);
  });

  test("leaves room for the text when the question is too long", async () => {
    const model = localRerank(join(folder, "reranker"), options);
    const [only] = await model.rerank(`leave ${"who ".repeat(50)}`, ["leave leave leave"]);
    expect(only!.score).toBeCloseTo(sigmoid(1), 5);
  });

  test("that is none, or is not there, says so", async () => {
    await expect(localRerank(join(folder, "e5-test"), options).rerank("q", ["t"])).rejects.toThrow(/not a reranker/);
    await expect(localRerank(folder, options).rerank("q", ["t"])).rejects.toThrow(
      /cannot be loaded: .*config\.json, tokenizer\.json/,
    );
    // The settings of the library are as they were, and the next model loads.
    await localRerank(join(folder, "reranker"), options).rerank("q", ["t"]);
    await expect(localRerank(join(folder, "reranker"), { transformers }).rerank("q", ["t"])).rejects.toThrow(
      /model_quantized\.onnx/,
    );
  });
});

describe("an embedding model on this machine", () => {
  test("puts the family's prefixes before the texts and takes the mean of the tokens, whatever the batch", async () => {
    const place = (word: string) => 4 + WORDS.indexOf(word);
    for (const maxBatch of [1, 16]) {
      const model = localEmbedding(join(folder, "e5-test"), { ...options, maxBatch });
      const [query, other] = await model.embed(["annual leave", "五"], { kind: "query" });
      expect([...query!.keys()].filter((i) => query![i]! > 0)).toEqual(
        ["annual", "leave", "query", ":"].map(place).sort((a, b) => a - b),
      );
      expect(query![place("leave")]).toBeCloseTo(0.5, 6);
      expect(other![place("query")]).toBeCloseTo(Math.SQRT1_2, 6);
      const [document] = await model.embed(["leave"]);
      expect(document![place("passage")]).toBeCloseTo(1 / Math.sqrt(3), 6);
      expect(model.dimensions).toBe(4 + WORDS.length);
    }
  });

  test("refuses a text that is longer than it reads; in bulk it is split by the model's own count", async () => {
    const model = localEmbedding(join(folder, "e5-test"), options);
    const long = "leave ".repeat(40);
    await expect(model.embed([long])).rejects.toMatchObject({ reason: "too_long" });
    await expect(bulkEmbedding(model).embed([long])).rejects.toMatchObject({ code: "TEXT_TOO_LONG", maxTokens: 12 });
    const parts: number[] = [];
    const split = bulkEmbedding(model, { tooLong: "split", onTooLong: (event) => parts.push(event.parts) });
    const [vector] = await split.embed([long]);
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5);
    expect(parts[0]).toBeGreaterThanOrEqual(5);
  });
});
