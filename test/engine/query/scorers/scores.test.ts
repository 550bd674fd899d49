import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  conjunctionScorer,
  disjunctionScorer,
  disMaxScorer,
  minShouldMatchScorer,
  reqExclScorer,
  reqOptScorer,
  termScorer,
} from "../../../../src/engine/query/scorers/index.ts";
import {
  averageFieldLength,
  bm25Idf,
  bm25NormCache,
  bm25PhraseIdf,
  bm25Score,
  bm25Weight,
  simScorer,
} from "../../../../src/engine/query/similarity.ts";
import type { Scorer, Similarity } from "../../../../src/engine/query/types.ts";
import { collectTop } from "../../../../src/engine/search/top-docs.ts";
import { decodeLength, encodeLength } from "../../../../src/engine/segment/index.ts";
import type { FieldInfo, SegmentReader } from "../../../../src/engine/segment/types.ts";
import { block, build, open, text } from "../../segment/support.ts";

/** Recorded: documents (`word*n` stands for n times the word) and the hits of each query with their scores. */
const recorded = JSON.parse(readFileSync(new URL("elasticsearch-scores.json", import.meta.url), "utf8")) as {
  docs: { body: string; tag: string[] }[];
  hits: Record<string, [id: number, score: number][]>;
};

const textField = (name: string, norms: boolean): FieldInfo => ({
  name,
  index: "positions",
  norms,
  docValues: "none",
  points: "none",
});
const FIELDS: Record<string, { info: FieldInfo; similarity: Similarity }> = {
  body: { info: textField("body", true), similarity: { type: "BM25", k1: 1.2, b: 0.75 } },
  plain: { info: textField("plain", false), similarity: { type: "BM25", k1: 1.2, b: 0.75 } },
  equal: { info: textField("equal", true), similarity: { type: "boolean" } },
  tuned: { info: textField("tuned", true), similarity: { type: "BM25", k1: 0.9, b: 0.4 } },
  tag: { info: { ...textField("tag", false), index: "docs" }, similarity: { type: "BM25", k1: 1.2, b: 0.75 } },
};

async function recordedSegment(): Promise<SegmentReader> {
  const words = (body: string) =>
    body.split(" ").flatMap((part) => {
      const [word, times] = part.split("*");
      return new Array<string>(Number(times ?? 1)).fill(word);
    });
  return open(
    await build(
      recorded.docs.map(({ body, tag }, i) =>
        block(`${i}`, [
          ...["body", "plain", "equal", "tuned"].map((name) => text(FIELDS[name].info, words(body))),
          text(FIELDS.tag.info, tag),
        ]),
      ),
    ),
  );
}

describe("scores are Elasticsearch's, bit for bit", async () => {
  const segment = await recordedSegment();
  const term = (name: string, word: string, boost = 1): Scorer => {
    const terms = segment.terms(name);
    const ord = terms?.lookup(word) ?? -1;
    if (terms === undefined || ord < 0) throw new Error(`no term ${word}`);
    const sim = simScorer(FIELDS[name].similarity, boost, terms, [terms.docFreq(ord)]);
    return termScorer(terms.postings(ord), segment.norms(name), sim);
  };
  const A = () => term("body", "alpha");
  const B = () => term("body", "beta", 1.7);
  const G = () => term("tuned", "gamma");
  const D = () => term("plain", "delta", 3.1);
  const Z = () => term("body", "zeta");
  const T = () => term("tag", "epsilon");
  const queries: Record<string, () => Scorer | undefined> = {
    sum: () => disjunctionScorer([A(), B(), G(), D(), Z(), T()]),
    all: () => conjunctionScorer([A(), B(), D()]),
    "all with filter": () => {
      const [b, z, t] = [B(), Z(), T()];
      return conjunctionScorer([b, z, t], [b, z]);
    },
    "required and optional": () => reqOptScorer(A(), disjunctionScorer([Z(), T()])),
    "two required and optional": () => reqOptScorer(conjunctionScorer([A(), G()]), Z()),
    "at least three": () => minShouldMatchScorer([A(), B(), G(), D(), Z(), T()], 3),
    best: () => disMaxScorer([A(), B(), G(), Z()], 0),
    "best with tie breaker": () => disMaxScorer([A(), B(), G(), Z()], 0.37),
    without: () => reqExclScorer(A(), Z()),
    "best of sums": () => disMaxScorer([disjunctionScorer([A(), Z()]), disjunctionScorer([G(), T()])], 0.2),
  };
  for (const [name, hits] of Object.entries(recorded.hits)) {
    test(name, async () => {
      const [, fieldName, word, boost] = /^(\w+):(\w+)\^?(.*)$/.exec(name) ?? [];
      const scorer = queries[name]?.() ?? term(fieldName, word, boost ? Number(boost) : 1);
      const top = await collectTop([{ scorer, live: undefined, docBase: 0 }], {
        k: 100,
        totalHitsThreshold: Number.POSITIVE_INFINITY,
      });
      expect(Array.from(top.docs, (doc, i) => [doc, top.scores[i]])).toEqual(
        hits.map(([id, score]) => [id, Math.fround(score)]),
      );
    });
  }
});

describe("the formulas", () => {
  test("norms keep lengths to 40 exactly and longer ones to 4 significant bits, downwards", () => {
    for (let length = 0; length <= 40; length++) expect(decodeLength(encodeLength(length))).toBe(length);
    // SmallFloat.byte4ToInt(intToByte4(n)) of Lucene.
    expect([41, 50, 100, 300, 3000, 100_000, 0x7fffffff].map((n) => decodeLength(encodeLength(n)))).toEqual([
      40, 50, 96, 280, 2840, 98328, 2013265944,
    ]);
    let last = -1;
    for (let byte = 0; byte < 256; byte++) {
      expect(encodeLength(decodeLength(byte))).toBe(byte);
      expect(decodeLength(byte)).toBeGreaterThan(last);
      last = decodeLength(byte);
    }
  });

  test("BM25 in the steps of Lucene's floats", () => {
    const idf = bm25Idf(3, 10);
    expect(idf).toBe(Math.fround(Math.log(1 + 7.5 / 3.5)));
    expect(bm25PhraseIdf([3, 3], 10)).toBe(Math.fround(2 * idf));
    const avgdl = averageFieldLength(100, 7);
    expect(avgdl).toBe(Math.fround(100 / 7));
    const cache = bm25NormCache(1.2, 0.75, avgdl);
    const weight = bm25Weight(1, 1.2, idf);
    expect(bm25Score(weight, 2, cache[10])).toBeCloseTo((2.2 * idf * 2) / (2 + 1.2 * (0.25 + (0.75 * 10) / avgdl)), 5);
    const sim = simScorer(
      { type: "BM25", k1: 1.2, b: 0.75 },
      1,
      { docCount: 7, sumTotalTermFreq: 100, sumDocFreq: 50 },
      [3],
    );
    expect(sim.score(2, 10)).toBe(bm25Score(bm25Weight(1, 1.2, bm25Idf(3, 7)), 2, cache[10]));
  });

  test("a block scored at once gives the scores of its documents", () => {
    const statistics = { docCount: 900, sumTotalTermFreq: 30_000, sumDocFreq: 9000 };
    for (const similarity of [{ type: "BM25", k1: 1.2, b: 0.75 } as const, { type: "boolean" } as const]) {
      const sim = simScorer(similarity, 1.3, statistics, [17, 4]);
      const docs = Int32Array.from({ length: 128 }, (_, i) => i * 2);
      const freqs = Int32Array.from({ length: 128 }, (_, i) => 1 + ((i * i) % 90));
      const norms = Uint8Array.from({ length: 256 }, (_, i) => (i * 7) % 256);
      for (const lengths of [norms, undefined]) {
        const out = new Float32Array(128);
        sim.scoreBlock(docs, freqs, 0, 128, lengths, out);
        docs.forEach((doc, i) => void expect(out[i]).toBe(sim.score(freqs[i], lengths?.[doc] ?? 1)));
      }
    }
  });
});
