/** What a run writes as JSON. */
import { cpus, loadavg, totalmem } from "node:os";
import type { PeerResult } from "../run/measure.ts";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  /** Averages of a minute at the beginning and at the end: above the number of processes that measure (two), something else ran. */
  readonly load: readonly number[];
}

export interface SuiteResult {
  readonly name: string;
  readonly textMiB: number;
  readonly peers: readonly PeerResult[];
}

export interface Result {
  readonly size: number;
  readonly date: string;
  readonly machine: Machine;
  readonly suites: readonly SuiteResult[];
  readonly skipped: readonly { readonly peer: string; readonly why: string }[];
  readonly ingestion?: readonly {
    readonly language: string;
    readonly filesPerSecond: number;
    readonly passagesPerSecond: number;
  }[];
}

export const loadNow = (): number => Math.round(loadavg()[0] * 100) / 100;

export function machineNow(loadBefore: number): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version.slice(1),
    load: [loadBefore, loadNow()],
  };
}
