/** Runs in parts: what an earlier run of the same size measured stays, unless it was measured again. */
import type { PeerResult } from "../run/measure.ts";
import type { Result, SuiteResult } from "./result.ts";

function mergedPeers(before: readonly PeerResult[], now: readonly PeerResult[]): PeerResult[] {
  return [...now, ...before.filter(({ peer }) => now.every((each) => each.peer !== peer))];
}

function mergedSuites(before: readonly SuiteResult[], now: readonly SuiteResult[]): SuiteResult[] {
  const both = now.map((suite) => {
    const earlier = before.find(({ name }) => name === suite.name);
    return earlier ? { ...suite, peers: mergedPeers(earlier.peers, suite.peers) } : suite;
  });
  return [...before.filter(({ name }) => now.every((suite) => suite.name !== name)), ...both];
}

export function merged(before: Result | undefined, now: Result): Result {
  if (before === undefined) return now;
  const measured = new Set(now.suites.flatMap(({ name, peers }) => peers.map(({ peer }) => `${peer}, ${name}`)));
  const skipped = [...before.skipped, ...now.skipped].filter(({ peer }) => !measured.has(peer));
  const ingestion = now.ingestion ?? before.ingestion;
  return {
    ...now,
    machine: { ...now.machine, load: [...before.machine.load, ...now.machine.load] },
    suites: mergedSuites(before.suites, now.suites),
    skipped: skipped.filter(({ peer }, i) => skipped.findLastIndex((each) => each.peer === peer) === i),
    ...(ingestion ? { ingestion } : {}),
  };
}
