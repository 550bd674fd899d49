/** Runs in parts: what an earlier run of the same size measured stays, unless it was measured again. */
import type { PeerResult } from "../run/measure.ts";
import type { Result, SuiteResult } from "./result.ts";

/** In the order in which they were first measured, so that a part that is run again stays where it is. */
function inOrder<T>(before: readonly T[], now: readonly T[], name: (each: T) => string): T[] {
  const known = before.map(name);
  const at = (each: T) => (known.includes(name(each)) ? known.indexOf(name(each)) : known.length);
  return [...now, ...before.filter((each) => now.every((other) => name(other) !== name(each)))].sort(
    (a, b) => at(a) - at(b),
  );
}

const peerName = ({ peer }: PeerResult) => peer;
const suiteName = ({ name }: SuiteResult) => name;

function mergedSuites(before: readonly SuiteResult[], now: readonly SuiteResult[]): SuiteResult[] {
  const both = now.map((suite) => {
    const earlier = before.find(({ name }) => name === suite.name);
    return earlier ? { ...suite, peers: inOrder(earlier.peers, suite.peers, peerName) } : suite;
  });
  return inOrder(before, both, suiteName);
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
