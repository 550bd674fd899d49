/** huiliu questions: a language model writes questions from the collection's passages, to evaluate and tune with. */
import { appendFile, readFile } from "node:fs/promises";
import {
  choosePassages,
  collectionPassages,
  type LeftOut,
  type WrittenQuestion,
  writeQuestions,
  writingCost,
} from "../../evaluation/index.ts";
import { ModelNotConfiguredError } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, openForReading } from "../context.ts";
import { emptyCollection } from "../empty.ts";
import { jsonLine } from "../json.ts";
import { commandProgress } from "../terminal/progress.ts";
import { nameLine } from "../terminal/text.ts";

export interface QuestionsCommandOptions extends CommonOptions {
  output: string;
  count: number;
  perPassage: number;
  seed: number;
  yes?: boolean;
  quiet?: boolean;
}

export async function questions(context: Context, options: QuestionsCommandOptions): Promise<number> {
  const { io, signal } = context;
  const { output, perPassage, seed } = options;
  const { configuredLanguageModel } = await import("../../config/index.ts");
  const model = await configuredLanguageModel(options.settings.config, io.env);
  if (!model) {
    throw new ModelNotConfiguredError(
      "language",
      "writing questions",
      "name one with --model, HUILIU_MODEL, or in the configuration",
    );
  }
  const known = await readWritten(output);
  const collection = await openForReading(context, options);
  const display = commandProgress(io, { quiet: options.quiet, unit: "passages" });
  try {
    const all = await collectionPassages(collection, { signal });
    if (all.length === 0) {
      io.err(emptyCollection(collection.name, options.data));
      return EXIT.error;
    }
    const passages = choosePassages(all, Math.ceil(options.count / perPassage), seed);
    const done = new Set(known.map(({ passage }) => passage.id));
    const open = passages.filter(({ id }) => !done.has(id));
    const cost = writingCost(open, perPassage);
    const price = `${cost.calls} calls of ${model.name}, at most ${cost.tokensIn} tokens in and about ${cost.tokensOut} out`;
    if (!options.yes) {
      if (options.json) io.out(jsonLine({ type: "cost", model: model.name, ...cost }));
      else io.out(`This takes ${price}. With --yes it begins.\n`);
      return EXIT.ok;
    }
    io.err(`${price}\n`);
    const leftOut = new Map<LeftOut, number>();
    const written = await writeQuestions({
      passages,
      model,
      perPassage,
      known,
      signal,
      onQuestion: (line) => appendFile(output, `${JSON.stringify(line)}\n`),
      onLeftOut: (_, why) => leftOut.set(why, (leftOut.get(why) ?? 0) + 1),
      ...(display ? { onProgress: display.update } : {}),
    });
    display?.end();
    const summary = { written: written.length, known: known.length, leftOut: Object.fromEntries(leftOut), output };
    if (options.json) io.out(jsonLine({ type: "summary", ...summary }));
    else {
      const reasons = [...leftOut].map(([why, count]) => `${count} ${why}`).join(", ");
      const left = reasons === "" ? "" : `; left out: ${reasons}`;
      io.out(`${written.length} questions written to ${nameLine(output)}${left}\n`);
    }
    return EXIT.ok;
  } finally {
    display?.end();
    await collection.close();
  }
}

/** What an earlier run wrote; a line that was cut off is written anew. */
async function readWritten(file: string): Promise<WrittenQuestion[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (text !== "" && !text.endsWith("\n")) await appendFile(file, "\n");
  return text.split("\n").flatMap((line) => {
    try {
      const value = JSON.parse(line) as Partial<WrittenQuestion>;
      return typeof value.question === "string" && typeof value.passage?.id === "string"
        ? [value as WrittenQuestion]
        : [];
    } catch {
      return [];
    }
  });
}
