/**
 * Writes the table of docs/evaluation.md: every strategy on test collections, hybrid against its parts, and why where it is no better.
 *
 *   npm run docs:evaluation -- FOLDER... [--strategies LIST] [--sample NUMBER] [--few NUMBER] [--depth NUMBER] [--resume FILE] [--report FILE]
 *
 * `--sample` is how many questions of a set are asked; `--few` how many with the strategies other than hybrid and its kin, of the same questions.
 * Passages are asked for as a search does that says nothing: ten (`--depth`). Strategies that read further do so by their own defaults.
 * What was found is kept in the file that `--resume` names, so that a long run goes on where it was stopped.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { STRATEGY_NAMES, strategyNamed } from "../src/catalogue/index.ts";
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
const MEASURES = ["ndcg@10", "mrr@10", "recall@10", "hit@3"];

const MARKS = { better: " ↑", worse: " ↓", "no difference shown": "" };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strategies: { type: "string", default: "all" },
    sample: { type: "string" },
    few: { type: "string" },
    depth: { type: "string", default: "10" },
    resume: { type: "string" },
    report: { type: "string" },
  },
});
if (positionals.length === 0) {
  console.error(
    "usage: npm run docs:evaluation -- FOLDER... [--strategies LIST] [--sample NUMBER] [--few NUMBER] [--depth NUMBER] [--resume FILE] [--report FILE]",
  );
  process.exit(2);
}
const sample = values.sample === undefined ? Number.POSITIVE_INFINITY : Number(values.sample);
const depth = Number(values.depth);
const few = values.few === undefined ? sample : Math.min(sample, Number(values.few));
/** Asked with every question of the sample: hybrid, what it is of, and what does the same otherwise. */
const KIN = ["hybrid", "bm25", "dense", "rrf", "weighted"];
const experiments: Experiment[] = [];
for (const folder of positionals) {
  const started = Date.now();
  const test = await openTestCollection(folder);
  const drawn = shuffled(test.questions, seededRandom(1));
  const memory = await indexedInMemory(test);
  try {
    const cache =
      values.resume === undefined
        ? undefined
        : { runs: await fileRunCache(values.resume), fingerprint: await indexFingerprint(test, memory.collection) };
    const searches = collectionSearches(memory.collection, values.strategies);
    const asked = async (strategies: typeof searches, most: number): Promise<ExperimentResult> => {
      const chosen = new Set(drawn.slice(0, most));
      const questions = test.questions.filter((question) => chosen.has(question));
      const { result } = await runExperiment({
        ...test,
        questions,
        strategies,
        measures: MEASURES,
        depth,
        ...(cache ? { cache } : {}),
      });
      return result;
    };
    const kin = searches.filter(({ name }) => KIN.includes(name));
    const whole = Math.min(few, drawn.length) === Math.min(sample, drawn.length) || kin.length === searches.length;
    experiments.push(
      whole
        ? { main: await asked(searches, sample) }
        : { main: await asked(kin, sample), others: await asked(searches, few) },
    );
    const { questions } = experiments.at(-1)!.main;
    console.error(`${test.name}: ${questions.length} questions, ${Math.round((Date.now() - started) / 1000)} s`);
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
if (values.report !== undefined) {
  const shown = experiments.flatMap(({ main, others }) =>
    others ? [main, { ...others, name: `${others.name}, ${few} questions` }] : [main],
  );
  await writeFile(values.report, reportHtml(evaluationReport({ experiments: shown })));
}

/** One set of questions: what every question was asked with, and where that is not all, all with some of the questions. */
interface Experiment {
  main: ExperimentResult;
  others?: ExperimentResult;
}

function tableOf(all: readonly Experiment[]): string {
  const results = all.map(({ main }) => main);
  const measure = MEASURES[0]!;
  const names = (all[0]!.others ?? all[0]!.main).strategies.map(({ name }) => name);
  const rows = names.map((name) => {
    const cells = all.map(({ main, others = main }) => {
      const result = main.strategies.some((strategy) => strategy.name === name) ? main : others;
      const best = Math.max(...result.strategies.map((strategy) => strategy.measures[measure]!.mean));
      const { mean, low, high } = result.strategies.find((strategy) => strategy.name === name)!.measures[measure]!;
      const shown = result === main && mean === best ? `**${mean.toFixed(3)}**` : mean.toFixed(3);
      const mark = MARKS[result.comparisons.find(({ b }) => b === name)?.verdict ?? "no difference shown"];
      return `${shown} ±${((high - low) / 2).toFixed(3)}${mark}${result === main ? "" : " *"}`;
    });
    return `| \`${name}\` | ${cells.join(" | ")} |`;
  });
  const left = values.strategies === "all" ? notRun(all.length) : [];
  const some = all.some(({ others }) => others) ? `; * of ${few} of the questions` : "";
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
    `nDCG@10 of the first ${depth} passages, with half the width of the 95 % interval; in brackets the number of questions; ↑ better and ↓ worse than ${results[0]!.baseline}, shown (p < 0.05 by Holm's method over the column)${some}:\n`,
    `| strategy | ${titles.join(" | ")} |`,
    `|---|${titles.map(() => "---:").join("|")}|`,
    ...rows,
    ...left,
    "\n### Hybrid against its parts\n",
    ...aboveBoth(results),
    ...against,
    "",
  ].join("\n");
}

/** Strategies that ask a model, which nobody has but who configures one: named, so that no row is missed. */
function notRun(columns: number): string[] {
  const needing = STRATEGY_NAMES.filter((name) => strategyNamed(name).needs?.length);
  return needing.map((name) => {
    const models = strategyNamed(name).needs!.map((need) => `a ${need}`);
    return `| \`${name}\` | not run: needs ${models.join(" and ")} |${" |".repeat(columns - 1)}`;
  });
}

/** On which collections hybrid's mean is above both parts', and where that is shown to be more than chance. */
function aboveBoth(results: readonly ExperimentResult[]): string[] {
  const compared = results.filter(({ parts }) => parts.some(({ b }) => b === "hybrid"));
  const above = ({ parts }: ExperimentResult) => parts.filter(({ b }) => b === "hybrid").every(({ mean }) => mean > 0);
  const names = (list: readonly ExperimentResult[]) => list.map(({ name }) => name).join(", ");
  const below = compared.filter((result) => !above(result));
  const not = below.length === 0 ? "" : `; not on ${names(below)}`;
  const shown = (verdict: string, how: "every" | "some") =>
    names(
      compared.filter(({ parts }) => parts.filter(({ b }) => b === "hybrid")[how]((one) => one.verdict === verdict)),
    );
  return [
    `The mean of hybrid is above both its parts' on ${names(compared.filter(above)) || "none"}${not}.`,
    `Shown to be better than both at once: ${shown("better", "every") || "none"}; better than one: ${shown("better", "some") || "none"}; worse than one: ${shown("worse", "some") || "none"}.`,
  ];
}
