/** What a peer does to be measured. It runs in a process of its own. */
import type { Answer, Kind, Passage, Question, Suite } from "../workload/types.ts";

export interface Writer {
  add(passages: readonly Passage[]): unknown;
  /** Makes everything that was added searchable; counts as indexing. */
  finish?(): unknown;
  /** What its documentation recommends once writing has ended (merging); measured apart. */
  optimize?(): unknown;
  /** Writes the folder that `open` reads, where indexing has not done so. */
  save?(): unknown;
  close?(): unknown;
}

export interface Reader {
  /** A question in the peer's own form; what it returns is what is timed. */
  prepare(question: Question): () => unknown;
  /** The answer out of what that returned. */
  read(raw: unknown, question: Question): Answer;
  close?(): unknown;
}

export interface Peer {
  readonly name: string;
  /** Package whose version is printed, and without which the peer is skipped. */
  readonly module?: string;
  /** The command of its process, where that is not Node's. */
  command?(): string[];
  /** What its process finds in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Why it cannot run here, where that is not for want of `module`. */
  missing?(): string | undefined;
  /** Its settings, for whoever wants to repeat it. */
  readonly settings: string;
  /** Kinds of questions that it answers. */
  kinds(suite: Suite): readonly Kind[];
  /** Whether it segments Chinese itself; the others are given words. */
  readonly segments?: boolean;
  /** Where the questions are scored as Lucene scores them: then nothing but the reference's scores passes. */
  readonly lucene?: boolean;
  create(suite: Suite, folder: string): Promise<Writer>;
  open(suite: Suite, folder: string): Promise<Reader>;
}

/** A package of `bench/node_modules`, whose types are not there when the project is checked. */
export const load = async <T>(name: string): Promise<T> => (await import(name)) as T;
