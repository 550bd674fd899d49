/** Metadata of files that agree about nothing. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import type { Collection, FileOutcome } from "../../src/collection/types.ts";
import { document, type Metadata } from "../../src/schema/index.ts";

let folder: string;
let collection: Collection;
const options = () => ({ data: join(folder, "data") });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-metadata-"));
  collection = await openCollection("documents", options());
});
afterEach(async () => {
  await collection.close();
  await rm(folder, { recursive: true, force: true });
});

const CLASHING: Metadata[] = [
  { author: "Bob" },
  { "author.name": "Ann" },
  { author: { name: "Cid", mail: null } },
  { author: ["Dan", { name: "Eve" }] },
  { place: { city: "Rome" } },
  { place: "Rome" },
  { place: [null, { city: "Oslo" }] },
  { place: null },
  { level: 3 },
  { level: "high" },
  { level: true },
  { draft: true },
  { draft: "perhaps" },
  { draft: [false, "no", 5] },
  { big: 1e20 },
  { big: 12345678901234 },
  { day: "2024-01-01" },
  { day: "some day" },
  { "": "x", " ": "x", "a..b": 1, ".": 1, "e.": 1, "x. .y": 2 },
  { ["k".repeat(3000)]: "long name" },
  Object.fromEntries([[Array.from({ length: 40 }, () => "d").join("."), "deep"]]),
  { list: [[1, [2]], []], empty: {}, none: [] },
  { empty: 1 },
  { 作者: "鲍勃" },
  { text: "long ".repeat(20_000) },
];

const documents = (all: Metadata[]) =>
  all.map((metadata, i) => document({ id: `d${i}`, text: `Text number ${i}.`, metadata }));

it.each([
  ["in this order", CLASHING],
  ["in the other", [...CLASHING].reverse()],
])("no document is lost, and each passage has its own metadata: %s", async (_, all) => {
  const outcomes: FileOutcome[] = [];
  const result = await collection.addDocuments(documents(all), { onFile: (outcome) => outcomes.push(outcome) });
  expect(result.failed.map(({ file, error }) => `${file}: ${error.message}`)).toEqual([]);
  expect(result.added).toBe(all.length);
  const hits = await collection.search("text number", { topK: 100, strategy: "bm25" });
  expect(hits).toHaveLength(all.length);
  for (const { node } of hits) {
    const i = Number(/\d+/.exec(node.text)![0]);
    expect(node.metadata).toMatchObject(JSON.parse(JSON.stringify(all[i])));
  }
  expect(outcomes.filter(({ unfiltered }) => unfiltered).length).toBeGreaterThan(3);
});

it("what came first decides, in later runs too; filters find what fits", async () => {
  await collection.addDocuments(documents([{ author: "Bob", level: 3, draft: true }]));
  await collection.close();
  collection = await openCollection("documents", options());
  const outcomes: FileOutcome[] = [];
  const late = document({ id: "late", text: "Late.", metadata: { author: { name: "Ann" }, level: "3a", draft: "no" } });
  await collection.addDocuments([late], { onFile: (outcome) => outcomes.push(outcome) });
  expect(outcomes).toMatchObject([{ file: "late", outcome: "added", unfiltered: ["author"] }]);
  const found = async (key: string, value: string | number | boolean) =>
    (await collection.search("text late", { filters: { filters: [{ key, value }] } })).map(({ node }) => node.text);
  expect(await found("author", "Bob")).toEqual(["Text number 0."]);
  expect(await found("level", 3)).toEqual(["Text number 0."]);
  expect(await found("level", "3a")).toEqual(["Late."]);
  expect(await found("draft", true)).toEqual(["Text number 0."]);
  expect(await found("draft", "no")).toEqual(["Late."]);
});

it("names without end do not fill the index", async () => {
  const all = Array.from({ length: 40 }, (_, i) =>
    Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`name ${i} ${k}`, `value ${k}`])),
  );
  expect(await collection.addDocuments(documents(all))).toMatchObject({ added: 40, failed: [] });
  // Each knows its own all the same.
  const [hit] = await collection.search("number 39", { topK: 1, strategy: "bm25" });
  expect(hit!.node.metadata).toMatchObject(all[39]!);
});

it("files whose front matter clashes are all indexed", async () => {
  await mkdir(join(folder, "docs"));
  const files = [
    "author: Bob",
    "author:\n  name: Bob",
    "author:\n  - Bob\n  - Ann",
    "author: {first: {name: Bob}}",
    "author: 5",
  ];
  for (const [i, front] of files.entries())
    await writeFile(join(folder, "docs", `${i}.md`), `---\n${front}\n---\n\nSome text.\n`);
  expect(await collection.add(join(folder, "docs"))).toMatchObject({ added: files.length, failed: [] });
});
