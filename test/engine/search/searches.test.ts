import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../random.ts";
import { openTestEngine, type TestEngine } from "./support.ts";

const WORDS = ["a", "b", "c", "d", "e", "f"];

describe("over segments with deletions", () => {
  let test: TestEngine;
  const living = new Map<string, string[]>();
  beforeAll(async () => {
    test = await openTestEngine();
    const properties = { t: { type: "text" }, k: { type: "keyword" }, n: { type: "integer" } };
    await test.create("many", properties, { max_result_window: 5000 });
    const random = seededRandom(3);
    for (let segment = 0; segment < 4; segment++) {
      const batch = new Map<string, object | undefined>();
      for (let i = 0; i < 250; i++) {
        const id = `${segment}-${i}`;
        const words = WORDS.filter((_, at) => random() < 0.6 / (at + 1)).flatMap((word) =>
          new Array<string>(1 + Math.floor(random() * 3)).fill(word),
        );
        living.set(id, words);
        batch.set(id, { t: words.join(" "), k: words, n: i });
      }
      // Some of the earlier ones go.
      for (const id of [...living.keys()].filter((id) => !batch.has(id) && random() < 0.1)) {
        batch.set(id, undefined);
        living.delete(id);
      }
      await test.write("many", batch);
    }
  });
  afterAll(() => test.engine.close());

  const word = fc.constantFrom(...WORDS);
  const clause = fc.oneof(
    word.map((value) => ({ match: { t: value } })),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((values) => ({ match: { t: values.join(" ") } })),
    word.map((value) => ({ term: { k: value } })),
    fc.integer({ min: 0, max: 250 }).map((gte) => ({ range: { n: { gte } } })),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((k) => ({ terms: { k } })),
  );
  const clauses = fc.array(clause, { maxLength: 3 });
  const query = fc
    .record({ must: clauses, should: clauses, must_not: fc.array(clause, { maxLength: 1 }), filter: clauses })
    .map((bool) => ({ bool }));

  it("the best are the first of all", async () => {
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 20 }),
        async (wanted, size, from) => {
          const all = await test.search("many", { query: wanted, size: 2000, track_total_hits: true });
          const page = await test.search("many", { query: wanted, size, from, track_total_hits: 10 });
          expect(page.hits).toEqual(all.hits.slice(from, from + size));
          expect(all.total).toBe(all.hits.length);
          const scores = all.hits.map(({ _score }) => _score);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("what matches is what a naive reading says", async () => {
    type Bool = { bool: Record<"must" | "should" | "must_not" | "filter", (object & Record<string, never>)[]> };
    const matches = (id: string, words: string[], inner: object): boolean => {
      const [[name, body]] = Object.entries(inner) as [string, Record<string, unknown>][];
      if (name === "match")
        return String(body["t"])
          .split(" ")
          .some((value) => words.includes(value));
      if (name === "term") return words.includes(String(body["k"]));
      if (name === "terms") return (body["k"] as string[]).some((value) => words.includes(value));
      return Number(id.split("-")[1]) >= (body["n"] as { gte: number }).gte;
    };
    await fc.assert(
      fc.asyncProperty(query, async (wanted) => {
        const { must, should, must_not, filter } = (wanted as unknown as Bool).bool;
        const expected = [...living].filter(([id, words]) => {
          const one = (inner: object) => matches(id, words, inner);
          // Elasticsearch analyses a standard text: "a" is a word like the others.
          const optional = should.length === 0 || must.length + filter.length > 0 || should.some(one);
          return [...must, ...filter].every(one) && !must_not.some(one) && optional;
        });
        const found = await test.search("many", { query: wanted, size: 2000 });
        expect(found.hits.map(({ _id }) => _id).sort()).toEqual(expected.map(([id]) => id).sort());
      }),
      { numRuns: 150 },
    );
  });

  it("windows end at the index's setting", async () => {
    expect((await test.search("many", { from: 4990, size: 10 })).error).toBeUndefined();
    expect((await test.search("many", { from: 4990, size: 11 })).error?.root_cause[0].type).toBe(
      "illegal_argument_exception",
    );
  });
});

describe("nested documents", () => {
  let test: TestEngine;
  beforeEach(async () => {
    test = await openTestEngine();
    await test.create("ne", { o: { type: "nested", properties: { n: { type: "integer" } } } });
  });
  afterEach(() => test.engine.close());

  it("give their root the average, sum, least, greatest or none of their scores", async () => {
    const random = seededRandom(11);
    const values = new Map(
      Array.from({ length: 60 }, (_, i) => [`${i}`, Array.from({ length: i % 6 }, () => Math.floor(random() * 6))]),
    );
    await test.write(
      "ne",
      [...values].map(([id, list]) => [id, { o: list.map((n) => ({ n })) }]),
    );
    await test.write(
      "ne",
      [...values.keys()].filter((id) => Number(id) % 7 === 0).map((id) => [id, undefined]),
    );
    // A value of at least j gets 1 from each of the clauses up to j.
    const should = [1, 2, 3].map((gte) => ({ range: { "o.n": { gte } } }));
    const models: Record<string, (scores: number[]) => number> = {
      avg: (scores) => scores.reduce((a, b) => a + b) / scores.length,
      sum: (scores) => scores.reduce((a, b) => a + b),
      min: (scores) => Math.min(...scores),
      max: (scores) => Math.max(...scores),
      none: () => 0,
    };
    for (const [score_mode, model] of Object.entries(models)) {
      const found = await test.search("ne", {
        query: { nested: { path: "o", query: { bool: { should } }, score_mode } },
        size: 100,
      });
      const expected = [...values]
        .filter(([id]) => Number(id) % 7 !== 0)
        .map(([id, list]): [string, number[]] => [id, list.filter((n) => n >= 1).map((n) => Math.min(n, 3))])
        .filter(([, scores]) => scores.length > 0);
      expect(found.total).toBe(expected.length);
      const scores = new Map(found.hits.map(({ _id, _score }) => [_id, _score]));
      for (const [id, list] of expected) expect(scores.get(id)).toBeCloseTo(model(list), 5);
    }
  });
});

describe("searches", () => {
  let test: TestEngine;
  beforeEach(async () => {
    test = await openTestEngine();
    await test.create("b", { t: { type: "text" } });
    await test.create("a", { t: { type: "text" } });
  });
  afterEach(() => test.engine.close());

  it("merge indices by score, equal scores by the index's name and then in document order", async () => {
    await test.write("b", [
      ["1", { t: "x" }],
      ["2", { t: "x" }],
    ]);
    await test.write("a", [
      ["4", { t: "x" }],
      ["3", { t: "x y" }],
    ]);
    const found = await test.search("b,a", { query: { constant_score: { filter: { match: { t: "x" } } } } });
    expect(found.hits.map(({ _index, _id }) => `${_index}${_id}`)).toEqual(["a4", "a3", "b1", "b2"]);
  });

  it("score by each index alone, or by all together where that is asked for", async () => {
    await test.write("a", [["1", { t: "x" }]]);
    await test.write("b", [
      ["2", { t: "x" }],
      ["3", { t: "y" }],
      ["4", { t: "y" }],
    ]);
    const query = { match: { t: "x" } };
    const alone = await test.search("a,b", { query });
    expect(alone.hits[0]._score).not.toBe(alone.hits[1]._score);
    const { body } = await test.engine.request({
      method: "POST",
      path: "/a,b/_search?search_type=dfs_query_then_fetch",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const together = JSON.parse(body).hits.hits as { _score: number }[];
    expect(together[0]._score).toBe(together[1]._score);
  });

  it("give back a source byte for byte", async () => {
    const source = '{ "t" : "\\u00e9\\ud800 😀",  "o" : {"n":1.0, "big":12345678901234567890,"e":1E+2,"":{ } }}';
    await test.create("raw", { o: { type: "object", enabled: false } });
    await test.write("raw", [["1", source]]);
    expect((await test.search("raw", {})).text).toContain(`"_source":${source}`);
  });

  it("keep a filter in mind without changing its hits", async () => {
    const random = seededRandom(5);
    await test.write(
      "a",
      Array.from({ length: 12_000 }, (_, i) => [`${i}`, { t: WORDS.filter(() => random() < 0.3).join(" ") }]),
    );
    const body = {
      query: {
        bool: { must: { match: { t: "a" } }, filter: [{ match: { t: "b" } }], must_not: { match: { t: "c" } } },
      },
      size: 50,
    };
    const answers = [];
    for (let time = 0; time < 4; time++) answers.push((await test.search("a", body)).hits);
    for (const hits of answers) expect(hits).toEqual(answers[0]);
    await test.write(
      "a",
      answers[0].slice(0, 10).map(({ _id }) => [_id, undefined]),
    );
    const after = await test.search("a", body);
    const gone = new Set(answers[0].slice(0, 10).map(({ _id }) => _id));
    expect(after.hits.some(({ _id }) => gone.has(_id))).toBe(false);
    expect(after.hits.slice(0, 40).map(({ _id }) => _id)).toEqual(answers[0].slice(10).map(({ _id }) => _id));
  });

  it("end when their signal is aborted", async () => {
    await test.write("a", [["1", { t: "x" }]]);
    expect((await test.search("a", {}, AbortSignal.abort())).error?.type).toBe("task_cancelled_exception");
  });

  it("say that they ran out of time, with what was found so far", async () => {
    await test.write(
      "a",
      Array.from({ length: 3000 }, (_, i) => [`${i}`, { t: "x" }]),
    );
    const found = await test.search("a", { timeout: "1nanos", query: { match: { t: "x" } } });
    expect(found.error).toBeUndefined();
    expect(found.timedOut).toBe(true);
    expect((await test.search("a", { timeout: "1h" })).timedOut).toBe(false);
  });

  it("take long questions and wide ones", async () => {
    await test.write("a", [["1", { t: "w7" }]]);
    const words = Array.from({ length: 4000 }, (_, i) => `w${i}`);
    expect((await test.search("a", { query: { match: { t: words.join(" ") } } })).total).toBe(1);
    expect((await test.search("a", { query: { match: { t: "x".repeat(200_000) } } })).total).toBe(0);
    const should = words.map((word) => ({ term: { t: word } }));
    expect((await test.search("a", { query: { bool: { should } } })).total).toBe(1);
    const tooMany = { bool: { should: [...should, ...should] } };
    expect((await test.search("a", { query: tooMany })).error?.type).toBe("search_phase_execution_exception");
  });
});
