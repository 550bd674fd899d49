import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openCollection } from "../../src/collection/collection.ts";
import { terminal } from "./fixtures.ts";

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-questions-"));
  data = join(folder, "data");
  await writeFile(
    join(folder, "leave.md"),
    "# 年休假\n\n员工入职满一年后每年享有七天带薪年休假，工作满十年的享有十天，须提前三天提出申请，由直属主管批准。",
  );
  await writeFile(
    join(folder, "sick.md"),
    "# Illness\n\nWhoever is ill for more than three days sends a doctor's certificate to the office within five days.",
  );
  const collection = await openCollection("documents", { data });
  await collection.add(["leave", "sick"].map((name) => join(folder, `${name}.md`)));
  await collection.close();
});
afterEach(() => rm(folder, { recursive: true }));

/** A configuration whose model answers by what the prompt asks for. */
async function withModel(body: string): Promise<string> {
  const config = join(folder, "c.mjs");
  await writeFile(
    config,
    `export default { model: { name: "made/up", async generate({ prompt = "", messages }) { ${body} } } };`,
  );
  return config;
}

async function run(...args: string[]) {
  const shown = terminal();
  const code = await main(args, { ...shown.context, openCollection });
  return { code, out: shown.out(), err: shown.err() };
}

test("the cost is told first; with --yes questions are written, and a second run asks nothing again", async () => {
  const config = await withModel(
    `return JSON.stringify({ questions: [/七天/.test(prompt) ? { question: "工龄十年能休几天？", answer: "十天。" } : { question: "When is a medical note due?", answer: "Within five days." }] });`,
  );
  const output = join(folder, "questions.jsonl");
  const args = ["questions", "--output", output, "--data", data, "--config", config, "-q"];
  const first = await run(...args);
  expect(first.code, first.err).toBe(0);
  expect(first.out).toMatch(
    /^This takes 2 calls of made\/up, at most \d+ tokens in and about 400 out\. With --yes it begins\.\n$/,
  );
  await expect(readFile(output)).rejects.toThrow("ENOENT");
  const second = await run(...args, "--yes");
  expect(second.out).toBe(`2 questions written to ${output}\n`);
  const lines = (await readFile(output, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ relevant }) => relevant[0].replace(/.*\//, "")).sort()).toEqual([
    "leave.md#年休假",
    "sick.md#Illness",
  ]);
  const third = await run(...args, "--yes", "--json");
  expect(JSON.parse(third.out)).toMatchObject({ type: "summary", written: 0, known: 2 });
  const evaluated = await run("eval", output, "--data", data, "--strategies", "hybrid", "--measures", "hit@1", "-q");
  expect(evaluated.out).toMatch(/hybrid +1\.0000/);
});

test("without a model writing and judging are refused with the remedy", async () => {
  const output = join(folder, "q.jsonl");
  const written = await run("questions", "--output", output, "--data", data);
  expect(written.code).toBe(1);
  expect(written.err).toContain("writing questions needs a language model: name one with --model");
  await writeFile(output, JSON.stringify({ question: "年休假几天", relevant: "leave.md" }));
  const judged = await run("eval", output, "--data", data, "--answers");
  expect(judged.err).toContain("judging answers needs a language model: name one with --model");
});

test("answers are judged beside the measures, and stand in the report", async () => {
  const config = await withModel(`
    if (messages) return "七天 [1]。";
    if (/事实陈述/.test(prompt)) return '{"claims":[{"claim":"七天","supported":true}]}';
    if (/按编号/.test(prompt)) return '{"passages":[{"number":1,"relevant":true}]}';
    if (/标准答案|多大程度/.test(prompt)) return '{"score":4,"reason":"short"}';
    return "七天 [1]。";`);
  const file = join(folder, "q.jsonl");
  await writeFile(file, JSON.stringify({ question: "年休假有几天？", relevant: "leave.md", answer: "七天" }));
  const report = join(folder, "r.html");
  const args = ["eval", file, "--data", data, "--config", config, "--strategies", "bm25", "--answers", "-q"];
  const { code, out, err } = await run(...args, "--report", report);
  expect(code, err).toBe(0);
  expect(out).toMatch(/faithfulness +1\.0000/);
  expect(out).toMatch(/answer relevancy +0\.7500/);
  expect(out).toMatch(/context relevancy +0\.5000/);
  expect(out).toMatch(/correctness +0\.7500/);
  expect(await readFile(report, "utf8")).toContain("Answers to q.jsonl");
});
