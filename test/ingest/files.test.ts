import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FoundFile, findFiles, loadFile, readDocuments } from "../../src/ingest/index.ts";
import { FileError } from "../../src/schema/index.ts";

let folder: string;
let start: string;

beforeAll(async () => {
  start = process.cwd();
  folder = await mkdtemp(join(tmpdir(), "huiliu-files-"));
  process.chdir(folder);
  folder = process.cwd();
  for (const name of ["docs/sub", "docs/.hidden", "docs/node_modules", "docs/[odd]"])
    await mkdir(name, { recursive: true });
  for (const name of [
    "docs/b.md",
    "docs/a.TXT",
    "docs/sub/c.html",
    "docs/.hidden/d.md",
    "docs/.e.md",
    "docs/node_modules/f.md",
  ]) {
    await writeFile(name, "text");
  }
  await writeFile("docs/[odd]/g.md", "text");
  await writeFile("docs/program.exe", "text");
  await writeFile("docs/名字 with space.md", "text");
  await symlink(join(folder, "docs"), "docs/sub/loop");
  await symlink(join(folder, "docs/b.md"), "docs/sub/link.md");
});

afterAll(async () => {
  process.chdir(start);
  await rm(folder, { recursive: true, force: true });
});

async function found(paths: string[], options = {}): Promise<string[]> {
  const out: string[] = [];
  for await (const item of findFiles(paths, options)) {
    out.push("error" in item ? `${item.error.code} ${item.file}` : item.file);
  }
  return out;
}

const ALL = [
  "docs/[odd]/g.md",
  "docs/a.TXT",
  "docs/b.md",
  "docs/sub/c.html",
  "docs/sub/link.md",
  "docs/名字 with space.md",
];

describe("finding files", () => {
  it("walks folders in order, past what is hidden, unknown or linked in a circle", async () => {
    expect(await found(["docs"])).toEqual(ALL);
    expect(await found(["./docs/"])).toEqual(ALL);
    expect(await found(["."])).toEqual(ALL);
  });

  it("names what lies below the working folder from there, everything else absolutely", async () => {
    expect(await found([resolve("docs/b.md")])).toEqual(["docs/b.md"]);
    process.chdir("docs/sub");
    try {
      expect(await found(["../b.md", "c.html"])).toEqual([join(folder, "docs/b.md"), "c.html"]);
    } finally {
      process.chdir(folder);
    }
  });

  it("expands globs, but takes a name that exists as it is", async () => {
    expect(await found(["docs/*.md"])).toEqual(["docs/b.md", "docs/名字 with space.md"]);
    expect(await found(["docs/**/*.{html,txt,TXT}"])).toEqual(["docs/a.TXT", "docs/sub/c.html"]);
    expect(await found(["docs/[odd]/g.md"])).toEqual(["docs/[odd]/g.md"]);
  });

  it("gives each file once", async () => {
    expect(await found(["docs/b.md", "docs", "docs/*.md", resolve("docs/b.md")])).toEqual([
      "docs/b.md",
      ...ALL.filter((file) => file !== "docs/b.md"),
    ]);
  });

  it("reports what was named and cannot be read", async () => {
    expect(await found(["missing.md", "missing", "docs/program.exe", "*.zzz", "docs/*.exe", "docs/b.md/x"])).toEqual([
      "FILE_NOT_FOUND missing.md",
      "FILE_NOT_FOUND missing",
      "FILE_TYPE_UNKNOWN docs/program.exe",
      "FILE_NOT_FOUND *.zzz",
      "FILE_NOT_FOUND docs/*.exe",
      "FILE_NOT_FOUND docs/b.md/x",
    ]);
  });

  it("takes a hidden file that was named", async () => {
    expect(await found(["docs/.e.md"])).toEqual(["docs/.e.md"]);
  });

  it("reports files that are too large", async () => {
    expect(await found(["docs/b.md"], { maxFileBytes: 3 })).toEqual(["FILE_TOO_LARGE docs/b.md"]);
    expect(await found(["docs/b.md"], { maxFileBytes: 4 })).toEqual(["docs/b.md"]);
  });

  it("stops when aborted", async () => {
    await expect(found(["docs"], { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

describe("loading a file", () => {
  it("gives its bytes, their hash, and what is known without reading", async () => {
    for await (const item of findFiles(["docs/sub/c.html"])) {
      const { source, hash } = await loadFile(item as FoundFile);
      expect(hash).toBe(createHash("sha256").update("text").digest("hex"));
      expect(source.metadata).toEqual({
        file: "docs/sub/c.html",
        extension: "html",
        folder: "docs/sub",
        modified: (item as FoundFile).modified.toISOString(),
      });
      const [doc] = await readDocuments(source);
      expect(doc).toMatchObject({ id: "docs/sub/c.html", text: "text" });
      expect(doc!.excludedEmbedMetadataKeys).toEqual(["file", "extension", "folder", "modified"]);
      expect(doc!.excludedLlmMetadataKeys).toEqual(["file", "extension", "folder", "modified"]);
    }
  });

  it("reports a file that has vanished", async () => {
    const gone = { file: "gone.md", path: join(folder, "gone.md"), bytes: 1, modified: new Date() };
    await expect(loadFile(gone)).rejects.toThrow(FileError);
    await expect(loadFile(gone)).rejects.toMatchObject({ code: "FILE_NOT_FOUND", file: "gone.md" });
  });
});
