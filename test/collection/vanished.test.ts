/** Files by their names: the same file is found again however its path is spelt, and what has vanished is removed. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import type { Collection } from "../../src/collection/types.ts";
import { document } from "../../src/schema/index.ts";

let start: string;
let folder: string;
let collection: Collection;

beforeEach(async () => {
  start = process.cwd();
  folder = await mkdtemp(join(tmpdir(), "huiliu-vanished-"));
  await mkdir(join(folder, "work/docs/sub"), { recursive: true });
  await mkdir(join(folder, "other"), { recursive: true });
  for (const name of ["work/docs/a.md", "work/docs/sub/b.md", "work/c.md", "other/d.md", "other/e.md"])
    await writeFile(join(folder, name), `# ${name}\n\nText of ${name}.\n`);
  process.chdir(join(folder, "work"));
  folder = join(process.cwd(), "..");
  collection = await openCollection("documents", { data: join(folder, "data") });
});

afterEach(async () => {
  await collection.close();
  process.chdir(start);
  await rm(folder, { recursive: true, force: true });
});

async function files(): Promise<string[]> {
  const out: string[] = [];
  for await (const { file } of collection.list()) out.push(file);
  return out;
}

const removeVanished = { removeVanished: true };

describe("removing by name", () => {
  it.each([
    ["../other/d.md", ["other/d.md"]],
    ["../other", ["other/d.md", "other/e.md"]],
    ["../other/../other/", ["other/d.md", "other/e.md"]],
    ["./docs/sub/../a.md", ["work/docs/a.md"]],
    ["docs//", ["work/docs/a.md", "work/docs/sub/b.md"]],
    [".", ["work/c.md", "work/docs/a.md", "work/docs/sub/b.md"]],
    ["..", ["other/d.md", "other/e.md", "work/c.md", "work/docs/a.md", "work/docs/sub/b.md"]],
  ])("%s names what adding it names", async (name, expected) => {
    await collection.add([".", "../other"]);
    const { removed, missing } = await collection.remove(name);
    expect(missing).toEqual([]);
    expect(removed.map((file) => (file.startsWith("/") ? file : join(folder, "work", file)))).toEqual(
      expected.map((file) => join(folder, file)),
    );
    expect(await files()).toHaveLength(5 - expected.length);
  });
  it("takes absolute names of files below the working folder", async () => {
    await collection.add(".");
    expect(await collection.remove(join(folder, "work/docs"))).toEqual({
      removed: ["docs/a.md", "docs/sub/b.md"],
      missing: [],
    });
  });
  it("tells what is not there, and a folder's beginning is no folder", async () => {
    await collection.add(".");
    expect(await collection.remove(["doc", "../other", "docs/a.md"])).toEqual({
      removed: ["docs/a.md"],
      missing: ["doc", "../other"],
    });
  });
  it("takes the ids of documents from memory, which lie in no folder", async () => {
    await collection.add("docs");
    await collection.addDocuments([
      document({ id: "notes/1", text: "One." }),
      document({ id: "notes/2", text: "Two." }),
      document({ id: "../x", text: "Three." }),
    ]);
    expect((await collection.remove(".")).removed).toEqual(["docs/a.md", "docs/sub/b.md"]);
    expect((await collection.remove("../x")).removed).toEqual(["../x"]);
    expect((await collection.remove("notes/")).removed).toEqual(["notes/1", "notes/2"]);
  });
});

describe("removing what has vanished", () => {
  it.each([["../other"], ["OTHER"], [".."], ["../other/d.md"], ["../work/../other/"]])("below %s", async (name) => {
    await collection.add([".", "../other"]);
    await rm(join(folder, "other/d.md"));
    const path = name === "OTHER" ? join(folder, "other") : name;
    expect(await collection.add(path, removeVanished)).toMatchObject({ removed: 1 });
    expect(await files()).not.toContain(join(folder, "other/d.md"));
    expect(await files()).toHaveLength(4);
  });
  it("leaves what lies elsewhere, and what a glob does not match", async () => {
    await collection.add([".", "../other"]);
    await rm("docs/a.md");
    await rm(join(folder, "other/d.md"));
    expect(await collection.add(["*.md"], removeVanished)).toMatchObject({ removed: 0 });
    expect(await collection.add(["docs"], removeVanished)).toMatchObject({ removed: 1, unchanged: 1 });
    expect(await files()).toHaveLength(4);
  });
  it("takes a folder as it is whose name looks like a glob", async () => {
    await mkdir("[old]");
    await writeFile("[old]/f.md", "Text.");
    await collection.add("[old]");
    await rm("[old]/f.md");
    expect(await collection.add("[old]", removeVanished)).toMatchObject({ removed: 1 });
  });
  it("never takes the index's own folder for documents", async () => {
    await collection.add(["..", "../**/*.json"]);
    expect((await files()).filter((file) => file.includes("/data/"))).toEqual([]);
  });
  it("leaves documents from memory alone", async () => {
    await collection.addDocuments([document({ id: "docs/memory.md", text: "From memory." })]);
    expect(await collection.add(".", removeVanished)).toMatchObject({ removed: 0, added: 3 });
    expect(await files()).toContain("docs/memory.md");
  });
  // The superuser can read everything.
  it.skipIf(process.getuid?.() === 0)("leaves files of a folder that cannot be read now", async () => {
    await collection.add("docs");
    await chmod("docs/sub", 0);
    try {
      expect(await collection.add("docs", removeVanished)).toMatchObject({ removed: 0, unchanged: 1 });
    } finally {
      await chmod("docs/sub", 0o755);
    }
  });
});
