/** Writing, refreshing, searching, merging and opening again, on both storages with the real parts. */
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Index,
  type IndexRegistry,
  openIndexRegistry,
  type WriterOptions,
} from "../../../src/engine/index/index.ts";
import type { WriteOperation } from "../../../src/engine/index/types.ts";
import type { Storage } from "../../../src/engine/storage/types.ts";
import {
  bytes,
  deleting,
  documents,
  indexing,
  RESOURCES,
  STORAGES,
  seen,
  text,
  withTerm,
  writeOne,
} from "./support/indices.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.each(STORAGES)("an index on $name storage", (kind) => {
  async function place(options?: WriterOptions) {
    const where = kind.place();
    cleanups.push(() => where.remove());
    let storage: Storage | undefined;
    let registry: IndexRegistry | undefined;
    const close = async () => {
      await registry?.close();
      await storage?.close();
      registry = undefined;
    };
    cleanups.push(close);
    return {
      async open() {
        await close();
        storage = await where.open();
        registry = await openIndexRegistry(storage, RESOURCES, options);
        return { registry, storage };
      },
      /** Ends as a killed process does: without the registry's close. */
      async kill() {
        registry = undefined;
        await storage?.close();
        storage = undefined;
      },
    };
  }
  async function fresh(options?: WriterOptions): Promise<Index> {
    const { registry } = await (await place(options)).open();
    return await registry.create("test", {});
  }

  it("finds a document by its terms after a refresh, and not before", async () => {
    const index = await fresh();
    await writeOne(index, indexing("1", { title: "The quick brown fox", n: 1 }));
    await writeOne(index, indexing("2", { title: "A lazy dog", n: 2 }));
    expect(seen(index, documents)).toEqual([]);
    await index.refresh();
    expect(seen(index, (s) => withTerm(s, "title", "quick"))).toEqual(["1"]);
    expect(seen(index, (s) => withTerm(s, "title", "dog"))).toEqual(["2"]);
    expect(seen(index, (s) => withTerm(s, "title.keyword", "A lazy dog"))).toEqual(["2"]);
    expect(Object.keys((index.mapping.toJson() as { properties: object }).properties)).toEqual(["n", "title"]);
  });

  it("keeps sources byte for byte", async () => {
    const index = await fresh();
    const source = ' {"a" :1.0,  "b":1234567890123456789, "c":"😀\\u0000汇"}\n';
    await writeOne(index, indexing("1", source));
    await index.refresh();
    expect(text(index.get("1")?.source)).toBe(source);
    expect(seen(index, documents)).toEqual([["1", source]]);
  });

  it("shows the source of a search's moment, through updates, deletes, refreshes and merges", async () => {
    const index = await fresh();
    await index.write([indexing("1", { v: 1 }), indexing("2", { v: 1 }), indexing("3", { v: 1 })]);
    await index.refresh();
    const old = index.acquire();
    await writeOne(index, indexing("1", { v: 2 }));
    await writeOne(index, deleting("2"));
    const now = [
      ["1", '{"v":1}'],
      ["2", '{"v":1}'],
      ["3", '{"v":1}'],
    ];
    expect(seen(index, documents)).toEqual(now);
    expect(text(index.get("1")?.source)).toBe('{"v":2}');
    await index.refresh();
    await index.forceMerge({ maxSegments: 1 });
    await writeOne(index, indexing("3", { v: 3 }));
    await index.refresh();
    await index.refresh();
    expect(documents(old)).toEqual(now);
    expect(seen(index, documents)).toEqual([
      ["1", '{"v":2}'],
      ["3", '{"v":3}'],
    ]);
    old.release();
  });

  it("forgets replaced sources and segments once nobody looks at them", async () => {
    const where = await place();
    const { registry, storage } = await where.open();
    const index = await registry.create("test", {});
    for (let round = 0; round < 4; round++) {
      await index.write([indexing("1", { round }), indexing("2", { round })]);
      await index.refresh();
    }
    await index.forceMerge({ maxSegments: 1 });
    const held = index.acquire();
    await writeOne(index, indexing("1", { round: 9 }));
    await index.refresh();
    held.release();
    await index.forceMerge({ maxSegments: 1 });
    await registry.close();
    expect([...storage.range(["source"])]).toHaveLength(2);
    expect([...storage.range(["old"])]).toHaveLength(0);
    expect([...storage.range(["log"])]).toHaveLength(0);
    const again = await where.open();
    expect(again.storage.listBlobs("")).toHaveLength(1);
  });

  it("keeps the routing of documents through a crash, a refresh and a merge, and forgets that of replaced ones", async () => {
    const where = await place();
    const { registry } = await where.open();
    const index = await registry.create("test", {});
    const routed = (id: string, routing?: string) => ({ ...indexing(id, { t: id }), routing }) as WriteOperation;
    await index.write([routed("a", "r1"), routed("b"), routed("c", "r2")]);
    await index.refresh();
    await index.write([routed("a", "r3"), routed("c"), routed("d", "r4")]);
    await where.kill();
    const { registry: reopened, storage } = await where.open();
    const after = reopened.get("test") as Index;
    const stored = () => ["a", "b", "c", "d"].map((id) => after.get(id)?.routing);
    const searched = () =>
      seen(after, (snapshot) =>
        snapshot.leaves.flatMap((leaf) =>
          Array.from({ length: leaf.segment.maxDoc }, (_, doc) => doc)
            .filter((doc) => leaf.live?.get(doc) !== false)
            .map((doc) => `${leaf.segment.id(doc)} ${snapshot.routing(leaf, doc)}`),
        ),
      ).sort();
    expect(stored()).toEqual(["r3", undefined, undefined, "r4"]);
    await after.refresh();
    const expected = ["a r3", "b undefined", "c undefined", "d r4"];
    expect(searched()).toEqual(expected);
    expect(seen(after, (s) => withTerm(s, "_routing", "r1"))).toEqual([]);
    await after.forceMerge({ maxSegments: 1 });
    expect(searched()).toEqual(expected);
    expect(stored()).toEqual(["r3", undefined, undefined, "r4"]);
    expect((await reopened.verify()).damaged).toEqual([]);
    await storage.transact([{ remove: ["routing", after.uuid, after.get("d")?.seqNo as number] }]);
    expect((await reopened.verify()).damaged.join()).toContain("routing of the document [d]");
    await reopened.close();
    const { storage: last } = await where.open();
    expect([...last.range(["routing", after.uuid])]).toHaveLength(1);
  });

  it("loses nothing that was acknowledged when the process ends without closing", async () => {
    const where = await place({ bufferBytes: 20_000 });
    const { registry } = await where.open();
    const index = await registry.create("test", { mappings: { properties: { t: { type: "text" } } } });
    await index.write([indexing("a", { t: "refreshed" }), indexing("b", { t: "refreshed" })]);
    await index.refresh();
    for (let i = 0; i < 300; i++) await index.write([indexing(`n${i}`, { t: `number ${i}`, added: true })]);
    await index.write([indexing("a", { t: "newer" }), deleting("b"), indexing("n1", { t: "again" })]);
    await where.kill();
    const { registry: reopened, storage } = await where.open();
    const after = reopened.get("test") as Index;
    expect(text(after.get("a")?.source)).toBe('{"t":"newer"}');
    expect(after.get("b")).toBeUndefined();
    await after.refresh();
    expect(seen(after, documents)).toHaveLength(301);
    expect(seen(after, (s) => withTerm(s, "t", "newer"))).toEqual(["a"]);
    expect(seen(after, (s) => withTerm(s, "t", "refreshed"))).toEqual([]);
    expect(seen(after, (s) => withTerm(s, "t", "again"))).toEqual(["n1"]);
    expect((await writeOne(after, indexing("a", { t: "x" }))).version).toBe(3);
    expect((await reopened.verify()).damaged).toEqual([]);
    await reopened.close();
    expect([...storage.range(["log"])]).toEqual([]);
  });

  it("answers each operation of a call for itself", async () => {
    const index = await fresh();
    const results = await index.write([
      indexing("1", { n: 1 }),
      indexing("2", { n: "not a number" }),
      { kind: "create", id: "1", source: bytes({ n: 2 }) },
      indexing("3", "[1]"),
      indexing("4", '{"n":'),
      indexing("x".repeat(513), { n: 1 }),
      deleting("never"),
      indexing("1", { n: 3 }),
    ]);
    expect(
      results.map((r) => (r instanceof Error ? (r as { type?: string }).type : [r.result, r.version, r.seqNo])),
    ).toEqual([
      ["created", 1, 0],
      "document_parsing_exception",
      "version_conflict_engine_exception",
      "not_x_content_exception",
      "document_parsing_exception",
      "action_request_validation_exception",
      ["not_found", 1, 1],
      ["updated", 2, 2],
    ]);
    await index.refresh();
    expect(seen(index, documents)).toEqual([["1", '{"n":3}']]);
  });

  it("takes a call back when its signal is aborted, and no other", async () => {
    const index = await fresh();
    const controller = new AbortController();
    const given = index.write(
      Array.from({ length: 50 }, (_, i) => indexing(`a${i}`, { aborted: i })),
      { signal: controller.signal },
    );
    const kept = index.write([indexing("k", { kept: 1 }), indexing("a1", { kept: 2 })]);
    controller.abort();
    await expect(given).rejects.toMatchObject({ type: "task_cancelled_exception" });
    expect((await kept).map((r) => (r as { seqNo: number }).seqNo)).toEqual([0, 1]);
    await index.refresh();
    expect(seen(index, documents).map(([id]) => id)).toEqual(["k", "a1"]);
    expect(index.mapping.field("aborted")).toBeUndefined();
  });

  it("makes ids of 20 letters that sort by time", async () => {
    const index = await fresh();
    const results = await index.write(Array.from({ length: 2000 }, () => indexing(undefined, { a: 1 })));
    const ids = results.map((r) => (r as { id: string }).id);
    expect(new Set(ids).size).toBe(2000);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{20}$/);
    expect([...ids].sort()).toEqual(ids);
  });

  it("keeps nested documents with their root", async () => {
    const { registry } = await (await place()).open();
    const index = await registry.create("test", {
      mappings: { properties: { c: { type: "nested", properties: { t: { type: "keyword" } } } } },
    });
    await index.write([
      indexing("1", { c: [{ t: "x" }, { t: "y" }] }),
      indexing("2", { c: [{ t: "x" }] }),
      indexing("3", { a: 1 }),
    ]);
    await index.write([indexing("1", { c: { t: "z" } })]);
    await index.refresh();
    await index.write([deleting("2")]);
    await index.refresh();
    await index.forceMerge({ maxSegments: 1 });
    const snapshot = index.acquire();
    expect(documents(snapshot).map(([id]) => id)).toEqual(["3", "1"]);
    expect([snapshot.maxDoc, snapshot.docCount]).toEqual([3, 2]);
    expect(snapshot.leaves[0].segment.terms("c.t")?.lookup("x")).toBe(-1);
    expect(snapshot.source(snapshot.leaves[0], 1)).toBeUndefined();
    snapshot.release();
  });

  it("merges many small segments into few while documents change", async () => {
    const index = await fresh();
    const expected = new Map<string, string>();
    for (let i = 0; i < 60; i++) {
      const id = String(i % 25);
      await writeOne(index, indexing(id, { i }));
      expected.set(id, JSON.stringify({ i }));
      if (i % 7 === 0) {
        await writeOne(index, deleting(String((i + 3) % 25)));
        expected.delete(String((i + 3) % 25));
      }
      await index.refresh();
    }
    await index.forceMerge({});
    expect(index.stats().segments).toBeLessThanOrEqual(12);
    expect(new Map(seen(index, documents))).toEqual(expected);
    expect(index.stats().docs).toBe(expected.size);
    await index.forceMerge({ maxSegments: 1 });
    expect(index.stats()).toMatchObject({ segments: 1, deleted: 0, docs: expected.size });
    expect(new Map(seen(index, documents))).toEqual(expected);
  });

  it("removes an index while a search holds it, and makes another of the same name", async () => {
    const { registry, storage } = await (await place()).open();
    const index = await registry.create("test", {});
    await writeOne(index, indexing("1", { a: 1 }));
    await index.refresh();
    const held = index.acquire();
    await registry.delete("test");
    expect(registry.get("test")).toBeUndefined();
    expect(documents(held)).toEqual([["1", '{"a":1}']]);
    const second = await registry.create("test", {});
    expect(second.uuid).not.toBe(index.uuid);
    expect(second.get("1")).toBeUndefined();
    expect(() => index.acquire()).toThrow("closed");
    held.release();
    await expect.poll(() => [...storage.range(["source"])].length + storage.listBlobs("").length).toBe(0);
    await expect(registry.delete("none")).rejects.toMatchObject({ type: "index_not_found_exception", status: 404 });
  });

  it("makes writes older than the interval visible to a search that waits for them", async () => {
    const { registry } = await (await place()).open();
    const index = await registry.create("test", { settings: { "index.refresh_interval": "1ms" } });
    await writeOne(index, indexing("1", { a: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await index.ready();
    expect(seen(index, documents)).toHaveLength(1);
    const never = await registry.create("never", { settings: { refresh_interval: "-1" } });
    await writeOne(never, indexing("1", { a: 1 }));
    await never.ready();
    expect(seen(never, documents)).toHaveLength(0);
  });

  it("is a map from ids to sources, whatever is done in whatever order", async () => {
    const id = fc.constantFrom("a", "b", "c", "é\0", "😀", "long".repeat(30));
    const value = fc.record({
      n: fc.integer(),
      t: fc.constantFrom("x y", "y z", ""),
      c: fc.array(fc.record({ k: fc.constantFrom("p", "q") }), { maxLength: 2 }),
    });
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("write" as const),
          writes: fc.array(fc.record({ id, value: fc.option(value, { nil: undefined }) }), {
            minLength: 1,
            maxLength: 5,
          }),
        }),
      },
      { weight: 3, arbitrary: fc.constant({ kind: "refresh" as const }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant("merge" as const), maxSegments: fc.integer({ min: 1, max: 3 }) }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: "reopen" as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: "kill" as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: "hold" as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
        const where = await place({ bufferBytes: 6000 });
        let { registry } = await where.open();
        let index = await registry.create("test", {
          mappings: { properties: { c: { type: "nested" }, t: { type: "text" } } },
        });
        const model = new Map<string, string>();
        const versions = new Map<string, number>();
        let visible = new Map<string, string>();
        const held: { snapshot: ReturnType<Index["acquire"]>; moment: Map<string, string> }[] = [];
        for (const action of steps) {
          if (action.kind === "write") {
            const results = await index.write(
              action.writes.map((w) => (w.value === undefined ? deleting(w.id) : indexing(w.id, w.value))),
            );
            action.writes.forEach((w, i) => {
              const version = (versions.get(w.id) ?? 0) + 1;
              versions.set(w.id, version);
              const had = model.has(w.id);
              const expected = w.value === undefined ? (had ? "deleted" : "not_found") : had ? "updated" : "created";
              expect(results[i]).toMatchObject({ result: expected, version });
              if (w.value === undefined) model.delete(w.id);
              else model.set(w.id, JSON.stringify(w.value));
            });
          } else if (action.kind === "refresh") {
            await index.refresh();
            visible = new Map(model);
          } else if (action.kind === "merge") {
            await index.forceMerge({ maxSegments: action.maxSegments });
            visible = new Map(model);
            expect(index.stats().segments).toBeLessThanOrEqual(action.maxSegments);
          } else if (action.kind === "hold") held.push({ snapshot: index.acquire(), moment: visible });
          else {
            for (const { snapshot } of held.splice(0)) snapshot.release();
            if (action.kind === "kill") await where.kill();
            ({ registry } = await where.open());
            index = registry.get("test") as Index;
            if (action.kind === "kill") await index.refresh();
            visible = new Map(model);
          }
          for (const { snapshot, moment } of held) expect(new Map(documents(snapshot))).toEqual(moment);
          expect(new Map(seen(index, documents))).toEqual(visible);
          for (const [key, source] of model) expect(text(index.get(key)?.source)).toBe(source);
        }
        await index.refresh();
        for (const term of ["x", "y", "z"]) {
          const expected = [...model]
            .filter(([, source]) => JSON.parse(source).t.split(" ").includes(term))
            .map(([key]) => key);
          expect(seen(index, (s) => withTerm(s, "t", term)).sort()).toEqual(expected.sort());
        }
        for (const { snapshot } of held) snapshot.release();
        expect((await registry.verify()).damaged).toEqual([]);
        await registry.close();
      }),
      { numRuns: kind.name === "memory" ? 40 : 12 },
    );
  });
});
