import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";

const folder = () => mkdtemp(join(tmpdir(), "huiliu-archive-"));

async function fill(engine: Engine): Promise<void> {
  const es = engine.client();
  const properties = { text: { type: "text" }, vector: { type: "dense_vector", dims: 2 } } as const;
  await es.indices.create({ index: "books", mappings: { properties } });
  for (let i = 0; i < 40; i++) {
    const document = { text: `年休假 ${i} 天 ${"word ".repeat(i)}`, vector: [1, i], n: i };
    // Some in segments of their own, some not refreshed at all.
    await es.index({ index: "books", id: `b${i}`, document, refresh: i % 7 === 0 });
  }
  await es.delete({ index: "books", id: "b3" });
  await es.index({ index: "empty", id: "1", document: {} });
  await es.delete({ index: "empty", id: "1" });
}

async function answers(engine: Engine): Promise<unknown> {
  const es = engine.client();
  await es.indices.refresh();
  const text = await es.search({ index: "books", query: { match: { text: "假 word" } }, size: 50, version: true });
  const near = await es.search({
    index: "books",
    knn: { field: "vector", query_vector: [1, 9], k: 5, num_candidates: 50 },
  });
  return [
    text.hits,
    near.hits,
    await es.count({ index: "*" }).then(({ count }) => count),
    await es.indices.get({ index: "*" }),
  ];
}

describe("an engine in memory", () => {
  it("is saved to one file and loaded from it, and goes on there", async () => {
    const file = join(await folder(), "books.huiliu");
    await using engine = await openEngine();
    await fill(engine);
    await engine.save(file);
    await using loaded = await openEngine({ from: file });
    expect(loaded.data).toBeUndefined();
    expect(await answers(loaded)).toEqual(await answers(engine));
    const es = loaded.client();
    await es.index({ index: "books", id: "new", document: { text: "新的", vector: [1, 1] }, refresh: true });
    await loaded.save(file);
    await using again = await openEngine({ from: file });
    expect(await again.client().exists({ index: "books", id: "new" })).toBe(true);
    expect(await engine.client().exists({ index: "books", id: "new" })).toBe(false);
    expect((await again.verify()).damaged).toEqual([]);
  });

  it("is loaded from what one on disk was saved as", async () => {
    const home = await folder();
    await using engine = await openEngine({ data: join(home, "data") });
    await fill(engine);
    await engine.save(join(home, "books.huiliu"));
    await using loaded = await openEngine({ from: join(home, "books.huiliu") });
    expect(await answers(loaded)).toEqual(await answers(engine));
  });

  it("is saved as it is at one moment, while it is written to", async () => {
    const file = join(await folder(), "e.huiliu");
    await using engine = await openEngine();
    await fill(engine);
    const es = engine.client();
    const writing = (async () => {
      for (let i = 0; i < 60; i++) await es.index({ index: "more", id: `${i}`, document: { i }, refresh: i % 2 === 0 });
    })();
    const saving = engine.save(file);
    await Promise.all([writing, saving]);
    await using loaded = await openEngine({ from: file });
    expect((await loaded.verify()).damaged).toEqual([]);
    await loaded.client().indices.refresh();
    expect((await loaded.client().count({ index: "books" })).count).toBe(39);
  });

  it("is not loaded from a file that was cut, changed, or is something else, and a failed save leaves the old file", async () => {
    const home = await folder();
    const file = join(home, "e.huiliu");
    await using engine = await openEngine();
    await fill(engine);
    await engine.save(file);
    const whole = await readFile(file);
    const wrong = join(home, "wrong.huiliu");
    const places = [0, 5, 17, 18, 40, Math.floor(whole.length / 2), whole.length - 20, whole.length - 1];
    for (const at of places) {
      await writeFile(wrong, whole.subarray(0, at));
      await expect(openEngine({ from: wrong }), `cut at ${at}`).rejects.toThrow(/wrong\.huiliu/);
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x41;
      await writeFile(wrong, changed);
      await expect(openEngine({ from: wrong }), `changed at ${at}`).rejects.toThrow(/wrong\.huiliu/);
    }
    await expect(openEngine({ from: join(home, "nowhere") })).rejects.toThrow(/nowhere/);
    await expect(openEngine({ from: file, data: join(home, "data") })).rejects.toThrow(/into memory/);
    await expect(engine.save(join(home, "no", "folder", "e.huiliu"))).rejects.toThrow(/ENOENT/);
    expect((await readdir(home)).sort()).toEqual(["e.huiliu", "wrong.huiliu"]);
  });
});
