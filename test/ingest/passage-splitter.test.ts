import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { cl100kTokenizer, type PassageSplitterOptions, passageSplitter } from "../../src/ingest/index.ts";
import { markdownSections } from "../../src/ingest/readers/markdown.ts";
import {
  type Document,
  document,
  InvalidArgumentError,
  nodeHash,
  type TextNode,
  type Tokenizer,
} from "../../src/schema/index.ts";
import { anyText, cutsPair, unitTokenizer } from "./support/text.ts";

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await cl100kTokenizer();
});

function markdown(text: string): Document {
  return document({ id: "d.md", text, metadata: { file: "d.md" }, sections: markdownSections(text) });
}

async function texts(doc: Document, options: PassageSplitterOptions = {}): Promise<string[]> {
  return (await passageSplitter(options).split(doc)).map((node) => node.text);
}

function expectSound(doc: Document, nodes: TextNode[], size: number, count: (text: string) => number): void {
  let last = 0;
  let lastStart = -1;
  for (const node of nodes) {
    const start = node.startCharIdx!;
    const end = node.endCharIdx!;
    expect(doc.text.slice(start, end)).toBe(node.text);
    expect(node.text.trim()).toBe(node.text);
    expect(start).toBeGreaterThan(lastStart);
    expect(end).toBeGreaterThan(last);
    if (start > last) expect(doc.text.slice(last, start).trim()).toBe("");
    expect(cutsPair(doc.text, start) || cutsPair(doc.text, end)).toBe(false);
    // A single character may be more than one token.
    if ([...node.text].length > 1) expect(count(node.text)).toBeLessThanOrEqual(size);
    last = end;
    lastStart = start;
  }
  expect(doc.text.slice(last).trim()).toBe("");
}

describe("the passage splitter", () => {
  it("leaves a short text whole, without the white space around it", async () => {
    expect(await texts(document({ text: "\n 年休假共五天。How many?\n" }))).toEqual(["年休假共五天。How many?"]);
    expect(await texts(document({ text: " \n\t" }))).toEqual([]);
    expect(await texts(document({ text: "" }))).toEqual([]);
  });

  it("packs whole sentences up to the size, and repeats some in the next passage", async () => {
    const text = Array.from({ length: 10 }, (_, i) => `Sentence number ${i}.`).join(" ");
    const passages = await texts(document({ text }), { tokenizer: unitTokenizer, chunkSize: 62, chunkOverlap: 20 });
    expect(passages[0]).toBe("Sentence number 0. Sentence number 1. Sentence number 2.");
    expect(passages[1]).toBe("Sentence number 2. Sentence number 3. Sentence number 4.");
    expect(passages.at(-1)).toMatch(/Sentence number 9\.$/);
  });

  it("repeats nothing without an overlap", async () => {
    const text = "One two three. ".repeat(20).trim();
    const passages = await texts(document({ text }), { tokenizer: unitTokenizer, chunkSize: 44, chunkOverlap: 0 });
    expect(passages.join(" ")).toBe(text);
  });

  it("begins a passage at each heading, unless what stands before it is tiny", async () => {
    const body = "This is a sentence of the section that says something. ".repeat(6).trim();
    const passages = await texts(markdown(`# Book\n\n## One\n\n${body}\n\n## Two\n\n${body}`));
    expect(passages).toEqual([`# Book\n\n## One\n\n${body}`, `## Two\n\n${body}`]);
  });

  it("leaves no heading behind without its text", async () => {
    const doc = markdown(`# A\n\n${"Word ".repeat(8)}.\n\n## B\n\n${"Text ".repeat(20)}.`);
    for (const text of await texts(doc, { tokenizer: unitTokenizer, chunkSize: 120, chunkOverlap: 0 })) {
      expect(text).not.toMatch(/## B$/);
    }
  });

  it("ends a full passage where a section without a heading begins", async () => {
    const rows = Array.from({ length: 6 }, (_, i) => `name: user ${i}\nnote: about user ${i}`);
    const text = rows.join("\n\n");
    const sections = rows.map((row) => ({ start: text.indexOf(row) }));
    const doc = document({ text, sections });
    const passages = await texts(doc, { tokenizer: unitTokenizer, chunkSize: 90, chunkOverlap: 20 });
    expect(passages).toEqual([0, 2, 4].map((i) => `${rows[i]}\n\n${rows[i + 1]}`));
  });

  it("tells each passage its heading, path and page", async () => {
    const text = "Cover.\n\n# A\n\nText of A.\n\n## B\n\nText of B.";
    const sections = [{ start: 0, page: 1 }, ...markdownSections(text), { start: text.indexOf("## B"), page: 2 }];
    const doc = document({ text, sections, metadata: { file: "x" }, excludedEmbedMetadataKeys: ["file"] });
    const nodes = await passageSplitter({ tokenizer: unitTokenizer, chunkSize: 24, chunkOverlap: 0 }).split(doc);
    expect(nodes.map((node) => node.metadata)).toEqual([
      { file: "x", page: 1 },
      { file: "x", heading: "A", headingPath: "A", page: 1 },
      { file: "x", heading: "B", headingPath: "A › B", page: 2 },
    ]);
    expect(nodes[2]!.excludedEmbedMetadataKeys).toEqual(["file", "heading", "page"]);
    expect(nodes[2]!.excludedLlmMetadataKeys).toEqual(["heading"]);
  });

  it("names a passage after the heading over most of it", async () => {
    const text = `# Book\n\n## Chapter\n\n${"Much is said here. ".repeat(5)}`;
    const [node] = await passageSplitter().split(markdown(text));
    expect(node!.metadata["headingPath"]).toBe("Book › Chapter");
  });

  it("links each passage to its document and its neighbours", async () => {
    const doc = markdown("First sentence here. Second sentence here. Third sentence here.");
    const nodes = await passageSplitter({ tokenizer: unitTokenizer, chunkSize: 25, chunkOverlap: 0 }).split(doc);
    expect(nodes).toHaveLength(3);
    const [first, second, third] = nodes as [TextNode, TextNode, TextNode];
    expect(first.relationships.previous).toBeUndefined();
    expect(first.relationships.next).toMatchObject({ id: second.id, type: "text", hash: nodeHash(second) });
    expect(third.relationships.previous).toMatchObject({ id: second.id, hash: nodeHash(second) });
    expect(third.relationships.next).toBeUndefined();
    expect(second.relationships.source).toMatchObject({ id: "d.md", type: "document", hash: nodeHash(doc) });
    expect(new Set(nodes.map((node) => node.id)).size).toBe(3);
  });

  it("gives the same passages each time", async () => {
    const doc = markdown(`# A\n\n${"一句话说一件事。".repeat(200)}`);
    expect(await passageSplitter().split(doc)).toEqual(await passageSplitter().split(doc));
  });

  it("loses nothing, tells true places and respects sizes, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        fc.array(fc.tuple(fc.nat(400), fc.constantFrom<object>({}, { heading: "h" }, { page: 1 })), { maxLength: 6 }),
        async (text, chunkSize, share, starts) => {
          const sections = starts
            .map(([start, what]) => ({ start, ...what }))
            .filter(({ start }) => !cutsPair(text, start));
          const doc = document({ id: "d", text, sections });
          const chunkOverlap = Math.floor(chunkSize * share);
          const nodes = await passageSplitter({ chunkSize, chunkOverlap }).split(doc);
          expectSound(doc, nodes, chunkSize, (part) => tokenizer.count(part));
          const byUnits = await passageSplitter({ chunkSize, chunkOverlap, tokenizer: unitTokenizer }).split(doc);
          expectSound(doc, byUnits, chunkSize, unitTokenizer.count);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("comes to an end with a tokenizer for which everything is too large", async () => {
    const doc = document({ text: "年休假 abc. 😀" });
    const nodes = await passageSplitter({ tokenizer: { name: "huge", count: () => 1000 } }).split(doc);
    expect(nodes.map((node) => node.text)).toEqual(["年", "休", "假", "a", "b", "c", ".", "😀"]);
  });

  it.each(["a", "的", "😀", "\ud800", "\0", "e\u0301", "a. ", "。", "\n ", "，"])(
    "comes to an end with thirty thousand times %j",
    async (piece) => {
      const doc = document({ text: piece.repeat(30_000) });
      expectSound(doc, await passageSplitter().split(doc), 256, (part) => tokenizer.count(part));
    },
    30_000,
  );

  it("refuses sizes that make no sense", () => {
    for (const options of [
      { chunkSize: 0 },
      { chunkSize: 1.5 },
      { chunkSize: Number.NaN },
      { chunkSize: 50, chunkOverlap: 50 },
      { chunkOverlap: -1 },
    ]) {
      expect(() => passageSplitter(options)).toThrow(InvalidArgumentError);
    }
    expect(() => passageSplitter({ chunkSize: 20 })).not.toThrow();
  });

  it("stops when aborted", async () => {
    const doc = document({ text: "一句话。".repeat(200_000) });
    const controller = new AbortController();
    const splitting = passageSplitter().split(doc, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")));
    await expect(splitting).rejects.toThrow("enough");
  });
});

describe("the work of splitting", () => {
  it.each([
    ["letters", "abcdefghij"],
    ["Han characters", "年休假申请须经主管批准后方可生效"],
    ["full stops", "。"],
    ["commas", "a,"],
    ["combining marks", "e\u0301\u0302"],
    ["emoji", "👩\u200d👩\u200d👧"],
    ["line breaks", "a\n"],
  ])("grows with the length of the text: %s", async (_, unit) => {
    const counted = async (length: number) => {
      let characters = 0;
      const counting: Tokenizer = {
        name: "counting",
        count(text) {
          characters += text.length;
          return 2 * text.length;
        },
      };
      const text = unit.repeat(Math.ceil(length / unit.length));
      await passageSplitter({ tokenizer: counting }).split(document({ id: "d", text }));
      return characters / text.length;
    };
    const short = await counted(20_000);
    expect(await counted(200_000)).toBeLessThan(short * 1.2);
    // Each character is counted a few times, however often a sentence is cut.
    expect(short).toBeLessThan(8);
  });
});
