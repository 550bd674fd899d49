/** huiliu add: indexes files, shows how far it is, and says what became of each. */
import type { AddResult, FileOutcome } from "../../collection/types.ts";
import { type CommonOptions, type Context, EXIT, type Io } from "../context.ts";
import { errorSentence } from "../errors.ts";
import { jsonLine } from "../json.ts";
import { progressDisplay } from "../terminal/progress.ts";
import { nameLine } from "../terminal/text.ts";

export interface AddCommandOptions extends CommonOptions {
  removeVanished?: boolean;
  quiet?: boolean;
}

export async function add(context: Context, paths: string[], options: AddCommandOptions): Promise<number> {
  const { io, signal } = context;
  const started = io.now();
  const collection = await context.openCollection(options.collection, { data: options.data });
  const display = options.quiet
    ? undefined
    : progressDisplay({ write: io.err, terminal: io.errIsTerminal, columns: io.columns, now: io.now });
  const line = (text: string) => (display ? display.line(text) : io.err(`${text}\n`));
  const unfiltered = new Map<string, number>();
  try {
    const result = await collection.add(paths, {
      signal,
      removeVanished: options.removeVanished ?? false,
      ...(display ? { onProgress: display.update } : {}),
      onFile(outcome) {
        if (outcome.outcome === "failed") line(failureLine(outcome.file, outcome.error));
        for (const key of outcome.unfiltered ?? []) unfiltered.set(key, (unfiltered.get(key) ?? 0) + 1);
        if (options.json) io.out(jsonLine(outcomeJson(outcome)));
      },
    });
    display?.end();
    if (unfiltered.size > 0) io.err(unfilteredNote(unfiltered));
    const seconds = (io.now() - started) / 1000;
    if (options.json) io.out(jsonLine(summaryJson(result, seconds)));
    else if (!options.quiet) io.out(`${summary(result, seconds)}\n`);
    if (result.aborted) {
      await sayStopped(io, collection);
      return EXIT.interrupted;
    }
    return result.failed.length > 0 ? EXIT.someFailed : EXIT.ok;
  } finally {
    display?.end();
    await collection.close();
  }
}

async function sayStopped(io: Io, collection: { status(): Promise<{ documents: number }> }): Promise<void> {
  const { documents } = await collection.status();
  const are = documents === 1 ? "1 file is" : `${documents} files are`;
  io.err(`stopped: ${are} indexed; run the same command to go on\n`);
}

/** "note: --filter does not see in all files: author (3 files), …" */
function unfilteredNote(keys: ReadonlyMap<string, number>): string {
  const shown = [...keys]
    .slice(0, 10)
    .map(([key, files]) => `${nameLine(key)} (${files} ${files === 1 ? "file" : "files"})`)
    .join(", ");
  const more = keys.size > 10 ? ` and ${keys.size - 10} more` : "";
  return `note: metadata that --filter cannot see, as other files have another kind of value there: ${shown}${more}\n`;
}

/** A file error begins with the file's name already. */
function failureLine(file: string, error: Error | undefined): string {
  const reason = error ? errorSentence(error) : "unknown error";
  const name = nameLine(file);
  return `failed: ${reason.startsWith(`${name}:`) ? reason : `${name}: ${reason}`}`;
}

/** "98 added, 2 unchanged, 1 failed: 301 passages in 1.9 s". What did not happen is not mentioned. */
export function summary(result: AddResult, seconds: number): string {
  const { added, replaced, unchanged, removed, failed, passages } = result;
  const counts: [number, string][] = [
    [added, "added"],
    [replaced, "replaced"],
    [unchanged, "unchanged"],
    [removed, "removed"],
    [failed.length, "failed"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const written = added + replaced > 0 ? `: ${passages} ${passages === 1 ? "passage" : "passages"}` : "";
  return `${parts.length > 0 ? parts.join(", ") : "no files found"}${written} in ${seconds.toFixed(1)} s`;
}

function outcomeJson({ file, outcome, passages, unfiltered, error }: FileOutcome): Record<string, unknown> {
  return {
    type: "file",
    file,
    outcome,
    ...(passages === undefined ? {} : { passages }),
    ...(unfiltered === undefined ? {} : { unfiltered }),
    ...(error === undefined ? {} : { error: errorJson(error) }),
  };
}

function summaryJson(result: AddResult, seconds: number): Record<string, unknown> {
  return {
    type: "summary",
    ...result,
    failed: result.failed.map(({ file, error }) => ({ file, error: errorJson(error) })),
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

function errorJson(error: Error): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return { ...(typeof code === "string" ? { code } : {}), message: error.message };
}
