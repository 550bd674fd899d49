/** huiliu add: indexes files, shows how far it is, and says what became of each. */
import type { AddResult, Collection, FileOutcome } from "../../collection/types.ts";
import { indexTuning } from "../../config/search.ts";
import type { BulkProgress } from "../../embedding/index.ts";
import { type CommonOptions, type Context, EXIT, type Io, placeOf } from "../context.ts";
import { errorSentence, isClusterError } from "../errors.ts";
import { jsonLine } from "../json.ts";
import { commandProgress } from "../terminal/progress.ts";
import { nameLine } from "../terminal/text.ts";

export interface AddCommandOptions extends CommonOptions {
  removeVanished?: boolean;
  quiet?: boolean;
}

export async function add(context: Context, paths: string[], options: AddCommandOptions): Promise<number> {
  const { io, signal } = context;
  const started = io.now();
  const display = commandProgress(io, { quiet: options.quiet });
  const line = (text: string) => (display ? display.line(text) : io.err(`${text}\n`));
  const unfiltered = new Map<string, number>();
  const unread = { files: 0, scripts: new Set<string>() };
  const embedding = await watchedEmbedding(context, options);
  let collection: Collection | undefined;
  try {
    collection = await context.openCollection(options.collection, {
      ...indexTuning(options.settings.config),
      ...(await placeOf(context, options)),
      ...(embedding ? { embedding: embedding.model } : {}),
    });
    const result = await collection.add(paths, {
      signal,
      removeVanished: options.removeVanished ?? false,
      ...(display ? { onProgress: display.update } : {}),
      onFile(outcome) {
        if (outcome.outcome === "failed") line(failureLine(outcome.file, outcome.error));
        for (const key of outcome.unfiltered ?? []) unfiltered.set(key, (unfiltered.get(key) ?? 0) + 1);
        if (outcome.unknownScripts) unread.files++;
        for (const script of outcome.unknownScripts ?? []) unread.scripts.add(script);
        if (options.json) io.out(jsonLine(outcomeJson(outcome)));
      },
    });
    display?.end();
    if (unfiltered.size > 0) io.err(unfilteredNote(unfiltered));
    if (unread.files > 0) {
      const files = unread.files === 1 ? "1 file has" : `${unread.files} files have`;
      const scripts = [...unread.scripts].join(", ");
      io.err(
        `note: ${files} text in ${scripts}, which ${collection.embedding.name} does not know: it is found by words alone\n`,
      );
    }
    const seconds = (io.now() - started) / 1000;
    if (options.json) io.out(jsonLine(summaryJson(result, seconds)));
    else if (!options.quiet) io.out(`${summary(result, seconds)}\n`);
    if (embedding) io.err(embedding.said(options.quiet));
    if (result.aborted) {
      await sayStopped(io, collection);
      return EXIT.interrupted;
    }
    return result.failed.length > 0 ? EXIT.someFailed : EXIT.ok;
  } catch (error) {
    display?.end();
    if (collection && isClusterError(error))
      io.err("stopped: what was indexed until then is kept; run the same command to go on\n");
    throw error;
  } finally {
    display?.end();
    await collection?.close();
    await embedding?.close();
  }
}

/** The embedding that is configured, and what is to be said of its work: nothing is cut or split silently. */
async function watchedEmbedding(context: Context, { settings: { config }, data }: AddCommandOptions) {
  if (config.embedding === undefined) return undefined;
  const { configuredEmbedding } = await import("../../config/index.ts");
  let progress: BulkProgress | undefined;
  const long = { truncated: 0, split: 0 };
  const embedding = await configuredEmbedding(config, context.io.env, {
    data,
    onProgress: (now) => {
      progress = now;
    },
    onTooLong: ({ handled }) => long[handled]++,
  });
  if (!embedding) return undefined;
  return {
    ...embedding,
    said(quiet = false): string {
      const { name } = embedding.model;
      const lines: string[] = [];
      if (progress && !quiet) {
        const { done, cached, tokens, tokensPerSecond, retries } = progress;
        const rate = `${tokens} tokens, ${Math.round(tokensPerSecond)} a second`;
        const more = [cached > 0 ? `${cached} from the cache` : "", retries > 0 ? `${retries} calls repeated` : ""];
        lines.push([`${name}: ${done} texts, ${rate}`, ...more.filter(Boolean)].join(", "));
      }
      if (long.truncated > 0)
        lines.push(`${long.truncated} passages are longer than ${name} reads: their ends were left out`);
      if (long.split > 0)
        lines.push(`${long.split} passages are longer than ${name} reads: they were embedded in parts`);
      return lines.map((text) => `${nameLine(text)}\n`).join("");
    },
  };
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

function outcomeJson({
  file,
  outcome,
  passages,
  unfiltered,
  unknownScripts,
  error,
}: FileOutcome): Record<string, unknown> {
  return {
    type: "file",
    file,
    outcome,
    ...(passages === undefined ? {} : { passages }),
    ...(unfiltered === undefined ? {} : { unfiltered }),
    ...(unknownScripts === undefined ? {} : { unknownScripts }),
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
