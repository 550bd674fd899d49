/** What is written, deleted and refreshed while segments are merged. */
import { afterEach, describe, expect, it } from "vitest";
import { type IndexRegistry, openIndexRegistry } from "../../../src/engine/index/index.ts";
import { memoryStorage } from "../../../src/engine/storage/memory.ts";
import type { Storage } from "../../../src/engine/storage/types.ts";
import { deleting, documents, indexing, RESOURCES, writeOne } from "./support/indices.ts";

let registry: IndexRegistry | undefined;
afterEach(() => registry?.close());

/** A storage that lets something happen before the next file is written: the merged segment's. */
function pausing(storage: Storage): { storage: Storage; meanwhile(run: () => Promise<void>): void } {
  let run: (() => Promise<void>) | undefined;
  return {
    storage: new Proxy(storage, {
      get(target, key) {
        if (key !== "writeBlob") return Reflect.get(target, key);
        return async (...args: Parameters<Storage["writeBlob"]>) => {
          const now = run;
          run = undefined;
          await now?.();
          return target.writeBlob(...args);
        };
      },
    }),
    meanwhile(next) {
      run = next;
    },
  };
}

/** A segment for each list of ids. */
async function indexOf(segments: readonly (readonly string[])[], sorted = false) {
  const { storage, meanwhile } = pausing(memoryStorage());
  registry = await openIndexRegistry(storage, RESOURCES);
  const index = await registry.create("test", {
    settings: { refresh_interval: "-1", ...(sorted ? { "sort.field": "id", "sort.order": "desc" } : {}) },
    ...(sorted ? { mappings: { properties: { id: { type: "keyword" } } } } : {}),
  });
  for (const ids of segments) {
    for (const id of ids) await writeOne(index, indexing(id, { id }));
    await index.refresh();
  }
  const living = () => {
    const snapshot = index.acquire();
    const found = documents(snapshot).map(([id]) => id);
    snapshot.release();
    return found;
  };
  return { storage, index, meanwhile, living };
}

const SEGMENTS = [["a1", "a2"], ["b1"], ["c1", "c2"], ["d1"]];

describe("an index that is sorted", () => {
  it("keeps its order when it is merged, and loses what is deleted meanwhile", async () => {
    const { storage, index, meanwhile, living } = await indexOf([["c1", "a2"], ["d1"], ["b2", "a1", "c2"]], true);
    expect(living()).toEqual(["c1", "a2", "d1", "c2", "b2", "a1"]);
    meanwhile(async () => {
      await writeOne(index, deleting("b2"));
      await index.refresh();
    });
    await index.forceMerge({ maxSegments: 1 });
    expect(living()).toEqual(["d1", "c2", "c1", "a2", "a1"]);
    await registry?.close();
    registry = await openIndexRegistry(storage, RESOURCES);
    const again = registry.get("test")!;
    if (!("forceMerge" in again)) throw new Error("open for writing");
    for (const id of ["a0", "z"]) await writeOne(again, indexing(id, { id }));
    await again.refresh();
    await again.forceMerge({ maxSegments: 1 });
    const snapshot = again.acquire();
    expect(documents(snapshot).map(([id]) => id)).toEqual(["z", "d1", "c2", "c1", "a2", "a1", "a0"]);
    snapshot.release();
  });
});

describe("segments that are emptied while they are merged", () => {
  it.each([
    ["the first", ["a1", "a2"]],
    ["one in the middle", ["b1"]],
    ["the last", ["d1"]],
    ["several", ["a1", "a2", "c1", "c2"]],
    ["all", ["a1", "a2", "b1", "c1", "c2", "d1"]],
    ["parts of them", ["a1", "c2"]],
  ])("%s: nothing else is lost", async (_name, gone) => {
    const { storage, index, meanwhile, living } = await indexOf(SEGMENTS);
    meanwhile(async () => {
      for (const id of gone) await writeOne(index, deleting(id));
      await writeOne(index, indexing("new", {}));
      await index.refresh();
    });
    await index.forceMerge({ maxSegments: 1 });
    const left = [...SEGMENTS.flat().filter((id) => !gone.includes(id)), "new"];
    expect(living()).toEqual(left);
    // What was deleted and what came can be replaced: their segments are found.
    for (const id of left) await writeOne(index, indexing(id, { again: true }));
    await index.refresh();
    expect(living().sort()).toEqual([...left].sort());
    await registry?.close();
    registry = await openIndexRegistry(storage, RESOURCES);
    const snapshot = registry.get("test")!.acquire();
    expect(
      documents(snapshot)
        .map(([id]) => id)
        .sort(),
    ).toEqual([...left].sort());
    snapshot.release();
  });
});
