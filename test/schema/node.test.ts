import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  contentKey,
  document,
  imageNode,
  indexNode,
  metadataText,
  nodeContent,
  nodeHash,
  pythonRepr,
  pythonStrip,
  relatedNode,
  sha256,
  sourceId,
  textNode,
} from "../../src/schema/index.ts";

describe("what a node shows of itself", () => {
  const node = textNode({
    text: "  Leave is booked in May.\n",
    metadata: { level: "staff", tags: ["it's", "b"], paid: true, note: null },
    excludedEmbedMetadataKeys: ["paid", "missing"],
    excludedLlmMetadataKeys: ["tags"],
  });

  test("is its metadata, printed as Python prints it, without the keys that the reader must not see", () => {
    expect(metadataText(node)).toBe("level: staff\ntags: [\"it's\", 'b']\npaid: True\nnote: None");
    expect(metadataText(node, "embed")).toBe("level: staff\ntags: [\"it's\", 'b']\nnote: None");
    expect(metadataText(node, "llm")).toBe("level: staff\npaid: True\nnote: None");
    expect(metadataText(node, "none")).toBe("");
  });

  test("is stripped only when metadata stands before the text", () => {
    expect(nodeContent(node, "none")).toBe(node.text);
    expect(nodeContent({ ...node, metadata: {} }, "all")).toBe(node.text);
    expect(nodeContent(node, "llm")).toBe("level: staff\npaid: True\nnote: None\n\n  Leave is booked in May.");
  });

  test("follows its templates, and braces in values stay", () => {
    const own = textNode({
      text: "{key} $& stays",
      metadata: { a: "{value}", b: "{metadata_str}" },
      metadataTemplate: "<{key}={value}>",
      metadataSeparator: ";",
      textTemplate: "[{metadata_str}] {content} {unknown}",
    });
    expect(nodeContent(own, "all")).toBe("[<a={value}>;<b={metadata_str}>] {key} $& stays {unknown}");
  });
});

describe("the hash of a node", () => {
  test("is LlamaIndex's: text and the printed metadata", () => {
    const plain = textNode({ text: "t", metadata: { a: 1, b: 2 } });
    expect(nodeHash(plain)).toBe("87d3162718b8556b43970c2db897183c5448989c88a755d14fd253612863df04");
    const varied = {
      a: "it's",
      b: 'say "hi"',
      c: "both ' and \"",
      d: "line\nbreak",
      e: true,
      f: null,
      g: [1, 2.5, "x"],
    };
    const more = textNode({ text: "t", metadata: { ...varied, h: { k: "v" }, i: 12345678, j: 0.1 } });
    expect(nodeHash(more)).toBe("27365317c8dc9edf8ca25b008f95239f8434f47db9be2c9883629f2ad8d0cfcf");
  });

  test("depends on text and metadata alone", () => {
    const one = textNode({ text: "t", metadata: { a: 1 } });
    const other = indexNode({ text: "t", metadata: { a: 1 }, indexId: "ix", relationships: { source: { id: "d" } } });
    expect(nodeHash(other)).toBe(nodeHash(one));
    expect(contentKey(other)).toBe(contentKey(one));
    expect(nodeHash(textNode({ text: "t", metadata: { a: "1" } }))).not.toBe(nodeHash(one));
  });
});

test("Python's way of printing values", () => {
  const cases: [unknown, string][] = [
    [undefined, "None"],
    [1e21, "1000000000000000000000"],
    [0.00001, "1e-05"],
    [1.5e-10, "1.5e-10"],
    [-0.25, "-0.25"],
    ["tab\t\\", "'tab\\t\\\\'"],
    ["\0\x7f\xa0\u200b\u{e0001}", "'\\x00\\x7f\\xa0\\u200b\\U000e0001'"],
    ["中文😀", "'中文😀'"],
    ["\ud800", "'\\ud800'"],
    [[], "[]"],
    [{ a: [null, false] }, "{'a': [None, False]}"],
  ];
  for (const [value, printed] of cases) expect(pythonRepr(value)).toBe(printed);
});

test("Python's strip keeps a byte order mark and removes separators that trim() keeps", () => {
  expect(pythonStrip("\x1c\x85\u3000 a\ufeff \n")).toBe("a\ufeff");
  expect(pythonStrip(" \n ")).toBe("");
});

test("SHA-256 of any text is the standard's", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
  );
});

test("nodes know their source, and documents are their own", () => {
  const doc = document({ text: "x", id: "d1" });
  expect(sourceId(doc)).toBe("d1");
  expect(sourceId(textNode({ text: "x" }))).toBeUndefined();
  const source = relatedNode(doc);
  expect(source).toEqual({ id: "d1", type: "document", metadata: {}, hash: nodeHash(doc) });
  expect(sourceId(imageNode({ imagePath: "a.png", relationships: { source } }))).toBe("d1");
  expect(textNode({ text: "x" }).id).not.toBe(textNode({ text: "x" }).id);
});
