/**
 * Retrieval quality on test collections (folders in BEIR's layout, or with questions.jsonl beside their documents), for each strategy.
 *
 *   npm run eval:collections -- FOLDER... [--json] [--strategies LIST] [--check FILE]
 *
 * `--check` names a JSON file with the least nDCG@10 of hybrid for each collection, such as { "xquad-zh": 0.96 }. A value below it ends the
 * run with exit code 1; collections that the file does not name are not checked. Only hybrid is measured then, unless strategies are named.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  collectionSearches,
  evaluateRun,
  indexedInMemory,
  openTestCollection,
  runQuestions,
} from "../src/evaluation/index.ts";
import { fourDigits, MEASURED, numbersTable } from "./lib/report.ts";

const MEASURES = ["ndcg@10", "mrr@10", "recall@10", "recall@100"];
type Values = Record<string, number>;
type Thresholds = Record<string, number>;

/** Strategy → its means, and the name of the collection. */
async function evaluate(folder: string, strategies: string): Promise<{ name: string; report: Record<string, Values> }> {
  const test = await openTestCollection(folder);
  const { collection, close } = await indexedInMemory(test);
  try {
    const report: Record<string, Values> = {};
    for (const strategy of collectionSearches(collection, strategies)) {
      const run = await runQuestions({ search: strategy.search! }, test.questions, { documentOf: test.documentOf });
      report[strategy.name] = evaluateRun(test.qrels, run, MEASURES);
    }
    return { name: test.name, report };
  } finally {
    await close();
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
    strategies: { type: "string" },
    check: { type: "string" },
  },
});
if (positionals.length === 0) {
  console.error("usage: npm run eval:collections -- FOLDER... [--json] [--strategies LIST] [--check FILE]");
  process.exit(2);
}
const strategies = values.strategies ?? (values.check ? "hybrid" : MEASURED.join(","));
const thresholds: Thresholds = values.check ? JSON.parse(await readFile(values.check, "utf8")) : {};
const reports: Record<string, Record<string, Values>> = {};
for (const folder of positionals) {
  const { name, report } = await evaluate(folder, strategies);
  reports[name] = report;
  if (!values.json) {
    const rows = Object.entries(report).map(([strategy, means]) => ({
      name: strategy,
      values: MEASURES.map((measure) => means[measure]!),
    }));
    console.log(`${numbersTable(name, MEASURES, rows, fourDigits)}\n`);
  }
  const below = shortfall(name, report, thresholds);
  if (below === undefined) continue;
  console.error(below);
  process.exitCode = 1;
}
if (values.json) console.log(JSON.stringify(reports));
