/** A full disk and power cuts: nothing acknowledged is lost, nothing that failed is half there. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type Index, openIndexRegistry } from "../../../src/engine/index/index.ts";
import { lmdbStorage } from "../../../src/engine/storage/lmdb.ts";
import { memoryStorage } from "../../../src/engine/storage/memory.ts";
import { fullDisk, powerCut } from "./support/faults.ts";
import { deleting, documents, indexing, RESOURCES, seen, text } from "./support/indices.ts";

const MAPPINGS = { properties: { t: { type: "text" }, c: { type: "nested", properties: { k: { type: "keyword" } } } } };
const write = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e"),
  value: fc.option(fc.record({ n: fc.nat(), t: fc.constantFrom("x y", "y z") }), { nil: undefined }),
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      writes: fc.array(write, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "refresh" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "merge" as const }) },
);

function operationsOf(writes: readonly { id: string; value?: object }[]) {
  return writes.map(({ id, value }) => (value === undefined ? deleting(id) : indexing(id, value)));
}

function applyTo(model: Map<string, string>, writes: readonly { id: string; value?: object }[]): void {
  for (const { id, value } of writes) value === undefined ? model.delete(id) : model.set(id, JSON.stringify(value));
}

describe("a full disk", () => {
  it("rejects what it cannot store, and goes on when there is room", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.infiniteStream(fc.nat({ max: 3 })),
        async (steps, luck) => {
          const memory = memoryStorage();
          let full = false;
          const registry = await openIndexRegistry(
            fullDisk(memory, () => full && luck.next().value === 0),
            RESOURCES,
            { bufferBytes: 6000 },
          );
          const index = await registry.create("test", { mappings: MAPPINGS });
          full = true;
          const model = new Map<string, string>();
          let visible = new Map<string, string>();
          for (const action of steps) {
            try {
              if (action.kind === "write") {
                await index.write(operationsOf(action.writes));
                applyTo(model, action.writes);
              } else {
                if (action.kind === "merge") {
                  await index.refresh();
                  visible = new Map(model);
                  await index.forceMerge({ maxSegments: 1 });
                } else await index.refresh();
                visible = new Map(model);
              }
            } catch (error) {
              expect((error as Error).message).toContain("no space left");
            }
            expect(new Map(seen(index, documents))).toEqual(visible);
            for (const id of "abcde") expect(text(index.get(id)?.source)).toBe(model.get(id));
          }
          full = false;
          await index.write([indexing("a", { after: 1 })]);
          model.set("a", '{"after":1}');
          await index.forceMerge({ maxSegments: 1 });
          expect(new Map(seen(index, documents))).toEqual(model);
          await registry.close();
          expect((await (await openIndexRegistry(memory, RESOURCES)).verify()).damaged).toEqual([]);
          expect(memory.listBlobs("").length).toBeLessThanOrEqual(1);
          expect([...memory.range(["source"])]).toHaveLength(model.size);
        },
      ),
      { numRuns: 60 },
    );
  });

  const mounted = mkdtempSync(join(tmpdir(), "huiliu-full-"));
  let canMount = false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", mounted], { stdio: "ignore" });
    canMount = true;
    execFileSync("umount", [mounted], { stdio: "ignore" });
  } catch {
    canMount = false;
  }

  it.skipIf(!canMount)("of a real file system: the error says so, and room is all it needs", async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", mounted]);
    // LMDB's wrapper reports failed commits on the console as well.
    const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
    try {
      const ballast = join(mounted, "ballast");
      writeFileSync(ballast, new Uint8Array(3 << 20));
      const folder = join(mounted, "data");
      mkdirSync(folder);
      const storage = await lmdbStorage(folder);
      const registry = await openIndexRegistry(storage, RESOURCES, { bufferBytes: 300_000 });
      const index = await registry.create("test", {
        mappings: { properties: { t: { type: "text" }, p: { type: "keyword", index: false, doc_values: false } } },
      });
      const model = new Map<string, string>();
      const padding = "A".repeat(20_000);
      let failures = 0;
      const fill = async (from: number, to: number) => {
        for (let i = from; i < to; i++) {
          const source = { i, t: `word${i}`, p: padding };
          try {
            await index.write([indexing(String(i), source)]);
            model.set(String(i), JSON.stringify(source));
            if (i % 10 === 0) await index.refresh();
          } catch (error) {
            expect(error).toMatchObject({ type: "i_o_exception", status: 500 });
            expect((error as Error).message).toMatch(/no space left for .*make room/);
            failures++;
          }
        }
      };
      await fill(0, 200);
      expect(failures).toBeGreaterThan(0);
      expect(model.size).toBeGreaterThan(10);
      for (const [id, source] of model) expect(text(index.get(id)?.source)).toBe(source);
      const stored = model.size;
      rmSync(ballast);
      await fill(200, 215);
      expect(model.size).toBe(stored + 15);
      await index.refresh();
      expect(new Map(seen(index, documents))).toEqual(model);
      await registry.close();
      await storage.close();
      const again = await lmdbStorage(folder);
      const reopened = await openIndexRegistry(again, RESOURCES);
      expect(new Map(seen(reopened.get("test") as Index, documents))).toEqual(model);
      expect((await reopened.verify()).damaged).toEqual([]);
      await reopened.close();
      await again.close();
    } finally {
      quiet.mockRestore();
      execFileSync("umount", ["-l", mounted]);
      rmSync(mounted, { recursive: true, force: true });
    }
  });
});

describe("a power cut", () => {
  it("at any write leaves every acknowledged call, and the one under way wholly or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 25 }),
        fc.nat({ max: 40 }),
        fc.infiniteStream(fc.boolean()),
        async (steps, writes, luck) => {
          const memory = memoryStorage();
          const survives = () => luck.next().value as boolean;
          const power = powerCut(memory, writes + 1, survives);
          const model = new Map<string, string>();
          let after: Map<string, string> | undefined;
          let created = false;
          const work = async () => {
            const registry = await openIndexRegistry(power.storage, RESOURCES, { bufferBytes: 6000 });
            const index = await registry.create("test", { mappings: MAPPINGS });
            created = true;
            for (const action of steps) {
              if (action.kind === "refresh") await index.refresh();
              else if (action.kind === "merge") await index.forceMerge({ maxSegments: 1 });
              else {
                after = new Map(model);
                applyTo(after, action.writes);
                await index.write(operationsOf(action.writes));
                applyTo(model, action.writes);
                after = undefined;
              }
            }
          };
          await Promise.race([power.cut, work()]);
          await power.restore();
          const registry = await openIndexRegistry(memory, RESOURCES);
          const index = registry.get("test");
          if (index === undefined) {
            expect(created).toBe(false);
            expect(memory.listBlobs("")).toEqual([]);
            return;
          }
          await index.refresh();
          const found = new Map(seen(index, documents));
          if (after !== undefined && JSON.stringify([...found].sort()) !== JSON.stringify([...model].sort()))
            expect(found).toEqual(after);
          else expect(found).toEqual(model);
          expect((await registry.verify()).damaged).toEqual([]);
          await registry.close();
          expect([...memory.range(["source"])]).toHaveLength(found.size);
          expect([...memory.range(["log"])]).toEqual([]);
          expect([...memory.range(["old"])]).toEqual([]);
          expect(memory.listBlobs("").length).toBe(index.stats().segments);
        },
      ),
      { numRuns: 150 },
    );
  });
});
