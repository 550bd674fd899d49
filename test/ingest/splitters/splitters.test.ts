import { describe, expect, it } from "vitest";
import {
  codeSplitter,
  englishSentenceTexts,
  htmlSplitter,
  jsonSplitter,
  markdownSplitter,
  semanticSplitter,
  sentenceSplitter,
  tokenSplitter,
} from "../../../src/ingest/index.ts";
import { document, type EmbeddingModel, InvalidArgumentError } from "../../../src/schema/index.ts";

const words = { name: "words", count: (text: string) => text.split(/\s+/).filter((word) => word !== "").length };

describe("the HTML splitter", () => {
  it("takes the text of chosen elements, neighbours of one kind together, nothing twice", async () => {
    const text =
      "<h1>Leave</h1><p>Five days.</p><p>More <b>later</b> on.</p><ul><li>one</li><li>two<p>inner</p></li></ul>";
    const nodes = await htmlSplitter().split(document({ id: "d", text, metadata: { file: "a.html" } }));
    expect(nodes.map((node) => [node.metadata["tag"], node.text])).toEqual([
      ["h1", "Leave"],
      ["p", "Five days.\nMore\non."],
      ["b", "later"],
      ["li", "one\ntwo"],
      ["p", "inner"],
    ]);
    expect(nodes[0]!.metadata).toEqual({ file: "a.html", tag: "h1" });
  });

  it("refuses a page that would keep the parser busy for ever", async () => {
    await expect(htmlSplitter().split(document({ text: "<div>".repeat(6000) }))).rejects.toThrow(/nested deeper/);
  });
});

describe("the JSON splitter", () => {
  it("gives each object of a list a node, and each value a line with its keys", async () => {
    const text = '[{"leave": {"annual": 5, "paid": true}, "tags": ["a", null]}, {}, "plain"]';
    const nodes = await jsonSplitter().split(document({ id: "d", text }));
    expect(nodes.map((node) => node.text)).toEqual(["leave annual 5\nleave paid True\ntags a\ntags None", "plain"]);
  });

  it("refuses what is not JSON, or is nested without end", async () => {
    await expect(jsonSplitter().split(document({ text: "{" }))).rejects.toThrow(InvalidArgumentError);
    await expect(
      jsonSplitter().split(document({ text: `${'{"a":'.repeat(2000)}1${"}".repeat(2000)}` })),
    ).rejects.toThrow(/nested deeper/);
  });
});

describe("the code splitter", () => {
  it("begins a chunk where the next part begins", async () => {
    const part = (name: string) => `function ${name}() {\n  one();\n  two();\n}\n\n`;
    const text = ["a", "b", "c"].map(part).join("");
    const chunks = await codeSplitter({ chunkLines: 7, chunkLinesOverlap: 0 }).splitText(text);
    expect(chunks).toEqual(["a", "b", "c"].map(part));
  });
});

describe("the semantic splitter", () => {
  it("cuts where the embedding moves furthest", async () => {
    const embedding: EmbeddingModel = {
      name: "topics",
      dimensions: 2,
      similarity: "cosine",
      embed: async (texts) =>
        texts.map((text) => Float32Array.of(text.includes("cat") ? 1 : 0, text.includes("tax") ? 1 : 0)),
    };
    const text = "The cat sleeps. A cat eats. That cat runs. The tax is due. This tax is new. One tax more.";
    const nodes = await semanticSplitter({ embedding, bufferSize: 0, breakpointPercentile: 80 }).split(
      document({ text }),
    );
    expect(nodes.map((node) => node.text)).toEqual([
      "The cat sleeps. A cat eats. That cat runs. ",
      "The tax is due. This tax is new. One tax more.",
    ]);
  });
});

describe("the Markdown splitter", () => {
  it("takes no heading from a fence, and names the headings above a section", async () => {
    const text = "# A\none\n```\n# no\n```\n## B\ntwo\n# C\nthree";
    const nodes = await markdownSplitter().split(document({ text }));
    expect(nodes.map((node) => [node.metadata["header_path"], node.text])).toEqual([
      ["/", "# A\none\n```\n# no\n```"],
      ["/A/", "## B\ntwo"],
      ["/", "# C\nthree"],
    ]);
  });
});

describe("sizes", () => {
  it("count the metadata, and are refused where these leave no room", async () => {
    const doc = document({ text: "one two three four five six", metadata: { a: "x y z" } });
    const [first] = await sentenceSplitter({ chunkSize: 6, chunkOverlap: 0, tokenizer: words }).split(doc);
    expect(first!.text).toBe("one two");
    for (const splitter of [
      sentenceSplitter({ chunkSize: 4, tokenizer: words }),
      tokenSplitter({ chunkSize: 6, tokenizer: words }),
    ]) {
      await expect(splitter.split(doc)).rejects.toThrow(/leave no room/);
    }
  });

  it("that make no sense are refused", () => {
    for (const options of [
      { chunkSize: 0 },
      { chunkSize: 1.5 },
      { chunkSize: 10, chunkOverlap: 11 },
      { chunkOverlap: -1 },
    ]) {
      expect(() => sentenceSplitter(options)).toThrow(InvalidArgumentError);
      expect(() => tokenSplitter(options)).toThrow(InvalidArgumentError);
    }
    expect(() => codeSplitter({ chunkLines: 5, chunkLinesOverlap: 5 })).toThrow(InvalidArgumentError);
  });
});

// Recorded from NLTK as llama-index-core 0.14.25 runs it.
describe("English sentences as LlamaIndex cuts them", () => {
  it.each([
    ["It is e.g. by mail. Mr. Li", ["It is e.g. ", "by mail. ", "Mr. ", "Li"]],
    [
      "J. Smith came. A. The b. In 2024. the next. In 2024. The",
      ["J. Smith came. ", "A. The b. In 2024. the next. ", "In 2024. ", "The"],
    ],
    ['"Hello." She said. (Done.) Yes... maybe.', ['"Hello." ', "She said. ", "(Done.) ", "Yes... maybe."]],
    ["www.x.com. Really?! Yes.\nNew line.  Two.", ["www.x.com. ", "Really?! ", "Yes.\n", "New line.  ", "Two."]],
    ["你好。end. 你好.'end.'\nThea.", ["你好。end. ", "你好.'end.'\n", "Thea."]],
    ["word;你好. end.)no. ", ["word;你好. ", "end.", ")no. "]],
    ["3% 2024. word,'end.' word", ["3% 2024. ", "word,'end.' ", "word"]],
  ])("%j", (text, expected) => {
    expect(englishSentenceTexts(text)).toEqual(expected);
  });
});
