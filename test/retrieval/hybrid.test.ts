import type { Client, estypes } from "@elastic/elasticsearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { nodeToSource } from "../../src/elasticsearch/layout.ts";
import { bm25Retriever, fusionRetriever, hybridRetriever, vectorRetriever } from "../../src/retrieval/index.ts";
import { type EmbeddingModel, textNode } from "../../src/schema/index.ts";

const WORDS = ["leave", "annual", "sick", "pay", "form", "days", "员工", "病假"];
/** A direction for each word. */
const embedding: EmbeddingModel = {
  name: "words",
  dimensions: WORDS.length,
  similarity: "cosine",
  embed: async (texts) => texts.map((text) => Float32Array.from(WORDS, (word) => (text.includes(word) ? 1 : 0))),
};

let engine: Engine;
let client: Client;
/** Bodies of the searches sent. */
const sent: estypes.SearchRequest[] = [];

beforeAll(async () => {
  engine = await openEngine();
  client = engine.client();
  client.diagnostic.on("request", (_, event) => {
    const { path, body } = event!.meta.request.params;
    if (path.includes("_search")) sent.push(JSON.parse(String(body)));
  });
  await client.indices.create({
    index: "p",
    mappings: {
      properties: {
        content: { type: "text" },
        embedding: { type: "dense_vector", dims: WORDS.length, index_options: { type: "flat" } },
      },
    },
  });
  const texts = Array.from({ length: 60 }, (_, i) =>
    // Each third passage repeats the content of others.
    i % 3 === 0 ? `leave ${WORDS[(i / 3) % 4]}` : WORDS.filter((_, w) => (i * 7 + w * w) % 5 < 2).join(" "),
  );
  const embeddings = await embedding.embed(texts, { kind: "document" });
  await client.bulk({
    index: "p",
    refresh: true,
    operations: texts.flatMap((text, i) => [
      { index: { _id: `p${i}` } },
      nodeToSource(
        textNode({ id: `p${i}`, text, metadata: { file: i % 3 === 0 ? "same.md" : `${i}.md`, even: i % 2 === 0 } }),
        embeddings[i]!.some((value) => value > 0) ? { embedding: Array.from(embeddings[i]!) } : {},
      ),
    ]),
  });
});
afterAll(() => engine.close());

const target = () => ({ client, index: "p", embedding });

describe.each(["reciprocal_rerank", "relative_score", "simple"] as const)("hybrid retrieval, %s", (mode) => {
  it("finds what fusing whole nodes finds, each content once", async () => {
    const weights = mode === "relative_score" ? { weights: { bm25: 0.7, dense: 0.3 } } : {};
    for (const query of ["annual leave", "sick pay form", "员工 leave", "nothing known"]) {
      const whole = fusionRetriever({
        retrievers: { bm25: bm25Retriever(target(), { topK: 60 }), dense: vectorRetriever(target(), { topK: 60 }) },
        topK: 60,
        mode,
        sameness: (node) => node.id,
        ...weights,
      });
      const seen = new Set<string>();
      const expected = (await whole.retrieve(query)).filter(({ node }) => {
        const key = `${node.text}\n${node.metadata["file"]}\n${node.metadata["even"]}`;
        return !seen.has(key) && seen.add(key);
      });
      const hybrid = hybridRetriever(target(), { topK: 12, depth: 60, mode, ...weights });
      expect(await hybrid.retrieve(query)).toEqual(expected.slice(0, 12));
    }
  });
});

describe("the requests of hybrid retrieval", () => {
  it("are two lists without sources and one for the texts of what is given", async () => {
    sent.length = 0;
    const found = await hybridRetriever(target(), { topK: 3 }).retrieve("annual sick days");
    expect(found).toHaveLength(3);
    expect(found[0]!.node.text).not.toBe("");
    expect(sent.map(({ _source, size }) => [_source, size])).toEqual([
      [false, 100],
      [false, 100],
      [{ excludes: ["embedding", "windows"] }, 3],
    ]);
    expect(sent[2]!.query).toEqual({ ids: { values: found.map(({ node }) => node.id) } });
  });
  it("carry the filters", async () => {
    const filters = { filters: [{ key: "even", value: true }] };
    const found = await hybridRetriever(target(), { topK: 20, filters }).retrieve("leave days");
    expect(found.length).toBeGreaterThan(3);
    expect(found.every(({ node }) => node.metadata["even"] === true)).toBe(true);
  });
  it("are none for nothing", async () => {
    sent.length = 0;
    expect(await hybridRetriever(target(), { topK: 0 }).retrieve("leave")).toEqual([]);
    expect(await hybridRetriever(target()).retrieve("  ")).toEqual([]);
    expect(sent).toEqual([]);
  });
  it("are few when much repeats itself", async () => {
    await client.indices.create({ index: "same", mappings: { properties: { content: { type: "text" } } } });
    const operations = Array.from({ length: 100 }, (_, i) => [
      { index: { _id: `s${i}` } },
      nodeToSource(textNode({ id: `s${i}`, text: i < 90 ? "leave" : `leave for ${i} days` })),
    ]).flat();
    await client.bulk({ index: "same", refresh: true, operations });
    sent.length = 0;
    const distinct = await hybridRetriever({ client, index: "same", embedding }, { topK: 2 }).retrieve("leave");
    expect(new Set(distinct.map(({ node }) => node.text)).size).toBe(2);
    expect(sent.length).toBeLessThan(12);
  });
});

it("what was removed between the two makes room for the next", async () => {
  const before = await hybridRetriever(target(), { topK: 5 }).retrieve("pay form");
  const gone = before[1]!.node.id;
  let searches = 0;
  const interrupted = new Proxy(client, {
    get(of, key) {
      if (key !== "search") return Reflect.get(of, key);
      return async (...args: Parameters<Client["search"]>) => {
        if (++searches === 3) await client.delete({ index: "p", id: gone, refresh: true });
        return of.search(...args);
      };
    },
  });
  const found = await hybridRetriever({ ...target(), client: interrupted }, { topK: 5 }).retrieve("pay form");
  expect(found).toHaveLength(5);
  expect(found.map(({ node }) => node.id)).not.toContain(gone);
});
