import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-open-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each([[{ readOnly: true }], [{ create: false }]])(
  "a folder that holds no index has no collection, and is left as it is: %j",
  async (options) => {
    for (const data of [folder, join(folder, "none")])
      await expect(openCollection("documents", { data, ...options })).rejects.toMatchObject({
        code: "COLLECTION_NOT_FOUND",
        message: expect.stringContaining("huiliu add PATH"),
      });
    expect(await readdir(folder)).toEqual([]);
  },
);

it("an index without this collection has none", async () => {
  await (await openCollection("documents", { data: folder })).close();
  for (const options of [{ readOnly: true }, { create: false }])
    await expect(openCollection("others", { data: folder, ...options })).rejects.toMatchObject({
      code: "COLLECTION_NOT_FOUND",
    });
});
