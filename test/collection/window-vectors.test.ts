import { describe, expect, it } from "vitest";
import { windowVectors } from "../../src/collection/window-vectors.ts";
import { textNode } from "../../src/schema/index.ts";

/** Three directions: what the words `up`, `right` and `away` mean. `down` is the opposite of `up`; other words mean nothing. */
const MEANINGS: Record<string, number[]> = { up: [1, 0, 0], down: [-1, 0, 0], right: [0, 1, 0], away: [0, 0, 1] };

async function embed(texts: string[]): Promise<Float32Array[]> {
  return texts.map((text) => {
    const sum = new Float32Array(3);
    for (const word of text.match(/\w+/g) ?? []) {
      const meaning = MEANINGS[word.toLowerCase()];
      if (meaning) for (let d = 0; d < 3; d++) sum[d]! += meaning[d]!;
    }
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  });
}

const sentence = (word: string) => `${`${word} `.repeat(60).trim()}.`;
const cosine = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, d) => sum + value * b[d]!, 0) / (Math.hypot(...a) * Math.hypot(...b));

describe("the vectors of a passage's windows", () => {
  it("point where the window does, and a little to the passage and its title", async () => {
    const text = `${sentence("right")} ${sentence("up")}`;
    const [bare] = await windowVectors([textNode({ text })], embed);
    const [titled] = await windowVectors([textNode({ text, metadata: { title: "Away" } })], embed);
    expect(bare!.length).toBeGreaterThan(1);
    const last = bare!.length - 1;
    expect(cosine(bare![0]!.vector, MEANINGS.right!)).toBeGreaterThan(0.9);
    expect(cosine(bare![0]!.vector, MEANINGS.up!)).toBeGreaterThan(0.05);
    expect(cosine(bare![last]!.vector, MEANINGS.up!)).toBeGreaterThan(0.9);
    expect(cosine(bare![0]!.vector, MEANINGS.away!)).toBe(0);
    expect(cosine(titled![0]!.vector, MEANINGS.away!)).toBeGreaterThan(0.2);
  });

  it("have length one and stand in the order of the text", async () => {
    const text = ["right", "up", "away", "down"].map(sentence).join(" ");
    const [windows] = await windowVectors([textNode({ text, metadata: { title: "Up" } })], embed);
    for (const { vector } of windows!) expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
    const starts = windows!.map(({ start }) => start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it("leave out windows without a known word, whatever stands around them", async () => {
    const nodes = [`${sentence("unknown")} ${sentence("up")}`, sentence("unknown"), ""].map((text) =>
      textNode({ text, metadata: { title: "Up" } }),
    );
    const windows = await windowVectors(nodes, embed);
    expect(windows.map((list) => list.length)).toEqual([windows[0]!.length, 0, 0]);
    expect(windows[0]!.length).toBeGreaterThan(0);
    for (const { start, end } of windows[0]!) expect(nodes[0]!.text.slice(start, end)).toContain("up");
  });

  it("ask for each title once, and for none that is no text", async () => {
    const asked: string[] = [];
    const spy = (texts: string[]) => {
      asked.push(...texts);
      return embed(texts);
    };
    const titles = ["Away", "Away", " ", 7, null];
    await windowVectors(
      titles.map((title) => textNode({ text: "up", metadata: { title } })),
      spy,
    );
    expect(asked.filter((text) => text === "Away")).toHaveLength(1);
    expect(asked).toHaveLength(titles.length + 1);
  });
});
