/** huiliu tune: values that do better, chosen on some questions and measured on others. */
import { writeFile } from "node:fs/promises";
import { type Setting, writeSettings } from "../../config/index.ts";
import {
  checkParameter,
  copyInMemory,
  cutsPassages,
  evaluationReport,
  gridOf,
  heatMaps,
  heatMapText,
  inOrderOfCost,
  memoryCollection,
  type Parameter,
  parseParameter,
  randomPoints,
  reportHtml,
  type TuningResult,
  tune as tuned,
  tunedSearch,
  tuningSentences,
  type Values,
} from "../../evaluation/index.ts";
import { passageSplitter } from "../../ingest/index.ts";
import { InvalidArgumentError } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, placeOf } from "../context.ts";
import { jsonLine } from "../json.ts";
import { strategyOptions } from "../strategy-flags.ts";
import { commandProgress } from "../terminal/progress.ts";
import { nameLine, oneLine } from "../terminal/text.ts";
import { openTestSet, type TestSet } from "../test-sets.ts";

export interface TuneCommandOptions extends CommonOptions {
  strategy: string;
  parameter?: string[];
  measure: string;
  folds: number;
  depth: number;
  seed: number;
  random?: number;
  documents?: string[];
  report?: string;
  write?: boolean;
  quiet?: boolean;
}

/** What is tuned of a strategy when nothing is named. */
const DEFAULTS: Record<string, string[]> = {
  bm25: ["bm25.k1=0.6,0.9,1.2,1.6,2", "bm25.b=0..1:0.25"],
  hybrid: ["weights.bm25=0..1:0.1"],
  weighted: ["weights.bm25=0..1:0.1"],
};

const CONFIG = "huiliu.config.yaml";

export async function tune(context: Context, place: string, options: TuneCommandOptions): Promise<number> {
  const { io, signal } = context;
  const { strategy } = options;
  const own = strategyOptions(strategy, options);
  const parameters = parametersOf(strategy, options.parameter);
  const { measure, folds, seed, depth, random } = options;
  const set = await openTestSet(context, place, options);
  const display = commandProgress(io, { quiet: options.quiet, unit: "settings" });
  try {
    const { test, collection } = set;
    for (const { name } of parameters) checkParameter(name, collection);
    const points = random === undefined ? gridOf(parameters) : randomPoints(parameters, random, seed);
    const search = tunedSearch({
      collection,
      strategy,
      strategyOptions: own,
      questions: test.questions,
      documentOf: test.documentOf,
      depth,
      scratch: scratchOf(set, parameters, options),
    });
    try {
      const result = await tuned({
        name: test.name,
        questions: test.questions,
        qrels: test.qrels,
        candidates: inOrderOfCost(points),
        run: search.run,
        measure,
        folds,
        seed,
        signal,
        ...(display ? { onProgress: ({ done, total }) => display.update({ done, total }) } : {}),
      });
      display?.end();
      io.out(options.json ? jsonLine(evaluationReport({ tunings: [result] })) : `${resultText(result)}\n`);
      if (options.report !== undefined) {
        await writeFile(options.report, reportHtml(evaluationReport({ tunings: [result] })));
        io.err(`report: ${nameLine(options.report)}\n`);
      }
      if (options.write) await write(context, options, result, strategy, set);
      return EXIT.ok;
    } finally {
      await search.close();
    }
  } finally {
    display?.end();
    await set.close();
  }
}

function parametersOf(strategy: string, given: readonly string[] = DEFAULTS[strategy] ?? []): Parameter[] {
  if (given.length === 0) {
    throw new InvalidArgumentError(
      "parameter",
      given,
      `say what of ${strategy} is tuned: --parameter NAME=VALUES, such as bm25.b=0..1:0.25 or an option of the strategy`,
    );
  }
  const parameters = given.map(parseParameter);
  const twice = parameters.find(({ name }, i) => parameters.findIndex((other) => other.name === name) < i);
  if (twice) throw new InvalidArgumentError("parameter", twice.name, `${twice.name} is given twice`);
  return parameters;
}

/** How an index to be changed is made: the test collection's documents again, files that are named, or a copy of what is indexed. */
function scratchOf(set: TestSet, parameters: readonly Parameter[], options: TuneCommandOptions) {
  const { search } = options.settings.config;
  const boosts = search?.boosts ? { boosts: search.boosts } : {};
  const { documents } = options;
  if (parameters.some(({ name }) => cutsPassages(name)) && !set.again && !documents) {
    throw new InvalidArgumentError(
      "documents",
      documents,
      "to cut passages anew the documents are needed: name their folders with --documents",
    );
  }
  return async (passages: { size?: number; overlap?: number }, call: { signal?: AbortSignal }) => {
    const cut = { ...search?.passages, ...passages };
    // Sizes that do not fit each other are told before anything is indexed.
    passageSplitter({
      ...(cut.size === undefined ? {} : { chunkSize: cut.size }),
      ...(cut.overlap === undefined ? {} : { chunkOverlap: cut.overlap }),
    });
    if (set.again) return set.again({ passages: cut });
    if (!documents) return copyInMemory(set.collection, { ...call, ...boosts });
    const memory = await memoryCollection({
      ...boosts,
      passages: cut,
      embedding: set.collection.embedding,
      analysis: set.collection.analysis,
    });
    try {
      const { failed } = await memory.collection.add(documents, call);
      call.signal?.throwIfAborted();
      if (failed.length > 0) throw failed[0]!.error;
      return memory;
    } catch (error) {
      await memory.close();
      throw error;
    }
  };
}

function resultText(result: TuningResult): string {
  const maps = heatMaps(result).map((map) => `${heatMapText(map)}\n`);
  const note = maps.length > 0 ? [`${result.measure} over all questions, for orientation:\n`] : [];
  return [...tuningSentences(result).map(oneLine), "", ...note, ...maps].join("\n");
}

/** Where a value stands in the configuration. */
function settingsOf(values: Values, strategy: string, set: TestSet): Setting[] {
  const own = ["bm25", "passages", "boosts"];
  return Object.entries(values).flatMap(([name, value]): Setting[] => {
    const [group, ...rest] = name.split(".");
    if (own.includes(group!)) return [{ path: ["search", group!, rest.join(".")], value }];
    const option = rest.length === 0 ? [group!] : [group!, rest.join(".")];
    const chosen: Setting[] = [
      { path: ["search", "strategy"], value: strategy },
      { path: ["search", "options", ...option], value },
    ];
    // The other of two weights.
    const names = Object.keys(set.collection.weights);
    const other = names.find((list) => list !== rest[0]);
    if (group !== "weights" || !names.includes(rest[0]!) || value > 1 || values[`weights.${other}`] !== undefined)
      return chosen;
    return [...chosen, { path: ["search", "options", "weights", other!], value: Math.round((1 - value) * 1e6) / 1e6 }];
  });
}

async function write(
  context: Context,
  options: TuneCommandOptions,
  result: TuningResult,
  strategy: string,
  set: TestSet,
): Promise<void> {
  const { io } = context;
  if (result.verdict !== "gain") {
    io.err("nothing is written: no gain is shown\n");
    return;
  }
  const file = options.settings.file ?? CONFIG;
  await writeSettings(file, settingsOf(result.chosen, strategy, set));
  io.err(`written to ${nameLine(file)}\n`);
  if (Object.keys(result.chosen).some(cutsPassages)) io.err("add the documents again: they are cut anew\n");
  const [k1, b] = [result.chosen["bm25.k1"], result.chosen["bm25.b"]];
  if (set.again || (k1 === undefined && b === undefined)) return;
  // The index is opened once for writing, which changes its settings.
  await set.close();
  const present = options.settings.config.search?.bm25;
  const bm25 = { ...present, ...(k1 === undefined ? {} : { k1 }), ...(b === undefined ? {} : { b }) };
  const collection = await context.openCollection(options.collection, {
    ...(await placeOf(context, options)),
    embedding: set.collection.embedding,
    bm25,
  });
  await collection.close();
  io.err("the index has the new k1 and b\n");
}
