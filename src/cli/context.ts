/** What commands work with: the terminal, the user's interruption, and the collection that the options name. */
import type { Collection, CollectionOptions } from "../collection/types.ts";

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

/** Opens the collection for reading, beside a process that may be writing to it. */
export function openForReading(context: Context, options: CommonOptions): Promise<Collection> {
  return context.openCollection(options.collection, { data: options.data, readOnly: true });
}
