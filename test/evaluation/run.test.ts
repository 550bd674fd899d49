import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { beirDocuments, beirQrels, beirQuestions, evaluateRun, runQuestions } from "../../src/evaluation/index.ts";
import { type Document, type NodeWithScore, textNode } from "../../src/schema/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-beir-"));
});
afterEach(() => rm(folder, { recursive: true }));

const passage = (id: string, source: string): NodeWithScore => ({
  node: textNode({ id, text: id, relationships: { source: { id: source } } }),
});

test("of a document the best passage counts, and the depth is asked for", async () => {
  const asked: unknown[] = [];
  const collection = {
    async search(query: string, options?: object) {
      asked.push({ query, ...options });
      return [passage("1", "b"), passage("2", "a"), passage("3", "b"), passage("4", "c")];
    },
  };
  const run = await runQuestions(collection, [{ id: "q", text: "休假" }], { strategy: "bm25", depth: 7 });
  expect(run).toEqual(new Map([["q", ["b", "a", "c"]]]));
  expect(asked).toEqual([{ query: "休假", strategy: "bm25", topK: 7 }]);
});

test("means are taken over all judged questions, those without a ranking included", () => {
  const qrels = new Map([
    ["q1", new Map([["a", 1]])],
    ["q2", new Map([["b", 1]])],
  ]);
  const run = new Map([
    ["q1", ["x", "a"]],
    ["unjudged", ["a"]],
  ]);
  expect(evaluateRun(qrels, run, ["mrr@10", "hit@1", "recall"])).toEqual({ "mrr@10": 0.25, "hit@1": 0, recall: 0.5 });
  expect(evaluateRun(new Map(), run, ["map"])).toEqual({ map: 0 });
});

test.each(["ndgc@10", "ndcg@0", "ndcg@x", "ndcg@1@2", "toString"])("the measure %s is refused by name", (name) => {
  expect(() => evaluateRun(new Map(), new Map(), [name])).toThrow(`unknown measure "${name}"`);
});

test("a folder in BEIR's layout gives documents, questions and judgements", async () => {
  await writeFile(
    join(folder, "corpus.jsonl"),
    '{"_id": "d1", "title": "年休假", "text": "每年五天。"}\n\n{"_id": "d2", "title": "", "text": "Sick leave"}\r\n{"_id": "d3", "text": "x"}\n',
  );
  await writeFile(join(folder, "queries.jsonl"), '{"_id": "q1", "text": "几天"}\n');
  await writeFile(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t2\r\nq1\td2\t0\n");
  const documents: Document[] = [];
  for await (const item of beirDocuments(folder)) documents.push(item);
  expect(documents.map(({ id, text, metadata }) => ({ id, text, metadata }))).toEqual([
    { id: "d1", text: "年休假\n\n每年五天。", metadata: {} },
    { id: "d2", text: "Sick leave", metadata: {} },
    { id: "d3", text: "x", metadata: {} },
  ]);
  expect(await beirQuestions(folder)).toEqual([{ id: "q1", text: "几天" }]);
  expect(await beirQrels(folder)).toEqual(
    new Map([
      [
        "q1",
        new Map([
          ["d1", 2],
          ["d2", 0],
        ]),
      ],
    ]),
  );
});

test("a broken line is named with file and line", async () => {
  await writeFile(join(folder, "queries.jsonl"), '{"_id": "q1", "text": "a"}\n{"_id": 5}\n');
  await expect(beirQuestions(folder)).rejects.toThrow(/queries\.jsonl:2: /);
  await writeFile(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1 d1 1\n");
  await expect(beirQrels(folder)).rejects.toThrow(/qrels\.tsv:2: /);
});
