import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEmbeddingCache } from "../../src/embedding/cache.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-cache-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the cache of embeddings", () => {
  test("keeps vectors bit for bit, by model and text", async () => {
    const vector = Float32Array.of(0.1, -0, 1e-30, Number.MAX_VALUE, Math.PI);
    let cache = openEmbeddingCache(folder);
    await cache.put([{ model: "a", text: "年假", vector }]);
    await cache.close();
    cache = openEmbeddingCache(folder);
    expect(await cache.get("a", ["年假", "年 假"])).toEqual([vector, undefined]);
    expect(await cache.get("b", ["年假"])).toEqual([undefined]);
    await cache.close();
  });

  test("tells apart what UTF-8 would not, and takes the empty text", async () => {
    const cache = openEmbeddingCache(folder);
    const texts = ["\ud800", "\ud801", "\ufffd", "", "\0"];
    await cache.put(texts.map((text, i) => ({ model: "m", text, vector: Float32Array.of(i + 1) })));
    expect((await cache.get("m", texts)).map((vector) => vector?.[0])).toEqual([1, 2, 3, 4, 5]);
    await cache.close();
  });

  test("counts damaged entries as missing", async () => {
    const cache = openEmbeddingCache(folder);
    await cache.put([{ model: "m", text: "x", vector: Float32Array.of(1, 2) }]);
    await cache.close();
    const { open } = await import("lmdb");
    const store = open<Buffer, Buffer>({ path: folder, encoding: "binary", keyEncoding: "binary" });
    const [{ key, value }] = [...store.getRange()] as [{ key: Buffer; value: Buffer }];
    const damaged = Buffer.from(value);
    damaged[6]! ^= 1;
    await store.put(Buffer.from(key), damaged);
    await store.close();
    const again = openEmbeddingCache(folder);
    expect(await again.get("m", ["x"])).toEqual([undefined]);
    await again.close();
  });
});
