import { describe, expect, test } from "vitest";
import { isZero, queryBundle, response, textNode } from "../../src/schema/index.ts";

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

describe("a response", () => {
  test("reads its stream once, and gives it to every reader", async () => {
    let started = 0;
    async function* answer() {
      started++;
      yield "五";
      yield "天";
    }
    const answered = response({ text: answer() });
    expect(started).toBe(0);
    const [first, second, text] = await Promise.all([
      collect(answered.textStream),
      collect(answered.textStream),
      answered.text,
    ]);
    expect(first).toEqual(["五", "天"]);
    expect(second).toEqual(["五", "天"]);
    expect(text).toBe("五天");
    expect(await collect(answered.textStream)).toEqual(["五", "天"]);
    expect(started).toBe(1);
  });

  test("goes on after a reader that left early", async () => {
    async function* answer() {
      yield "a";
      yield "b";
    }
    const answered = response({ text: answer() });
    for await (const piece of answered.textStream) {
      expect(piece).toBe("a");
      break;
    }
    expect(await answered.text).toBe("ab");
  });

  test("gives an error of its stream to every reader, after the pieces before it", async () => {
    async function* answer() {
      yield "half";
      throw new Error("broken off");
    }
    const answered = response({ text: answer() });
    await expect(answered.text).rejects.toThrow("broken off");
    const pieces: string[] = [];
    const again = (async () => {
      for await (const piece of answered.textStream) pieces.push(piece);
    })();
    await expect(again).rejects.toThrow("broken off");
    expect(pieces).toEqual(["half"]);
  });

  test("numbers its sources from 1, with file and heading, and keeps numbers that are there", () => {
    const node = textNode({ text: "t", metadata: { file: "a.md", heading: "Leave" } });
    const answered = response({ text: "", sources: [{ node, score: 2 }, { node: textNode({ text: "u" }) }] });
    expect(answered.sources).toMatchObject([{ n: 1, score: 2, file: "a.md", heading: "Leave" }, { n: 2 }]);
    expect(response({ text: "", sources: answered.sources.slice(1) }).sources[0]!.n).toBe(2);
  });
});

test("a question is a string or a bundle, and nothing else", () => {
  expect(queryBundle("几天")).toEqual({ query: "几天" });
  const bundle = { query: "几天", embedding: [1] };
  expect(queryBundle(bundle)).toBe(bundle);
  expect(() => queryBundle(undefined as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test("only a vector of zeros is zero", () => {
  expect(isZero(new Float32Array(4))).toBe(true);
  expect(isZero([])).toBe(true);
  expect(isZero([0, 0, 1e-30])).toBe(false);
});
