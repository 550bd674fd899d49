/** huiliu eval: questions whose answers are known, asked with several strategies and measured. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Collection } from "../../collection/types.ts";
import {
  collectionFingerprint,
  DEFAULT_MEASURES,
  type ExperimentResult,
  evaluationReport,
  fileRunCache,
  indexedInMemory,
  type NamedSearch,
  openTestCollection,
  type Question,
  readQuestions,
  readTrecRun,
  reportHtml,
  runExperiment,
  type TestCollection,
  trecName,
  trecQrels,
  trecRun,
} from "../../evaluation/index.ts";
import { pathEnds } from "../../evaluation/questions.ts";
import { seededRandom, shuffled } from "../../evaluation/random.ts";
import { findings } from "../../evaluation/report/findings.ts";
import { collectionSearches } from "../../evaluation/strategies.ts";
import { judgedDocuments } from "../../evaluation/test-collection.ts";
import { HuiliuError } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, type Io, openForQuestions } from "../context.ts";
import { jsonLine } from "../json.ts";
import { progressDisplay } from "../terminal/progress.ts";
import { table } from "../terminal/table.ts";
import { nameLine, oneLine } from "../terminal/text.ts";

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
  quiet?: boolean;
}

/** A test collection with the index that its questions are asked of. */
interface Opened {
  test: TestCollection;
  collection: Collection;
  close(): Promise<void>;
}

export async function evaluate(context: Context, places: string[], options: EvalCommandOptions): Promise<number> {
  const { io, signal } = context;
  const experiments: ExperimentResult[] = [];
  for (const place of places) {
    const opened = await open(context, place, options);
    const display = options.quiet
      ? undefined
      : progressDisplay({
          write: io.err,
          terminal: io.errIsTerminal,
          columns: io.columns,
          now: io.now,
          unit: "questions",
        });
    try {
      const { test, collection } = opened;
      const strategies = [
        ...collectionSearches(collection, options.strategies),
        ...(await Promise.all((options.run ?? []).map((file) => givenRun(file, test)))),
      ];
      const { result, runs } = await runExperiment({
        ...test,
        questions: sampled(test.questions, options),
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
                fingerprint: await collectionFingerprint(collection, { signal }),
              },
            }),
      });
      display?.end();
      experiments.push(result);
      if (!options.json) io.out(`${resultText(result, io)}\n`);
      if (options.trec !== undefined) await writeTrec(options.trec, test, runs);
    } finally {
      display?.end();
      await opened.close();
    }
  }
  const report = evaluationReport({ experiments });
  if (options.json) io.out(jsonLine(report));
  if (options.report !== undefined) {
    await writeFile(options.report, reportHtml(report));
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

/** A folder is a test collection with its own documents; a file holds questions for the collection that is configured. */
async function open(context: Context, place: string, options: CommonOptions): Promise<Opened> {
  const { config } = options.settings;
  if ((await stat(place)).isDirectory()) {
    const test = await openTestCollection(place);
    const { configuredEmbedding } = await import("../../config/index.ts");
    const embedding = await configuredEmbedding(config, context.io.env, { data: options.data });
    const memory = await indexedInMemory(test, {
      signal: context.signal,
      ...(embedding ? { embedding: embedding.model } : {}),
    });
    return {
      test,
      collection: memory.collection,
      async close() {
        await memory.close();
        await embedding?.close();
      },
    };
  }
  const { questions, qrels } = await readQuestions(place);
  const collection = await openForQuestions(context, options);
  try {
    await sayWhatIsMissing(context.io, collection, qrels);
    const test: TestCollection = {
      name: basename(place),
      questions,
      qrels,
      documentOf: judgedDocuments(qrels),
      addTo: (target, call) => target.addDocuments([], call),
    };
    return { test, collection, close: () => collection.close() };
  } catch (error) {
    await collection.close();
    throw error;
  }
}

/** Questions whose files are not in the collection cannot be found: that is the set's fault, or the collection's, and no strategy's. */
async function sayWhatIsMissing(
  io: Io,
  collection: Collection,
  qrels: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Promise<void> {
  const known = new Set<string>();
  for await (const { file, id } of collection.list()) for (const name of [id, ...pathEnds(file)]) known.add(name);
  const names = new Set([...qrels.values()].flatMap((judgements) => [...judgements.keys()]));
  const missing = [...names].filter(
    (name) => !name.startsWith("passage:") && !known.has(name) && !known.has(name.split("#")[0]!),
  );
  if (missing.length === 0) return;
  const shown = missing.slice(0, 5).map(nameLine).join(", ");
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  if (missing.length === names.size) {
    throw new HuiliuError(
      "ANSWERS_NOT_IN_COLLECTION",
      `nothing that the questions ask for is in the collection "${collection.name}" (${shown}${more}): add the documents first, or name the right collection`,
    );
  }
  io.err(`note: not in the collection, so never found: ${shown}${more}\n`);
}

/** A run of another system, whose names have no white space. */
async function givenRun(file: string, { qrels }: TestCollection): Promise<NamedSearch> {
  const names = new Map(
    [...qrels].flatMap(([id, judgements]) => [id, ...judgements.keys()]).map((name) => [trecName(name), name]),
  );
  const name = (written: string) => names.get(written) ?? written;
  const run = new Map([...(await readTrecRun(file))].map(([id, ranking]) => [name(id), ranking.map(name)]));
  return { name: basename(file).replace(/\.(run|txt|trec)$/, ""), run };
}

async function writeTrec(
  folder: string,
  { name, qrels }: TestCollection,
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
