/** The work of searches on fixed passages, against limits: what a change makes slower shows here, on every machine and under every load. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { zipfPassages } from "../../bench/corpus.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { counted, countWork, type Work } from "../../src/engine/work.ts";
import { seededRandom } from "../random.ts";

const PASSAGES = 15_000;
const VECTORS = 6000;
const DIMS = 8;
/** Questions of each kind: a limit is on their sum. */
const QUESTIONS = 20;

let engine: Engine;
const words: string[][] = [];

async function send(method: string, path: string, body?: object | string): Promise<string> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
  const request =
    body === undefined ? { method, path } : { method, path, body: text, headers: { "content-type": type } };
  const answer = await engine.request(request);
  expect(answer.status, answer.body).toBe(200);
  return answer.body;
}

/** Points about 40 centres, so that a graph has something to find. */
function somePoints(count: number): number[][] {
  const random = seededRandom(9);
  const centres = Array.from({ length: 40 }, () => Array.from({ length: DIMS }, () => random() - 0.5));
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * centres.length)];
    return centre.map((value) => value + 0.3 * (random() - 0.5));
  });
}

async function fill(index: string, mappings: object, documents: readonly object[]): Promise<void> {
  await send("PUT", `/${index}`, { settings: { refresh_interval: "-1" }, mappings });
  for (let from = 0; from < documents.length; from += 3000) {
    const lines = documents.slice(from, from + 3000).map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`);
    await send("POST", `/${index}/_bulk`, lines.join(""));
  }
  await send("POST", `/${index}/_refresh`);
  await send("POST", `/${index}/_forcemerge?max_num_segments=1`);
}

beforeAll(async () => {
  engine = await openEngine();
  words.push(...zipfPassages(PASSAGES, { vocabulary: 20_000, meanLength: 25 }));
  const text = words.map((passage, i) => ({ text: passage.join(" "), tag: `t${i % 7}`, number: i }));
  await fill(
    "texts",
    { properties: { text: { type: "text" }, tag: { type: "keyword" }, number: { type: "integer" } } },
    text,
  );
  const vector = (type: string) => ({
    type: "dense_vector",
    dims: DIMS,
    similarity: "cosine",
    index_options: { type },
  });
  await fill(
    "vectors",
    { properties: { graph: vector("int8_hnsw"), flat: vector("flat") } },
    somePoints(VECTORS).map((point) => ({ graph: point, flat: point })),
  );
});
afterAll(() => engine.close());

type Body = Record<string, unknown>;
type Words = (count: number) => string;

/** Requests with words of passages of chance, which one seed chooses. */
async function workOf(index: string, make: (some: Words, at: number) => Body): Promise<Work> {
  const random = seededRandom(17);
  const bodies = Array.from({ length: QUESTIONS }, (_, at) => {
    const passage = words[Math.floor(random() * words.length)];
    const some: Words = (count) =>
      Array.from({ length: count }, () => passage[Math.floor(random() * passage.length)]).join(" ");
    return make(some, at);
  });
  const ask = async () => {
    for (const body of bodies) await send("POST", `/${index}/_search?request_cache=false`, body);
  };
  // Columns are read when they are first asked for, and filters kept that come again: what is counted is what every further search does.
  await ask();
  return countWork(ask);
}

const match = (text: string) => ({ match: { text } });
const untracked = { track_total_hits: false };
const queries: Record<string, { index?: string; make: (some: Words, at: number) => Body; limits: Partial<Work> }> = {
  "a word": { make: (some) => ({ query: match(some(1)) }), limits: { postings: 15_100, bounds: 462, scored: 15_100 } },
  "a word, hits not counted": {
    make: (some) => ({ query: match(some(1)), ...untracked }),
    limits: { postings: 15_100, bounds: 462, scored: 15_100 },
  },
  "three words": { make: (some) => ({ query: match(some(3)) }), limits: { postings: 108_000, scored: 108_000 } },
  "three words, hits not counted": {
    make: (some) => ({ query: match(some(3)), ...untracked }),
    limits: { postings: 97_400, bounds: 882, scored: 43_100 },
  },
  "ten words, hits not counted": {
    make: (some) => ({ query: match(some(10)), ...untracked }),
    limits: { postings: 257_000, bounds: 2_670, scored: 86_600 },
  },
  "all of two words": {
    make: (some) => ({ query: { match: { text: { query: some(2), operator: "and" } } }, ...untracked }),
    limits: { postings: 67_600, bounds: 458, scored: 3_840 },
  },
  "a phrase": {
    make: (some) => ({ query: { match_phrase: { text: some(2) } } }),
    limits: { postings: 68_100, positionBlocks: 497, scored: 271 },
  },
  "three words, filtered": {
    make: (some, at) => ({ query: { bool: { must: match(some(3)), filter: { term: { tag: `t${at % 7}` } } } } }),
    limits: { postings: 108_000, scored: 108_000 },
  },
  "three words, aggregated": {
    make: (some) => ({ query: match(some(3)), size: 0, aggs: { tags: { terms: { field: "tag" } } } }),
    limits: { postings: 216_000, scored: 0 },
  },
  "the beginning of a word": {
    make: (some) => ({ query: { prefix: { text: some(1).slice(0, 3) } } }),
    limits: { postings: 85_600, scored: 74_000 },
  },
  "nearly a word": {
    make: (some) => ({ query: { fuzzy: { text: some(1) } } }),
    limits: { postings: 20_300, bounds: 455, scored: 20_300 },
  },
  "the best of two fields": {
    make: (some) => ({ query: { multi_match: { query: some(3), fields: ["text", "tag"] } }, ...untracked }),
    limits: { postings: 97_400, bounds: 882, scored: 43_100 },
  },
  "the best of several words": {
    make: (some) => ({
      query: { dis_max: { queries: [match(some(1)), match(some(2)), match(some(1))], tie_breaker: 0.3 } },
      ...untracked,
    }),
    limits: { postings: 116_000, bounds: 1_100, scored: 83_900 },
  },
  "words of fields as one": {
    make: (some) => ({ query: { combined_fields: { query: some(3), fields: ["text^2"] } }, ...untracked }),
    limits: { postings: 97_500, bounds: 2_540, scored: 38_700 },
  },
  "two words without a third": {
    make: (some) => ({ query: { bool: { must: match(some(2)), must_not: match(some(1)) } }, ...untracked }),
    limits: { postings: 88_800, bounds: 589, scored: 47_600 },
  },
  "a word, better with others": {
    make: (some) => ({ query: { bool: { must: match(some(1)), should: match(some(2)) } }, ...untracked }),
    limits: { postings: 85_200, bounds: 853, scored: 68_200 },
  },
  everything: { make: () => ({ query: { match_all: {} } }), limits: { postings: 0, scored: 200 } },
  "near vectors": {
    index: "vectors",
    make: (_, at) => ({ knn: { field: "graph", query_vector: somePoints(at + 1)[at], k: 10, num_candidates: 20 } }),
    limits: { postings: 0, scored: 210, vectors: 6_710, bytes: 19_900 },
  },
  "every vector": {
    index: "vectors",
    make: (_, at) => ({ knn: { field: "flat", query_vector: somePoints(at + 1)[at], k: 10, num_candidates: 50 } }),
    limits: { postings: 0, scored: 210, vectors: 120_000 },
  },
};

test.each(Object.entries(queries))("%s: no more work than it takes", async (_, { index = "texts", make, limits }) => {
  const work = await workOf(index, make);
  const none = { postings: 0, positionBlocks: 0, bounds: 0, scored: 0, vectors: 0, bytes: 0 };
  // The sources of ten hits each.
  const all: Work = { ...none, records: QUESTIONS * 10, ...limits };
  const over = Object.entries(all).filter(([kind, limit]) => work[kind as keyof Work] > limit);
  expect(over, JSON.stringify(work)).toEqual([]);
  // A limit far above what is done guards nothing.
  for (const kind of ["postings", "scored", "vectors"] as const) {
    expect(work[kind], `${kind} ${JSON.stringify(work)}`).toBeGreaterThanOrEqual(all[kind] / 2);
  }
});

test("a search reads the columns that it needs, and no others", async () => {
  const saved = join(mkdtempSync(join(tmpdir(), "huiliu-work-")), "texts.huiliu");
  await engine.save(saved);
  const whole = statSync(saved).size;
  const opened = await openEngine({ from: saved });
  const search = (body: object) =>
    opened.request({
      method: "POST",
      path: "/texts/_search",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const first = await countWork(() => search({ query: match(words[0][0]), _source: false }));
  expect(first.bytes / whole).toBeLessThan(0.16);
  const again = await countWork(() => search({ query: match(words[1][0]), _source: false }));
  expect(again.bytes).toBe(0);
  await opened.close();
  rmSync(dirname(saved), { recursive: true });
});

test("a search reads the records of its hits' sources, and no others, wherever it reads", async () => {
  const folder = mkdtempSync(join(tmpdir(), "huiliu-work-"));
  const writer = await openEngine({ data: folder });
  const reader = await openEngine({ data: folder, readOnly: true });
  const ask = (engine: Engine, method: string, path: string, body: object = {}) =>
    engine.request({ method, path, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  for (let i = 0; i < 3; i++) await ask(writer, "PUT", `/notes/_doc/${i}?refresh=true`, { text: `note ${i}` });
  for (const engine of [writer, reader]) {
    // The writer tidies up behind what was written, which counts where it falls into a search: never into every one.
    const read = async (body: object) => {
      const counts: number[] = [];
      for (let i = 0; i < 9; i++) {
        const search = () => ask(engine, "POST", "/notes/_search", { query: match("note"), ...body });
        counts.push((await countWork(search)).records);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return Math.min(...counts);
    };
    expect(await read({})).toBe(3);
    expect(await read({ _source: false })).toBe(0);
  }
  // What another process has written is looked at once.
  await ask(writer, "PUT", "/notes/_doc/3?refresh=true", { text: "note 3" });
  const { body } = await ask(reader, "POST", "/notes/_search", { query: match("note"), _source: false });
  expect(JSON.parse(body).hits.total.value).toBe(4);
  await reader.close();
  await writer.close();
  rmSync(folder, { recursive: true });
});

test("nothing is counted unless it is asked for", () => expect(counted).toBeUndefined());
