/** A collection on a cluster: the engine over HTTP stands for it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { type FakeCluster, fakeCluster } from "../elasticsearch/fake-cluster.ts";

let folder: string;
let engine: Engine;
let cluster: FakeCluster | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-cluster-"));
  engine = await openEngine();
  await mkdir(join(folder, "docs"));
  const texts = [
    "# 年休假\n\n员工每年有年休假五天。",
    "# Sick leave\n\nSick leave needs a certificate.",
    "# 婚假\n\n婚假十天。",
  ];
  for (const [i, text] of texts.entries()) await writeFile(join(folder, "docs", `${i}.md`), text);
});
afterEach(async () => {
  await cluster?.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

it("finds and lists the same as in a folder, and asks for nothing that needs a licence", async () => {
  cluster = await fakeCluster(engine);
  const options = { elasticsearch: cluster.url };
  const there = await openCollection("handbook", options);
  const here = await openCollection("handbook", { data: join(folder, "data") });
  try {
    for (const collection of [there, here]) {
      await collection.add(join(folder, "docs"));
      await writeFile(join(folder, "docs", "2.md"), "# 婚假\n\n婚假十三天。");
      expect(await collection.add(join(folder, "docs"))).toMatchObject({ replaced: 1, unchanged: 2 });
      await writeFile(join(folder, "docs", "2.md"), "# 婚假\n\n婚假十天。");
      await collection.remove("0".repeat(3)).then(({ missing }) => expect(missing).toEqual(["000"]));
    }
    for (const strategy of ["hybrid", "bm25", "dense", "rrf"] as const) {
      const [a, b] = [await there.search("婚假有几天", { strategy }), await here.search("婚假有几天", { strategy })];
      expect(a.length).toBeGreaterThan(0);
      expect(a.map(({ node, score, ranks }) => [node.id, score, ranks])).toEqual(
        b.map(({ node, score, ranks }) => [node.id, score, ranks]),
      );
    }
    expect(await (await there.ask("婚假有几天")).text).toBe(await (await here.ask("婚假有几天")).text);
    const { place, ...status } = await there.status();
    expect(place).toBe(cluster.url);
    expect(await here.status()).toMatchObject(status);
    for (const { body } of cluster.seen)
      expect(body).not.toMatch(/"(retriever|rrf|linear|text_similarity_reranker)"\s*:\s*\{/);
    const { settings } = (await there.client.indices.getSettings({ index: "handbook" }))["handbook"]!;
    expect(settings?.index).toMatchObject({ auto_expand_replicas: "0-1", number_of_shards: "1" });
  } finally {
    await there.close();
    await here.close();
  }
});

it("is not made half where the cluster lacks IK, or nested vectors", async () => {
  let version = "8.17.4";
  cluster = await fakeCluster(engine, ({ path }) => {
    if (path === "/") return { body: { version: { number: version } } };
    if (path === "/_analyze") return { status: 400, body: { error: { type: "illegal_argument_exception" } } };
    return undefined;
  });
  const options = { elasticsearch: cluster.url };
  await expect(openCollection("a", { ...options, analysis: "ik" })).rejects.toMatchObject({ code: "CLUSTER_ANALYSIS" });
  version = "8.9.0";
  await expect(openCollection("a", options)).rejects.toMatchObject({ code: "CLUSTER_VERSION" });
  expect(cluster.seen.filter(({ method }) => method === "PUT")).toEqual([]);
});

it("is in one place", async () => {
  await expect(openCollection("a", { data: folder, elasticsearch: "http://127.0.0.1:1" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});
