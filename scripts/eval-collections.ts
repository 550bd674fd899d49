/**
 * Retrieval quality on test collections in BEIR's layout (a folder with corpus.jsonl, queries.jsonl and qrels.tsv), for each strategy.
 *
 *   npm run eval:collections -- FOLDER... [--json] [--strategy NAME]... [--check FILE]
 *
 * `--check` names a JSON file with the least nDCG@10 of hybrid for each collection, such as { "xquad-zh": 0.96 }. A value below it ends the
 * run with exit code 1; collections that the file does not name are not checked. Only hybrid is measured then, unless strategies are named.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openCollection } from "../src/collection/collection.ts";
import { beirDocuments, beirQrels, beirQuestions, evaluateRun, runQuestions } from "../src/evaluation/index.ts";
import { fourDigits, MEASURED, type MeasuredStrategy, numbersTable } from "./lib/report.ts";

const MEASURES = ["ndcg@10", "mrr@10", "recall@10", "recall@100"];
type Values = Record<string, number>;
type Thresholds = Record<string, number>;

async function evaluate(folder: string, strategies: readonly MeasuredStrategy[]): Promise<Record<string, Values>> {
  const data = await mkdtemp(join(tmpdir(), "huiliu-eval-"));
  const [questions, qrels] = await Promise.all([beirQuestions(folder), beirQrels(folder)]);
  const collection = await openCollection("corpus", { data });
  try {
    const { failed } = await collection.addDocuments(beirDocuments(folder));
    if (failed.length > 0) throw failed[0]!.error;
    const report: Record<string, Values> = {};
    for (const strategy of strategies) {
      const judged = questions.filter(({ id }) => qrels.has(id));
      const run = await runQuestions(collection, judged, { strategy, depth: 100 });
      report[strategy] = evaluateRun(qrels, run, MEASURES);
    }
    return report;
  } finally {
    await collection.close();
    await rm(data, { recursive: true, force: true });
  }
}

/** What is below its threshold, in words. */
function shortfall(name: string, report: Record<string, Values>, thresholds: Thresholds): string | undefined {
  const least = thresholds[name];
  if (least === undefined) return undefined;
  const actual = report["hybrid"]?.["ndcg@10"];
  if (actual !== undefined && actual >= least) return undefined;
  return `${name}: nDCG@10 of hybrid is ${actual === undefined ? "not measured" : fourDigits(actual)}; ${least} is required`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    strategy: { type: "string", multiple: true },
    check: { type: "string" },
  },
});
const wanted: readonly string[] = values.strategy ?? (values.check ? ["hybrid"] : MEASURED);
const strategies = MEASURED.filter((name) => wanted.includes(name));
if (positionals.length === 0 || strategies.length < new Set(wanted).size) {
  console.error("usage: npm run eval:collections -- FOLDER... [--json] [--strategy NAME]... [--check FILE]");
  process.exit(2);
}
const thresholds: Thresholds = values.check ? JSON.parse(await readFile(values.check, "utf8")) : {};
const reports: Record<string, Record<string, Values>> = {};
for (const folder of positionals) {
  const name = basename(resolve(folder));
  const report = await evaluate(folder, strategies);
  reports[name] = report;
  if (!values.json) {
    const rows = strategies.map((strategy) => ({
      name: strategy,
      values: MEASURES.map((measure) => report[strategy]![measure]!),
    }));
    console.log(`${numbersTable(name, MEASURES, rows, fourDigits)}\n`);
  }
  const below = shortfall(name, report, thresholds);
  if (below === undefined) continue;
  console.error(below);
  process.exitCode = 1;
}
if (values.json) console.log(JSON.stringify(reports));
