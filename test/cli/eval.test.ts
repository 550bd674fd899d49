import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openCollection } from "../../src/collection/collection.ts";
import { readReport } from "../../web/src/api/reports.ts";
import { terminal } from "./fixtures.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-eval-"));
});
afterEach(() => rm(folder, { recursive: true }));

const texts = {
  leave: "# 年休假\n\n员工每年有七天带薪年休假。",
  sick: "# Sick leave\n\nA certificate of a hospital is needed after three days of sick leave.",
  wedding: "# 婚假\n\n结婚的员工有十天婚假。",
};
const lines = [
  { id: "a", question: "年休假有几天", relevant: "leave.md" },
  { id: "b", question: "sick leave certificate", relevant: ["sick.md#Sick leave"] },
  { id: "c", question: "婚假 几天", relevant: "wedding" },
];

async function ownCollection(): Promise<string> {
  const place = join(folder, "set");
  await mkdir(place);
  for (const [name, text] of Object.entries(texts)) await writeFile(join(place, `${name}.md`), text);
  await writeFile(join(place, "README.md"), "# About\n\n年休假有几天 sick leave certificate 婚假 几天");
  await writeFile(join(place, "questions.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  return place;
}

test("a folder of documents with questions: a table, a report, runs as trec_eval reads them", async () => {
  const place = await ownCollection();
  const { context, out, err } = terminal();
  const report = join(folder, "report.html");
  const trec = join(folder, "trec");
  const args = ["eval", place, "--strategies", "bm25,hybrid", "--measures", "mrr@10,hit@1", "--report", report];
  expect(await main([...args, "--trec", trec], context), err()).toBe(0);
  expect(out()).toMatch(/^set \(3\) +mrr@10 +hit@1\nbm25 +1\.0000 +1\.0000\nhybrid +1\.0000 +1\.0000\n/);
  expect(out()).toContain("near the ceiling: 3 of 3");
  expect(await readFile(report, "utf8")).toContain("<h2>set</h2>");
  expect(await readFile(join(trec, "set", "qrels.txt"), "utf8")).toBe(
    "a 0 leave.md 1\nb 0 sick.md#Sick%20leave 1\nc 0 wedding 1\n",
  );
  const other = terminal();
  const again = ["eval", place, "--strategies", "hybrid", "--run", join(trec, "set", "bm25.run"), "--json", "--quiet"];
  // The playground shows what is written under a name that ends in .json.
  const json = join(folder, "reports", "first.json");
  expect(await main([...again, "--report", json], other.context), other.err()).toBe(0);
  expect(readReport(JSON.parse(await readFile(json, "utf8")))).toMatchObject({ experiments: [{ name: "set" }] });
  const { experiments } = JSON.parse(other.out()) as {
    experiments: { strategies: { name: string; measures: Record<string, { mean: number }> }[] }[];
  };
  expect(experiments[0]!.strategies.map(({ name, measures }) => [name, measures["ndcg@10"]!.mean])).toEqual([
    ["hybrid", 1],
    ["bm25", 1],
  ]);
});

test("questions of a file are asked of the user's collection; names that it does not hold are told", async () => {
  const place = await ownCollection();
  const data = join(folder, "data");
  const collection = await openCollection("documents", { data });
  await collection.add(["leave", "sick"].map((name) => join(place, `${name}.md`)));
  await collection.close();
  const { context, out, err } = terminal();
  const opening = { ...context, openCollection };
  const file = join(place, "questions.jsonl");
  expect(await main(["eval", file, "--data", data, "--strategies", "bm25", "--measures", "hit@1", "-q"], opening)).toBe(
    0,
  );
  expect(out()).toContain("questions.jsonl (3)   hit@1\nbm25                 0.6667");
  expect(err()).toBe("note: not in the collection, so never found: wedding\n");
  await writeFile(file, JSON.stringify({ question: "x", relevant: "elsewhere.md" }));
  const none = terminal();
  expect(await main(["eval", file, "--data", data], { ...none.context, openCollection })).toBe(1);
  expect(none.err()).toContain("nothing that the questions ask for is in the collection");
});

test.each([
  [["--strategies", "bm52"], 'unknown strategy "bm52"'],
  [["--strategies", "bm25,,dense"], "has a strategy without a name"],
  [["--strategies", "phrase:slip=1"], "has no option"],
  [["--measures", "map,,mrr"], "It must be names with commas between"],
  [["--measures", "ndgc"], 'unknown measure "ndgc"'],
])("%j is a mistake in the command", async (more, message) => {
  const place = await ownCollection();
  const { context, err } = terminal();
  expect(await main(["eval", place, ...more], context)).toBe(2);
  expect(err()).toContain(message);
});

test("a folder that is no test collection is refused with what it lacks", async () => {
  const { context, err } = terminal();
  expect(await main(["eval", folder], context)).toBe(2);
  expect(err()).toContain("is no test collection: it needs corpus.jsonl");
});

test("a place that is not there is named", async () => {
  const { context, err } = terminal();
  expect(await main(["eval", join(folder, "nowhere")], context)).toBe(2);
  expect(err()).toMatch(/there is no file or folder .*nowhere/);
});
