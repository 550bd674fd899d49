import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { judgedName, pathEnds, readQuestions } from "../../src/evaluation/questions.ts";
import { type Metadata, type NodeWithScore, textNode } from "../../src/schema/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-questions-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(...lines: unknown[]) {
  const file = join(folder, "questions.jsonl");
  await writeFile(file, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return readQuestions(file);
}

test("what is relevant may be one name, several, or names with grades; sections lie below their language", async () => {
  const { questions, qrels } = await read(
    { question: "年休假几天？", relevant: "leave.md" },
    "",
    { id: 7, question: "b", relevant: ["x.md", "y.md#Heading"], answer: "seven", kind: "direct" },
    { id: "c", question: "c", relevant: { "x.md": 2, "y.md": 0 } },
    { id: "d", question: "d", lang: "zh", sections: ["sick-leave"] },
  );
  expect(questions.map(({ id, text }) => [id, text])).toEqual([
    ["1", "年休假几天？"],
    ["7", "b"],
    ["c", "c"],
    ["d", "d"],
  ]);
  expect(questions[1]).toMatchObject({ answer: "seven", kind: "direct" });
  expect([...qrels].map(([id, judgements]) => [id, [...judgements]])).toEqual([
    ["1", [["leave.md", 1]]],
    [
      "7",
      [
        ["x.md", 1],
        ["y.md#Heading", 1],
      ],
    ],
    [
      "c",
      [
        ["x.md", 2],
        ["y.md", 0],
      ],
    ],
    ["d", [["zh/sick-leave", 1]]],
  ]);
});

test.each([
  [["{"], ":1: "],
  [[{ question: "a" }], ":1: says nothing of what answers it"],
  [[{ question: " ", relevant: "x" }], ':1: "question"'],
  [[{ question: "a", relevant: { x: 0.5 } }], ':1: "relevant'],
  [
    [
      { id: "q", question: "a", relevant: "x" },
      { id: "q", question: "b", relevant: "x" },
    ],
    ":2: the id q comes twice",
  ],
  [[""], "it holds no question"],
])("lines that are no questions are refused with their number: %j", async (lines, message) => {
  await expect(read(...lines)).rejects.toThrow(message);
});

describe("a passage counts for what its question's judgements name", () => {
  const hit = (metadata: Metadata, id = "p1"): NodeWithScore => ({
    node: textNode({ id, text: "t", metadata, relationships: { source: { id: "doc-1" } } }),
  });
  const leave = hit({ file: "docs/zh/leave.md", heading: "年休假" });
  const name = (passage: NodeWithScore, ...judged: string[]) =>
    judgedName(passage, new Map(judged.map((one) => [one, 1])));
  test.each([
    ["docs/zh/leave.md"],
    ["zh/leave.md"],
    ["zh/leave"],
    ["leave"],
    ["doc-1"],
    ["leave.md#年休假"],
    ["doc-1#年休假"],
    ["passage:p1"],
  ])("by %s", (judged) => expect(name(leave, "other.md", judged)).toBe(judged));
  test("the finest name first", () => expect(name(leave, "leave.md", "leave.md#年休假")).toBe("leave.md#年休假"));
  test("what is not judged keeps its own place, of the kind that is judged", () => {
    expect(name(leave, "sick.md")).toBe("doc-1");
    expect(name(leave, "sick.md#病假")).toBe("doc-1#年休假");
    expect(name(leave, "passage:p2")).toBe("passage:p1");
    expect(name(leave, "ave.md")).toBe("doc-1");
  });
});

test("ends of paths, with and without the extension", () => {
  expect(pathEnds("a/b.c/d.md")).toEqual(["a/b.c/d.md", "a/b.c/d", "b.c/d.md", "b.c/d", "d.md", "d"]);
  expect(pathEnds("a\\.hidden")).toEqual(["a/.hidden", ".hidden"]);
});
