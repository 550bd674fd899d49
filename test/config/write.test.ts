import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig, writeSettings } from "../../src/config/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-config-"));
});
afterEach(() => rm(folder, { recursive: true }));

const settings = [
  { path: ["search", "bm25", "k1"], value: 0.9 },
  { path: ["search", "boosts", "content.cjk"], value: 2 },
  { path: ["search", "options", "weights", "bm25"], value: 0.7 },
];

test("comments and order of a YAML file stay, values are replaced and added", async () => {
  const file = join(folder, "huiliu.config.yaml");
  const before = `# Our handbook
data: ./index # beside the documents

search:
  # measured in March
  bm25:
    b: 0.4
    k1: 1.2 # Elasticsearch's
  options: # none yet
collection: handbook
`;
  await writeFile(file, before);
  await writeSettings(file, settings);
  const after = await readFile(file, "utf8");
  for (const comment of ["# Our handbook", "# beside the documents", "# measured in March", "# Elasticsearch's"])
    expect(after).toContain(comment);
  expect(after).toMatch(/k1: 0\.9 # Elasticsearch's/);
  expect(after.indexOf("data:")).toBeLessThan(after.indexOf("search:"));
  const { config } = await loadConfig({ folder });
  expect(config.search).toEqual({
    bm25: { b: 0.4, k1: 0.9 },
    options: { weights: { bm25: 0.7 } },
    boosts: { "content.cjk": 2 },
  });
  expect(config.collection).toBe("handbook");
});

test("a file that is not there is made; JSON keeps its indentation and what else it holds", async () => {
  await writeSettings(join(folder, "huiliu.config.yaml"), settings);
  expect((await loadConfig({ folder })).config.search?.bm25).toEqual({ k1: 0.9 });
  const json = join(folder, "other.json");
  await writeFile(json, '{\n    "collection": "x",\n    "search": {"strategy": "bm25"}\n}\n');
  await writeSettings(json, settings);
  expect(await readFile(json, "utf8")).toContain('\n    "collection": "x"');
  expect((await loadConfig({ file: json })).config.search).toMatchObject({ strategy: "bm25", bm25: { k1: 0.9 } });
});

test("a program is not changed: what to write is said", async () => {
  const file = join(folder, "huiliu.config.ts");
  await writeFile(file, "export default {};\n");
  await expect(writeSettings(file, settings.slice(0, 1))).rejects.toThrow('{"search":{"bm25":{"k1":0.9}}}');
  expect(await readFile(file, "utf8")).toBe("export default {};\n");
});

test.each([
  ["a: [", "yaml"],
  ["{", "json"],
  ["[1]", "json"],
])("a file that cannot be read (%j) stays as it is", async (text, extension) => {
  const file = join(folder, `bad.${extension}`);
  await writeFile(file, text);
  await expect(writeSettings(file, settings)).rejects.toThrow("cannot be read");
  expect(await readFile(file, "utf8")).toBe(text);
});

test.each([
  ["search: {strategie: bm25}", "strategie"],
  ["search: {bm25: {b: 2}}", "search.bm25.b"],
  ["search: {passages: {size: 0}}", "search.passages.size"],
  ["search: 5", "search"],
])("%j is refused with its place", async (text, place) => {
  const file = join(folder, "c.yml");
  await writeFile(file, text);
  await expect(loadConfig({ file })).rejects.toThrow(place);
});
