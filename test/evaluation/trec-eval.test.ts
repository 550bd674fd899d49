/** What trec_eval was recorded to say (record/measures.py), of every question and measure. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { evaluateQuestions, evaluateRun, mean } from "../../src/evaluation/evaluate.ts";
import { interpolatedPrecision } from "../../src/evaluation/measures.ts";
import { readTrecQrels, readTrecRun, trecOrder, trecQrels, trecRun } from "../../src/evaluation/trec.ts";

type Numbers = Record<string, number>;
const answers = JSON.parse(readFileSync(new URL("record/answers.json", import.meta.url), "utf8")) as {
  qrels: Record<string, Numbers>;
  run: Record<string, Numbers>;
  order: Record<string, string[]>;
  values: Record<string, Numbers>;
};
const entries = <T>(object: Record<string, T>): [string, T][] => Object.entries(object);
const run = new Map(entries(answers.run).map(([query, scores]) => [query, trecOrder(entries(scores))]));
const qrels = new Map(entries(answers.qrels).map(([query, grades]) => [query, new Map(entries(grades))]));

/** trec_eval's name → ours. */
function ours(name: string): string {
  const words: Record<string, string> = {
    map: "map",
    recip_rank: "mrr",
    ndcg: "ndcg",
    set_P: "precision",
    set_recall: "recall",
    set_F: "f1",
    P: "precision",
    recall: "recall",
    ndcg_cut: "ndcg",
    map_cut: "map",
    success: "hit",
  };
  const [, word, cut] = /^(.*?)(?:_(\d+))?$/.exec(name)!;
  return `${words[word!]}${cut === undefined ? "" : `@${cut}`}`;
}

test("equal scores, also in float32 alone, are ordered as trec_eval orders them", () => {
  for (const [query, order] of entries(answers.order)) expect(run.get(query), query).toEqual(order);
});

test("every measure of every question is trec_eval's", () => {
  let compared = 0;
  for (const [query, values] of entries(answers.values)) {
    const judgements = new Map([[query, qrels.get(query)!]]);
    for (const [name, value] of entries(values)) {
      const level = /^iprec_at_recall_(.*)$/.exec(name)?.[1];
      const actual =
        level === undefined
          ? evaluateQuestions(judgements, run, ours(name))[0]
          : interpolatedPrecision(run.get(query)!, qrels.get(query)!)[Math.round(10 * Number(level))];
      expect(actual, `${name} of ${query}`).toBeCloseTo(value, 10);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
});

test("means count judged questions without a ranking as 0, as trec_eval -c does", () => {
  const sum = entries(answers.values).reduce((total, [, values]) => total + values["ndcg_cut_10"]!, 0);
  expect(evaluateRun(qrels, run, ["ndcg@10"])["ndcg@10"]).toBeCloseTo(sum / qrels.size, 10);
  expect(mean([])).toBe(0);
});

describe("files", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "huiliu-trec-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const written = async (text: string) => {
    const file = join(folder, "file");
    await writeFile(file, text);
    return file;
  };

  test("runs and qrels come back as they were written", async () => {
    const file = await written(trecRun(run, "bm 25"));
    expect(await readTrecRun(file)).toEqual(run);
    expect(await readTrecQrels(await written(trecQrels(qrels)))).toEqual(qrels);
  });
  test("white space within names is written as in addresses", () => {
    expect(trecRun(new Map([["问 题", ["a\tb", "c\u3000d"]]]), "x y")).toBe(
      "问%20题 Q0 a%09b 1 2 x%20y\n问%20题 Q0 c%E3%80%80d 2 1 x%20y\n",
    );
  });
  test("ranks are not looked at, scores are", async () => {
    const file = await written("q Q0 a 1 0.5 r\nq\tQ0  b 2 0.75 r\r\n\nq Q0 c 3 0.5 r\n");
    expect(await readTrecRun(file)).toEqual(new Map([["q", ["b", "c", "a"]]]));
  });
  test.each([
    ["q Q0 a 1 x r", ":1: a line of a run is"],
    ["q Q0 a 1 0.5", ":1: a line of a run is"],
    ["q Q0 a 1 0.5 r\nq Q0 a 2 0.4 r", ":2: a comes twice for q"],
  ])("a run that says %j is refused with its line", async (text, message) => {
    await expect(readTrecRun(await written(text))).rejects.toThrow(message);
  });
  test("qrels with other numbers are refused with their line", async () => {
    await expect(readTrecQrels(await written("q 0 a 1\nq 0 b 0.5"))).rejects.toThrow(":2: a line of qrels is");
  });
});
