/**
 * Every strategy over the handbook, on the engine in the process and on a cluster (HUILIU_ELASTICSEARCH names its address): the same passages,
 * scores and fragments. What the cluster lacks is named in the output.
 */
import { Client } from "@elastic/elasticsearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnySearch, runStrategy, STRATEGY_NAMES, type StrategyName } from "../../src/catalogue/index.ts";
import { openCollection } from "../../src/collection/collection.ts";
import type { AnalysisName } from "../../src/collection/types.ts";
import { type NodeWithScore, type RerankModel, randomId } from "../../src/schema/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";
import { addHandbook, type OpenHandbook, openHandbook } from "./handbook.ts";

const node = process.env["HUILIU_ELASTICSEARCH"];

const QUESTIONS = [
  "年休假有几天",
  "试用期能请婚假吗？",
  "请假需要谁批准",
  "How many days of annual leave do I get?",
  "sick leave certificate 病假",
];

/** Searches of a strategy beside the one with its defaults. */
const VARIANTS: Partial<Record<StrategyName, AnySearch[]>> = {
  bm25: [{ operator: "and" }, { minimumShouldMatch: "75%" }],
  dense: [{ cutoff: 0.5 }, { filters: { level: "经理" } }],
  rrf: [{ k: 5 }, { strategies: ["bm25", { strategy: "phrase", slop: 2 }, "dense"] }],
  weighted: [{ normalize: "z-score" }, { normalize: "none" }, { weights: { bm25: 0.3, dense: 0.7 } }],
  fusion: [{ fusionMode: "relative_score" }, { fusionMode: "dist_based_score" }, { fusionMode: "simple" }],
  fields: ["best_fields", "most_fields", "cross_fields", "phrase", "bool_prefix"].map((type) => ({
    type,
    fields: ["content", "metadata.title^3"],
  })),
  bool: [
    { mustNot: ["婚假"], should: ["审批", "approval"] },
    { phrases: [], mustNot: ["婚假"] },
    { filter: ["员工"], minimumShouldMatch: "0" },
  ],
  phrase: [{ slop: 1 }, { slop: 10 }],
  wildcard: [{ field: "metadata.title" }, { field: "metadata.title.keyword", caseInsensitive: true }],
  fuzzy: [
    { fuzziness: 1, prefixLength: 1 },
    { fuzziness: 2, operator: "and", transpositions: false },
  ],
  highlight: [
    { of: "phrase", fragments: 0 },
    { encoder: "html", fragmentSize: 30 },
  ],
  "function-score": [
    { recency: "effective", origin: "2024-06-01", scale: "200d" },
    { recency: "effective", origin: "2024-06-01", curve: "exp", offset: "30d" },
    { recency: "effective", origin: "2022-01-01", curve: "linear", boostMode: "sum" },
    { boostText: "审批", scoreMode: "max", boostMode: "avg", maxBoost: 3 },
  ],
  chinese: [{ words: ["婚假", "年休假"] }, { synonyms: ["请假=休假"] }, { analyzer: "ik_smart", field: "content" }],
  metric: ["dot_product", "l2_norm", "max_inner_product"].flatMap((metric) => [{ metric }, { metric, exact: true }]),
  filtered: [{ where: { level: ["员工", "经理"] }, timeKey: "effective", since: "2022-01-01", until: "2024-06-01" }],
  aggregate: [
    { by: ["level", "category"], histogram: "effective", interval: "year", metrics: ["cardinality:category"] },
  ],
};

const reranker: RerankModel = {
  name: "length",
  rerank: async (_, texts) => texts.map((text, index) => ({ index, score: 1 / text.length })),
};

interface Found {
  hits: ReturnType<typeof shown>[];
  counted?: unknown;
}

describe.skipIf(node === undefined)("every strategy, here and on Elasticsearch", () => {
  let here: OpenHandbook;
  let there: OpenHandbook["collection"];
  const cluster = node === undefined ? undefined : new Client({ node });
  const name = `huiliu-strategies-${randomId().slice(0, 8)}`;

  beforeAll(async () => {
    here = await openHandbook({}, name);
    there = await openCollection(name, { elasticsearch: { node: node! } });
    await addHandbook(there);
  });
  afterAll(async () => {
    await there?.close();
    await here?.close();
    await cluster?.indices.delete({ index: [name, `${name}.files`], ignore_unavailable: true });
    await cluster?.close();
  });

  const find = async (collection: OpenHandbook["collection"], question: string, search: AnySearch): Promise<Found> => {
    let counted: unknown;
    const model = mockLanguageModel({
      answers: Array.from({ length: 9 }, () => '{"query": "请假", "filters": [{"key": "level", "value": "员工"}]}'),
    });
    const hits = await runStrategy(collection, question, {
      model,
      reranker,
      topK: 20,
      ...search,
      ...(search.strategy === "rerank" ? {} : { reranker: undefined }),
      onAggregations: (aggregations) => {
        counted = aggregations;
      },
    } as AnySearch);
    return { hits: hits.map(shown), ...(counted === undefined ? {} : { counted }) };
  };

  it.each(STRATEGY_NAMES)("%s", async (strategy) => {
    for (const question of QUESTIONS) {
      const asked = strategy === "wildcard" ? `*${question.slice(0, 2)}*` : question;
      for (const variant of [{}, ...(VARIANTS[strategy] ?? [])]) {
        const search = { strategy, ...(strategy === "highlight" ? {} : { highlight: true }), ...variant };
        const [a, b] = [await find(here.collection, asked, search), await find(there, asked, search)];
        expectSame(b, a, `${asked} ${JSON.stringify(variant)}`);
      }
    }
  });

  it.each(["standard", "cjk", "ik", "ik_smart"] satisfies AnalysisName[])(
    "collections with the analysis %s",
    async (analysis) => {
      const own = `${name}-${analysis}`;
      const mine = await openHandbook({ analysis }, own);
      let other: OpenHandbook["collection"] | undefined;
      try {
        try {
          other = await openCollection(own, { elasticsearch: { node: node! }, analysis });
        } catch (error) {
          console.log(`not compared, the node lacks it: analysis ${analysis}: ${(error as Error).message}`);
          return;
        }
        await addHandbook(other);
        for (const strategy of ["bm25", "phrase", "fuzzy", "chinese", "highlight", "rrf"] as const) {
          for (const question of QUESTIONS) {
            const [a, b] = [
              await find(mine.collection, question, { strategy }),
              await find(other, question, { strategy }),
            ];
            expectSame(b, a, `${strategy} ${question}`);
          }
        }
      } finally {
        await other?.close();
        await mine.close();
        await cluster!.indices.delete({ index: [own, `${own}.files`], ignore_unavailable: true });
      }
    },
  );

  it("collections with a wildcard field", async () => {
    const own = `${name}-wildcard`;
    try {
      const other = await openCollection(own, { elasticsearch: { node: node! }, wildcard: true });
      const mine = await openHandbook({ wildcard: true }, own);
      try {
        await addHandbook(other);
        const search = { strategy: "wildcard" };
        expect(await find(other, "*事假*", search)).toEqual(await find(mine.collection, "*事假*", search));
      } finally {
        await mine.close();
        await other.close();
      }
    } catch (error) {
      if (!/no handler for type \[wildcard\]/i.test((error as Error).message)) throw error;
      console.log("not compared, the node lacks it: fields of the type wildcard");
    } finally {
      await cluster!.indices.delete({ index: [own, `${own}.files`], ignore_unavailable: true });
    }
  });
});

function shown({ node: { id }, score, highlights, ranks }: NodeWithScore) {
  return { id, score, highlights, ranks: ranks?.map(({ list, rank }) => ({ list, rank })) };
}

/** Scores of vectors are sums in another order there, and fusion scales them: five digits are the same. */
function expectSame(there: Found, here: Found, what: string): void {
  const plain = ({ hits, counted }: Found) => ({ hits: hits.map(({ score: _, ...hit }) => hit), counted });
  expect(plain(there), what).toEqual(plain(here));
  there.hits.forEach(({ id, score }, i) => {
    const mine = here.hits[i]!.score;
    if (mine === undefined) expect(score, `${what} ${id}`).toBeUndefined();
    else
      expect(Math.abs(score! - mine), `${what} ${id}: ${score} ${mine}`).toBeLessThanOrEqual(
        2e-5 * Math.max(1, Math.abs(mine)),
      );
  });
}
