/** What the engine is to reach beside its peers, and what a run measured. */
import type { PeerResult } from "../run/measure.ts";
import type { Kind } from "../workload/types.ts";
import type { Result } from "./result.ts";
import { markdown, short } from "./table.ts";

interface Goal {
  readonly work: string;
  readonly goal: string;
  readonly most: number;
  /** Undefined: not measured. Met when at most `most`. */
  measured(found: (suite: string, peer: string) => PeerResult | undefined, result: Result): number | undefined;
}

/** Huiliu's processor time by a peer's, of the same turns: that of the clock says more about the machine when other work runs on it. */
function ratio(peer: PeerResult | undefined, kind: Kind): number | undefined {
  const times = peer?.kinds[kind];
  // The processor's time is counted in ticks: a peer of few and short questions may have none.
  return times?.own && (times.cpu > 0 ? times.own.cpu / times.cpu : times.own.p50 / times.p50);
}

const times = (suite: string, peer: string, kind: Kind, most: number): Goal => ({
  work: `${kind}, ${suite}`,
  goal: most <= 0.01 ? `${1 / most} × faster than ${peer}` : `at most ${most} × ${peer}'s time`,
  most,
  measured: (found) => ratio(found(suite, peer), kind),
});

const building = (suite: string, peer: string, most: number): Goal => ({
  work: `indexing, ${suite}`,
  goal: most < 1 ? `${short(1 / most)} × faster than ${peer}` : `at most ${most} × ${peer}'s time`,
  most,
  measured(found) {
    const [own, other] = [found(suite, "Huiliu"), found(suite, peer)];
    if (own?.indexPerSecond === undefined || other?.indexPerSecond === undefined) return undefined;
    return other.indexPerSecond / own.indexPerSecond;
  },
});

const TERMS: readonly Kind[] = ["1 term", "3 terms", "10 terms"];

const GOALS: readonly Goal[] = [
  ...TERMS.map((kind) => times("text-en", "Lucene", kind, 1)),
  ...["MiniSearch", "Orama"].flatMap((peer) => TERMS.map((kind) => times("text-en", peer, kind, 0.01))),
  times("text-en", "FlexSearch", "3 terms", 1),
  times("text-en", "FlexSearch", "10 terms", 1),
  ...(["phrase", "fuzzy", "filtered", "aggregated"] as const).map((kind) => times("text-en", "Lucene", kind, 2)),
  building("text-en", "Lucene", 1.5),
  building("text-en", "MiniSearch", 1 / 3),
  times("exact-384", "hnswlib", "kNN", 1.5),
  ...["hnsw-256", "hnsw-384"].flatMap((suite) => [building(suite, "hnswlib", 2), times(suite, "hnswlib", "kNN", 2)]),
  {
    work: "opening, to the first answer",
    goal: "under 300 ms",
    most: 300,
    measured: (found) => found("text-en", "Huiliu")?.openMs,
  },
  {
    work: "memory, text",
    goal: "at most the text's own size",
    most: 1,
    measured(found, result) {
      const suite = result.suites.find(({ name }) => name === "text-en");
      const own = found("text-en", "Huiliu");
      return suite && own?.resting && own.resting.resident / suite.textMiB;
    },
  },
];

/** The goals, and at each size what was measured. */
export function goals(results: readonly Result[]): string {
  const rows = GOALS.map(({ work, goal, most, measured }) => {
    const cells = results.map((result) => {
      const found = (suite: string, peer: string) =>
        result.suites.find(({ name }) => name === suite)?.peers.find((each) => each.peer === peer);
      const value = measured(found, result);
      if (value === undefined) return "not measured";
      return `${short(value)}${most === 300 ? " ms" : " ×"}, ${value <= most ? "met" : "**not met**"}`;
    });
    return [work, goal, ...cells];
  });
  return markdown(["work", "goal", ...results.map(({ size }) => size.toLocaleString("en-US"))], rows);
}

/** How the median of a kind of question grows with the passages: a row for each kind, a column for each size. */
export function growth(results: readonly Result[]): string {
  const own = results.map(({ suites }) =>
    suites.find(({ name }) => name === "text-en")?.peers.find(({ peer }) => peer === "Huiliu"),
  );
  const kinds = [...new Set(own.flatMap((each) => Object.keys(each?.kinds ?? {})))] as Kind[];
  const rows = kinds.map((kind) => [kind, ...own.map((each) => short(each?.kinds[kind]?.cpu ?? Number.NaN))]);
  const costs = [
    ["passages/s", ...own.map((each) => short(each?.indexPerSecond ?? Number.NaN))],
    ["disk, MiB", ...own.map((each) => short(each?.diskMiB ?? Number.NaN))],
    ["memory open, MiB", ...own.map((each) => short(each?.resting?.resident ?? Number.NaN))],
    ["open, ms", ...own.map((each) => short(each?.openMs ?? Number.NaN))],
  ];
  return markdown(
    ["CPU ms a question", ...results.map(({ size }) => size.toLocaleString("en-US"))],
    [...rows, ...costs],
  );
}
