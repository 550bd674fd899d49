/** What commands work with: the terminal, the user's interruption, and the collection that the options name. */
import type { Collection, CollectionOptions } from "../collection/types.ts";
import { indexTuning } from "../config/search.ts";
import type { EmbeddingModel, RerankModel } from "../schema/index.ts";
import type { Settings } from "./settings.ts";

/** The terminal, or what stands in its place. */
export interface Io {
  /** Writes to standard output: results, nothing else. */
  out(text: string): void;
  /** Writes to standard error: progress and what went wrong. */
  err(text: string): void;
  outIsTerminal: boolean;
  errIsTerminal: boolean;
  /** Columns of the terminal; 80 where there is none. */
  columns: number;
  env: Record<string, string | undefined>;
  /** Milliseconds, for rates. */
  now(): number;
}

export interface Context {
  io: Io;
  /** Aborted by Ctrl-C (and SIGTERM). */
  signal: AbortSignal;
  /** Aborted when nobody reads standard output any more (`| head`): what only prints may end. */
  outputClosed: AbortSignal;
  openCollection(name: string, options: CollectionOptions): Promise<Collection>;
}

/** Options that every command over a collection has. */
export interface CommonOptions {
  data: string;
  collection: string;
  json?: boolean;
  /** Everything that is configured; `data` and `collection` of it stand above. */
  settings: Settings;
}

/** What a command ends with. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  /** The work is done, except for some files. */
  someFailed: 3,
  /** Ended by Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const;

/** Where the collection is: the folder, or the cluster that is configured. */
export async function placeOf(
  { io }: Pick<Context, "io">,
  { data, settings: { config } }: CommonOptions,
): Promise<Pick<CollectionOptions, "data" | "elasticsearch">> {
  if (config.elasticsearch === undefined) return { data };
  const { configuredElasticsearch } = await import("../config/elasticsearch.ts");
  return { elasticsearch: configuredElasticsearch(config, io.env)! };
}

/** Opens the collection for reading, beside a process that may be writing to it. */
export async function openForReading(
  context: Context,
  options: CommonOptions,
  embedding?: EmbeddingModel,
): Promise<Collection> {
  return context.openCollection(options.collection, {
    ...(await placeOf(context, options)),
    readOnly: true,
    ...indexTuning(options.settings.config),
    ...(embedding ? { embedding } : {}),
  });
}

/** The embedding that is configured, if any. */
export async function embeddingOf(
  { io }: Pick<Context, "io">,
  { settings: { config } }: CommonOptions,
): Promise<EmbeddingModel | undefined> {
  if (config.embedding === undefined) return undefined;
  const { configuredEmbedding } = await import("../config/index.ts");
  return (await configuredEmbedding(config, io.env))?.model;
}

/** The same with the embedding that is configured, for questions. */
export async function openForQuestions(context: Context, options: CommonOptions): Promise<Collection> {
  return openForReading(context, options, await embeddingOf(context, options));
}

/** The reranker that is configured, as options of a search. */
export async function rerankerOf(
  context: Context,
  { settings: { config } }: CommonOptions,
): Promise<{ reranker?: RerankModel; rerankDepth?: number }> {
  if (config.reranker === undefined) return {};
  const { configuredReranker } = await import("../config/index.ts");
  const reranker = await configuredReranker(config, context.io.env);
  if (!reranker) return {};
  return { reranker: reranker.model, ...(reranker.depth === undefined ? {} : { rerankDepth: reranker.depth }) };
}
