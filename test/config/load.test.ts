import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-config-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);

describe("the configuration file", () => {
  test("may be missing, unless it was named", async () => {
    expect(await loadConfig({ folder })).toEqual({ config: {} });
    await expect(loadConfig({ folder, file: "other.json" })).rejects.toThrow(
      /there is no configuration file .*other\.json/,
    );
  });

  test("is TypeScript with types of its own, JavaScript, or JSON; its data folder lies beside it", async () => {
    await write(
      "huiliu.config.json",
      '{ "data": "index", "model": { "name": "a/b", "baseUrl": "http://localhost:1/v1" } }',
    );
    expect(await loadConfig({ folder })).toEqual({
      file: join(folder, "huiliu.config.json"),
      config: { data: join(folder, "index"), model: { name: "a/b", baseUrl: "http://localhost:1/v1" } },
    });
    await write("huiliu.config.mjs", 'export default { collection: "from-js" };');
    expect((await loadConfig({ folder })).config).toEqual({ collection: "from-js" });
    await write(
      "huiliu.config.ts",
      `import { defineConfig, type HuiliuConfig } from "huiliu";
       const name: string = "dashscope/text-embedding-v3";
       export default defineConfig({ embedding: { name, dimensions: 512 } } satisfies HuiliuConfig);`,
    );
    expect((await loadConfig({ folder })).config).toEqual({
      embedding: { name: "dashscope/text-embedding-v3", dimensions: 512 },
    });
    expect((await loadConfig({ folder, file: "huiliu.config.json" })).config.data).toBe(join(folder, "index"));
  });

  test("may hold models themselves", async () => {
    await write(
      "huiliu.config.mjs",
      `export default {
         model: { name: "m", generate: async () => "", async *stream() {} },
         embedding: { specificationVersion: "v3", doEmbed: async () => ({}) },
       };`,
    );
    expect(Object.keys((await loadConfig({ folder })).config)).toEqual(["model", "embedding"]);
  });

  const wrong: [string, RegExp][] = [
    ["[]", /a configuration is an object/],
    ['{ "modle": "x" }', /modle is no setting: known are data, elasticsearch, collection, model, embedding, reranker/],
    ['{ "data": 3 }', /data must be a text/],
    ['{ "model": "" }', /model must be a name such as/],
    ['{ "model": { "baseUrl": "x" } }', /model\.name must be the model's name/],
    ['{ "embedding": { "name": "a/b", "dimensions": "512" } }', /embedding\.dimensions must be a whole number above 0/],
    [
      '{ "embedding": { "name": "a/b", "tooLong": "cut" } }',
      /embedding\.tooLong must be "error", "truncate" or "split"/,
    ],
    ['{ "reranker": { "name": "a/b", "constructor": 1 } }', /reranker\.constructor is no setting/],
    ['{ "reranker": { "name": "transformers/b", "local": { "dtype": 8 } } }', /reranker\.local\.dtype must be a text/],
    ['{ "model": { "name": "a/b", "apiKey": "sk-secret" } }', /model\.apiKey does not belong in a file: .*apiKeyEnv/],
    [
      `{ "elasticsearch": { "node": "https://h:1", "password": "sk-secret" } }`,
      /elasticsearch\.password .*passwordEnv/,
    ],
    [`{ "elasticsearch": "https://u:sk-secret@h:1" }`, /elasticsearch does not belong in a file: .*passwordEnv/],
    [`{ "elasticsearch": { "node": "https://h:1", "verify": false } }`, /elasticsearch\.verify is no setting/],
    [`{ "elasticsearch": {} }`, /elasticsearch must be an address/],
    ["{ broken", /huiliu\.config\.json cannot be read: /],
  ];
  test.each(wrong)("that is wrong is named with place and remedy: %s", async (text, message) => {
    await write("huiliu.config.json", text);
    const error = await loadConfig({ folder }).catch((e: unknown) => e as Error);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) as string });
    expect((error as Error).message).toContain(join(folder, "huiliu.config.json"));
    expect(JSON.stringify(error)).not.toContain("sk-secret");
  });

  test("that is a program with a fault says which", async () => {
    await write("huiliu.config.ts", "export default missing;");
    await expect(loadConfig({ folder })).rejects.toThrow(/huiliu\.config\.ts cannot be read: missing is not defined/);
    await write("huiliu.config.ts", "export const other = {};");
    await expect(loadConfig({ folder })).rejects.toThrow(/no default export/);
  });
});
