import { describe, expect, it } from "vitest";
import { passageSplitter } from "../../../src/ingest/index.ts";
import { read } from "../support/read.ts";

describe("tables", () => {
  it("become a paragraph of named values for each row", async () => {
    const doc = await read("a.csv", '\ufeff姓名,note,\n"张三, 李","said ""hi""\nthere",x\n\nBob,,,more\n');
    expect(doc.text).toBe('姓名: 张三, 李\nnote: said "hi" there\ncolumn 3: x\n\n姓名: Bob\ncolumn 4: more');
    expect(doc.sections).toEqual([{ start: 0 }, { start: doc.text.indexOf("姓名: Bob") }]);
  });

  it.each([
    ["a.csv", "a;b\n1,5;2"],
    ["a.csv", "a|b\n1,5|2"],
    ["a.csv", "a\tb\n1,5\t2"],
    ["a.tsv", "a\tb\n1,5\t2"],
  ])("are cut at the delimiter that they use: %s %j", async (file, text) => {
    expect((await read(file, text)).text).toBe("a: 1,5\nb: 2");
  });

  it("of one row are read as they are", async () => {
    expect((await read("a.csv", "alpha,beta")).text).toBe("alpha\nbeta");
  });

  it("are refused when a quote never ends", async () => {
    await expect(read("a.csv", `a,b\n"${"x,y\n".repeat(2_000_000)}`)).rejects.toMatchObject({ code: "FILE_DAMAGED" });
    await expect(read("a.csv", " \n\n")).rejects.toMatchObject({ code: "FILE_EMPTY" });
  });

  it("of many rows share passages that begin with rows", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `user ${i},城市${i},${i % 90}`);
    const doc = await read("a.csv", `name,city,age\n${rows.join("\n")}`);
    expect(doc.sections).toHaveLength(10_000);
    const nodes = await passageSplitter().split(doc);
    expect(nodes.length).toBeLessThan(2000);
    for (const node of nodes) expect(node.text).toMatch(/^name: .*age: \d+$/s);
  });
});

describe("JSON", () => {
  it("becomes lines of paths and values", async () => {
    const doc = await read(
      "a.json",
      JSON.stringify({
        a: 1,
        b: { c: ["x", 2, null], d: [{ e: true }, { e: "two\nlines" }] },
        empty: "",
        none: null,
        list: [],
      }),
    );
    expect(doc.text).toBe("a: 1\nb.c: x, 2\nb.d[0].e: true\nb.d[1].e: two lines");
  });

  it("becomes a section for each element of a list", async () => {
    const doc = await read("a.json", '[{"q":"年假几天？","a":"五天"},"plain",{"q":"second"}]');
    expect(doc.text).toBe("q: 年假几天？\na: 五天\n\nplain\n\nq: second");
    expect(doc.sections!.map(({ start }) => doc.text.slice(start).split("\n", 1)[0])).toEqual([
      "q: 年假几天？",
      "plain",
      "q: second",
    ]);
  });

  it("is read line by line", async () => {
    const doc = await read("a.jsonl", '{"a":1}\n\n{"a":2}\r\n"three"');
    expect(doc.text).toBe("a: 1\n\na: 2\n\nthree");
    expect(doc.sections).toHaveLength(3);
    await expect(read("a.ndjson", '{"a":1}\n{"a":')).rejects.toThrow(/line 2/);
  });

  it("keeps numbers that JavaScript would round", async () => {
    const doc = await read(
      "a.json",
      '{"id":12345678901234567890,"x":-0.12345678901234567,"s":"\\"1234567890123456789"}',
    );
    expect(doc.text).toBe('id: 12345678901234567890\nx: -0.12345678901234567\ns: "1234567890123456789');
  });

  it("has halves of characters replaced", async () => {
    expect((await read("a.json", '["\\ud83d x \\ud83d\\ude00"]')).text).toBe("\ufffd x 😀");
  });

  it.each([
    ["FILE_DAMAGED", "{"],
    ["FILE_DAMAGED", "[1234567890123456-]"],
    ["FILE_DAMAGED", "[".repeat(500_000)],
    ["FILE_UNREADABLE", "[".repeat(200_000) + "]".repeat(200_000)],
    ["FILE_EMPTY", "{}"],
    ["FILE_EMPTY", "[]"],
    ["FILE_EMPTY", "null"],
  ])("is refused with %s when it cannot be read", async (code, text) => {
    await expect(read("a.json", text)).rejects.toMatchObject({ code });
  });
});
