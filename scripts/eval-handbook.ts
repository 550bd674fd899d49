/**
 * How many of the handbook's questions find their section among the first three results (questions that need two sections: both among the
 * first five), for each strategy. Each language is an index of its own, and both together are one.
 *
 *   npm run eval:handbook [-- --json]
 *
 * Ends with exit code 1 when hybrid is below 85 % in a language.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Collection } from "../src/collection/types.ts";
import { indexedInMemory, openTestCollection, runQuestions, type TestCollection } from "../src/evaluation/index.ts";
import { MEASURED, type MeasuredStrategy, numbersTable, percent } from "./lib/report.ts";

/** Shares by kind of question; `all` is over every one. */
type Shares = Record<string, number>;

/** The goal; `--required 0.8` sets a lower bar. */
const GOAL = 0.85;
/** How many results are looked at: one section is wanted, or two. */
const FIRST = 3;
const FIRST_OF_TWO = 5;

const handbook = fileURLToPath(new URL("../examples/handbook", import.meta.url));

async function shares(collection: Collection, test: TestCollection, lang: string, strategy: MeasuredStrategy) {
  const asked = test.questions.filter((question) => question.lang === lang);
  const run = await runQuestions(collection, asked, { strategy, depth: 20, documentOf: test.documentOf });
  const byKind = new Map<string, boolean[]>([["all", []]]);
  for (const { id, kind = "other" } of asked) {
    const sections = [...test.qrels.get(id)!.keys()];
    const first = new Set(run.get(id)!.slice(0, sections.length > 1 ? FIRST_OF_TWO : FIRST));
    for (const name of ["all", kind])
      byKind.set(name, [...(byKind.get(name) ?? []), sections.every((section) => first.has(section))]);
  }
  return Object.fromEntries(
    [...byKind].map(([kind, list]) => [kind, list.filter((found) => found).length / list.length]),
  );
}

async function evaluate(): Promise<Record<string, Record<MeasuredStrategy, Shares>>> {
  const report: Record<string, Record<MeasuredStrategy, Shares>> = {};
  const places = [
    { folder: join(handbook, "zh"), asked: { zh: "zh" } },
    { folder: join(handbook, "en"), asked: { en: "en" } },
    { folder: handbook, asked: { "zh in both": "zh", "en in both": "en" } },
  ];
  for (const { folder, asked } of places) {
    const test = await openTestCollection(folder);
    const { collection, close } = await indexedInMemory(test);
    try {
      for (const [title, lang] of Object.entries(asked)) {
        const entries: [MeasuredStrategy, Shares][] = [];
        for (const strategy of MEASURED) entries.push([strategy, await shares(collection, test, lang, strategy)]);
        report[title] = Object.fromEntries(entries) as Record<MeasuredStrategy, Shares>;
      }
    } finally {
      await close();
    }
  }
  return report;
}

const { values } = parseArgs({ options: { json: { type: "boolean" }, required: { type: "string" } } });
const REQUIRED = values.required === undefined ? GOAL : Number(values.required);
const report = await evaluate();
if (values.json) console.log(JSON.stringify(report));
else {
  console.log("Share of the handbook's questions that find their section, in percent");
  for (const [title, byStrategy] of Object.entries(report)) {
    const kinds = Object.keys(byStrategy.hybrid);
    const rows = MEASURED.map((name) => ({ name, values: kinds.map((kind) => byStrategy[name][kind]!) }));
    console.log(`\n${numbersTable(title, kinds, rows, percent)}`);
  }
}
for (const lang of ["zh", "en"]) {
  const share = report[lang]!.hybrid["all"]!;
  if (share >= REQUIRED) continue;
  console.error(`hybrid finds ${percent(share)} % of the questions in ${lang}; ${percent(REQUIRED)} % are required`);
  process.exitCode = 1;
}
