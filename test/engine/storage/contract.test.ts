/** The contract of a storage, held by both. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { decodeKey, encodeKey } from "../../../src/engine/storage/keys.ts";
import { lmdbStorage } from "../../../src/engine/storage/lmdb.ts";
import { memoryStorage } from "../../../src/engine/storage/memory.ts";
import type { Storage, StorageKey } from "../../../src/engine/storage/types.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => (value === undefined ? undefined : new TextDecoder().decode(value));
const all = (view: Pick<Storage, "range">, prefix: StorageKey, start?: StorageKey) =>
  [...view.range(prefix, start)].map(({ key, value }) => [key, text(value)]);

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const storages: [string, () => Promise<Storage>][] = [
  ["memory", async () => memoryStorage()],
  [
    "lmdb",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "huiliu-storage-"));
      cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
      return await lmdbStorage(join(folder, "data"));
    },
  ],
];

describe.each(storages)("%s storage", (_name, make) => {
  const open = async () => {
    const storage = await make();
    cleanups.push(() => storage.close());
    return storage;
  };

  it("gives back what was put, and nothing for what was removed or never put", async () => {
    const storage = await open();
    await storage.transact([
      { put: ["a", 1], value: bytes("one") },
      { put: ["a", 2], value: new Uint8Array() },
      { put: ["b"], value: bytes("two") },
    ]);
    await storage.transact([{ remove: ["b"] }, { remove: ["never"] }]);
    expect(text(storage.get(["a", 1]))).toBe("one");
    expect(storage.get(["a", 2])).toEqual(new Uint8Array());
    expect(storage.get(["b"])).toBeUndefined();
    expect(storage.get(["never"])).toBeUndefined();
  });

  it("applies writes to one key in order", async () => {
    const storage = await open();
    await storage.transact([{ put: ["k"], value: bytes("1") }, { remove: ["k"] }, { put: ["k"], value: bytes("2") }]);
    expect(text(storage.get(["k"]))).toBe("2");
    await storage.transact([{ put: ["k"], value: bytes("3") }, { remove: ["k"] }]);
    expect(storage.get(["k"])).toBeUndefined();
  });

  it("ranges over a prefix in key order, from a start on", async () => {
    const storage = await open();
    const keys: StorageKey[] = [
      ["p", -1.5],
      ["p", 0],
      ["p", 2],
      ["p", 10],
      ["p", "a"],
      ["p", "a", 1],
      ["p", "a\0b"],
      ["p", "ab"],
      ["p", "汇"],
      ["p", "😀"],
      ["pp", 1],
      ["o"],
    ];
    await storage.transact(keys.map((key, i) => ({ put: key, value: bytes(String(i)) })));
    expect(all(storage, ["p"]).map(([key]) => key)).toEqual([
      ["p", "a"],
      ["p", "a", 1],
      ["p", "a\0b"],
      ["p", "ab"],
      ["p", "汇"],
      ["p", "😀"],
      ["p", -1.5],
      ["p", 0],
      ["p", 2],
      ["p", 10],
    ]);
    expect(all(storage, ["p"], ["p", 1]).map(([key]) => key)).toEqual([
      ["p", 2],
      ["p", 10],
    ]);
    expect(all(storage, ["p", "a"]).map(([key]) => key)).toEqual([
      ["p", "a"],
      ["p", "a", 1],
    ]);
    expect(all(storage, [])).toHaveLength(keys.length);
    expect(all(storage, ["q"])).toEqual([]);
  });

  it("keeps a snapshot and a range at their moment", async () => {
    const storage = await open();
    await storage.transact([
      { put: ["a"], value: bytes("old") },
      { put: ["b"], value: bytes("stays") },
    ]);
    const snapshot = storage.snapshot();
    await storage.transact([
      { put: ["a"], value: bytes("new") },
      { remove: ["b"] },
      { put: ["c"], value: bytes("later") },
    ]);
    await storage.transact([{ put: ["a"], value: bytes("newest") }]);
    expect(text(snapshot.get(["a"]))).toBe("old");
    expect(text(snapshot.get(["b"]))).toBe("stays");
    expect(snapshot.get(["c"])).toBeUndefined();
    expect(all(snapshot, [])).toEqual([
      [["a"], "old"],
      [["b"], "stays"],
    ]);
    expect(all(storage, [])).toEqual([
      [["a"], "newest"],
      [["c"], "later"],
    ]);
    snapshot.close();
    expect(() => snapshot.get(["a"])).toThrow("closed");
    expect(text(storage.get(["a"]))).toBe("newest");
  });

  it("keeps a range at its moment while it is read and written to in turns", async () => {
    const storage = await open();
    await storage.transact(Array.from({ length: 300 }, (_, i) => ({ put: ["n", i], value: bytes("old") })));
    let count = 0;
    for (const { key, value } of storage.range(["n"])) {
      expect([key[1], text(value)]).toEqual([count, "old"]);
      count++;
      if (count % 50 === 0) {
        await storage.transact([
          { remove: ["n", count - 50] },
          { remove: ["n", count + 10] },
          { put: ["n", count + 20], value: bytes("new") },
        ]);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
    expect(count).toBe(300);
  });

  it("returns memory that nobody else changes", async () => {
    const storage = await open();
    const value = bytes("first");
    const written = storage.transact([{ put: ["a"], value }]);
    value.fill(0);
    await written;
    const read = storage.get(["a"]) as Uint8Array;
    expect(text(read)).toBe("first");
    read.fill(0);
    expect(text(storage.get(["a"]))).toBe("first");
  });

  it("applies nothing of a transaction with an impossible key", async () => {
    const storage = await open();
    await expect(
      storage.transact([
        { put: ["a"], value: bytes("x") },
        { put: ["k".repeat(3000)], value: bytes("x") },
      ]),
    ).rejects.toThrow("longer than");
    await expect(storage.transact([{ put: [Number.NaN], value: bytes("x") }])).rejects.toThrow("NaN");
    expect(storage.get(["a"])).toBeUndefined();
  });

  it("takes many transactions at once", async () => {
    const storage = await open();
    await Promise.all(
      Array.from({ length: 500 }, (_, i) => storage.transact([{ put: ["n", i], value: bytes(String(i)) }])),
    );
    expect(all(storage, ["n"]).map(([, value]) => Number(value))).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });

  it("writes blobs once and reads parts of them, aligned", async () => {
    const storage = await open();
    await storage.writeBlob("seg_1", [bytes("hello "), new Uint8Array(), bytes("world")]);
    expect(storage.blobSize("seg_1")).toBe(11);
    expect(storage.blobSize("seg_2")).toBeUndefined();
    const part = storage.readBlob("seg_1", 6, 5);
    expect(text(part)).toBe("world");
    expect(part.byteOffset % 8).toBe(0);
    expect(() => storage.readBlob("seg_1", 6, 6)).toThrow(/seg_1/);
    expect(() => storage.readBlob("seg_2", 0, 1)).toThrow(/missing.*seg_2/);
    await expect(storage.writeBlob("seg_1", [bytes("x")])).rejects.toThrow("written once");
    await expect(storage.writeBlob("../x", [bytes("x")])).rejects.toThrow("not a blob name");
    await storage.writeBlob("other", [bytes("x")]);
    expect(storage.listBlobs("seg_")).toEqual(["seg_1"]);
    await storage.removeBlob("seg_1");
    await storage.removeBlob("seg_1");
    expect(storage.listBlobs("")).toEqual(["other"]);
  });

  it("computes CRC-32", async () => {
    const storage = await open();
    expect(storage.crc32(bytes("123456789"))).toBe(0xcbf43926);
    expect(storage.crc32(new Uint8Array())).toBe(0);
  });

  it("behaves as an ordered map, snapshots included, whatever is done", async () => {
    const key = fc.tuple(
      fc.constantFrom("a", "b", "\0", "汇"),
      fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom("", "x", "\0x", "\u{1f600}")),
    );
    const write = fc.record({ key, value: fc.option(fc.uint8Array({ maxLength: 6 }), { nil: undefined }) });
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ writes: fc.array(write, { minLength: 1, maxLength: 6 }) }) },
      { weight: 1, arbitrary: fc.constant("snapshot" as const) },
      { weight: 1, arbitrary: fc.constant("close" as const) },
    );
    const hex = (value: Uint8Array) => Buffer.from(value).toString("hex");
    const order = (a: StorageKey, b: StorageKey) => Buffer.compare(encodeKey(a), encodeKey(b));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const storage = await make();
        try {
          const model = new Map<string, { key: StorageKey; value: string }>();
          const listModel = (m: typeof model) =>
            [...m.values()].sort((a, b) => order(a.key, b.key)).map(({ key, value }) => [key, value]);
          const list = (view: Pick<Storage, "range">) => [...view.range([])].map(({ key, value }) => [key, hex(value)]);
          const snapshots: { snapshot: ReturnType<Storage["snapshot"]>; moment: unknown }[] = [];
          for (const action of steps) {
            if (action === "snapshot") snapshots.push({ snapshot: storage.snapshot(), moment: listModel(model) });
            else if (action === "close") snapshots.shift()?.snapshot.close();
            else {
              await storage.transact(
                action.writes.map(({ key, value }) => (value === undefined ? { remove: key } : { put: key, value })),
              );
              for (const { key, value } of action.writes) {
                if (value === undefined) model.delete(JSON.stringify(key));
                else model.set(JSON.stringify(key), { key, value: hex(value) });
              }
            }
            expect(list(storage)).toEqual(listModel(model));
            for (const { snapshot, moment } of snapshots) expect(list(snapshot)).toEqual(moment);
          }
          for (const { snapshot } of snapshots) snapshot.close();
        } finally {
          await storage.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe("keys", () => {
  it("sort by UTF-8 bytes and numbers, strings first, and come back", () => {
    const part = fc.oneof(fc.string({ unit: "binary" }), fc.double({ noNaN: true }), fc.integer());
    const comparePart = (a: string | number, b: string | number): number => {
      if (typeof a !== typeof b) return typeof a === "string" ? -1 : 1;
      if (typeof a === "number") return a - (b as number) || 0;
      return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
    };
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(part, { minLength: 1, maxLength: 4 }),
        (a, b) => {
          let expected = 0;
          for (let i = 0; i < Math.min(a.length, b.length) && expected === 0; i++)
            expected = Math.sign(comparePart(a[i], b[i]));
          if (expected === 0) expected = Math.sign(a.length - b.length);
          expect(Math.sign(Buffer.compare(encodeKey(a), encodeKey(b)))).toBe(expected);
          expect(decodeKey(encodeKey(a))).toEqual(a.map((p) => (p === 0 ? 0 : p)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are undefined for bytes that are no key", () => {
    for (const damaged of [[], [1, 97], [2, 0, 0], [9], [1, 0xff, 0]])
      expect(decodeKey(Uint8Array.from(damaged))).toBeUndefined();
  });
});
