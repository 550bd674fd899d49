import { afterAll, describe, expect, it } from "vitest";
import { merged } from "../../bench/report/merge.ts";
import type { Result } from "../../bench/report/result.ts";
import { page } from "../../bench/report/table.ts";
import type { PeerResult } from "../../bench/run/measure.ts";
import { Late, type Remote, start } from "../../bench/run/remote.ts";

const times = { p50: 1, p95: 2, p99: 3, cpu: 1, right: 1 };
const peer = (name: string, more: Partial<PeerResult> = {}): PeerResult => ({
  peer: name,
  settings: "",
  indexPerSecond: 1000,
  optimizeSeconds: 0,
  diskMiB: 1,
  building: { resident: 1, peak: 2 },
  openMs: 5,
  resting: { resident: 1, peak: 2 },
  kinds: { "1 term": times },
  throughput: {},
  ...more,
});
const result = (suites: Result["suites"], skipped: Result["skipped"] = []): Result => ({
  size: 10,
  date: "2026-01-01",
  machine: { processor: "a", cores: 2, memoryGiB: 1, node: "20", load: [1] },
  suites,
  skipped,
});

describe("results of a run in parts", () => {
  const before = result([{ name: "text-en", textMiB: 1, peers: [peer("Huiliu"), peer("A"), peer("B")] }]);

  it("keep what was measured before, in its order", () => {
    const now = result([
      { name: "text-zh", textMiB: 1, peers: [peer("Huiliu")] },
      { name: "text-en", textMiB: 1, peers: [peer("Huiliu", { openMs: 7 }), peer("C"), peer("A", { openMs: 8 })] },
    ]);
    const { suites } = merged(before, now);
    expect(suites.map(({ name, peers }) => [name, peers.map((each) => [each.peer, each.openMs])])).toEqual([
      [
        "text-en",
        [
          ["Huiliu", 7],
          ["A", 8],
          ["B", 5],
          ["C", 5],
        ],
      ],
      ["text-zh", [["Huiliu", 5]]],
    ]);
  });

  it("forget why a peer was not measured once it was", () => {
    const broken = merged(before, result([], [{ peer: "C, text-en", why: "broken" }]));
    expect(broken.skipped).toHaveLength(1);
    const mended = merged(broken, result([{ name: "text-en", textMiB: 1, peers: [peer("C")] }]));
    expect(mended.skipped).toEqual([]);
  });

  it("say what took too long", () => {
    const never: PeerResult = { peer: "Hangs", settings: "", kinds: {}, throughput: {}, late: { indexing: 120 } };
    const slow = peer("Slow", { late: { phrase: 60 } });
    const text = page(result([{ name: "text-en", textMiB: 1, peers: [peer("Huiliu"), never, slow] }]));
    expect(text).toContain("| Hangs | more than 120 s |");
    expect(text).toContain("| phrase | Slow | more than 60 s a turn |");
    expect(text).not.toContain("NaN");
  });
});

describe("a peer's process", () => {
  const running: Remote[] = [];
  afterAll(() => Promise.all(running.map((remote) => remote.end())));
  const node = (program: string, limit: number) => {
    const remote = start({ command: [process.execPath, "-e", program], limit, env: { HERE: "x" } });
    running.push(remote);
    return remote;
  };

  it("is ended when it does not answer in time", async () => {
    const remote = node("process.stdin.resume()", 0.1);
    await expect(remote.ask({ do: "memory" })).rejects.toThrow(Late);
    await expect(remote.ask({ do: "memory" })).rejects.toThrow("took more than 0.1 s");
  });

  it("answers a line with a line, whatever else it prints, in an environment of its own", async () => {
    const remote = node(
      'process.stdin.once("data", () => console.log("noise\\n" + JSON.stringify({ resident: process.env.HERE })))',
      60,
    );
    expect(await remote.ask({ do: "memory" })).toEqual({ resident: "x" });
  });
});
