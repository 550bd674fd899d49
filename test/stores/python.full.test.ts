/**
 * One index, two libraries: what Python's LlamaIndex writes with its ElasticsearchStore is read here, and the reverse, on a cluster
 * (HUILIU_ELASTICSEARCH names its address). Runs where a Python is found that can install `test/clients/python/requirements.txt`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@elastic/elasticsearch";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { document, type Node, randomId, textNode } from "../../src/schema/index.ts";
import { elasticsearchStore } from "../../src/stores/index.ts";
import { mockEmbeddingModel } from "../../src/testing.ts";
import { findPython, installed, type Python, runScript } from "../clients/python/python.ts";
import { anyMetadata } from "./filters.ts";

const url = process.env["HUILIU_ELASTICSEARCH"];
const folder = mkdtempSync(join(tmpdir(), "huiliu-both-ways-"));
const index = `huiliu-both-${randomId()}`;
const client = new Client({ node: url ?? "http://127.0.0.1:9200" });
let why = url === undefined ? "HUILIU_ELASTICSEARCH is not set" : "";
let python: Python;

beforeAll(() => {
  if (why !== "") return;
  const found = findPython();
  if (found === undefined || found.version < 310)
    why = "no Python of version 3.10 or later with pip and venv was found";
  else {
    const ready = installed(found, join(folder, "venv"));
    if (typeof ready === "string") why = `pip could not install requirements.txt: ${ready}`;
    else python = ready;
  }
  if (why !== "") console.warn(`Python and Huiliu over one index are not tested: ${why}`);
}, 600_000);
afterAll(async () => {
  if (url !== undefined) {
    const names = ["a", "b", "c", "c.files", "d", "d.files"].map((name) => `${index}-${name}`);
    await client.indices.delete({ index: names, ignore_unavailable: true });
  }
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Plain {
  id: string;
  text: string;
  metadata: unknown;
  excluded: string[];
  relationships: Record<string, string>;
  embedding?: number[];
}

interface Asked {
  query: string;
  embedding?: number[];
  topK: number;
  filters?: Record<string, string>;
}

interface Got {
  nodes: Plain[];
  answers: string[][];
}

/** What Python does with the index, or finds there. */
function inPython(
  context: TestContext,
  name: string,
  strategy: "dense" | "bm25",
  work: { write?: Plain[]; ids?: string[]; queries?: Asked[] },
): Got {
  if (why !== "") context.skip(why);
  const file = join(folder, "work.json");
  writeFileSync(file, JSON.stringify(work));
  const args = ["--url", url!, "--index", name, "--strategy", strategy, "--work", file];
  return runScript(python, "both_ways.py", args) as unknown as Got;
}

/** A node in the words that both sides have. */
function plain(node: Node): Plain {
  const relationships = Object.fromEntries(
    (["source", "previous", "next"] as const).flatMap((kind) => {
      const other = node.relationships[kind];
      return other ? [[kind, other.id]] : [];
    }),
  );
  const { id, text, metadata, excludedEmbedMetadataKeys: excluded } = node;
  return { id, text, metadata, excluded: [...excluded], relationships };
}

const byId = (nodes: Plain[]) => [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1));
const TEXTS = [
  "员工每年有年休假五天 😀",
  "Annual leave\n\nis five days.",
  "  both ends  ",
  "年休假 and leave",
  'a\\b "c" \u2028 d',
];

function somePlain(n: number, prefix: string): Plain[] {
  return fc.sample(anyMetadata, { numRuns: n, seed: 7 }).map((metadata, i) => ({
    id: `${prefix}${i}`,
    text: `${TEXTS[i % TEXTS.length]} ${i}`,
    metadata: { ...metadata, language: i % 2 ? "en" : "zh" },
    excluded: i % 3 ? [] : ["language"],
    relationships: {
      source: `doc${i % 4}`,
      ...(i > 0 ? { previous: `${prefix}${i - 1}` } : {}),
      ...(i + 1 < n ? { next: `${prefix}${i + 1}` } : {}),
    },
    embedding: [Math.cos(i), Math.sin(i), 0.3],
  }));
}

const withoutVectors = (nodes: Plain[]) => nodes.map(({ embedding: _, ...node }) => node);
const QUERIES: Asked[] = [
  { query: "leave", embedding: [0.2, 1, 0.1], topK: 5 },
  { query: "leave", embedding: [-1, 0.5, 0.1], topK: 7, filters: { language: "en" } },
  { query: "leave", embedding: [1, 0, 0], topK: 3, filters: { language: "none" } },
];

async function asked(
  store: ReturnType<typeof elasticsearchStore>,
  mode: "default" | "text_search",
): Promise<string[][]> {
  const answers: string[][] = [];
  for (const { filters, ...query } of QUERIES) {
    const { ids } = await store.query({ ...query, mode, ...(filters ? { filters } : {}) });
    answers.push(ids!);
  }
  return answers;
}

describe("an index of vectors", () => {
  it("that Python wrote is read here, and written on", async (context) => {
    const nodes = somePlain(30, "p");
    const name = `${index}-a`;
    const there = inPython(context, name, "dense", { write: nodes, queries: QUERIES });
    const store = elasticsearchStore({ client, index: name });
    const found = await store.getNodes({ ids: nodes.map(({ id }) => id) });
    expect(byId(found.map(plain))).toEqual(byId(withoutVectors(nodes)));
    expect(await asked(store, "default")).toEqual(there.answers);
    expect((await asked(store, "text_search"))[0]!.length).toBe(5);
    await store.add([{ node: textNode({ id: "t1", text: "from here" }), embedding: Float32Array.from([0.2, 1, 0.1]) }]);
    await store.delete("doc1");
    const left = inPython(context, name, "dense", { ids: [...nodes.map(({ id }) => id), "t1"], queries: QUERIES });
    expect(left.nodes.map(({ id }) => id).sort()).toEqual(
      [...nodes.filter(({ relationships }) => relationships["source"] !== "doc1").map(({ id }) => id), "t1"].sort(),
    );
    expect(left.answers[0]![0]).toBe("t1");
    expect(await asked(store, "default")).toEqual(left.answers);
  });

  it("that was written here is read by Python, and written on", async (context) => {
    if (why !== "") context.skip(why);
    const nodes = somePlain(30, "t");
    const name = `${index}-b`;
    const store = elasticsearchStore({ client, index: name });
    await store.add(
      nodes.map(({ excluded, relationships, embedding, ...node }) => ({
        node: textNode({
          ...(node as { id: string; text: string; metadata: Record<string, string> }),
          excludedEmbedMetadataKeys: excluded,
          relationships: Object.fromEntries(Object.entries(relationships).map(([kind, id]) => [kind, { id }])),
        }),
        embedding: Float32Array.from(embedding!),
      })),
    );
    const there = inPython(context, name, "dense", { ids: nodes.map(({ id }) => id), queries: QUERIES });
    expect(byId(there.nodes)).toEqual(byId(withoutVectors(nodes)));
    expect(there.answers).toEqual(await asked(store, "default"));
    const [more] = somePlain(1, "p");
    inPython(context, name, "dense", { write: [more!] });
    expect((await store.getNodes({ ids: ["p0"] })).map(plain)).toEqual(withoutVectors([more!]));
  });
});

describe("a collection", () => {
  const documents = TEXTS.map((text, i) =>
    document({ id: `d${i}`, text, metadata: { language: i % 2 ? "en" : "zh" } }),
  );

  it("with a vector for each passage is read by Python", async (context) => {
    if (why !== "") context.skip(why);
    const embedding = mockEmbeddingModel({ dimensions: 8 });
    const collection = await openCollection(`${index}-c`, { elasticsearch: url!, embedding });
    await collection.addDocuments(documents);
    const hits = await collection.search("leave", { strategy: "dense", topK: 5 });
    const [vector] = await embedding.embed(["leave"], { kind: "query" });
    const queries = [{ query: "leave", embedding: Array.from(vector!), topK: 5 }];
    const there = inPython(context, `${index}-c`, "dense", { ids: hits.map(({ node }) => node.id), queries });
    expect(byId(there.nodes)).toEqual(byId(hits.map(({ node }) => plain(node))));
    expect(there.answers).toEqual([hits.map(({ node }) => node.id)]);
    await collection.close();
  });

  it("with vectors of sentences is read by Python, by its words", async (context) => {
    if (why !== "") context.skip(why);
    const collection = await openCollection(`${index}-d`, { elasticsearch: url! });
    await collection.addDocuments(documents);
    const hits = await collection.search("leave 年休假", { topK: 5 });
    const there = inPython(context, `${index}-d`, "bm25", {
      ids: hits.map(({ node }) => node.id),
      queries: [{ query: "leave", topK: 5, filters: { language: "en" } }],
    });
    expect(byId(there.nodes)).toEqual(byId(hits.map(({ node }) => plain(node))));
    expect(there.answers[0]!.length).toBe(2);
    await collection.close();
  });
});
