/**
 * How many of the handbook's questions find their section among the first three results (questions that need two sections: both among the
 * first five), for each strategy. Each language is an index of its own, and both together are one.
 *
 *   npm run eval:handbook [-- --json]
 *
 * Ends with exit code 1 when hybrid is below 85 % in a language.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openCollection } from "../src/collection/collection.ts";
import type { Collection } from "../src/collection/types.ts";
import { runQuestions } from "../src/evaluation/index.ts";
import type { NodeWithScore } from "../src/schema/index.ts";
import { MEASURED, type MeasuredStrategy, numbersTable, percent } from "./lib/report.ts";

interface HandbookQuestion {
  id: string;
  lang: "zh" | "en";
  question: string;
  sections: string[];
  kind: string;
}

/** Shares by kind of question; `all` is over every one. */
type Shares = Record<string, number>;

/** The goal; `--required 0.8` sets a lower bar. */
const GOAL = 0.85;
/** How many results are looked at: one section is wanted, or two. */
const FIRST = 3;
const FIRST_OF_TWO = 5;

const handbook = fileURLToPath(new URL("../examples/handbook", import.meta.url));

async function questions(): Promise<HandbookQuestion[]> {
  const text = await readFile(join(handbook, "questions.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as HandbookQuestion);
}

/** The section of a passage, with its language: `zh/annual-leave-days`. */
function sectionOf({ node }: NodeWithScore): string | undefined {
  const { file } = node.metadata;
  return typeof file === "string" ? /([^/]+\/[^/]+)\.md$/.exec(file)?.[1] : undefined;
}

function isFound(question: HandbookQuestion, ranking: readonly string[]): boolean {
  const first = new Set(ranking.slice(0, question.sections.length > 1 ? FIRST_OF_TWO : FIRST));
  return question.sections.every((section) => first.has(`${question.lang}/${section}`));
}

async function shares(collection: Collection, asked: HandbookQuestion[], strategy: MeasuredStrategy): Promise<Shares> {
  const run = await runQuestions(
    collection,
    asked.map(({ id, question }) => ({ id, text: question })),
    { strategy, depth: 20, documentOf: sectionOf },
  );
  const byKind = new Map<string, boolean[]>([["all", []]]);
  for (const question of asked) {
    const found = isFound(question, run.get(question.id) ?? []);
    byKind.get("all")!.push(found);
    byKind.set(question.kind, [...(byKind.get(question.kind) ?? []), found]);
  }
  return Object.fromEntries(
    [...byKind].map(([kind, list]) => [kind, list.filter((found) => found).length / list.length]),
  );
}

async function evaluate(): Promise<Record<string, Record<MeasuredStrategy, Shares>>> {
  const data = await mkdtemp(join(tmpdir(), "huiliu-handbook-"));
  const all = await questions();
  const report: Record<string, Record<MeasuredStrategy, Shares>> = {};
  // Paths are stored as given: relative ones keep the machine out of the index.
  const folder = (lang: string) => join(relative(process.cwd(), handbook), lang);
  const places = [
    { name: "zh", paths: [folder("zh")], asked: { zh: all.filter(({ lang }) => lang === "zh") } },
    { name: "en", paths: [folder("en")], asked: { en: all.filter(({ lang }) => lang === "en") } },
    {
      name: "both",
      paths: [folder("zh"), folder("en")],
      asked: {
        "zh in both": all.filter(({ lang }) => lang === "zh"),
        "en in both": all.filter(({ lang }) => lang === "en"),
      },
    },
  ];
  try {
    for (const { name, paths, asked } of places) {
      const collection = await openCollection(name, { data });
      try {
        const { failed } = await collection.add(paths);
        if (failed.length > 0) throw failed[0]!.error;
        for (const [title, list] of Object.entries(asked)) {
          const entries: [MeasuredStrategy, Shares][] = [];
          for (const strategy of MEASURED) entries.push([strategy, await shares(collection, list, strategy)]);
          report[title] = Object.fromEntries(entries) as Record<MeasuredStrategy, Shares>;
        }
      } finally {
        await collection.close();
      }
    }
  } finally {
    await rm(data, { recursive: true, force: true });
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
