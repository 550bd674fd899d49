import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryCollection, readQuestions } from "../../src/evaluation/index.ts";
import { collectionPassages } from "../../src/evaluation/writing/passages.ts";
import {
  choosePassages,
  reasonAgainst,
  type SourcePassage,
  type WrittenQuestion,
  writeQuestions,
  writingCost,
} from "../../src/evaluation/writing/write-questions.ts";
import { document } from "../../src/schema/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const passages: SourcePassage[] = [
  {
    id: "p1",
    file: "leave.md",
    heading: "年休假",
    text: "员工入职满一年后每年享有七天带薪年休假，工作满十年的享有十天，须提前三天提出申请。",
  },
  {
    id: "p2",
    file: "sick.md",
    text: "Whoever is ill for more than three days sends a doctor's certificate to the office within five days.",
  },
];
const wrote = (...questions: [string, string][]) =>
  JSON.stringify({ questions: questions.map(([question, answer]) => ({ question, answer })) });

test("each passage is asked of in its language; a line holds question, answer, what is relevant, and the passage", async () => {
  const model = mockLanguageModel({
    answers: [
      wrote(["入职多久可以休带薪假？", "满一年。"]),
      `Here you are:\n${wrote(["When is a medical note due?", "Within five days."])}`,
    ],
  });
  const lines: WrittenQuestion[] = [];
  const written = await writeQuestions({ passages, model, onQuestion: (line) => void lines.push(line) });
  expect(lines).toEqual(written);
  expect(written.map(({ question, answer, relevant, passage }) => [question, answer, relevant, passage.id])).toEqual([
    ["入职多久可以休带薪假？", "满一年。", ["leave.md#年休假"], "p1"],
    ["When is a medical note due?", "Within five days.", ["passage:p2"], "p2"],
  ]);
  expect(model.calls[0]!.prompt).toContain("请写出 1 个问题");
  expect(model.calls[1]!.prompt).toContain("Write 1 question(s)");
});

describe("what is left out", () => {
  const zh = passages[0]!.text;
  const en = passages[1]!.text;
  test.each([
    ["入职满一年后每年享有七天带薪年休假吗？", zh, "copies the passage"],
    ["Who sends a doctor's certificate to the office within five days?", en, "copies the passage"],
    ["本文规定年假几天？", zh, "speaks of the passage"],
    ["这段文字说的是什么假？", zh, "speaks of the passage"],
    ["According to the document, when is a note due?", en, "speaks of the passage"],
    ["What does this section say about illness?", en, "speaks of the passage"],
    ["假？", zh, "too short or too long"],
    ["w".repeat(400), en, "too short or too long"],
    ["How long may a sick person stay at home WITHOUT a note?", en, "asked before"],
    ["工龄十年能休几天？", zh, undefined],
    ["What is needed after a long illness?", en, undefined],
  ])("%s", (question, passage, why) => {
    expect(reasonAgainst(question, passage, ["How long may a sick person stay at home without a note ?"])).toBe(why);
  });
  test("is said, and not asked for again", async () => {
    const left: string[] = [];
    const model = mockLanguageModel({
      answers: [wrote(["本文说什么？", "x"], ["工龄十年能休几天？", "十天"], ["多余的第三个问题？", "x"])],
    });
    const written = await writeQuestions({
      passages: passages.slice(0, 1),
      model,
      perPassage: 2,
      onLeftOut: (question, why) => left.push(`${question} ${why}`),
    });
    expect(written).toHaveLength(1);
    expect(left).toEqual(["本文说什么？ speaks of the passage"]);
  });
  test("a passage of which the model makes nothing loses no other", async () => {
    const model = mockLanguageModel({ answers: ["no", "still no", wrote(["When is a medical note due?", "x"])] });
    expect(await writeQuestions({ passages, model })).toHaveLength(1);
  });
});

test("what is known is not asked of again; a signal keeps what was written", async () => {
  const stop = new AbortController();
  const kept: WrittenQuestion[] = [];
  const model = mockLanguageModel({
    answers: [wrote(["入职多久可以休带薪假？", "满一年。"]), wrote(["When is a medical note due?", "x"])],
  });
  const onQuestion = (line: WrittenQuestion) => {
    kept.push(line);
    stop.abort(new Error("enough"));
  };
  await expect(writeQuestions({ passages, model, onQuestion, signal: stop.signal })).rejects.toThrow("enough");
  expect(kept).toHaveLength(1);
  const more = await writeQuestions({ passages, model, known: kept });
  expect(more.map(({ passage }) => passage.id)).toEqual(["p2"]);
});

test("passages are chosen from as many files as possible, none that is tiny, the same by the seed", () => {
  const many = Array.from({ length: 60 }, (_, i) => ({
    id: `${i}`,
    file: `f${i % 6}`,
    text: i < 6 ? "tiny" : "long enough ".repeat(8),
  }));
  const chosen = choosePassages(many, 12, 3);
  expect(choosePassages(many, 12, 3)).toEqual(chosen);
  expect(choosePassages(many, 12, 4)).not.toEqual(chosen);
  for (let f = 0; f < 6; f++) expect(chosen.filter(({ file }) => file === `f${f}`)).toHaveLength(2);
  expect(choosePassages(many, 500, 1)).toHaveLength(54);
  expect(choosePassages([], 5)).toEqual([]);
});

test("the cost is told beforehand, and is at least what is sent", () => {
  const { calls, tokensIn } = writingCost(passages);
  expect(calls).toBe(2);
  expect(tokensIn).toBeGreaterThan(passages.reduce((sum, { text }) => sum + text.length / 4, 0));
});

test("a collection's passages, and a written set that evaluation reads", async () => {
  const folder = await mkdtemp(join(tmpdir(), "huiliu-written-"));
  const memory = await memoryCollection();
  try {
    await memory.collection.addDocuments([
      document({ id: "a", text: passages[0]!.text }),
      document({ id: "b", text: passages[1]!.text }),
    ]);
    const found = await collectionPassages(memory.collection);
    expect(found.map(({ text }) => text).sort()).toEqual(passages.map(({ text }) => text).sort());
    const model = mockLanguageModel({
      answers: [wrote(["入职多久可以休带薪假？", "满一年。"]), wrote(["When is a medical note due?", "x"])],
    });
    const file = join(folder, "questions.jsonl");
    const { appendFile } = await import("node:fs/promises");
    await writeQuestions({
      passages: found,
      model,
      onQuestion: (line) => appendFile(file, `${JSON.stringify(line)}\n`),
    });
    expect(await readFile(file, "utf8")).toContain('"relevant":["');
    const { questions, qrels } = await readQuestions(file);
    expect(questions).toHaveLength(2);
    expect([...qrels.get("1")!.keys()][0]).toMatch(/^passage:|^a/);
  } finally {
    await memory.close();
    await rm(folder, { recursive: true });
  }
});
