/** Damages files of a data folder, and says what a user of the damaged folder meets. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openIndexRegistry } from "../../../../src/engine/index/index.ts";
import { lmdbStorage } from "../../../../src/engine/storage/lmdb.ts";
import { deleting, documents, indexing, RESOURCES, seen, text, withTerm } from "./indices.ts";

export const TERMS = ["alpha", "beta", "gamma", "delta"];

/** A small folder with several segments, deletions, replaced documents and a log that is not empty. Returns what it holds. */
export async function makeFolder(folder: string, documentCount: number, padding: number): Promise<Map<string, string>> {
  const storage = await lmdbStorage(folder);
  const registry = await openIndexRegistry(storage, RESOURCES);
  const index = await registry.create("damaged", {
    mappings: { properties: { t: { type: "text" }, p: { type: "keyword", index: false, doc_values: false } } },
  });
  const model = new Map<string, string>();
  for (let i = 0; i < documentCount; i++) {
    const id = `id${i % Math.ceil(documentCount * 0.8)}`;
    const source = { t: `${TERMS[i % 4]} number ${i}`, n: i, p: "x".repeat(i % 7 === 0 ? padding * 5 : padding) };
    await index.write([indexing(id, source)]);
    model.set(id, JSON.stringify(source));
    if (i % 11 === 0) {
      await index.write([deleting(`id${i >> 1}`)]);
      model.delete(`id${i >> 1}`);
    }
    if (i % 40 === 39) await index.refresh();
  }
  // Merges that are under way come to their end, and leave no file that nothing names.
  await index.forceMerge({});
  while (storage.listBlobs("").length > index.stats().segments) await new Promise((resolve) => setTimeout(resolve, 5));
  await index.write([indexing("logged", { t: "alpha logged" })]);
  model.set("logged", JSON.stringify({ t: "alpha logged" }));
  await storage.close();
  return model;
}

/** What reading everything in a folder leads to: wrong answers, and what was named as damaged (by an error or by verify). */
export async function readFolder(
  folder: string,
  model: ReadonlyMap<string, string>,
  readOnly: boolean,
): Promise<{ wrong: string[]; named: string[] }> {
  const wrong: string[] = [];
  const named: string[] = [];
  const attempt = async (what: () => Promise<void> | void) => {
    try {
      await what();
    } catch (error) {
      named.push((error as Error).message);
    }
  };
  await attempt(async () => {
    const storage = await lmdbStorage(folder, { readOnly });
    try {
      await attempt(async () => {
        const registry = await openIndexRegistry(storage, RESOURCES);
        try {
          const index = registry.get("damaged");
          if (index === undefined) {
            wrong.push("no index");
            return;
          }
          await attempt(async () => {
            if (!readOnly) await index.refresh();
            const expected = new Map(model);
            if (readOnly) expected.delete("logged");
            const found = new Map(seen(index, documents));
            for (const [id, source] of expected) if (found.get(id) !== source) wrong.push(`search of ${id}`);
            if (found.size !== expected.size) wrong.push(`${found.size} documents in place of ${expected.size}`);
          });
          for (const term of TERMS) {
            await attempt(() => {
              const expected = [...model]
                .filter(([id, source]) => !(readOnly && id === "logged") && source.includes(term))
                .map(([id]) => id);
              const found = seen(index, (s) => withTerm(s, "t", term));
              if (found.sort().join() !== expected.sort().join()) wrong.push(`term ${term}`);
            });
          }
          for (const [id, source] of model) {
            await attempt(() => {
              if (text(index.get(id)?.source) !== source) wrong.push(`get of ${id}`);
            });
          }
          await attempt(async () => {
            named.push(...(await registry.verify()).damaged);
          });
        } finally {
          await attempt(() => registry.close());
        }
      });
    } finally {
      await storage.close();
    }
  });
  return { wrong, named };
}

/** Runs `check` on a copy of the folder in which `change` changed a file. */
export async function onDamagedCopy<T>(
  folder: string,
  file: string,
  change: (bytes: Buffer) => Buffer,
  check: (copy: string) => Promise<T>,
): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), "huiliu-damage-"));
  const copy = join(parent, "data");
  try {
    cpSync(folder, copy, { recursive: true });
    writeFileSync(join(copy, file), change(readFileSync(join(copy, file))));
    return await check(copy);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
