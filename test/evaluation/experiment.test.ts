import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ExperimentOptions, evaluationReport, reportHtml, runExperiment } from "../../src/evaluation/index.ts";
import { findings, whyNotBetter } from "../../src/evaluation/report/findings.ts";
import { ticks } from "../../src/evaluation/report/svg.ts";
import { fileRunCache } from "../../src/evaluation/run-cache.ts";
import { collectionSearches } from "../../src/evaluation/strategies.ts";
import { type NodeWithScore, textNode } from "../../src/schema/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const hit = (id: string): NodeWithScore => ({ node: textNode({ id, text: id }) });
const ids = Array.from({ length: 30 }, (_, i) => `q${i}`);

/** A strategy that finds the answer of question i at a rank. */
const finds = (rank: (i: number) => number | undefined) => async (question: string) => {
  const at = rank(Number(question.slice(1)));
  const list = Array.from({ length: 10 }, (_, i) => hit(i + 1 === at ? `answer-${question}` : `noise-${i}`));
  return list;
};

function options(more: Partial<ExperimentOptions> = {}): ExperimentOptions {
  return {
    name: "made up",
    questions: ids.map((id) => ({ id, text: id })),
    qrels: new Map(ids.map((id) => [id, new Map([[`answer-${id}`, 1]])])),
    documentOf: ({ node }) => node.id,
    strategies: [
      { name: "bm25", search: finds((i) => (i % 2 ? 1 : 4)) },
      { name: "dense", search: finds((i) => (i % 2 ? 4 : 1)) },
      { name: "hybrid", search: finds(() => 1), parts: ["bm25", "dense"] },
      { name: "copy", search: finds((i) => (i % 2 ? 1 : 4)) },
    ],
    measures: ["mrr@10", "hit@3"],
    ...more,
  };
}

test("strategies are measured and compared with the baseline and with their parts", async () => {
  const { result, runs } = await runExperiment(options());
  expect(result.baseline).toBe("bm25");
  expect(
    result.strategies.map(({ name, measures }) => [name, measures["mrr@10"]!.mean, measures["hit@3"]!.mean]),
  ).toEqual([
    ["bm25", 0.625, 0.5],
    ["dense", 0.625, 0.5],
    ["hybrid", 1, 1],
    ["copy", 0.625, 0.5],
  ]);
  expect(result.comparisons.map(({ a, b, verdict }) => [a, b, verdict])).toEqual([
    ["bm25", "dense", "no difference shown"],
    ["bm25", "hybrid", "better"],
    ["bm25", "copy", "no difference shown"],
  ]);
  expect(result.parts.map(({ a, b, better, worse }) => [a, b, better, worse])).toEqual([
    ["bm25", "hybrid", 15, 0],
    ["dense", "hybrid", 15, 0],
  ]);
  expect(result.questions[0]).toMatchObject({ id: "q0", relevant: { "answer-q0": 1 }, values: { bm25: [0.25, 0] } });
  expect(runs.get("hybrid")!.get("q3")![0]).toBe("answer-q3");
  expect(result.strategies[2]!.precisionAtRecall).toEqual(Array(11).fill(1));
});

test("everything but the times follows from the seed", async () => {
  const timeless = async (seed: number) => {
    const { result } = await runExperiment(options({ seed }));
    return result.strategies.map(({ latency: _, ...rest }) => rest);
  };
  expect(await timeless(4)).toEqual(await timeless(4));
  expect(await timeless(4)).not.toEqual(await timeless(5));
});

test("a run of another system takes part without being searched, and has no times", async () => {
  const run = new Map(ids.map((id) => [id, [`answer-${id}`]]));
  const { result } = await runExperiment(options({ strategies: [{ name: "other", run }] }));
  expect(result.strategies[0]!.measures["mrr@10"]!.mean).toBe(1);
  expect(result.strategies[0]).not.toHaveProperty("latency");
});

test.each([
  [{ baseline: "rrf" }, 'the baseline "rrf" is none of the strategies'],
  [{ measures: ["ndgc@10"] }, 'unknown measure "ndgc@10"'],
  [{ measures: [] }, "name at least one measure"],
  [{ strategies: [] }, "strategies need names"],
  [{ qrels: new Map() }, "no question has a judgement"],
] satisfies [Partial<ExperimentOptions>, string][])("%j is refused", async (more, message) => {
  await expect(runExperiment(options(more))).rejects.toThrow(message);
});

test("a signal stops it between questions", async () => {
  const stop = new AbortController();
  const running = runExperiment(
    options({ signal: stop.signal, onProgress: ({ done }) => done === 5 && stop.abort(new Error("enough")) }),
  );
  await expect(running).rejects.toThrow("enough");
});

test("what was found is kept: a run that was cut short goes on, a broken line is asked again, other judgements ask again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "huiliu-runs-"));
  try {
    const file = join(folder, "deep", "runs.jsonl");
    let asked = 0;
    const strategies = [
      {
        name: "bm25",
        search: async (question: string) => {
          asked++;
          return finds(() => 2)(question);
        },
      },
    ];
    const once = async (more: Partial<ExperimentOptions> = {}) => {
      asked = 0;
      const cache = { runs: await fileRunCache(file), fingerprint: "index" };
      return (await runExperiment(options({ strategies, cache, ...more }))).result.strategies[0]!;
    };
    const stop = new AbortController();
    await once({ signal: stop.signal, onProgress: ({ done }) => done === 10 && stop.abort() }).catch(() => {});
    await writeFile(file, (await readFile(file, "utf8")).slice(0, -20));
    const whole = await once();
    // 21 questions, and one to warm up.
    expect(asked).toBe(22);
    expect(await once()).toEqual(whole);
    expect(asked).toBe(0);
    // With another model it is another strategy.
    expect(await once({ strategies: [{ ...strategies[0]!, with: "a model" }] })).toMatchObject({ with: "a model" });
    expect(asked).toBe(31);
    await once({ qrels: new Map(ids.map((id) => [id, new Map([["other", 1]])])) });
    expect(asked).toBe(31);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("where a composed strategy is no better than a part, the reason is said", async () => {
  const { result } = await runExperiment(
    options({
      strategies: [
        { name: "bm25", search: finds(() => 1) },
        { name: "dense", search: finds(() => 5) },
        { name: "hybrid", search: finds((i) => (i < 3 ? 2 : 1)), parts: ["bm25", "dense"] },
      ],
    }),
  );
  expect(whyNotBetter(result, result.parts[0]!)).toBe(
    "bm25 alone is near the ceiling: 30 of 30 questions are perfect already; " +
      "dense is much weaker there (0.200 against 1.000) and pulls down 3 questions while it lifts 0",
  );
  expect(whyNotBetter(result, result.parts[1]!)).toBeUndefined();
  expect(findings(result)).toHaveLength(3);
});

test("a report is one page without scripts or anything from elsewhere, and what texts hold stays text", async () => {
  const hostile = `</title><script>alert(1)</script>"'><img src=x onerror=alert(1)>\u202e\u0000 & 年假`;
  const { result } = await runExperiment(
    options({
      name: hostile,
      questions: ids.map((id) => ({ id, text: id, kind: hostile })),
      documentOf: ({ node }) => (node.id.startsWith("noise") ? hostile : node.id),
      strategies: [
        { name: hostile, search: finds(() => 2) },
        { name: "b", search: finds(() => 1), parts: [hostile] },
      ],
    }),
  );
  result.questions[0]!.text = hostile;
  const html = reportHtml(evaluationReport({ experiments: [result], made: "2024-01-01T00:00:00Z" }));
  expect(html).not.toMatch(/\u202e|\u0000/);
  expect(html).toContain("&lt;script&gt;");
  expect(html).toContain("default-src 'none'");
  expect([...html.matchAll(/<svg /g)].length).toBe(3);
  expect(strangeMarkup(html)).toEqual([]);
});

/** Elements and attributes that no report has, elements that are not closed, and a `<` that begins none. */
function strangeMarkup(html: string): string[] {
  const body = html.replace(/^<!doctype html>/, "").replace(/<style>[^<]*<\/style>/, "");
  const elements =
    /^(html|head|meta|title|body|h[1-4]|p|section|ul|li|div|table|thead|tbody|tr|th|td|small|figure|figcaption|svg|g|line|rect|circle|polyline|text|details|summary)$/;
  const attributes =
    /^(lang|charset|name|content|http-equiv|class|title|viewBox|width|height|role|aria-label|x|y|x1|x2|y1|y2|cx|cy|r|points|transform|text-anchor|fill-opacity)$/;
  const strange: string[] = [];
  const open: string[] = [];
  for (const [whole, close, name, rest] of body.matchAll(
    /<(\/?)([a-zA-Z0-9]*)((?:\s[\w-]+="[^"<>]*"|\/)*)(?:>|(.|$))/g,
  )) {
    if (!whole!.endsWith(">") || !elements.test(name!)) strange.push(whole!);
    for (const [, attribute] of rest!.replace(/"[^"]*"/g, "").matchAll(/\s([\w-]+)=/g))
      if (!attributes.test(attribute!)) strange.push(whole!);
    if (name === "meta" || rest!.endsWith("/")) continue;
    if (!close) open.push(name!);
    else if (open.pop() !== name) strange.push(whole!);
  }
  return [...strange, ...open];
}

test("strategies are written on one line, and composed ones say what they are made of", async () => {
  const asked: unknown[] = [];
  const collection = {
    search: async (question: string, given?: object) => {
      asked.push([question, given]);
      return [];
    },
  };
  const searches = collectionSearches(collection, "hybrid,phrase:slop=1,rrf,weighted");
  expect(searches.map(({ name, parts }) => [name, parts])).toEqual([
    ["hybrid", ["bm25", "dense"]],
    ["phrase:slop=1", undefined],
    ["rrf", ["bm25", "dense"]],
    ["weighted", ["bm25", "dense"]],
  ]);
  await searches[1]!.search!("婚假", { topK: 7 });
  expect(asked).toEqual([["婚假", { strategy: "phrase", slop: 1, topK: 7 }]]);
  expect(collectionSearches(collection, "all").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["bm25", "hybrid"]),
  );
  // A strategy that asks a model is handed it, told with its name, and compared with what it is of.
  const model = mockLanguageModel({ answers: [] });
  const reranker = { name: "lengths", rerank: async () => [] };
  const models = collectionSearches(collection, "rerank:of=bm25,hyde,rerank:of=auto,bm25", { model, reranker });
  expect(models.map(({ name, with: asks, parts }) => [name, asks, parts])).toEqual([
    ["rerank:of=bm25", "lengths", ["bm25"]],
    ["hyde", model.name, ["dense"]],
    ["rerank:of=auto", `${model.name}, lengths`, ["auto"]],
    ["bm25", undefined, undefined],
  ]);
  asked.length = 0;
  for (const { search } of models) await search!("q", { topK: 1 });
  expect(asked).toEqual([
    ["q", { strategy: "rerank", of: "bm25", reranker, topK: 1 }],
    ["q", { strategy: "hyde", model, topK: 1 }],
    ["q", { strategy: "rerank", of: "auto", model, reranker, topK: 1 }],
    ["q", { strategy: "bm25", topK: 1 }],
  ]);
  expect(() => collectionSearches(collection, "phrase:slip=1")).toThrow('has no option "slip"');
});

test("ticks are round", () => {
  expect(ticks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks(0, 37)).toEqual([0, 10, 20, 30]);
  expect(ticks(2, 2)).toEqual([2]);
});
