import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluationReport, memoryCollection, reportHtml } from "../../src/evaluation/index.ts";
import type { Question } from "../../src/evaluation/questions.ts";
import { seededRandom } from "../../src/evaluation/random.ts";
import { copyInMemory } from "../../src/evaluation/tuning/copy.ts";
import { foldsOf } from "../../src/evaluation/tuning/folds.ts";
import { heatMaps } from "../../src/evaluation/tuning/heat-map.ts";
import { heatMapText, tuningSentences } from "../../src/evaluation/tuning/picture.ts";
import { gridOf, parseParameter, randomPoints, type Values } from "../../src/evaluation/tuning/space.ts";
import { type TuneOptions, tune } from "../../src/evaluation/tuning/tune.ts";
import {
  checkParameter,
  inOrderOfCost,
  strategyOptions,
  tunedSearch,
} from "../../src/evaluation/tuning/tuned-search.ts";
import { document } from "../../src/schema/index.ts";

const questions: Question[] = Array.from({ length: 40 }, (_, i) => ({ id: `q${i}`, text: `question ${i}` }));
const qrels = new Map(questions.map(({ id }) => [id, new Map([[`answer-${id}`, 1]])]));

/** A run in which a question's answer is found where `finds` says so. */
const runOf = (finds: (question: number, values: Values) => boolean) => async (values: Values) =>
  new Map(questions.map(({ id }, i) => [id, finds(i, values) ? [`answer-${id}`] : ["noise"]]));

const options = (more: Partial<TuneOptions>): TuneOptions => ({
  name: "made up",
  questions,
  qrels,
  candidates: [],
  run: runOf(() => true),
  measure: "hit@1",
  ...more,
});

describe("tuning", () => {
  test("a trap in each fold: what is perfect on a fold and bad elsewhere is never chosen for it, so nothing of it is reported", async () => {
    const fold = foldsOf(questions, qrels, 4, 9);
    // Trap f finds everything in fold f and half of what lies elsewhere; the honest value finds 60 % everywhere.
    const found = (i: number, { trap }: Values) => (trap === undefined ? i % 5 < 3 : fold[i] === trap || i % 2 === 0);
    const result = await tune(
      options({ folds: 4, seed: 9, candidates: [0, 1, 2, 3].map((trap) => ({ trap })), run: runOf(found) }),
    );
    result.folds.forEach(({ chosen }, f) => {
      expect(chosen["trap"]).not.toBe(f);
    });
    // A tuning that looked at what it reports would have seen 1 on every fold.
    expect(result.tuned.mean).toBeLessThan(0.7);
    expect(result.verdict).not.toBe("gain");
  });

  test("the choice for a fold does not depend on the values of its questions", async () => {
    const fold = foldsOf(questions, qrels, 5, 3);
    const random = seededRandom(2);
    const values = Array.from({ length: 6 }, () => questions.map(() => random() < 0.5));
    const chosenFor = async (f: number, change: boolean) => {
      const finds = (i: number, { c = 0 }: Values) => (change && fold[i] === f ? !values[c]![i] : values[c]![i]!);
      const result = await tune(
        options({ folds: 5, seed: 3, candidates: [1, 2, 3, 4, 5].map((c) => ({ c })), run: runOf(finds) }),
      );
      return result.folds[f]!.chosen;
    };
    for (let f = 0; f < 5; f++) expect(await chosenFor(f, true)).toEqual(await chosenFor(f, false));
  });

  test("noise is not called a gain, however many values are tried", async () => {
    let gains = 0;
    let looksBetter = 0;
    for (let seed = 0; seed < 30; seed++) {
      const random = seededRandom(seed);
      const values = Array.from({ length: 20 }, () => questions.map(() => random() < 0.5));
      const result = await tune(
        options({
          seed,
          candidates: Array.from({ length: 19 }, (_, i) => ({ c: i + 1 })),
          run: runOf((i, { c = 0 }) => values[c]![i]!),
        }),
      );
      // On the questions that it was chosen on, the best of twenty looks better nearly always.
      if (Math.max(...result.tried.map(({ mean }) => mean)) > result.present.mean) looksBetter++;
      if (result.verdict === "gain") gains++;
      if (result.verdict === "within noise")
        expect(tuningSentences(result)[0]).toMatch(/^No gain is shown: .* within noise/);
    }
    expect(looksBetter).toBeGreaterThan(25);
    expect(gains).toBeLessThanOrEqual(3);
  });

  test("a true gain is found, and the values that give it", async () => {
    const finds = (i: number, { b = 0 }: Values) => (b === 0.5 ? i % 10 !== 0 : i % 2 === 0);
    const result = await tune(options({ candidates: [{ b: 0.2 }, { b: 0.5 }, { b: 0.8 }], run: runOf(finds) }));
    expect(result).toMatchObject({ verdict: "gain", chosen: { b: 0.5 }, questions: 40 });
    expect(result.gain.p).toBeLessThan(0.05);
    expect(tuningSentences(result)[0]).toMatch(/^A gain: hit@1 0\.500 → 0\.900 on questions that had no part/);
  });

  test("equal values leave the present ones", async () => {
    const result = await tune(options({ candidates: [{ b: 1 }] }));
    expect(result).toMatchObject({ verdict: "within noise", chosen: {} });
    expect(tuningSentences(result)[1]).toContain("nothing is better than the present values");
  });

  test.each([
    [{ candidates: [] }, "there is nothing to try"],
    [{ candidates: [{ b: 1 }], folds: 41 }, "at most 40"],
    [{ candidates: [{ b: 1 }], measure: "ngcd" }, "unknown measure"],
  ] satisfies [Partial<TuneOptions>, string][])("%j is refused", async (more, message) => {
    await expect(tune(options(more))).rejects.toThrow(message);
  });

  test("a signal stops it between values", async () => {
    const stop = new AbortController();
    const candidates = [1, 2, 3].map((b) => ({ b }));
    const running = tune(
      options({ candidates, signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) }),
    );
    await expect(running).rejects.toThrow("enough");
  });
});

describe("folds", () => {
  test("questions that are alike or have the same answers share a fold; folds are about equal", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 2, max: 6 }), (seed, count) => {
        const set = Array.from({ length: 30 }, (_, i) => ({
          id: `${i}`,
          text: i % 3 ? `Question ${i}?` : `QUESTION ${i + 1} !`,
        }));
        const judged = new Map(set.map(({ id }, i) => [id, new Map([[`d${i === 7 ? 20 : i}`, 1]])]));
        const fold = foldsOf(set, judged, count, seed);
        // 0 and 1, 3 and 4 … differ in case and punctuation only; 7 and 20 have one answer.
        for (let i = 0; i < 30; i += 3) expect(fold[i]).toBe(fold[i + 1]);
        expect(fold[7]).toBe(fold[20]);
        const sizes = Array.from({ length: count }, (_, f) => fold.filter((of) => of === f).length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(4);
      }),
      { numRuns: 40 },
    );
  });
});

describe("parameters", () => {
  test("are lists, steps or ranges", () => {
    expect(parseParameter("bm25.b=0.3,0.5,0.5")).toEqual({ name: "bm25.b", values: [0.3, 0.5] });
    expect(parseParameter("bm25.k1=0.6..1.2:0.3")).toEqual({ name: "bm25.k1", values: [0.6, 0.9, 1.2] });
    expect(parseParameter("x=-1..1")).toEqual({ name: "x", low: -1, high: 1 });
  });
  test.each(["b", "b=", "b=a", "b=1,,2", "b=2..1", "b=0..1:0", "b=0..1:0.0001", "=1"])("%j is none", (text) => {
    expect(() => parseParameter(text)).toThrow(/^the parameter "/);
  });
  test("make a grid, within bounds", () => {
    expect(gridOf([parseParameter("a=1,2"), parseParameter("b=3,4")])).toEqual([
      { a: 1, b: 3 },
      { a: 1, b: 4 },
      { a: 2, b: 3 },
      { a: 2, b: 4 },
    ]);
    expect(() => gridOf([parseParameter("a=0..1")])).toThrow("a is a range without a step");
    expect(() => gridOf([parseParameter("a=0..50:1"), parseParameter("b=0..50:1")])).toThrow("more than 2000 points");
  });
  test("of chance are the same for a seed, lie in their ranges, and come once", () => {
    const space = [parseParameter("k1=0.5..2"), parseParameter("size=64..512"), parseParameter("b=0,1")];
    const points = randomPoints(space, 50, 4);
    expect(randomPoints(space, 50, 4)).toEqual(points);
    expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(50);
    for (const { k1, size, b } of points) {
      expect(
        k1! >= 0.5 && k1! <= 2 && Number.isInteger(size) && size! >= 64 && size! <= 512 && (b === 0 || b === 1),
      ).toBe(true);
    }
    expect(randomPoints([parseParameter("b=0,1")], 50, 1)).toHaveLength(2);
  });
  test("that are options of a strategy stand in its options; one of two weights leaves the rest to the other", () => {
    expect(strategyOptions({ depth: 50 }, { slop: 2, "bm25.k1": 1, "boosts.content": 2 })).toEqual({
      depth: 50,
      slop: 2,
    });
    expect(strategyOptions({}, { "weights.bm25": 0.7 })).toEqual({ weights: { bm25: 0.7, dense: 0.3 } });
    expect(strategyOptions({}, { "weights.dense": 1, "weights.bm25": 3 })).toEqual({ weights: { dense: 1, bm25: 3 } });
  });
  test("of an index or of fields that there are not are refused", () => {
    const collection = { textFields: ["content^0.5", "content.cjk"] };
    expect(() => checkParameter("bm25.k2", collection)).toThrow('unknown parameter "bm25.k2"');
    expect(() => checkParameter("boosts.title", collection)).toThrow("known are boosts.content, boosts.content.cjk");
    expect(() => checkParameter("boosts.content", collection)).not.toThrow();
  });
  test("are tried in an order that indexes each size of passages once", () => {
    const points = gridOf([parseParameter("bm25.k1=2,1"), parseParameter("passages.size=300,100")]);
    expect(inOrderOfCost(points).map((point) => point["passages.size"])).toEqual([100, 100, 300, 300]);
  });
});

describe("heat maps", () => {
  const tried = gridOf([parseParameter("k1=1,2"), parseParameter("b=0,0.5"), parseParameter("w=1,2")]).map(
    (values) => ({
      values,
      mean: values["k1"]! / 10 + values["b"]! / 5 + values["w"]! / 100,
    }),
  );
  const result = {
    name: "<b>x</b>",
    measure: "map",
    seed: 1,
    questions: 10,
    verdict: "gain" as const,
    gain: { mean: 0.1, low: 0.05, high: 0.2, p: 0.01, better: 5, equal: 5, worse: 0 },
    present: { mean: 0.2, low: 0.1, high: 0.3 },
    tuned: { mean: 0.3, low: 0.2, high: 0.4 },
    chosen: { k1: 2, b: 0.5, w: 2 },
    folds: [],
    tried: [{ values: {}, mean: 0.1 }, ...tried],
  };
  test("of each pair of parameters, the best over the others", () => {
    const [first, ...others] = heatMaps(result);
    expect(others).toHaveLength(2);
    expect(first).toMatchObject({ xName: "k1", yName: "b", xs: ["1", "2"], ys: ["0", "0.5"], marked: { x: 1, y: 1 } });
    expect(first!.values[1]![1]).toBeCloseTo(0.32, 10);
    expect(heatMapText(first!)).toContain("[█0.320]");
  });
  test("stand in the report, where names are text", () => {
    const html = reportHtml(evaluationReport({ tunings: [result] }));
    expect(html.match(/<svg /g)).toHaveLength(3);
    expect(html).toContain("Tuning on &lt;b&gt;x&lt;/b&gt;");
  });
});

test("an index is changed in a copy: k1, b, sizes and boosts act, and the user's own stays as it was", async () => {
  const texts = [
    "leave leave leave leave",
    "leave of absence for the staff of the house and all who work there",
    "other words",
  ];
  const made = async (passages: { size?: number; overlap?: number } = {}) => {
    const memory = await memoryCollection({ passages });
    await memory.collection.addDocuments(texts.map((text, i) => document({ id: `d${i}`, text })));
    return memory;
  };
  const own = await made();
  const asked: Question[] = [{ id: "q", text: "leave staff" }];
  const scores = (name: string) =>
    own.collection.search("leave", { strategy: "bm25" }).then((hits) => [name, hits.map(({ score }) => score)]);
  const before = await scores("x");
  let copies = 0;
  const search = tunedSearch({
    collection: own.collection,
    strategy: "bm25",
    questions: asked,
    documentOf: ({ node }) => node.relationships.source?.id,
    scratch: async (passages) => {
      copies++;
      return Object.keys(passages).length > 0 ? made(passages) : copyInMemory(own.collection, {});
    },
  });
  try {
    // Without saturation and with no regard to length, four times the word outweighs one more word.
    expect((await search.run({ "bm25.k1": 50, "bm25.b": 0 })).get("q")).toEqual(["d0", "d1"]);
    expect((await search.run({ "bm25.k1": 0, "bm25.b": 0 })).get("q")).toEqual(["d1", "d0"]);
    expect(copies).toBe(1);
    expect((await search.run({ "passages.size": 4, "passages.overlap": 0 })).get("q")).toBeDefined();
    expect(copies).toBe(2);
    const nothing = { "boosts.content": 0, "boosts.content.cjk": 0, "boosts.content.english": 0 };
    expect((await search.run(nothing)).get("q")).toHaveLength(2);
    expect(await scores("x")).toEqual(before);
  } finally {
    await search.close();
    await own.close();
  }
});
