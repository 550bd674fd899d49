import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bitSetScorer,
  conjunctionScorer,
  constantScorer,
  disjunctionScorer,
  disMaxScorer,
  matchingDocs,
  minShouldMatchScorer,
  PooledScorer,
  reqExclScorer,
  reqOptScorer,
  type TermScorer,
  termScorer,
} from "../../../src/engine/query/scorers/index.ts";
import { simScorer } from "../../../src/engine/query/similarity.ts";
import type { Scorer } from "../../../src/engine/query/types.ts";
import { collectTop, type TopLimits } from "../../../src/engine/search/top-docs.ts";
import { FixedBitSet } from "../../../src/engine/segment/index.ts";
import { NO_MORE_DOCS, type SegmentReader } from "../../../src/engine/segment/types.ts";
import { createSlices } from "../../../src/engine/slices.ts";
import { seededRandom } from "../../random.ts";
import { BODY, block, build, open, text } from "../segment/support.ts";

const TERMS = ["t0", "t1", "t2", "t3", "t4", "t5"];

interface Leaf {
  segment: SegmentReader;
  live: FixedBitSet | undefined;
  docBase: number;
}

/** Segments in which term i is in about one of 2^(i · spread) documents. */
async function corpus(seed: number, sizes: readonly number[], deleted: number, spread: number): Promise<Leaf[]> {
  const random = seededRandom(seed);
  const leaves: Leaf[] = [];
  let docBase = 0;
  for (const size of sizes) {
    const list = [];
    for (let doc = 0; doc < size; doc++) {
      const words: string[] = [];
      TERMS.forEach((term, i) => {
        if (random() < 0.9 / 2 ** (i * spread)) for (let n = 1 + random() ** 6 * 12; n >= 1; n--) words.push(term);
      });
      for (let n = random() * 30; n > 1; n--) words.push("filler");
      list.push(block(`${docBase + doc}`, [text(BODY, words)]));
    }
    const segment = open(await build(list));
    let live: FixedBitSet | undefined;
    if (deleted > 0 && size > 0) {
      live = new FixedBitSet(size);
      for (let doc = 0; doc < size; doc++) if (random() >= deleted) live.set(doc);
    }
    leaves.push({ segment, live, docBase });
    docBase += size;
  }
  return leaves;
}

type Shape = (leaf: Leaf) => Scorer | undefined;

/** Terms with their boosts, with statistics over all leaves. */
function termShapes(leaves: readonly Leaf[], boosts: readonly number[]): Shape[] {
  const statistics = { docCount: 0, sumTotalTermFreq: 0, sumDocFreq: 0 };
  for (const { segment } of leaves) {
    const terms = segment.terms("body");
    statistics.docCount += terms?.docCount ?? 0;
    statistics.sumTotalTermFreq += terms?.sumTotalTermFreq ?? 0;
    statistics.sumDocFreq += terms?.sumDocFreq ?? 0;
  }
  return boosts.map((boost, i) => {
    let docFreq = 0;
    for (const { segment } of leaves) {
      const terms = segment.terms("body");
      const ord = terms?.lookup(TERMS[i]) ?? -1;
      if (terms !== undefined && ord >= 0) docFreq += terms.docFreq(ord);
    }
    const sim = simScorer({ type: "BM25", k1: 1.2, b: 0.75 }, boost, statistics, [docFreq]);
    return ({ segment }) => {
      const terms = segment.terms("body");
      const ord = terms?.lookup(TERMS[i]) ?? -1;
      if (terms === undefined || ord < 0) return undefined;
      return termScorer(terms.postings(ord), segment.norms("body"), sim);
    };
  });
}

/** Every hit, scored one by one and sorted. */
function exhaustive(leaves: readonly Leaf[], shape: Shape, limits: TopLimits) {
  const hits: { doc: number; score: number }[] = [];
  for (const leaf of leaves) {
    const scorer = shape(leaf);
    if (scorer === undefined) continue;
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      if (leaf.live !== undefined && !leaf.live.get(doc)) continue;
      if (scorer.twoPhase !== undefined && !scorer.twoPhase.matches()) continue;
      const score = scorer.score();
      if (score >= (limits.minScore ?? 0)) hits.push({ doc: doc + leaf.docBase, score });
    }
  }
  const { after, k, totalHitsThreshold } = limits;
  const sorted = [...hits].sort((a, b) => b.score - a.score || a.doc - b.doc);
  const rest = sorted.filter(
    ({ doc, score }) => after === undefined || score < after.score || (score === after.score && doc > after.doc),
  );
  const best = rest.slice(0, k);
  return {
    docs: best.map(({ doc }) => doc),
    scores: best.map(({ score }) => score),
    total: Math.min(hits.length, totalHitsThreshold),
    relation: hits.length > totalHitsThreshold ? "gte" : "eq",
    timedOut: false,
  };
}

async function collected(leaves: readonly Leaf[], shape: Shape, limits: TopLimits) {
  const sources = leaves.map((leaf) => ({ scorer: shape(leaf), live: leaf.live, docBase: leaf.docBase }));
  const { docs, scores, ...rest } = await collectTop(sources, limits);
  return { docs: Array.from(docs), scores: Array.from(scores), ...rest };
}

const all = (shapes: readonly Shape[], leaf: Leaf): Scorer[] =>
  shapes.flatMap((shape) => {
    const scorer = shape(leaf);
    return scorer === undefined ? [] : [scorer];
  });
const none = (list: readonly Scorer[], make: (list: readonly Scorer[]) => Scorer | undefined) =>
  list.length === 0 ? undefined : make(list);

/** A second phase that lets only some documents through. */
function costly(scorer: Scorer | undefined, every: number): Scorer | undefined {
  if (scorer === undefined) return undefined;
  return {
    docID: () => scorer.docID(),
    nextDoc: () => scorer.nextDoc(),
    advance: (target) => scorer.advance(target),
    cost: () => scorer.cost(),
    score: () => scorer.score(),
    maxScore: (upTo) => scorer.maxScore(upTo),
    advanceShallow: (target) => scorer.advanceShallow(target),
    setMinCompetitiveScore: (score) => scorer.setMinCompetitiveScore(score),
    twoPhase: { matchCost: 10, matches: () => scorer.docID() % every === 0 },
  };
}

const SHAPES: Record<string, (terms: readonly Shape[]) => Shape> = {
  term: (terms) => terms[1],
  disjunction: (terms) => (leaf) => none(all(terms, leaf), disjunctionScorer),
  "pair of terms": (terms) => (leaf) => none(all([terms[0], terms[4]], leaf), disjunctionScorer),
  conjunction: (terms) => (leaf) => {
    const list = all(terms.slice(0, 3), leaf);
    return list.length < 3 ? undefined : conjunctionScorer(list);
  },
  "filtered term": (terms) => (leaf) => {
    const list = all([terms[0], terms[2]], leaf);
    return list.length < 2 ? undefined : conjunctionScorer(list, [list[1]]);
  },
  "at least two": (terms) => (leaf) => minShouldMatchScorer(all(terms, leaf), 2),
  "at least four": (terms) => (leaf) => minShouldMatchScorer(all(terms, leaf), 4),
  "dis max": (terms) => (leaf) => none(all(terms, leaf), (list) => disMaxScorer(list, 0.3)),
  "required and optional": (terms) => (leaf) => {
    const required = terms[2](leaf);
    const optional = none(all([terms[0], terms[4]], leaf), disjunctionScorer);
    return required === undefined || optional === undefined ? required : reqOptScorer(required, optional);
  },
  "required and optional words": (terms) => (leaf) => {
    const required = none(all([terms[1], terms[3]], leaf), disjunctionScorer);
    const optional = none(all([terms[0], terms[4]], leaf), disjunctionScorer);
    return required === undefined || optional === undefined ? required : reqOptScorer(required, optional);
  },
  "best of sums": (terms) => (leaf) => {
    const clauses = [terms.slice(0, 2), terms.slice(2, 4), terms.slice(4, 6)].flatMap((part) => {
      const sum = none(all(part, leaf), disjunctionScorer);
      return sum === undefined ? [] : [sum];
    });
    return none(clauses, (list) => disMaxScorer(list, 0.7));
  },
  "filtered sum": (terms) => (leaf) => {
    const sum = none(all([terms[1], terms[2]], leaf), disjunctionScorer);
    const [filter] = all([terms[0]], leaf);
    const excluded = none(all([terms[3], terms[4]], leaf), disjunctionScorer);
    if (sum === undefined || filter === undefined) return undefined;
    const filtered = conjunctionScorer([sum, filter], [sum]);
    return excluded === undefined ? filtered : reqExclScorer(filtered, excluded);
  },
  "sum within bits": (terms) => (leaf) => {
    const sum = none(all([terms[0], terms[2], terms[5]], leaf), disjunctionScorer);
    if (sum === undefined) return undefined;
    const bits = new FixedBitSet(leaf.segment.maxDoc);
    for (let doc = 0; doc < leaf.segment.maxDoc; doc++) if (doc % 7 < 3) bits.set(doc);
    return conjunctionScorer([sum, bitSetScorer(bits, 1)], [sum]);
  },
  "words pooled": (terms) => (leaf) => {
    const [a, b, c, d] = all([terms[0], terms[2], terms[3], terms[5]], leaf) as TermScorer[];
    if (d === undefined) return undefined;
    const norms = leaf.segment.norms("body")!;
    const pool = (list: readonly TermScorer[], weights: readonly number[]) =>
      new PooledScorer({
        parts: list.map(({ postings }, i) => ({ postings, weight: Math.fround(weights[i]) })),
        sim: a.sim,
        norm: (doc) => norms[doc],
        leastNorm: (_, least) => least,
      });
    return disjunctionScorer([pool([a, b], [1, 2.3]), pool([c], [1]), d]);
  },
  "one word pooled": (terms) => (leaf) => {
    const [a, b] = all([terms[1], terms[2]], leaf) as TermScorer[];
    if (b === undefined) return undefined;
    const norms = leaf.segment.norms("body")!;
    const parts = [a, b].map(({ postings }) => ({ postings, weight: 1 }));
    return new PooledScorer({ parts, sim: a.sim, norm: (doc) => norms[doc], leastNorm: (_, least) => least });
  },
  "required and excluded": (terms) => (leaf) => {
    const required = terms[0](leaf);
    const excluded = terms[1](leaf);
    return required === undefined || excluded === undefined ? required : reqExclScorer(required, excluded);
  },
  "second phases everywhere": (terms) => (leaf) => {
    const [a, b, c, d] = [0, 1, 2, 3].map((i) => costly(terms[i](leaf), i + 2));
    if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
    return reqExclScorer(conjunctionScorer([a, disjunctionScorer([b, c])]), d);
  },
  "nested sums": (terms) => (leaf) => {
    const [a, b, c, d] = terms.map((shape) => shape(leaf));
    if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
    return disjunctionScorer([conjunctionScorer([a, b]), disMaxScorer([c, d], 0)]);
  },
  "constant beside a term": (terms) => (leaf) => {
    const [a, b] = all([terms[1], terms[3]], leaf);
    return a === undefined || b === undefined ? undefined : disjunctionScorer([a, constantScorer(b, 1.5)]);
  },
};

describe("collectTop", () => {
  for (const [name, make] of Object.entries(SHAPES)) {
    test(`gives of a ${name} what scoring everything gives, bit for bit`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            seed: fc.integer(),
            sizes: fc.array(fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 3000 })), { minLength: 1, maxLength: 3 }),
            deleted: fc.constantFrom(0, 0, 0.1, 0.7),
            spread: fc.constantFrom(0.2, 1, 2),
            boosts: fc.array(fc.constantFrom(1, 1, 2.5, 0.1, 0), { minLength: 6, maxLength: 6 }),
            k: fc.constantFrom(0, 1, 3, 10, 100),
            totalHitsThreshold: fc.constantFrom(0, 1, 50, 1000, Number.POSITIVE_INFINITY),
            minScore: fc.constantFrom(undefined, undefined, undefined, 0.5),
            paged: fc.boolean(),
          }),
          async ({ seed, sizes, deleted, spread, boosts, k, totalHitsThreshold, minScore, paged }) => {
            const leaves = await corpus(seed, sizes, deleted, spread);
            const shape = make(termShapes(leaves, boosts));
            const limits: TopLimits = { k, totalHitsThreshold, minScore };
            const expected = exhaustive(leaves, shape, limits);
            expect(await collected(leaves, shape, limits)).toEqual(expected);
            if (!paged || expected.docs.length < 2) return;
            const last = Math.floor(expected.docs.length / 2);
            const after = { doc: expected.docs[last], score: expected.scores[last] };
            const next = { ...limits, after };
            expect(await collected(leaves, shape, next)).toEqual(exhaustive(leaves, shape, next));
          },
        ),
        { numRuns: 25 },
      );
    });
  }

  test("documents of which no score is wanted are those that a walk finds, window by window", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.constantFrom(1, 31, 700, 5000),
        fc.constantFrom(0, 0.1, 0.9, 1),
        fc.constantFrom(0.2, 1, 2),
        async (seed, size, deleted, spread) => {
          const [leaf] = await corpus(seed, [size], deleted, spread);
          for (const make of Object.values(SHAPES)) {
            const shape = make(termShapes([leaf], [1, 2, 1, 1, 1, 1]));
            const { docs } = exhaustive([leaf], shape, { k: size, totalHitsThreshold: 0 });
            if (shape(leaf) === undefined) continue;
            // The same documents, whether candidates are known by their words or by questions.
            const { live } = leaf;
            for (const candidates of [live, live && { ...live, get: (doc: number) => live.get(doc) }]) {
              const matching = matchingDocs(shape(leaf)!, candidates as FixedBitSet);
              const found: number[] = [];
              while (matching.nextWindow()) {
                const count = matching.count();
                expect(count).toBeGreaterThan(0);
                found.push(...matching.docs().subarray(0, count));
              }
              expect(found).toEqual(docs.sort((a, b) => a - b));
            }
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  test("agrees with documents leapt to, in any order of leaps", async () => {
    const leaves = await corpus(5, [2500], 0, 0.7);
    for (const make of Object.values(SHAPES)) {
      const shape = make(termShapes(leaves, [1, 2, 1, 1, 1, 1]));
      const hits = new Map<number, number>();
      const walk = shape(leaves[0]);
      if (walk === undefined) throw new Error("a scorer was expected");
      for (let doc = walk.nextDoc(); doc !== NO_MORE_DOCS; doc = walk.nextDoc()) {
        if (walk.twoPhase?.matches() ?? true) hits.set(doc, walk.score());
      }
      const docs = [...hits.keys()];
      const random = seededRandom(3);
      const leap = shape(leaves[0]);
      if (leap === undefined) throw new Error("a scorer was expected");
      for (let target = 0; target < 2500; target += 1 + Math.floor(random() ** 4 * 300)) {
        if (leap.docID() >= target) continue;
        let doc = leap.advance(target);
        while (doc !== NO_MORE_DOCS && !(leap.twoPhase?.matches() ?? true)) doc = leap.nextDoc();
        expect(doc).toBe(docs.find((hit) => hit >= target) ?? NO_MORE_DOCS);
        if (doc === NO_MORE_DOCS) break;
        expect(leap.score()).toBe(hits.get(doc));
      }
    }
  });

  test("bounds of blocks are never below a score inside them", async () => {
    const leaves = await corpus(11, [4000], 0, 1);
    for (const [name, make] of Object.entries(SHAPES)) {
      if (name === "second phases everywhere") continue;
      const shape = make(termShapes(leaves, [1, 2, 1, 1, 0.5, 1]));
      const hits: { doc: number; score: number }[] = [];
      const walk = shape(leaves[0]);
      const bounds = shape(leaves[0]);
      if (walk === undefined || bounds === undefined) throw new Error("a scorer was expected");
      for (let doc = walk.nextDoc(); doc !== NO_MORE_DOCS; doc = walk.nextDoc())
        hits.push({ doc, score: walk.score() });
      for (let target = 0; target < 4000; ) {
        const end = bounds.advanceShallow(target);
        expect(end).toBeGreaterThanOrEqual(target);
        const bound = bounds.maxScore(end);
        for (const { doc, score } of hits) if (doc >= target && doc <= end) expect(score).toBeLessThanOrEqual(bound);
        target = end + 1;
      }
    }
  });

  test("gives the thread back when a slice is due, and stops at a timeout or an abort", async () => {
    const leaves = await corpus(1, [20_000], 0, 0.1);
    const shape = SHAPES.conjunction(termShapes(leaves, [1, 1, 1, 1, 1, 1]));
    const limits = { k: 10, totalHitsThreshold: 100 };
    const sources = () => leaves.map((leaf) => ({ scorer: shape(leaf), live: leaf.live, docBase: leaf.docBase }));
    const whole = await collectTop(sources(), limits);
    let pauses = 0;
    const eager = { ...createSlices(), due: () => true, pause: async () => void pauses++ };
    expect(await collectTop(sources(), { ...limits, slices: eager })).toEqual(whole);
    expect(pauses).toBeGreaterThan(10);
    const late = await collectTop(sources(), { ...limits, slices: createSlices({ timeout: 0 }) });
    expect(late.timedOut).toBe(true);
    const controller = new AbortController();
    controller.abort();
    expect(() => collectTop(sources(), { ...limits, slices: createSlices({ signal: controller.signal }) })).toThrow(
      "cancelled",
    );
  });
});
