import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  codeSplitter,
  englishSentenceTexts,
  hierarchicalSplitter,
  leafNodes,
  markdownSplitter,
  semanticSplitter,
  sentenceSplitter,
  sentenceTexts,
  sentenceWindowSplitter,
  tokenSplitter,
} from "../../../src/ingest/index.ts";
import { document, nodeHash, pythonStrip, type TextNode } from "../../../src/schema/index.ts";
import { mockEmbeddingModel } from "../../../src/testing.ts";
import { anyText } from "../support/text.ts";

const points = { name: "points", count: (text: string) => [...text].length };

/** Each node stands where it says, none before the one before it, and nothing but white space is left out. */
function expectCovering(text: string, nodes: readonly TextNode[]): void {
  let last = 0;
  let lastStart = -1;
  for (const node of nodes) {
    const { startCharIdx: start = -1, endCharIdx: end = -1 } = node;
    expect(text.slice(start, end)).toBe(node.text);
    expect(start).toBeGreaterThanOrEqual(lastStart);
    if (start > last) expect(pythonStrip(text.slice(last, start))).toBe("");
    last = Math.max(last, end);
    lastStart = start;
  }
  expect(pythonStrip(text.slice(last))).toBe("");
}

function expectLinked(nodes: readonly TextNode[]): void {
  nodes.forEach((node, n) => {
    expect(node.relationships.source?.id).toBe("d");
    expect(node.relationships.previous?.id).toBe(nodes[n - 1]?.id);
    expect(node.relationships.next?.id).toBe(nodes[n + 1]?.id);
    if (nodes[n + 1]) expect(node.relationships.next?.hash).toBe(nodeHash(nodes[n + 1]!));
  });
  expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
}

describe("splitters, on any text", () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 80 }), fc.double({ min: 0, max: 1, noNaN: true }));

  it("sentence and token splitters lose nothing, respect the size and tell true places", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, sizes, async (text, [chunkSize, share]) => {
        const chunkOverlap = Math.floor(chunkSize * share * 0.9);
        const doc = document({ id: "d", text });
        for (const splitter of [
          sentenceSplitter({ chunkSize, chunkOverlap, tokenizer: points }),
          sentenceSplitter({ chunkSize, chunkOverlap, tokenizer: points, sentenceTokenizer: englishSentenceTexts }),
          tokenSplitter({ chunkSize: chunkSize + 2, chunkOverlap, tokenizer: points }),
        ]) {
          const nodes = await splitter.split(doc);
          if (text !== "") expectCovering(text, nodes);
          expectLinked(nodes);
          for (const node of nodes) expect(points.count(node.text)).toBeLessThanOrEqual(chunkSize);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("sentences together are the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sentenceTexts(text).join("")).toBe(text);
        expect(englishSentenceTexts(text).join("")).toBe(text);
      }),
    );
  });

  it("windows hold their sentence and its neighbours, and sentences stand in their place", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 4 }), async (text, windowSize) => {
        const nodes = await sentenceWindowSplitter({ windowSize }).split(document({ id: "d", text }));
        expect(nodes.map((node) => node.text).join("")).toBe(text);
        expectLinked(nodes);
        nodes.forEach((node, n) => {
          expect(text.slice(node.startCharIdx, node.endCharIdx)).toBe(node.text);
          const around = nodes.slice(Math.max(0, n - windowSize), n + windowSize + 1).map((other) => other.text);
          expect(node.metadata["window"]).toBe(around.join(" "));
          expect(node.excludedEmbedMetadataKeys).toContain("window");
        });
      }),
      { numRuns: 60 },
    );
  });

  it("each level of a hierarchy covers the one above", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        if (pythonStrip(text) === "") return;
        const doc = document({ id: "d", text, metadata: { file: "f" } });
        const splitter = hierarchicalSplitter({ chunkSizes: [200, 60, 30], chunkOverlap: 5, tokenizer: points });
        const nodes = await splitter.split(doc);
        const byId = new Map(nodes.map((node) => [node.id, node]));
        expect(byId.size).toBe(nodes.length);
        for (const node of nodes) {
          expect(text.slice(node.startCharIdx, node.endCharIdx)).toBe(node.text);
          const parent = node.relationships.parent && byId.get(node.relationships.parent.id);
          if (!parent) continue;
          expect(parent.relationships.children?.map((child) => child.id)).toContain(node.id);
          expect(node.startCharIdx).toBeGreaterThanOrEqual(parent.startCharIdx!);
          expect(node.endCharIdx).toBeLessThanOrEqual(parent.endCharIdx!);
        }
        expect(leafNodes(nodes).length).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });

  it("code is cut between lines and nothing is lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 2, max: 90 }),
        async (text, chunkLines, maxChars) => {
          const whole = codeSplitter({ chunkLines, chunkLinesOverlap: 0, maxChars });
          expect((await whole.splitText(text)).join("")).toBe(text);
          const overlapping = codeSplitter({ chunkLines, chunkLinesOverlap: chunkLines >> 1, maxChars });
          let last = 0;
          for (const node of await overlapping.split(document({ id: "d", text }))) {
            expect(text.slice(node.startCharIdx, node.endCharIdx)).toBe(node.text);
            expect(node.text.length).toBeLessThanOrEqual(maxChars);
            expect(node.startCharIdx).toBeLessThanOrEqual(last);
            expect(node.endCharIdx).toBeGreaterThan(last);
            last = node.endCharIdx!;
          }
          expect(last).toBe(text.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("semantic chunks together are the text", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 0, max: 100 }), async (text, breakpointPercentile) => {
        const splitter = semanticSplitter({ embedding: mockEmbeddingModel({ maxBatch: 7 }), breakpointPercentile });
        const nodes = await splitter.split(document({ id: "d", text }));
        expect(nodes.map((node) => node.text).join("")).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it("Markdown's sections hold every line that is not blank", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const nodes = await markdownSplitter().split(document({ id: "d", text }));
        const visible = (part: string) => part.replace(/\s+/g, "");
        expect(visible(nodes.map((node) => node.text).join("\n"))).toBe(visible(text));
      }),
      { numRuns: 60 },
    );
  });
});
