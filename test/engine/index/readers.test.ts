/** Processes that read what another one writes: each sees the writer's last refresh, whatever is merged and removed meanwhile. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { type Index, openIndexRegistry } from "../../../src/engine/index/index.ts";
import { lmdbStorage } from "../../../src/engine/storage/lmdb.ts";
import { deleting, documents, indexing, RESOURCES, seen, text, writeOne } from "./support/indices.ts";

const WRITER = fileURLToPath(new URL("./support/round-writer.ts", import.meta.url));
const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function place(): string {
  const parent = mkdtempSync(join(tmpdir(), "huiliu-readers-"));
  cleanups.push(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

async function reader(folder: string) {
  const storage = await lmdbStorage(folder, { readOnly: true });
  const registry = await openIndexRegistry(storage, RESOURCES);
  cleanups.push(async () => {
    await registry.close();
    await storage.close();
  });
  return registry;
}

/** A process that writes without end; resolves after its first round. */
async function startWriter(folder: string): Promise<void> {
  const writer: ChildProcess = spawn(process.execPath, ["--import", "tsx", WRITER, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => writer.on("close", resolve));
  cleanups.push(() => {
    writer.kill("SIGKILL");
    return ended;
  });
  await new Promise((resolve) => writer.stdout?.once("data", resolve));
}

it("follow refreshes, merges and deletions of a writing process, each snapshot whole", async () => {
  const folder = place();
  await startWriter(folder);
  const registry = await reader(folder);
  const index = registry.get("rounds") as Index;
  const rounds = new Set<number>();
  let held: { snapshot: ReturnType<Index["acquire"]>; content: string } | undefined;
  const whole = (snapshot: ReturnType<Index["acquire"]>): string => {
    const found = documents(snapshot);
    // The writer gives all documents the same round in one call, and refreshes after it.
    const values = new Set(found.map(([, source]) => JSON.parse(source).round as number));
    expect(values.size).toBe(1);
    expect(found).toHaveLength(20);
    expect(snapshot.docCount).toBe(20);
    for (const value of values) rounds.add(value);
    return JSON.stringify(found.sort());
  };
  for (let i = 0; i < 400 && (rounds.size < 60 || i < 60); i++) {
    const snapshot = index.acquire();
    const content = whole(snapshot);
    if (i % 10 === 0) {
      if (held !== undefined) {
        expect(whole(held.snapshot)).toBe(held.content);
        held.snapshot.release();
      }
      held = { snapshot, content };
    } else snapshot.release();
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  held?.snapshot.release();
  expect(rounds.size).toBeGreaterThan(5);
  expect((await registry.verify()).damaged).toEqual([]);
});

it("open what another process is writing at any moment", async () => {
  const folder = place();
  await startWriter(folder);
  for (let round = 0; round < 60; round++) {
    const storage = await lmdbStorage(folder, { readOnly: true });
    await storage.close();
  }
});

it("see indices come and go, and refuse to write", async () => {
  const folder = place();
  const storage = await lmdbStorage(folder);
  const registry = await openIndexRegistry(storage, RESOURCES);
  cleanups.push(async () => {
    await registry.close();
    await storage.close();
  });
  const a = await registry.create("a", {});
  const readers = await reader(folder);
  expect(readers.list().map(({ name }) => name)).toEqual(["a"]);
  const index = readers.get("a") as Index;
  expect(seen(index, documents)).toEqual([]);
  await writeOne(a, indexing("1", { x: "new field" }));
  expect(text(index.get("1")?.source)).toBe('{"x":"new field"}');
  expect(index.mapping.field("x")?.type).toBe("text");
  expect(seen(index, documents)).toEqual([]);
  await a.refresh();
  const old = index.acquire();
  await writeOne(a, indexing("1", { x: "newer" }));
  await a.refresh();
  await a.refresh();
  expect(documents(old)).toEqual([["1", '{"x":"new field"}']]);
  expect(seen(index, documents)).toEqual([["1", '{"x":"newer"}']]);
  old.release();
  await writeOne(a, deleting("1"));
  await a.refresh();
  expect(seen(index, documents)).toEqual([]);
  await registry.create("b", {});
  expect(readers.list().map(({ name }) => name)).toEqual(["a", "b"]);
  await registry.delete("a");
  expect(readers.get("a")).toBeUndefined();
  expect(() => index.acquire()).toThrow();
  const b = readers.get("b") as Index;
  await expect(b.write([indexing("1", {})])).rejects.toThrow("read-only");
  await expect(b.putMapping({})).rejects.toThrow("read-only");
  await expect(readers.create("c", {})).rejects.toThrow("read-only");
  await expect(readers.delete("b")).rejects.toThrow("read-only");
});
