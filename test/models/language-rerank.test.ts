import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageRerank } from "../../src/models/language-rerank.ts";
import { parseRanking } from "../../src/models/parse-ranking.ts";
import { mockLanguageModel } from "../../src/testing.ts";

type Pair = [number: number, score: number];

/** Ways in which models write the same list. */
const FORMATS: Record<string, (list: Pair[]) => string> = {
  "as asked": (list) => list.map(([n, s]) => `Doc: ${n}, Relevance: ${s}`).join("\n"),
  "with blank lines and spaces": (list) => list.map(([n, s]) => `  Doc: ${n} ,  Relevance:  ${s}  \n`).join("\n"),
  "all in one line": (list) => list.map(([n, s]) => `Doc: ${n}, Relevance: ${s}`).join("; "),
  numbered: (list) => list.map(([n, s], i) => `${i + 1}. Doc ${n}: ${s}`).join("\n"),
  "numbered, in bold, with reasons": (list) =>
    list
      .map(([n, s], i) => `${i + 1}) **Document ${n}** (Relevance: ${s}/10) - it tells about the leave of 1998.`)
      .join("\n"),
  bulleted: (list) => list.map(([n, s]) => `- Document #${n} - score ${s} out of 10`).join("\n"),
  "in brackets": (list) => list.map(([n, s]) => `[${n}] ${s}/10`).join("\n"),
  "as pairs": (list) => list.map(([n, s]) => `${n}: ${s}`).join("\n"),
  "as pairs with dashes": (list) => list.map(([n, s]) => `- ${n} — ${s}/10`).join("\n"),
  "as a table": (list) => `| Doc | Relevance |\n|---|---|\n${list.map(([n, s]) => `| ${n} | ${s} |`).join("\n")}`,
  "as JSON": (list) => JSON.stringify(list.map(([doc, relevance]) => ({ doc, relevance }))),
  "as JSON in a code block": (list) =>
    `Here you are:\n\`\`\`json\n${JSON.stringify(
      list.map(([document, score]) => ({ document: `Doc ${document}`, score })),
      null,
      2,
    )}\n\`\`\``,
  "as an object of JSON": (list) => JSON.stringify({ ranking: list.map(([id, score]) => ({ id, score })) }),
  "as pairs of JSON": (list) => JSON.stringify(list),
  "as lines of JSON": (list) => list.map(([doc, score]) => JSON.stringify({ doc, score })).join("\n"),
  "in Chinese": (list) => list.map(([n, s]) => `文档${n}，相关性：${s}分`).join("\n"),
  "in Chinese, numbered": (list) => `排序如下：\n${list.map(([n, s], i) => `${i + 1}、文档 ${n}：${s}`).join("\n")}`,
  "with prose around it": (list) =>
    `Sure! Here is what I found:\n\n${list.map(([n, s]) => `Doc: ${n}, Relevance: ${s}`).join("\n")}\n\nThe others do not help.`,
};

const lists = fc
  .uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 })
  .chain((numbers) =>
    fc.tuple(...numbers.map((n) => fc.integer({ min: 1, max: 10 }).map((score): Pair => [n, score]))),
  );

describe("rankings as language models write them", () => {
  test.each(Object.keys(FORMATS))("%s", (name) => {
    fc.assert(
      fc.property(lists, (list) => {
        const found = parseRanking(FORMATS[name]!(list), 12);
        expect(found).toEqual(list.map(([number, score]) => ({ number, score })));
      }),
      { numRuns: 50 },
    );
  });

  test("fractions and marks out of a hundred", () => {
    expect(parseRanking("Doc: 2, Relevance: 7.5\nDoc: 1, Relevance: 85\nDoc: 3, Relevance: 40%", 3)).toEqual([
      { number: 2, score: 7.5 },
      { number: 1, score: 8.5 },
      { number: 3, score: 4 },
    ]);
  });

  test.each([
    "[3] > [1] > [2]",
    "3 > 1 > 2",
    "3, 1, 2",
    "3\n1\n2",
    "[3, 1, 2]",
    "Doc 3\nDoc 1\nDoc 2",
    "最相关：\n3，1，2",
  ])("an order without marks: %s", (text) => {
    const found = parseRanking(text, 3)!;
    expect(found.map(({ number }) => number)).toEqual([3, 1, 2]);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  test("numbers that are no passage's are left out, and each passage counts once", () => {
    expect(
      parseRanking("Doc: 9, Relevance: 9\nDoc: 0, Relevance: 9\nDoc: 2, Relevance: 8\nDoc: 2, Relevance: 1", 3),
    ).toEqual([{ number: 2, score: 8 }]);
  });

  test.each(["none", "None.", "None of the passages help.", "没有相关的文档。", "无", "[]", "No relevant documents."])(
    "nothing that helps: %s",
    (text) => expect(parseRanking(text, 3)).toEqual([]),
  );

  test.each(["", "I cannot help with that.", "Which question do you mean?", "{"])("what is no ranking: %j", (text) =>
    expect(parseRanking(text, 3)).toBeUndefined(),
  );

  test("any text is read without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const { number, score } of parseRanking(text, 5) ?? []) {
          expect(number >= 1 && number <= 5 && score >= 0 && score <= 10).toBe(true);
        }
      }),
    );
  });
});

describe("a language model as a reranker", () => {
  test("sees the passages in groups and names them by their places in the whole list", async () => {
    const model = mockLanguageModel({
      answers: ["Doc: 2, Relevance: 9\nDoc: 1, Relevance: 3", "none", "Doc: 1, Relevance: 5"],
    });
    const texts = ["a", "b", "c", "d", "e"];
    const ranking = await languageRerank(model, { maxBatch: 2 }).rerank("which letter?", texts);
    expect(ranking).toEqual([
      { index: 1, score: 9 },
      { index: 4, score: 5 },
      { index: 0, score: 3 },
    ]);
    expect(model.calls[1]!.prompt).toContain("Doc 1:\nc");
    expect(model.calls[1]!.prompt).toContain("which letter?");
    expect(model.calls[0]!.temperature).toBe(0);
  });

  test("that answers something else fails with its words", async () => {
    const model = mockLanguageModel({ answers: ["I'd rather not."] });
    await expect(languageRerank(model).rerank("q", ["a"])).rejects.toThrow(/answered: "I'd rather not\."/);
  });

  test("passes the signal on", async () => {
    const model = mockLanguageModel({ answers: ["none"] });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(languageRerank(model).rerank("q", ["a"], { signal })).rejects.toThrow("enough");
    expect(model.calls).toEqual([]);
  });
});
