/**
 * Writes the table of docs/evaluation.md: every strategy on test collections, hybrid against its parts, and why where it is no better.
 *
 *   npm run docs:evaluation -- FOLDER... [--strategies LIST] [--sample NUMBER] [--resume FILE] [--report FILE]
 *
 * What was found is kept in the file that `--resume` names, so that a long run goes on where it was stopped.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  collectionSearches,
  type ExperimentResult,
  evaluationReport,
  fileRunCache,
  indexedInMemory,
  indexFingerprint,
  openTestCollection,
  reportHtml,
  runExperiment,
} from "../src/evaluation/index.ts";
import { seededRandom, shuffled } from "../src/evaluation/random.ts";
import { comparisonSentence, whyNotBetter } from "../src/evaluation/report/findings.ts";

const PAGE = new URL("../docs/evaluation.md", import.meta.url);
const [BEGIN, END] = ["<!-- table -->", "<!-- /table -->"];
const MEASURES = ["ndcg@10", "mrr@10", "recall@10", "recall@100"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strategies: { type: "string", default: "all" },
    sample: { type: "string" },
    resume: { type: "string" },
    report: { type: "string" },
  },
});
if (positionals.length === 0) {
  console.error(
    "usage: npm run docs:evaluation -- FOLDER... [--strategies LIST] [--sample NUMBER] [--resume FILE] [--report FILE]",
  );
  process.exit(2);
}
const sample = values.sample === undefined ? Number.POSITIVE_INFINITY : Number(values.sample);
const experiments: ExperimentResult[] = [];
for (const folder of positionals) {
  const test = await openTestCollection(folder);
  const chosen = new Set(shuffled(test.questions, seededRandom(1)).slice(0, sample));
  const memory = await indexedInMemory(test);
  try {
    const { result } = await runExperiment({
      ...test,
      questions: test.questions.filter((question) => chosen.has(question)),
      strategies: collectionSearches(memory.collection, values.strategies),
      measures: MEASURES,
      ...(values.resume === undefined
        ? {}
        : {
            cache: {
              runs: await fileRunCache(values.resume),
              fingerprint: await indexFingerprint(test, memory.collection),
            },
          }),
    });
    experiments.push(result);
    console.error(`${test.name}: ${result.questions.length} questions`);
  } finally {
    await memory.close();
  }
}
const page = await readFile(PAGE, "utf8");
const table = tableOf(experiments);
await writeFile(
  PAGE,
  `${page.slice(0, page.indexOf(BEGIN) + BEGIN.length)}\n\n${table}\n${page.slice(page.indexOf(END))}`,
);
if (values.report !== undefined) await writeFile(values.report, reportHtml(evaluationReport({ experiments })));

function tableOf(results: readonly ExperimentResult[]): string {
  const measure = MEASURES[0]!;
  const names = results[0]!.strategies.map(({ name }) => name);
  const rows = names.map((name) => {
    const cells = results.map(({ strategies }) => {
      const best = Math.max(...strategies.map((strategy) => strategy.measures[measure]!.mean));
      const { mean, low, high } = strategies.find((strategy) => strategy.name === name)!.measures[measure]!;
      const shown = mean === best ? `**${mean.toFixed(3)}**` : mean.toFixed(3);
      return `${shown} ±${((high - low) / 2).toFixed(3)}`;
    });
    return `| \`${name}\` | ${cells.join(" | ")} |`;
  });
  const titles = results.map(({ name, questions }) => `${name} (${questions.length})`);
  const against = results.flatMap((result) => [
    `\n**${result.name}**\n`,
    ...result.parts
      .filter(({ b }) => b === "hybrid")
      .map((comparison) => {
        const why = whyNotBetter(result, comparison);
        return `- ${comparisonSentence(comparison)}.${why === undefined ? "" : ` Why: ${why}.`}`;
      }),
  ]);
  return [
    `nDCG@10, with half the width of the 95 % interval; in brackets the number of questions:\n`,
    `| strategy | ${titles.join(" | ")} |`,
    `|---|${titles.map(() => "---:").join("|")}|`,
    ...rows,
    "\n### Hybrid against its parts\n",
    ...aboveBoth(results),
    ...against,
    "",
  ].join("\n");
}

/** On which collections hybrid's mean is above both parts' (whether or not that is shown to be more than chance). */
function aboveBoth(results: readonly ExperimentResult[]): string[] {
  const compared = results.filter(({ parts }) => parts.some(({ b }) => b === "hybrid"));
  const above = ({ parts }: ExperimentResult) => parts.filter(({ b }) => b === "hybrid").every(({ mean }) => mean > 0);
  const names = (list: readonly ExperimentResult[]) => list.map(({ name }) => name).join(", ");
  const below = compared.filter((result) => !above(result));
  const not = below.length === 0 ? "" : `; not on ${names(below)}`;
  return [`The mean of hybrid is above both its parts' on ${names(compared.filter(above)) || "none"}${not}.`];
}
