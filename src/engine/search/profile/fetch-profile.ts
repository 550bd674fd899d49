/** What fetching the hits of a shard took (Elasticsearch's FetchProfiler). */
import type { ResponseValue } from "../../action/response-value.ts";
import { type Breakdown, createBreakdown, nanosSince } from "./breakdown.ts";

export type FetchPhaseName =
  | "ExplainPhase"
  | "FetchDocValuesPhase"
  | "FetchFieldsPhase"
  | "FetchScorePhase"
  | "FetchSourcePhase"
  | "FetchVersionPhase"
  | "HighlightPhase"
  | "InnerHitsPhase"
  | "MatchedQueriesPhase"
  | "SeqNoPrimaryTermPhase"
  | "StoredFieldsPhase";

export interface FetchProfile {
  /** A hit is about to be printed; `segment` tells when the next segment begins. */
  hit(segment: object): void;
  /** Measures a part of it. */
  during<T>(name: FetchPhaseName, work: () => T | Promise<T>): Promise<T>;
  /** The same of what is done at once. */
  spend<T>(name: FetchPhaseName, work: () => T): T;
  /** Measures reading of what is stored. */
  reading<T>(work: () => T): T;
  print(options: FetchProfileOptions): ResponseValue;
}

export interface FetchProfileOptions {
  /** Names of what is read, in their order. */
  readonly stored: readonly string[];
  /** The source is shown as it is. */
  readonly whole: boolean;
}

type Process = Breakdown<"process" | "next_reader">;

/** @param names of the parts that the options want */
export function createFetchProfile(names: readonly FetchPhaseName[]): FetchProfile {
  const began = performance.now();
  const work = createBreakdown(["load_stored_fields", "load_source", "next_reader"] as const);
  const phases = new Map<FetchPhaseName, Process>(
    [...new Set(names)].sort().map((name) => [name, createBreakdown(["process", "next_reader"] as const)]),
  );
  /** What the hit at hand has spent in each part. */
  const spent = new Map<FetchPhaseName, number>();
  let segment: object | undefined;
  let hits = 0;
  let read = 0;
  const flush = () => {
    for (const [name, phase] of phases) if (hits > 0) phase.add("process", spent.get(name) ?? 0);
    spent.clear();
  };
  return {
    hit(next) {
      flush();
      hits++;
      if (next === segment) return;
      segment = next;
      // Nothing is opened for a segment: what a part needs of it is at hand.
      work.add("next_reader", 0);
      for (const phase of phases.values()) phase.add("next_reader", 0);
    },
    async during(name, task) {
      const start = performance.now();
      const done = await task();
      spent.set(name, (spent.get(name) ?? 0) + nanosSince(start));
      return done;
    },
    spend(name, task) {
      const start = performance.now();
      const done = task();
      spent.set(name, (spent.get(name) ?? 0) + nanosSince(start));
      return done;
    },
    reading(task) {
      const start = performance.now();
      const done = task();
      read += nanosSince(start);
      return done;
    },
    print({ stored, whole }) {
      flush();
      const source = stored.includes("_source");
      // The source is the one thing that is read: it is stored apart from nothing else.
      work.add("load_stored_fields", source ? 0 : read, hits);
      if (source) work.add("load_source", read, hits);
      return {
        type: "fetch",
        description: "",
        time_in_nanos: nanosSince(began),
        breakdown: work.print(),
        debug: { stored_fields: stored },
        ...(phases.size > 0
          ? { children: [...phases].map(([name, phase]) => printPhase(name, phase, whole ? hits : 0)) }
          : {}),
      };
    },
  };
}

function printPhase(name: FetchPhaseName, phase: Process, fast: number): ResponseValue {
  return {
    type: name,
    description: "",
    time_in_nanos: phase.total(),
    breakdown: phase.print(),
    ...(name === "FetchSourcePhase" ? { debug: { fast_path: fast } } : {}),
  };
}
