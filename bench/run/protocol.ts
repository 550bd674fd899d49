/**
 * What the process that measures and the process of a peer say to each other: one JSON value a line, a request and its answer in turn.
 * A peer in another language says the same.
 */
import type { Answer, Question, Suite } from "../workload/types.ts";

export type Request =
  | { readonly do: "build"; readonly suite: Suite; readonly folder: string }
  | { readonly do: "open"; readonly suite: Suite; readonly folder: string; readonly first: Question }
  | { readonly do: "ask"; readonly questions: readonly Question[]; readonly answers: boolean }
  | { readonly do: "load"; readonly questions: readonly Question[]; readonly seconds: number }
  | { readonly do: "memory" }
  | { readonly do: "close" };

export interface Built {
  /** Adding and making searchable, without making or reading the passages. */
  readonly indexSeconds: number;
  readonly optimizeSeconds: number;
  readonly memory: Memory;
}
export interface Opened {
  /** From nothing loaded to the first answer. */
  readonly ms: number;
}
export interface Asked {
  readonly ms: readonly number[];
  /** Of the processor, of all threads, for all the questions: what other work on the machine does not change much. */
  readonly cpuMs: number;
  readonly answers: readonly Answer[];
}
export interface Loaded {
  readonly count: number;
  readonly seconds: number;
}
/** In MiB, above what the process had before it loaded the peer. */
export interface Memory {
  readonly resident: number;
  /** Without pages of files, which the system takes back when it needs them; undefined where the system does not tell. */
  readonly anonymous?: number;
  readonly peak: number;
}
