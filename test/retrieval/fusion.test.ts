import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineRetriever, FUSION_MODES, fuse, fusionRetriever } from "../../src/retrieval/index.ts";
import { type NodeWithScore, textNode } from "../../src/schema/index.ts";

const hit = (id: string, score?: number): NodeWithScore => ({
  node: textNode({ id, text: `text of ${id}` }),
  ...(score === undefined ? {} : { score }),
});
const ids = (nodes: NodeWithScore[]) => nodes.map((item) => item.node.id);

describe("fuse", () => {
  it("adds 1 / (60 + rank) with ranks from 0", () => {
    const fused = fuse(
      [
        { name: "a", nodes: [hit("x", 9), hit("y", 8)] },
        { name: "b", nodes: [hit("y", 0.5)] },
      ],
      "reciprocal_rerank",
    );
    expect(ids(fused)).toEqual(["y", "x"]);
    expect(fused[0]!.score).toBeCloseTo(1 / 61 + 1 / 60, 12);
    expect(fused[0]!.ranks).toEqual([
      { list: "a", rank: 2, score: 8 },
      { list: "b", rank: 1, score: 0.5 },
    ]);
  });

  it("scales each list by its smallest and largest score and weighs it", () => {
    const fused = fuse(
      [
        { name: "bm25", weight: 0.7, nodes: [hit("x", 10), hit("y", 6), hit("z", 2)] },
        { name: "dense", weight: 0.3, nodes: [hit("y", 0.9), hit("z", 0.8)] },
      ],
      "relative_score",
    );
    expect(fused.map((item) => [item.node.id, item.score])).toEqual([
      ["x", 0.7],
      ["y", expect.closeTo(0.7 * 0.5 + 0.3, 12)],
      ["z", 0],
    ]);
  });

  it("scales by mean and three standard deviations", () => {
    const [first] = fuse([{ name: "a", nodes: [hit("x", 3), hit("y", 1)] }], "dist_based_score");
    // mean 2, deviation 1: (3 - (2 - 3)) / 6
    expect(first!.score).toBeCloseTo(4 / 6, 12);
  });

  it("counts equal scores as 1 where they are above 0, and as 0 otherwise", () => {
    expect(fuse([{ name: "a", nodes: [hit("x", 4), hit("y", 4)] }], "relative_score").map((n) => n.score)).toEqual([
      1, 1,
    ]);
    expect(fuse([{ name: "a", nodes: [hit("x", 0), hit("y", 0)] }], "relative_score").map((n) => n.score)).toEqual([
      0, 0,
    ]);
  });

  it("never loses, repeats or changes a node, in any mode", () => {
    const list = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.double({ min: 0, max: 50, noNaN: true })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(list, { maxLength: 4 }), fc.constantFrom(...FUSION_MODES), (raw, mode) => {
        const lists = raw.map((pairs, i) => ({
          name: String(i),
          nodes: [...new Map(pairs.map(([id, score]) => [id, hit(String(id), score)])).values()],
        }));
        const before = JSON.stringify(lists);
        const fused = fuse(lists, mode);
        expect(new Set(ids(fused))).toEqual(new Set(lists.flatMap((item) => ids(item.nodes))));
        expect(ids(fused).length).toBe(new Set(ids(fused)).size);
        expect(JSON.stringify(lists)).toBe(before);
        const scores = fused.map((item) => item.score!);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
    );
  });

  it("keeps equal results in the order in which they were first seen", () => {
    const tied = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 8 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(tied, fc.constantFrom(...FUSION_MODES), (raw, mode) => {
        const lists = raw.map((places, i) => ({
          name: String(i),
          nodes: places.map((place) => hit(String(place), 1)),
        }));
        const seen = [...new Set(lists.flatMap((list) => ids(list.nodes)))];
        const fused = fuse(lists, mode);
        fused.forEach((item, i) => {
          const next = fused[i + 1];
          if (next && next.score === item.score) {
            expect(seen.indexOf(item.node.id)).toBeLessThan(seen.indexOf(next.node.id));
          }
        });
      }),
    );
  });

  it("takes of nodes with one content the last where ranks count, the first elsewhere", () => {
    const twin = (id: string, score: number): NodeWithScore => ({ node: textNode({ id, text: "the same" }), score });
    const lists = [
      { name: "a", nodes: [twin("first", 1)] },
      { name: "b", nodes: [twin("last", 2)] },
    ];
    expect(FUSION_MODES.map((mode) => ids(fuse(lists, mode)))).toEqual([
      ["last"],
      ...Array.from({ length: 4 }, () => ["first"]),
    ]);
    // Twice in one list counts twice.
    const twice = fuse([{ name: "a", nodes: [twin("x", 2), twin("y", 1)] }], "reciprocal_rerank");
    expect(twice.map((item) => item.score)).toEqual([1 / 60 + 1 / 61]);
  });

  it("gives the same scores whatever the order of the lists", () => {
    const lists = [
      { name: "a", nodes: [hit("x", 3), hit("y", 2), hit("z", 1)] },
      { name: "b", nodes: [hit("z", 30), hit("w", 20)] },
      { name: "c", nodes: [hit("y", 0.3), hit("x", 0.1)] },
    ];
    for (const mode of FUSION_MODES) {
      const byId = (nodes: NodeWithScore[]) => Object.fromEntries(nodes.map((item) => [item.node.id, item.score!]));
      const forward = byId(fuse(lists, mode));
      for (const [id, score] of Object.entries(byId(fuse([...lists].reverse(), mode))))
        expect(score).toBeCloseTo(forward[id]!, 12);
    }
  });
});

describe("fusionRetriever", () => {
  it("asks its retrievers at once and cuts to topK", async () => {
    let running = 0;
    let most = 0;
    const slow = (nodes: NodeWithScore[]) =>
      defineRetriever(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return nodes;
      });
    const retriever = fusionRetriever({
      retrievers: [slow([hit("x", 1), hit("y", 0.5)]), slow([hit("y", 1)])],
      topK: 1,
    });
    expect(ids(await retriever.retrieve("q"))).toEqual(["y"]);
    expect(most).toBe(2);
  });

  it("fails with the first failure and stops the others", async () => {
    let stopped = false;
    const failing = defineRetriever(() => Promise.reject(new Error("no index")));
    const waiting = defineRetriever(
      ({ signal }) =>
        new Promise<NodeWithScore[]>((_, reject) => {
          signal!.addEventListener("abort", () => {
            stopped = true;
            reject(signal!.reason);
          });
        }),
    );
    await expect(fusionRetriever({ retrievers: { failing, waiting } }).retrieve("q")).rejects.toThrow("no index");
    expect(stopped).toBe(true);
  });

  it("refuses weights that are missing, negative or all zero", () => {
    const none = defineRetriever(() => []);
    expect(() => fusionRetriever({ retrievers: { a: none, b: none }, weights: { a: 1 } })).toThrow(/weight for each/);
    expect(() => fusionRetriever({ retrievers: [none, none], weights: [1, -1] })).toThrow(/not negative/);
    expect(() => fusionRetriever({ retrievers: [none], weights: [0] })).toThrow(/above 0/);
    expect(() => fusionRetriever({ retrievers: {} })).toThrow(/at least one/);
  });
});
