/** Results as Markdown tables. */
import type { PeerResult } from "../run/measure.ts";
import { KINDS } from "../workload/types.ts";
import type { Result, SuiteResult } from "./result.ts";

/** Three digits that count. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return "";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return Number(value.toPrecision(3)).toString();
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** A figure, or that it took too long. */
const known = (value: number | undefined, late: number | undefined): string =>
  value === undefined ? (late === undefined ? "" : `more than ${late} s`) : short(value);

/** Building and keeping. */
export function costs({ peers }: SuiteResult): string {
  const memory = (resting: PeerResult["resting"]) => {
    if (resting === undefined) return "";
    const { resident, anonymous } = resting;
    return anonymous === undefined ? short(resident) : `${short(resident)} (${short(anonymous)})`;
  };
  const remote = (peer: PeerResult) => peer.peer === "Elasticsearch";
  return markdown(
    [
      "",
      "passages/s",
      "merging, s",
      "disk, MiB",
      "memory building, peak MiB",
      "memory open, MiB (without files' pages)",
      "open, ms",
    ],
    peers.map((peer) => [
      peer.peer,
      known(peer.indexPerSecond, peer.late?.indexing),
      known(peer.optimizeSeconds, undefined),
      ...(remote(peer)
        ? ["", "", "", ""]
        : [
            known(peer.diskMiB, undefined),
            known(peer.building?.peak, undefined),
            memory(peer.resting),
            known(peer.openMs, peer.late?.opening),
          ]),
    ]),
  );
}

/** Times of questions: a peer's beside Huiliu's of the same turns, and how many times Huiliu's the peer's median is. */
export function times({ peers }: SuiteResult): string {
  const kinds = KINDS.filter((kind) => peers.some((peer) => peer.kinds[kind] ?? peer.late?.[kind]));
  const rows = kinds.flatMap((kind) =>
    peers.flatMap((peer) => {
      const found = peer.kinds[kind];
      const late = peer.late?.[kind];
      if (late !== undefined) return [[kind, peer.peer, `more than ${late} s a turn`, "", "", "", "", "", "", ""]];
      if (found === undefined) return [];
      const { p50, p95, p99, cpu, own, right } = found;
      // A node's processor is not this process's.
      const used = peer.peer === "Elasticsearch" ? "" : short(cpu);
      const beside = own
        ? [short(own.p50), `${short(p50 / own.p50)} ×`, used === "" ? "" : `${short(cpu / own.cpu)} ×`]
        : ["", "", ""];
      return [[kind, peer.peer, short(p50), short(p95), short(p99), used, ...beside, right.toFixed(3)]];
    }),
  );
  const head = ["question", "", "p50 ms", "p95", "p99", "CPU ms", "Huiliu beside it, p50", "p50 is", "CPU is", "right"];
  return markdown(head, rows);
}

export function throughput({ peers }: SuiteResult): string {
  const kinds = KINDS.filter((kind) => peers.some((peer) => peer.throughput[kind]));
  if (kinds.length === 0) return "";
  const rows = kinds.flatMap((kind) =>
    peers.flatMap(({ peer, throughput: all }) =>
      all[kind] ? [[kind, peer, short(all[kind][0]), short(all[kind][1])]] : [],
    ),
  );
  return markdown(["questions/s", "", "one process", "two"], rows);
}

/** The load that two processes in turns, and two at once, make themselves. */
const MEASURING = 2.2;

export function page(result: Result): string {
  const { machine, size } = result;
  const [low, high] = [Math.min(...machine.load), Math.max(...machine.load)];
  const parts = [
    `${size.toLocaleString("en-US")} passages; ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node.js ${machine.node}; ` +
      `load average ${short(low)} to ${short(high)}${high > MEASURING ? ": other work ran on the machine" : ""}.`,
  ];
  for (const suite of result.suites) {
    parts.push(
      `**${suite.name}** (${short(suite.textMiB)} MiB of text and vectors)`,
      costs(suite),
      times(suite),
      throughput(suite),
    );
  }
  if (result.ingestion)
    parts.push(
      `**Files into a collection**, with the bundled embedding: ${result.ingestion.map(({ language, filesPerSecond, passagesPerSecond }) => `${language}: ${short(filesPerSecond)} files/s, ${short(passagesPerSecond)} passages/s`).join("; ")}`,
    );
  if (result.skipped.length > 0)
    parts.push(`Not measured: ${result.skipped.map(({ peer, why }) => `${peer} (${why})`).join("; ")}`);
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
