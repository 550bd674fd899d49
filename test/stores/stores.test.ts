import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { document, InvalidArgumentError, nodeHash, relatedNode, textNode } from "../../src/schema/index.ts";
import { loadStorageContext, memoryDocstore, simpleVectorStore, storageContext } from "../../src/stores/index.ts";

const doc = document({ id: "d", text: "Hello. World", metadata: { a: 1 } });
const node = (id: string, metadata = {}, source = doc) =>
  textNode({ id, text: id, metadata, relationships: { source: relatedNode(source) } });

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function folder(): string {
  folders.push(mkdtempSync(join(tmpdir(), "stores-")));
  return folders.at(-1)!;
}

describe("the simple vector store", () => {
  it("finds the nearest, filters, and forgets what is deleted", async () => {
    const store = simpleVectorStore();
    await store.add([
      { node: node("x", { level: "a" }), embedding: [1, 0] },
      { node: node("y", { level: "b" }), embedding: [0.8, 0.6] },
      { node: node("z", { level: "b" }, document({ id: "e", text: "" })), embedding: [0, 1] },
    ]);
    const ask = (more: object) => store.query({ embedding: [1, 0], topK: 10, mode: "default", ...more });
    expect(await ask({})).toEqual({ ids: ["x", "y", "z"], similarities: [1, 0.8, 0] });
    expect((await ask({ filters: { level: "b" } })).ids).toEqual(["y", "z"]);
    expect((await ask({ docIds: ["e"] })).ids).toEqual(["z"]);
    expect((await ask({ nodeIds: [] })).ids).toEqual([]);
    await store.deleteNodes({ filters: { level: "b" }, ids: ["y"] });
    await store.deleteNodes({});
    await store.delete("e");
    expect((await ask({})).ids).toEqual(["x"]);
    await store.clear();
    expect(store.size).toBe(0);
  });

  it("picks with mmr what is unlike everything that was picked", async () => {
    const store = simpleVectorStore();
    await store.add([
      { node: node("best"), embedding: [1, 0.1, 0] },
      { node: node("other"), embedding: [0.5, 0, 1] },
      { node: node("twin"), embedding: [1, 0.11, 0] },
    ]);
    const { ids } = await store.query({ embedding: [1, 0, 0], topK: 3, mode: "mmr", mmrThreshold: 0.4 });
    expect(ids).toEqual(["best", "other", "twin"]);
  });

  it("refuses other modes, nothing to compare, and vectors of another length", async () => {
    const store = simpleVectorStore();
    await store.add([{ node: node("x"), embedding: [1, 0] }]);
    await expect(store.query({ embedding: [1, 0], topK: 1, mode: "hybrid" })).rejects.toThrow(InvalidArgumentError);
    await expect(store.query({ topK: 1, mode: "default" })).rejects.toThrow(/nothing to compare/);
    await expect(store.query({ embedding: [1], topK: 1, mode: "default" })).rejects.toThrow(/cannot be compared/);
    await expect(store.add([{ node: node("y") }])).rejects.toThrow(/no vector/);
  });
});

describe("the docstore", () => {
  it("knows nodes by document, and hashes of both", async () => {
    const docstore = memoryDocstore();
    await docstore.add([node("x"), node("y"), doc]);
    expect(await docstore.refDoc("d")).toEqual({ nodeIds: ["x", "y"], metadata: { a: 1 } });
    expect(await docstore.hashes()).toEqual(new Map([["d", nodeHash(doc)]]));
    expect((await docstore.get(["y", "none", "x"])).map((item) => item.id)).toEqual(["y", "x"]);
    await docstore.delete(["x"]);
    expect((await docstore.refDoc("d"))?.nodeIds).toEqual(["y"]);
    await docstore.deleteRefDoc("d");
    expect(docstore.size).toBe(0);
    expect(await docstore.hash("d")).toBeUndefined();
  });
});

describe("a storage folder", () => {
  it("holds the files that Python persists, and is loaded as it was", async () => {
    const path = folder();
    const storage = storageContext();
    const stored = node("x", { level: "员工" });
    await storage.docstore.add([stored]);
    await storage.docstore.setHash("d", nodeHash(doc));
    await storage.store.add([{ node: stored, embedding: [0.5, 0.5] }]);
    storage.indices.set("i", { indexId: "i", nodesDict: new Map([["x", "x"]]) });
    await storage.persist(path);
    expect(readdirSync(path).sort()).toEqual([
      "default__vector_store.json",
      "docstore.json",
      "graph_store.json",
      "image__vector_store.json",
      "index_store.json",
    ]);
    const again = await loadStorageContext(path);
    expect(again.indices).toEqual(storage.indices);
    expect(await again.docstore.get(["x"])).toEqual([stored]);
    expect(await again.docstore.hashes()).toEqual(await storage.docstore.hashes());
    const found = await again.store.query({ embedding: [1, 1], topK: 1, mode: "default", filters: { level: "员工" } });
    expect(found.ids).toEqual(["x"]);
    const written = JSON.parse(readFileSync(join(path, "docstore.json"), "utf8"));
    expect(written["docstore/data"].x).toMatchObject({ __type__: "1", __data__: { id_: "x", class_name: "TextNode" } });
    expect(written["docstore/metadata"].x).toEqual({ doc_hash: nodeHash(stored), ref_doc_id: "d" });
  });

  it("that is damaged is named", async () => {
    const path = folder();
    await storageContext().persist(path);
    writeFileSync(join(path, "docstore.json"), "{");
    await expect(loadStorageContext(path)).rejects.toThrow(/docstore\.json is not JSON/);
  });
});
