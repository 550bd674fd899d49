/**
 * Measures the engine's core, apart from analysis and the DSL: building a segment, opening it, and BM25 top 10 of 1, 3 and 10 terms.
 * Answers are compared with an exhaustive scan before anything is timed.
 *
 *     npx tsx bench/engine.ts [--size 100000] [--queries 200] [--corpus FILE.jsonl …] [--seeded]
 *
 * A corpus file has a JSON object with a `text` (or a JSON string) a line; texts are cut into passages of 80 words, and repeated with other
 * words in between when there are too few. Without one, seeded passages with Zipf frequencies are made.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import { disjunctionScorer, type TermScorer, termScorer } from "../src/engine/query/scorers/index.ts";
import { simScorer } from "../src/engine/query/similarity.ts";
import { collectTop, type TopDocs } from "../src/engine/search/top-docs.ts";
import { createSegmentBuilder, openSegment } from "../src/engine/segment/index.ts";
import type { FieldInfo, SegmentReader } from "../src/engine/segment/types.ts";
import { seededRandom } from "../test/random.ts";
import { zipfPassages } from "./corpus.ts";

const BODY: FieldInfo = { name: "body", index: "positions", norms: true, docValues: "none", points: "none" };
const WORDS_PER_PASSAGE = 80;
/** Queries of each kind that are compared with the scan. */
const VERIFIED = 20;

/** What Lucene 9.12 needs on a comparable corpus of 100,000 passages: context, not measured here. */
const LUCENE: Record<number, number> = { 1: 0.05, 3: 0.2, 10: 0.81 };
const LUCENE_DOCS_PER_SECOND = 23_600;

function* corpusPassages(files: readonly string[], size: number): Generator<string[]> {
  const words: string[] = [];
  for (const file of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line.trim() === "") continue;
      const value: unknown = JSON.parse(line);
      const text = typeof value === "string" ? value : String((value as { text?: unknown }).text ?? "");
      for (const [word] of text.toLowerCase().matchAll(/\p{Script=Han}|[\p{L}\p{N}]+/gu)) words.push(word);
    }
  }
  if (words.length === 0)
    throw new Error(`no text in ${files.join(", ")}; lines need a string or an object with "text"`);
  const random = seededRandom(2);
  for (let doc = 0; doc < size; doc++) {
    const start = doc * WORDS_PER_PASSAGE;
    const passage: string[] = [];
    for (let i = 0; i < WORDS_PER_PASSAGE; i++) {
      // A second round over the words mixes them, so that no two passages are alike.
      const at =
        start + WORDS_PER_PASSAGE <= words.length || random() < 0.7 ? start + i : Math.floor(random() * words.length);
      passage.push(words[at % words.length]);
    }
    yield passage;
  }
}

const median = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function makeScorers(segment: SegmentReader, words: readonly string[]): TermScorer[] {
  const terms = segment.terms("body");
  if (terms === undefined) throw new Error("the segment has no terms");
  return words.flatMap((word) => {
    const ord = terms.lookup(word);
    if (ord < 0) return [];
    const sim = simScorer({ type: "BM25", k1: 1.2, b: 0.75 }, 1, terms, [terms.docFreq(ord)]);
    return [termScorer(terms.postings(ord), segment.norms("body"), sim)];
  });
}

function search(segment: SegmentReader, words: readonly string[]): TopDocs {
  const scorer = disjunctionScorer(makeScorers(segment, words));
  const top = collectTop([{ scorer, live: undefined, docBase: 0 }], { k: 10, totalHitsThreshold: 10_000 });
  if (top instanceof Promise) throw new Error("a search without slices is synchronous");
  return top;
}

/** Scores every document, and checks the answer of `search` against it. */
function verify(segment: SegmentReader, words: readonly string[]): number {
  const sums = new Map<number, number>();
  for (const scorer of makeScorers(segment, words)) {
    for (let doc = scorer.nextDoc(); doc < segment.maxDoc; doc = scorer.nextDoc()) {
      sums.set(doc, (sums.get(doc) ?? 0) + scorer.score());
    }
  }
  const hits = [...sums].map(([doc, sum]) => ({ doc, score: Math.fround(sum) }));
  hits.sort((a, b) => b.score - a.score || a.doc - b.doc);
  const found = search(segment, words);
  const wrong =
    found.total !== Math.min(hits.length, 10_000) ||
    found.docs.length !== Math.min(10, hits.length) ||
    Array.from(found.docs).some((doc, i) => doc !== hits[i].doc || found.scores[i] !== hits[i].score);
  if (wrong) throw new Error(`wrong answer for [${words.join(" ")}]`);
  return hits.length;
}

const { values: args } = parseArgs({
  options: {
    size: { type: "string", default: "100000" },
    queries: { type: "string", default: "200" },
    corpus: { type: "string", multiple: true },
    seeded: { type: "boolean", default: false },
  },
});
const size = Number(args.size);
const passages = args.corpus && !args.seeded ? [...corpusPassages(args.corpus, size)] : [...zipfPassages(size)];
const textBytes = passages.reduce((sum, words) => sum + words.reduce((n, word) => n + word.length + 1, 0), 0);
const tokens = passages.reduce((sum, words) => sum + words.length, 0);
console.log(`${size} passages, ${(tokens / size).toFixed(1)} words each, ${megabytes(textBytes)} of text`);

// Indexing. Words are fresh strings, as an analyser makes them; making them is not timed.
const builder = createSegmentBuilder();
let buildTime = 0;
let peak = 0;
for (let from = 0; from < size; from += 1000) {
  const batch = passages.slice(from, from + 1000).map((words, i) => ({
    id: `passage-${from + i}`,
    terms: Buffer.from(words.join(" ")).toString().split(" "),
    positions: words.map((_, position) => position),
  }));
  const started = performance.now();
  batch.forEach(({ id, terms, positions }, i) => {
    const field = { kind: "terms", field: BODY, terms, positions, length: terms.length } as const;
    builder.add({ id, seqNo: from + i, version: 1, docs: [{ fields: [field] }] });
  });
  buildTime += performance.now() - started;
}
const gathered = builder.ramBytes;
const started = performance.now();
const chunks = await builder.build();
const finishing = performance.now() - started;
buildTime += finishing;
peak = process.memoryUsage().rss;
console.log(
  `indexing: ${Math.round(size / (buildTime / 1000))} docs/s (of ${Math.round(buildTime)} ms, ${Math.round(finishing)} ms to sort and write); ` +
    `builder ${megabytes(gathered)}; process at its largest ${megabytes(peak)} (Lucene: ${LUCENE_DOCS_PER_SECOND} docs/s)`,
);

const file = Buffer.concat(chunks);
const opening = performance.now();
const segment = openSegment("bench", {
  size: file.length,
  read: (offset, length) => new Uint8Array(file.subarray(offset, offset + length)),
  crc32: (bytes) => crc32(bytes),
  location: "bench",
});
const terms = segment.terms("body");
if (terms === undefined) throw new Error("the segment has no terms");
search(segment, [terms.term(0)]);
console.log(
  `segment: ${megabytes(file.length)}, ${terms.size} terms; open to first answer ${(performance.now() - opening).toFixed(1)} ms; ` +
    `resident for BM25 ${megabytes(segment.residentBytes())}`,
);

// Queries: words of random places of random passages, so that frequent words are as frequent as in text.
const random = seededRandom(3);
const pick = (): string => {
  const words = passages[Math.floor(random() * size)];
  return words[Math.floor(random() * words.length)];
};
for (const count of [1, 3, 10]) {
  const queries = Array.from({ length: Number(args.queries) }, () => {
    const words = new Set<string>();
    while (words.size < count) words.add(pick());
    return [...words];
  });
  let hits = 0;
  for (const words of queries.slice(0, VERIFIED)) hits += verify(segment, words);
  const rounds = 15;
  for (const words of queries) for (let round = 0; round < 5; round++) search(segment, words);
  const times = queries.map((words) => {
    const all: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const begin = performance.now();
      search(segment, words);
      all.push(performance.now() - begin);
    }
    return median(
      all.sort((a, b) => a - b),
      0.5,
    );
  });
  times.sort((a, b) => a - b);
  console.log(
    `${count} terms: p50 ${median(times, 0.5).toFixed(3)} ms, p95 ${median(times, 0.95).toFixed(3)} ms ` +
      `(Lucene p50 ${LUCENE[count]} ms); ${Math.round(hits / Math.min(VERIFIED, queries.length))} hits a query`,
  );
}
