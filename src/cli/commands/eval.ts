/** huiliu eval: questions whose answers are known, asked with several strategies and measured. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type AnswerResult,
  answerRelevancyJudge,
  contextRelevancyJudge,
  correctnessJudge,
  DEFAULT_MEASURES,
  type ExperimentResult,
  evaluationReport,
  faithfulnessJudge,
  fileRunCache,
  judgeAnswers,
  type NamedSearch,
  type Question,
  readTrecRun,
  reportHtml,
  runExperiment,
  trecName,
  trecQrels,
  trecRun,
} from "../../evaluation/index.ts";
import { seededRandom, shuffled } from "../../evaluation/random.ts";
import { findings } from "../../evaluation/report/findings.ts";
import { collectionSearches } from "../../evaluation/strategies.ts";
import { ModelNotConfiguredError } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, type Io, rerankerOf } from "../context.ts";
import { jsonLine } from "../json.ts";
import { modelOption } from "../model.ts";
import { commandProgress } from "../terminal/progress.ts";
import { table } from "../terminal/table.ts";
import { nameLine, oneLine } from "../terminal/text.ts";
import { openTestSet, type TestSet } from "../test-sets.ts";

export interface EvalCommandOptions extends CommonOptions {
  strategies: string;
  measures?: string[];
  depth: number;
  sample?: number;
  baseline?: string;
  seed: number;
  report?: string;
  run?: string[];
  trec?: string;
  resume?: string;
  answers?: boolean;
  judge?: string;
  baseUrl?: string;
  quiet?: boolean;
}

export async function evaluate(context: Context, places: string[], options: EvalCommandOptions): Promise<number> {
  const { io, signal } = context;
  const experiments: ExperimentResult[] = [];
  const answers: AnswerResult[] = [];
  const models = options.answers ? await answerModels(context, options) : undefined;
  const { reranker } = await rerankerOf(context, options);
  const searching = { ...(await modelOption(context, options)), ...(reranker ? { reranker } : {}) };
  for (const place of places) {
    const opened = await openTestSet(context, place, options);
    const display = commandProgress(io, { quiet: options.quiet, unit: "questions" });
    try {
      const { test, collection } = opened;
      const strategies = [
        ...collectionSearches(collection, options.strategies, searching),
        ...(await Promise.all((options.run ?? []).map((file) => givenRun(file, test)))),
      ];
      const asked = sampled(test.questions, options);
      const { result, runs } = await runExperiment({
        ...test,
        questions: asked,
        strategies,
        depth: options.depth,
        seed: options.seed,
        signal,
        measures: options.measures ?? DEFAULT_MEASURES,
        ...(options.baseline === undefined ? {} : { baseline: options.baseline }),
        ...(display
          ? { onProgress: ({ done, total, strategy }) => display.update({ done, total, file: strategy }) }
          : {}),
        ...(options.resume === undefined
          ? {}
          : {
              cache: {
                runs: await fileRunCache(options.resume),
                fingerprint: await opened.fingerprint(),
              },
            }),
      });
      display?.end();
      experiments.push(result);
      if (!options.json) io.out(`${resultText(result, io)}\n`);
      if (models) {
        const judged = await judgeAnswers({
          name: test.name,
          questions: asked,
          ask: (question, call) => collection.ask(question, { ...call, model: models.answering }),
          judges: [faithfulnessJudge, answerRelevancyJudge, contextRelevancyJudge, correctnessJudge].map((judge) =>
            judge({ model: models.judging }),
          ),
          seed: options.seed,
          signal,
          ...(display ? { onProgress: ({ done, total }) => display.update({ done, total, file: "answers" }) } : {}),
        });
        display?.end();
        answers.push(judged);
        if (!options.json) io.out(`${answersText(judged)}\n`);
      }
      if (options.trec !== undefined) await writeTrec(options.trec, test, runs);
    } finally {
      display?.end();
      await opened.close();
    }
  }
  const report = evaluationReport({ experiments, answers });
  if (options.json) io.out(jsonLine(report));
  if (options.report !== undefined) {
    await mkdir(dirname(options.report), { recursive: true });
    await writeFile(options.report, options.report.endsWith(".json") ? jsonLine(report) : reportHtml(report));
    io.err(`report: ${nameLine(options.report)}\n`);
  }
  return EXIT.ok;
}

/** Some of the questions, in their order: which ones follows from the seed. */
function sampled(questions: readonly Question[], { sample, seed }: EvalCommandOptions): readonly Question[] {
  if (sample === undefined || sample >= questions.length) return questions;
  const chosen = new Set(shuffled(questions, seededRandom(seed)).slice(0, sample));
  return questions.filter((question) => chosen.has(question));
}

/** The model that answers, and the one that judges. */
async function answerModels({ io }: Context, { settings: { config }, judge }: EvalCommandOptions) {
  const { configuredLanguageModel } = await import("../../config/index.ts");
  const answering = await configuredLanguageModel(config, io.env);
  if (!answering) {
    throw new ModelNotConfiguredError(
      "language",
      "judging answers",
      "name one with --model, HUILIU_MODEL, or in the configuration",
    );
  }
  const judging = judge === undefined ? answering : await configuredLanguageModel({ ...config, model: judge }, io.env);
  return { answering, judging: judging! };
}

function answersText({ name, judges }: AnswerResult): string {
  const rows = Object.entries(judges).map(([judge, { mean, low, high, questions }]) => [
    judge,
    mean.toFixed(4),
    `${low.toFixed(4)} to ${high.toFixed(4)}`,
    String(questions),
  ]);
  const titles = [`answers to ${oneLine(name)}`, "mean", "95 %", "judged"];
  const columns = titles.map((title, i) => ({ title, align: i === 0 ? ("left" as const) : ("right" as const) }));
  return [...table(columns, rows, Number.POSITIVE_INFINITY), ""].join("\n");
}

/** A run of another system, whose names have no white space. */
async function givenRun(file: string, { qrels }: TestSet["test"]): Promise<NamedSearch> {
  const names = new Map(
    [...qrels].flatMap(([id, judgements]) => [id, ...judgements.keys()]).map((name) => [trecName(name), name]),
  );
  const name = (written: string) => names.get(written) ?? written;
  const run = new Map([...(await readTrecRun(file))].map(([id, ranking]) => [name(id), ranking.map(name)]));
  return { name: basename(file).replace(/\.(run|txt|trec)$/, ""), run };
}

async function writeTrec(
  folder: string,
  { name, qrels }: TestSet["test"],
  runs: ReadonlyMap<string, ReadonlyMap<string, string[]>>,
): Promise<void> {
  const place = join(folder, name.replaceAll(/[/\\]/g, "-"));
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "qrels.txt"), trecQrels(qrels));
  for (const [strategy, run] of runs) {
    await writeFile(join(place, `${strategy.replaceAll(/[^\w.-]/g, "-")}.run`), trecRun(run, strategy));
  }
}

function resultText(result: ExperimentResult, io: Io): string {
  const { measures, strategies } = result;
  const rows = strategies.map(({ name, measures: values }) => [
    oneLine(name),
    ...measures.map((measure) => values[measure]!.mean.toFixed(4)),
  ]);
  const titles = [`${oneLine(result.name)} (${result.questions.length})`, ...measures];
  const columns = titles.map((title, i) => ({ title, align: i === 0 ? ("left" as const) : ("right" as const) }));
  const width = io.outIsTerminal ? io.columns : Number.POSITIVE_INFINITY;
  return [...table(columns, rows, width), "", ...findings(result).map(oneLine), ""].join("\n");
}
