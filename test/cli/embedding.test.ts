import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openCollection } from "../../src/collection/collection.ts";
import { provider } from "../models/server.ts";
import { terminal } from "./fixtures.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-embedded-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a named embedding is used for adding and asking, paid for once, and missed by name where it is not given", async () => {
  const server = await provider(({ path, body }) => {
    if (path.includes("/rerank/")) {
      const { documents } = body["input"] as { documents: string[] };
      const results = documents.map((text, index) => ({ index, relevance_score: /printer/.test(text) ? 0.9 : 0.1 }));
      return { body: { output: { results } } };
    }
    const { texts } = body["input"] as { texts: string[] };
    const vector = (text: string) =>
      Array.from({ length: 64 }, (_, i) => (text.includes("leave") === i < 32 ? 1 : 0.1));
    const embeddings = texts.map((text, text_index) => ({ text_index, embedding: vector(text) }));
    return { body: { output: { embeddings }, usage: { total_tokens: 5 * texts.length } } };
  });
  await writeFile(join(folder, "leave.md"), "# Leave\n\nAnnual leave is five days.");
  await writeFile(join(folder, "printer.md"), "# Printer\n\nThe printer stands on the second floor.");
  const model = (name: string, more = {}) => ({ name: `dashscope/${name}`, baseUrl: server.url, ...more });
  const config = join(folder, "huiliu.config.json");
  const embedding = model("text-embedding-v3", { dimensions: 64 });
  await writeFile(config, JSON.stringify({ data: "index", embedding }));
  const run = async (...args: string[]) => {
    const one = terminal(undefined, { env: { DASHSCOPE_API_KEY: "k" } });
    const exit = await main(args, { ...one.context, openCollection });
    return { exit, out: one.out(), err: one.err() };
  };
  const data = join(folder, "index");

  const added = await run("add", join(folder, "leave.md"), join(folder, "printer.md"), "--config", config);
  expect(added).toMatchObject({ exit: 0, out: expect.stringContaining("2 added") });
  expect(added.err).toMatch(/dashscope\/text-embedding-v3: 2 texts, 10 tokens, \d+ a second\n$/);
  const paid = server.asked.length;

  const found = await run("search", "days of leave", "--strategy", "dense", "--config", config, "--json");
  expect((JSON.parse(found.out) as { hits: { file: string }[] }).hits[0]!.file).toMatch(/leave\.md$/);
  const { parameters } = server.asked.at(-1)!.body as { parameters: unknown };
  expect(parameters).toEqual({ text_type: "query", dimension: 64 });

  await writeFile(config, JSON.stringify({ data: "index", embedding, reranker: model("gte-rerank-v2") }));
  const reranked = await run("search", "days of leave", "--config", config, "--json");
  const { hits } = JSON.parse(reranked.out) as { hits: { file: string; score: number; reranked: object }[] };
  expect(hits[0]!.file).toMatch(/printer\.md$/);
  expect(hits[0]!.reranked).toMatchObject({ model: "dashscope/gte-rerank-v2", score: 0.9, rankBefore: 2 });

  // The same texts in another collection come from the cache.
  const again = await run("add", join(folder, "leave.md"), "--config", config, "-c", "other");
  expect(again.err).toMatch(/1 texts, 0 tokens, 0 a second, 1 from the cache/);
  expect(server.asked.filter(({ body }) => JSON.stringify(body).includes('"document"'))).toHaveLength(paid);

  // Without the model, files are listed and words found; what needs a vector says which model is missing.
  expect(await run("list", "-d", data)).toMatchObject({ exit: 0, out: expect.stringContaining("leave.md") });
  expect(await run("search", "leave", "-d", data, "--strategy", "bm25")).toMatchObject({ exit: 0 });
  expect(await run("search", "leave", "-d", data)).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/made with the embedding dashscope\/text-embedding-v3.*--embedding/),
  });
  expect(await run("verify", "-d", data)).toMatchObject({ exit: 0 });
});
