/**
 * From a question to a streamed answer with citations, over the handbook, written by a real model on this machine. HUILIU_TEST_LLAMA names
 * a folder in which it is installed once; where it cannot be installed the test is left out, and says so.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sentenceSplitter } from "../../src/ingest/index.ts";
import { citationQueryEngine } from "../../src/query-engine/index.ts";
import { memoryBm25Retriever } from "../../src/retrieval/index.ts";
import { document, type TextNode } from "../../src/schema/index.ts";
import { installLlama, llamaModel } from "../models/llama.ts";

const HANDBOOK = new URL("../../examples/handbook/en/", import.meta.url);

/** A base model goes on with what it sees: two answers with their sources, then the question. */
const EXAMPLES = [
  "Source 1:\nThe office opens at nine. It closes at six.\n\nQuestion: When does the office open?\nAnswer: The office opens at nine [1].",
  "Source 1:\nLunch is free on Mondays; on other days it costs 5 yuan.\n\nQuestion: What does lunch cost on Mondays?\n" +
    "Answer: Lunch is free on Mondays [1].",
  "{context_str}\n\nQuestion: {query_str}\nAnswer:",
].join("\n\n");

const kept = process.env["HUILIU_TEST_LLAMA"];
let folder: string;
let model: Awaited<ReturnType<typeof llamaModel>> | undefined;

beforeAll(async () => {
  folder = kept ?? (await mkdtemp(join(tmpdir(), "huiliu-llama-")));
  try {
    model = await llamaModel(await installLlama(folder));
  } catch (error) {
    console.warn(`left out, the model cannot be installed here: ${error instanceof Error ? error.message : error}`);
  }
});
afterAll(async () => {
  await model?.close();
  if (!kept) await rm(folder, { recursive: true, force: true });
});

test("a small model answers from the handbook, piece by piece, with the number of its source", async (context) => {
  if (!model) return context.skip();
  const nodes: TextNode[] = [];
  for (const file of await readdir(HANDBOOK)) {
    const text = (await readFile(new URL(file, HANDBOOK), "utf8")).replace(/^---\n.*?\n---\n/s, "");
    nodes.push(...(await sentenceSplitter({ chunkSize: 128 }).split(document({ id: file, text, metadata: { file } }))));
  }
  const engine = citationQueryEngine({
    retriever: memoryBm25Retriever({ nodes, topK: 1 }),
    model,
    streaming: true,
    prompts: { textQa: EXAMPLES },
  });
  const answer = await engine.query("How many days of annual leave are there below ten years of work?");
  expect(answer.sources.map(({ n, file }) => [n, file])).toEqual([[1, "annual-leave-days.md"]]);
  const pieces: string[] = [];
  for await (const piece of answer.textStream) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join("")).toMatch(/days.*\[1\]/);
  expect(await answer.citations).toEqual({ cited: [1], unknownCitations: [], uncitedSentences: [] });
});
