/** Settings, aliases and the state of an index change durably, for the process that writes and for those that read. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type Index, type IndexRegistry, openIndexRegistry } from "../../../src/engine/index/index.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { lmdbStorage } from "../../../src/engine/storage/lmdb.ts";
import { memoryStorage } from "../../../src/engine/storage/memory.ts";
import { indexing, RESOURCES, writeOne } from "./support/indices.ts";

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function place(): string {
  const parent = mkdtempSync(join(tmpdir(), "huiliu-changes-"));
  cleanups.push(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

async function opened(folder: string): Promise<IndexRegistry & { end(): Promise<void> }> {
  const storage = await lmdbStorage(folder);
  const registry = await openIndexRegistry(storage, RESOURCES);
  let ended = false;
  const end = async () => {
    if (ended) return;
    ended = true;
    await registry.close();
    await storage.close();
  };
  cleanups.push(end);
  return { ...registry, end };
}

const stateOf = ({ settings, aliases, closed, mapping }: Index) => ({
  settings,
  aliases,
  closed,
  mapping: mapping.toJson(),
});

it("survive reopening", async () => {
  const folder = place();
  const writer = await opened(folder);
  const index = await writer.create("a", { mappings: { properties: { t: { type: "text" } } } });
  await index.putMapping({ properties: { k: { type: "keyword" } } });
  const settings = { ...index.settings, max_result_window: "7" } as JsonObject;
  await writer.change(() => [{ name: "a", settings, aliases: { b: { filter: { term: { k: "x" } } } }, closed: true }]);
  expect(stateOf(index)).toMatchObject({ settings, aliases: { b: {} }, closed: true });
  const before = stateOf(index);
  await writer.end();
  const again = await opened(folder);
  expect(stateOf(again.get("a") as Index)).toEqual(before);
});

it("reach those that have the index open for reading", async () => {
  const storage = memoryStorage();
  const writer = await openIndexRegistry(storage, RESOURCES);
  // A storage that another process writes to says so by its version.
  let version = 0;
  const reader = await openIndexRegistry({ ...storage, readOnly: true, version: () => ++version }, RESOURCES);
  const index = await writer.create("a", { aliases: { x: {} } });
  const read = reader.get("a") as Index;
  expect(stateOf(read)).toEqual(stateOf(index));
  await index.putMapping({ properties: { k: { type: "keyword" } } });
  await writer.change(() => [
    {
      name: "a",
      aliases: { y: {} },
      settings: { ...index.settings, refresh_interval: "5s" } as JsonObject,
      closed: true,
    },
  ]);
  expect(reader.get("a")).toBe(read);
  expect(stateOf(read)).toEqual(stateOf(index));
  await reader.close();
  await writer.close();
});

it("take effect on what is written afterwards", async () => {
  const writer = await opened(place());
  const index = await writer.create("a", {});
  await writer.change(() => [
    { name: "a", settings: { ...index.settings, mapping: { total_fields: { limit: "1" } } } as JsonObject },
  ]);
  await expect(writeOne(index, indexing("1", { m: 1, n: 2 }))).rejects.toThrow(
    "Limit of total fields [1] has been exceeded",
  );
});

it("are made all or none, one after the other", async () => {
  const writer = await opened(place());
  await writer.create("a", {});
  await writer.create("b", {});
  await expect(
    writer.change(() => [
      { name: "a", aliases: { x: {} } },
      { name: "c", closed: true },
    ]),
  ).rejects.toMatchObject({ type: "index_not_found_exception" });
  expect(writer.get("a")?.aliases).toEqual({});
  const add = (alias: string) =>
    writer.change(() => [{ name: "a", aliases: { ...writer.get("a")?.aliases, [alias]: {} } }]);
  await Promise.all([add("x"), add("y"), add("z")]);
  expect(Object.keys(writer.get("a")?.aliases ?? {})).toEqual(["x", "y", "z"]);
  await writer.change(() => [
    { name: "a", remove: true },
    { name: "b", aliases: { a: {} } },
  ]);
  expect(writer.list().map(({ name, aliases }) => [name, aliases])).toEqual([["b", { a: {} }]]);
});
