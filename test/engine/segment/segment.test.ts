import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeLength, FixedBitSet, mergeSegments } from "../../../src/engine/segment/index.ts";
import { createSlices } from "../../../src/engine/slices.ts";
import { BODY, block, blocks, build, dump, dumpModel, join, modelOf, open, text } from "./support.ts";

describe("a segment", () => {
  test("says of any documents what a naive model says", async () => {
    await fc.assert(
      fc.asyncProperty(blocks({ nested: true }), async (list) => {
        expect(dump(open(await build(list)))).toEqual(dumpModel(modelOf(list), encodeLength));
      }),
      { numRuns: 200 },
    );
  });

  test("merged out of several, without their deleted documents, says what a model of the rest says", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(blocks({ nested: true, maxLength: 6 }), fc.array(fc.boolean())), { maxLength: 4 }),
        async (parts) => {
          const leaves = [];
          const rest = [];
          for (const [list, deaths] of parts) {
            const segment = open(await build(list));
            const live = new FixedBitSet(segment.maxDoc);
            let doc = 0;
            list.forEach(({ docs }, i) => {
              if (!deaths[i]) live.setRange(doc, doc + docs.length);
              doc += docs.length;
            });
            leaves.push({ segment, live: live.cardinality() === segment.maxDoc ? undefined : live });
            rest.push(...modelOf(list, live));
          }
          const merged = open(join(await mergeSegments(leaves, createSlices())));
          expect(dump(merged)).toEqual(dumpModel(rest, encodeLength));
          merged.verify();
        },
      ),
      { numRuns: 200 },
    );
  });

  test("merged in another order says what a model in that order says", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(blocks({ nested: true, maxLength: 6 }), fc.array(fc.boolean())), { maxLength: 4 }),
        fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
        async (parts, keys) => {
          const leaves = [];
          const roots: { leaf: number; first: number; last: number; model: ReturnType<typeof modelOf> }[] = [];
          for (const [leaf, [list, deaths]] of parts.entries()) {
            const segment = open(await build(list));
            leaves.push({ segment, live: undefined });
            let doc = 0;
            for (const [i, each] of list.entries()) {
              const first = doc;
              doc += each.docs.length;
              if (!deaths[i]) roots.push({ leaf, first, last: doc - 1, model: modelOf([each]) });
            }
          }
          const ordered = roots.map((root, i) => ({ root, key: keys[i] })).sort((a, b) => a.key - b.key);
          const maps = leaves.map(({ segment }) => new Uint32Array(segment.maxDoc).fill(0xffffffff));
          let maxDoc = 0;
          for (const { root } of ordered) {
            for (let doc = root.first; doc <= root.last; doc++) maps[root.leaf][doc] = maxDoc++;
          }
          const merged = open(join(await mergeSegments(leaves, createSlices(), { maps, maxDoc })));
          expect(dump(merged)).toEqual(
            dumpModel(
              ordered.flatMap(({ root }) => root.model),
              encodeLength,
            ),
          );
          merged.verify();
        },
      ),
      { numRuns: 200 },
    );
  });

  test("walks over terms of many blocks, forwards and by leaps, with their positions", async () => {
    // Gaps, frequencies and positions of all sizes, so that every width of a block occurs.
    const list = [];
    const expected = new Map<string, { doc: number; positions: number[] }[]>();
    let seed = 7;
    const random = (n: number) => (seed = (seed * 48271) % 0x7fffffff) % n;
    for (let doc = 0; doc < 3000; doc++) {
      const tokens: string[] = [];
      for (const [term, every] of [
        ["all", 1],
        ["two", 2],
        ["seven", 7],
        ["ninety", 90],
      ] as const) {
        if (random(every) > 0) continue;
        for (let k = random(20) === 0 ? random(60) : random(3); k >= 0; k--) tokens.push(term);
      }
      const gaps = tokens.map(() => (random(500) === 0 ? random(100_000) : 1));
      list.push(block(`d${doc}`, [text(BODY, tokens, gaps)]));
      const field = list[doc].docs[0].fields[0];
      if (field.kind !== "terms") throw new Error("terms were expected");
      tokens.forEach((term, i) => {
        const entries = expected.get(term) ?? [];
        expected.set(term, entries);
        if (entries.at(-1)?.doc !== doc) entries.push({ doc, positions: [] });
        entries.at(-1)?.positions.push(field.positions?.[i] ?? -1);
      });
    }
    const segment = open(await build(list));
    const terms = segment.terms("body");
    const norms = segment.norms("body");
    if (terms === undefined || norms === undefined) throw new Error("the field is missing");
    for (const [term, entries] of expected) {
      for (const leap of [1, 3, 50, 700]) {
        const postings = terms.postings(terms.lookup(term), { positions: true });
        let at = 0;
        for (let target = 0; target < 3000; target += leap) {
          while (at < entries.length && entries[at].doc < target) at++;
          if (postings.docID() >= target) continue;
          expect(postings.advance(target)).toBe(entries[at]?.doc ?? 0x7fffffff);
          if (at === entries.length) break;
          expect(postings.freq()).toBe(entries[at].positions.length);
          if (target % 2 === 0) {
            expect(entries[at].positions.map(() => postings.nextPosition())).toEqual(entries[at].positions);
          }
        }
      }
      // Impacts are an upper bound that some document reaches.
      const postings = terms.postings(terms.lookup(term));
      const score = { score: (freq: number, norm: number) => freq / (freq + 1 + norm) };
      let best = 0;
      for (let b = 0; b < postings.blockEnds.length; b++) {
        const from = b === 0 ? -1 : postings.blockEnds[b - 1];
        const inside = entries.filter(({ doc }) => doc > from && doc <= postings.blockEnds[b]);
        const max = Math.max(...inside.map(({ doc, positions }) => score.score(positions.length, norms[doc])));
        expect(postings.blockMaxScore(b, score)).toBe(max);
        postings.shallowAdvance(from + 1);
        expect(postings.blockLastDoc()).toBe(postings.blockEnds[b]);
        expect(Math.max(...postings.blockImpacts().map(({ freq, norm }) => score.score(freq, norm)))).toBe(max);
        best = Math.max(best, max);
      }
      expect(Math.max(...postings.impacts().map(({ freq, norm }) => score.score(freq, norm)))).toBe(best);
    }
  });
});
