/** Kills a writing process at random moments and checks after each what it left. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { openIndexRegistry } from "../../../../src/engine/index/index.ts";
import { lmdbStorage } from "../../../../src/engine/storage/lmdb.ts";
import { documents, RESOURCES, seen, text, withTerm } from "./indices.ts";

const WRITER = fileURLToPath(new URL("./crash-writer.ts", import.meta.url));

interface Call {
  readonly call: number;
  readonly changes: readonly [id: string, value: number | undefined][];
}

/** Runs the writer for a while and kills it. Returns acknowledged calls, and the one that was under way. */
function runAndKill(
  folder: string,
  first: number,
  seed: number,
  ms: number,
): Promise<{ acknowledged: Call[]; open: Call | undefined }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", WRITER, folder, String(first), String(seed)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (data: Buffer) => {
      const before = output.includes("ready\n");
      output += data.toString();
      if (!before && output.includes("ready\n")) setTimeout(() => child.kill("SIGKILL"), ms);
    });
    child.stderr.on("data", (data: Buffer) => {
      errors += data.toString();
    });
    child.on("close", (_code, signal) => {
      if (signal !== "SIGKILL") {
        reject(new Error(`the writer ended by itself: ${errors}`));
        return;
      }
      const acknowledged: Call[] = [];
      let open: Call | undefined;
      // The last line may be cut off.
      for (const line of output.slice(0, output.lastIndexOf("\n") + 1).split("\n")) {
        const [word, call, ...changes] = line.split(" ");
        if (word === "try") {
          open = {
            call: Number(call),
            changes: changes.map((change) => {
              const [id, value] = change.split("=");
              return [id, value === "-" ? undefined : Number(value)];
            }),
          };
        } else if (word === "ack" && open !== undefined) {
          acknowledged.push(open);
          open = undefined;
        }
      }
      resolve({ acknowledged, open });
    });
  });
}

/** Every acknowledged write is there after each kill, and the one under way is there wholly or not at all. */
export async function checkCrashes(kills: number): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "huiliu-crash-"));
  const folder = join(parent, "data");
  try {
    const model = new Map<string, number>();
    let call = 0;
    let acknowledgedCalls = 0;
    for (let kill = 0; kill < kills; kill++) {
      const { acknowledged, open } = await runAndKill(folder, call, kill * 7919 + 1, Math.random() * 400);
      for (const { changes } of acknowledged) {
        for (const [id, value] of changes) value === undefined ? model.delete(id) : model.set(id, value);
      }
      acknowledgedCalls += acknowledged.length;
      call = Math.max(call, (open ?? acknowledged[acknowledged.length - 1])?.call ?? call) + 1;
      const storage = await lmdbStorage(folder);
      const registry = await openIndexRegistry(storage, RESOURCES);
      const index = registry.get("crash");
      if (index === undefined) throw new Error("the index is gone");
      const callOf = (source: string | undefined) =>
        source === undefined ? undefined : (JSON.parse(source).call as number);
      if (open !== undefined && open.changes.length > 0) {
        const stored = open.changes.map(([id]) => callOf(text(index.get(id)?.source)));
        const after = open.changes.map(([, value]) => value);
        const before = open.changes.map(([id]) => model.get(id));
        if (JSON.stringify(stored) === JSON.stringify(after)) {
          for (const [id, value] of open.changes) value === undefined ? model.delete(id) : model.set(id, value);
        } else expect(stored).toEqual(before);
      }
      await index.refresh();
      const found = new Map(seen(index, documents).map(([id, source]) => [id, callOf(source)]));
      expect(found).toEqual(model);
      const words = seen(index, documents);
      for (const word of ["word0", "word7", "word19"]) {
        const expected = words
          .filter(([, source]) => (JSON.parse(source).t as string).split(" ").includes(word))
          .map(([id]) => id);
        expect(seen(index, (s) => withTerm(s, "t", word)).sort()).toEqual(expected.sort());
      }
      expect((await registry.verify()).damaged).toEqual([]);
      await registry.close();
      expect([...storage.range(["source"])]).toHaveLength(model.size);
      await storage.close();
    }
    expect(acknowledgedCalls).toBeGreaterThan(kills);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
