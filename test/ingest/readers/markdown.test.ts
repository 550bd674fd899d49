import { describe, expect, it } from "vitest";
import { headings, read } from "../support/read.ts";

describe("Markdown", () => {
  it("keeps its text and knows its headings", async () => {
    const text = "Before.\n\n# 员工**手册**\n\n## [休假](x.md) `code` ##\n\ntext\n\n### Third {#id}\n\n## Fourth\n";
    const doc = await read("a.md", text);
    expect(doc.text).toBe(text);
    expect(headings(doc)).toEqual([
      ["员工手册", "# 员工**手册**"],
      ["员工手册 / 休假 code", "## [休假](x.md) `code` ##"],
      ["员工手册 / 休假 code / Third", "### Third {#id}"],
      ["员工手册 / Fourth", "## Fourth"],
    ]);
    expect(doc.sections!.map((section) => section.level)).toEqual([1, 2, 3, 2]);
    expect(doc.metadata["title"]).toBe("员工手册");
  });

  it("knows underlined headings, and rules and lists that are none", async () => {
    const doc = await read(
      "a.md",
      "Title\n=====\n\ntext\n\nSub\n---\n\ntext over\ntwo lines\n---\n\n- item\n---\n\n---\n",
    );
    expect(headings(doc)).toEqual([
      ["Title", "Title"],
      ["Title / Sub", "Sub"],
    ]);
  });

  it("sees no headings in code", async () => {
    const doc = await read(
      "a.md",
      "```sh\n# no\n~~~\n# no\n```\n\n~~~~\n```\n# no\n~~~~\n\n    # no\n\n#no\n\n# yes\n",
    );
    expect(headings(doc)).toEqual([["yes", "# yes"]]);
  });

  it("takes its front matter as metadata and out of the text", async () => {
    const yaml =
      "title: 休假制度\ntags: [hr, 休假]\nowner: { name: 张三, since: 2020 }\neffective: 2024-01-05\ndraft: false\nempty:\nsteps: [{ n: a }, { n: b }]\nfile: other.md\n_hidden: 1\nrate: 0.5";
    const doc = await read("a.md", `---\n${yaml}\n---\n# Heading\n\ntext`);
    expect(doc.text).toBe("# Heading\n\ntext");
    expect(doc.sections![0]!.start).toBe(0);
    expect(doc.metadata).toEqual({
      file: "a.md",
      title: "休假制度",
      tags: ["hr", "休假"],
      "owner.name": "张三",
      "owner.since": 2020,
      effective: "2024-01-05",
      draft: false,
      "steps.n": ["a", "b"],
      rate: 0.5,
    });
  });

  it.each([
    "---\nnot closed: true\n",
    "---\n- a list\n---\ntext",
    "---\na: [1\n---\ntext",
    "---\na: { b: 1\n---\ntext",
    `---\na: ${"[".repeat(20_000)}\n---\ntext`,
    `---\na: ${"x".repeat(70_000)}\n---\ntext`,
    "text\n---\na: 1\n---\n",
  ])("leaves in the text what is no front matter", async (text) => {
    const doc = await read("a.md", text);
    expect(doc.text).toBe(text);
    expect(Object.keys(doc.metadata).filter((key) => key !== "title")).toEqual(["file"]);
  });

  it("keeps hostile front matter small", async () => {
    const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 20; i++) {
      const name = String.fromCharCode(97 + i);
      const before = `*${String.fromCharCode(96 + i)}`;
      laughs.push(`${name}: &${name} [${Array.from({ length: 9 }, () => before).join(", ")}]`);
    }
    const many = Array.from({ length: 1000 }, (_, i) => `key${i}: ${"v".repeat(40)}`);
    const odd = ["__proto__: { polluted: 1 }", '"a..b.": 2', '"": 3', "a: 4", "n: .nan", "!!js/function f: 5"];
    for (const lines of [laughs, many, odd]) {
      const doc = await read("a.md", `---\n${lines.join("\n")}\n---\ntext`);
      expect(doc.text).toBe("text");
      expect(JSON.stringify(doc.metadata).length).toBeLessThan(30_000);
      expect(Object.keys(doc.metadata).length).toBeLessThanOrEqual(66);
      for (const key of Object.keys(doc.metadata)) expect(key).toMatch(/^[^.]+(\.[^.]+)*$/);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("has never a key that is a value and an object at once", async () => {
    const doc = await read("a.md", '---\na: 1\n"a.b": 2\nc: { d: 1 }\n"c": 3\n---\ntext');
    expect(Object.keys(doc.metadata)).toEqual(["file", "a", "c.d"]);
  });

  it("comes to an end with long lines of marks", async () => {
    for (const piece of ["#", "# ", "[", "](", "`", "*", "<a", "{#", "=\n", "a\n=\n"]) {
      expect((await read("a.md", `# ${piece.repeat(100_000)}x`)).text).toContain(piece);
    }
  });
});
