import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openCollection } from "../../src/collection/collection.ts";
import { bm25Of } from "../../src/collection/tuning.ts";
import { terminal } from "./fixtures.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-tune-"));
});
afterEach(() => rm(folder, { recursive: true }));

const words = [
  "amber",
  "basalt",
  "cobalt",
  "dolomite",
  "emerald",
  "feldspar",
  "garnet",
  "hematite",
  "iolite",
  "jasper",
];

/**
 * For each word a long text that speaks of it and a short one that only names it: with less regard to length (b) the long one comes first.
 */
async function longAndShort(): Promise<{ documents: string; file: string }> {
  const documents = join(folder, "set", "documents");
  await mkdir(documents, { recursive: true });
  const lines: string[] = [];
  for (const word of words) {
    const filler = Array.from({ length: 60 }, (_, i) => `mineral${i % 7}`).join(" ");
    await writeFile(join(documents, `${word}-long.md`), `${word} ${word} ${word} ${filler}`);
    await writeFile(join(documents, `${word}-short.md`), `${word} shop`);
    lines.push(JSON.stringify({ question: word, relevant: `${word}-long.md` }));
  }
  const file = join(folder, "set", "questions.jsonl");
  await writeFile(file, lines.join("\n"));
  return { documents, file };
}

test("a gain is shown on questions that had no part in the choice, written to the configuration, and the index changed", async () => {
  const { documents, file } = await longAndShort();
  const data = join(folder, "data");
  const collection = await openCollection("documents", { data });
  await collection.add(documents);
  await collection.close();
  const config = join(folder, "huiliu.config.yaml");
  await writeFile(config, "# ours\ncollection: documents # the only one\n");
  const { context, out, err } = terminal();
  const report = join(folder, "tuning.html");
  const args = ["tune", file, "--data", data, "--config", config, "--strategy", "bm25", "-p", "bm25.b=0,0.5", "-q"];
  const code = await main([...args, "--measure", "hit@1", "--write", "--report", report], {
    ...context,
    openCollection,
  });
  expect(code, err()).toBe(0);
  expect(out()).toMatch(/^A gain: hit@1 0\.000 → 1\.000 on questions that had no part in the choice/);
  expect(out()).toContain("Best over all questions: bm25.b 0.");
  expect(err()).toContain("the index has the new k1 and b");
  expect(await readFile(report, "utf8")).toContain("<h2>Tuning on questions.jsonl</h2>");
  const written = await readFile(config, "utf8");
  expect(written).toContain("collection: documents # the only one");
  expect(written).toMatch(/bm25:\n +b: 0\n/);
  const again = await openCollection("documents", { data, readOnly: true });
  try {
    expect(await bm25Of(again.client, "documents")).toEqual({ k1: 1.2, b: 0 });
    const [first] = await again.search("jasper", { strategy: "bm25" });
    expect(first!.node.metadata["file"]).toMatch(/jasper-long\.md$/);
  } finally {
    await again.close();
  }
});

test("what is within noise is said to be, and not written", async () => {
  const { file } = await longAndShort();
  const config = join(folder, "c.yaml");
  await writeFile(config, "");
  const { context, out, err } = terminal();
  const args = [
    "tune",
    join(file, ".."),
    "--config",
    config,
    "--strategy",
    "bm25",
    "-p",
    "bm25.k1=1.1,1.2",
    "-q",
    "--write",
  ];
  expect(await main([...args, "--folds", "2"], context), err()).toBe(0);
  expect(out()).toMatch(/^No gain is shown/);
  expect(err()).toBe("nothing is written: no gain is shown\n");
  expect(await readFile(config, "utf8")).toBe("");
});

test("what is configured holds for searches: strategy, its options, and weights of fields", async () => {
  const { documents } = await longAndShort();
  const data = join(folder, "data");
  const config = join(folder, "c.yaml");
  await writeFile(
    config,
    "search:\n  strategy: phrase\n  options: {slop: 3}\n  bm25: {b: 0}\n  passages: {size: 32, overlap: 0}\n",
  );
  const { context, out, err } = terminal();
  const real = { ...context, openCollection };
  expect(await main(["add", documents, "--data", data, "--config", config, "-q"], real), err()).toBe(0);
  expect(await main(["search", "amber shop", "--data", data, "--config", config, "--json"], real), err()).toBe(0);
  const { strategy, hits } = JSON.parse(out()) as { strategy: string; hits: { file: string }[] };
  expect(strategy).toBe("phrase");
  expect(hits.map((hit) => hit.file.replace(/.*\//, ""))).toEqual(["amber-short.md"]);
  const collection = await openCollection("documents", { data, readOnly: true });
  try {
    // Long texts are several passages now.
    expect((await collection.status()).passages).toBeGreaterThan(2 * words.length);
    expect(await bm25Of(collection.client, "documents")).toEqual({ k1: 1.2, b: 0 });
  } finally {
    await collection.close();
  }
});

test.each([
  [["-p", "bm25.b"], 'the parameter "bm25.b" must be NAME=VALUES'],
  [["-p", "bm25.q=1,2"], 'unknown parameter "bm25.q"'],
  [["-p", "bm25.b=0..1"], "range without a step"],
  [["-p", "bm25.b=0,1", "-p", "bm25.b=0,1"], "bm25.b is given twice"],
  [["--strategy", "phrase"], "say what of phrase is tuned"],
  [["--strategy", "bm52"], 'unknown strategy "bm52"'],
  [["--strategy", "phrase", "-p", "slip=1,2"], 'no option "slip"'],
  [["-p", "passages.size=20", "-p", "passages.overlap=30"], "chunkOverlap must be"],
])("%j is a mistake in the command", async (more, message) => {
  const { file } = await longAndShort();
  const { context, err } = terminal();
  expect(await main(["tune", join(file, ".."), "-q", ...more], context)).toBe(2);
  expect(err()).toContain(message);
});
