/**
 * Vectors compared by another measure than the index's: those of the nearest by its own, or of all passages. A script would compare them within the
 * index, but clusters may forbid scripts, and the embedded engine has none: so that they are compared here, in both places alike.
 */
import type { estypes } from "@elastic/elasticsearch";
import { z } from "zod";
import { defineRetriever, hitToNode, type Strategy, type StrategyTarget } from "../retrieval/index.ts";
import { vectorRequest } from "../retrieval/retriever.ts";
import { bothFilters } from "../retrieval/store-retriever.ts";
import {
  type CallOptions,
  callOptions,
  embedQuery,
  type Filters,
  InvalidArgumentError,
  isZero,
  type NodeWithScore,
} from "../schema/index.ts";
import { everyVector } from "./every-vector.ts";
import { depthOption } from "./of.ts";

export const METRICS = ["cosine", "dot_product", "l2_norm", "max_inner_product"] as const;
export type Metric = (typeof METRICS)[number];

/** Vectors of the index are written with few decimals. */
const UNIT_TOLERANCE = 2e-3;

const options = z.strictObject({
  metric: z
    .enum(METRICS)
    .default("cosine")
    .describe(
      "cosine: direction alone; dot_product: the same of vectors of length one; l2_norm: distance; max_inner_product: direction and length",
    ),
  depth: depthOption(100, "nearest passages by the index's own measure, which are compared again; not read with exact"),
  exact: z
    .boolean()
    .default(false)
    .describe("compares all passages, so that none is missed; slow where there are many"),
});

export const metric: Strategy<"metric", typeof options> = {
  name: "metric",
  title: "meaning, with vectors compared by cosine, dot product, distance or inner product",
  goodFor: "seeing what another measure would change, before an index is made with it",
  embeds: true,
  options,
  retriever: (target, given, call) =>
    defineRetriever(
      async (input) => {
        const { embedding } = target;
        if (!embedding)
          throw new InvalidArgumentError("embedding", undefined, "vectors need an embedding: give the index one");
        const filters = bothFilters(call.filters, input.filters);
        const question = await embedQuery(embedding, input, callOptions(input));
        if (call.topK === 0 || !question || isZero(question)) return [];
        const scored = (hit: Hit): Scored => {
          const vectors = vectorsOf(target, hit._source);
          if (given.metric === "dot_product")
            for (const vector of vectors) checkUnit(vector, `a vector of the passage ${hit._id}`);
          const scores = vectors.map((vector) => scoreOf(given.metric, question, vector));
          return { hit, score: scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) };
        };
        if (given.metric === "dot_product") checkUnit(question, "the question's vector");
        if (given.exact) return withTexts(target, await bestOfAll(target, filters, scored, call.topK, input), input);
        const request = await vectorRequest(
          target,
          { query: input.query, embedding: Array.from(question), ...callOptions(input) },
          { topK: Math.max(call.topK, given.depth), ...(filters ? { filters } : {}) },
        );
        if (!request) return [];
        const answer = await target.client.search(
          { index: target.index, ...request },
          input.signal ? { signal: input.signal } : {},
        );
        return best(answer.hits.hits.map(scored), call.topK).map(({ hit, score }) => ({ ...hitToNode(hit), score }));
      },
      { name: "metric", follow: false },
    ),
};

type Hit = estypes.SearchHit;
interface Scored {
  hit: Hit;
  score: number;
}

/** The first of some in their order; what has no vector is left out. */
function best(scored: Scored[], topK: number): Scored[] {
  return scored
    .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.score - a.score)
    .slice(0, topK);
}

async function bestOfAll(
  target: StrategyTarget,
  filters: Filters | undefined,
  scored: (hit: Hit) => Scored,
  topK: number,
  call: CallOptions,
): Promise<Scored[]> {
  let top: Scored[] = [];
  for await (const page of everyVector(target, filters, call)) {
    const found = page.map(scored).map(({ hit: { _id, _index }, score }) => ({ hit: { _id, _index } as Hit, score }));
    top = best([...top, ...found], topK);
  }
  return top;
}

/** What was found by its vector alone, with its text. */
async function withTexts(target: StrategyTarget, found: Scored[], { signal }: CallOptions): Promise<NodeWithScore[]> {
  if (found.length === 0) return [];
  const values = found.map(({ hit }) => hit._id!);
  const { client, index, vectorField = "embedding" } = target;
  const answer = await client.search(
    { index, query: { ids: { values } }, size: values.length, _source: { excludes: [vectorField] } },
    signal ? { signal } : {},
  );
  const texts = new Map(answer.hits.hits.map((hit) => [hit._id, hit]));
  return found.flatMap(({ hit, score }) => {
    const text = texts.get(hit._id);
    return text ? [{ ...hitToNode(text), score }] : [];
  });
}

/** The passage's own vector, or those of its windows. */
function vectorsOf(target: StrategyTarget, source: unknown): number[][] {
  const path = (target.vectorField ?? "embedding").split(".");
  let found: unknown[] = [source];
  for (const name of path) {
    found = found.flatMap((value) => {
      const inner = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
      return Array.isArray(inner) && typeof inner[0] === "object"
        ? (inner as unknown[])
        : inner === undefined
          ? []
          : [inner];
    });
  }
  return found.filter((value): value is number[] => Array.isArray(value));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Elasticsearch's scores: above 0, and larger for what is nearer. */
export function scoreOf(measure: Metric, a: ArrayLike<number>, b: ArrayLike<number>): number {
  const product = dot(a, b);
  switch (measure) {
    case "cosine":
      return (1 + product / (Math.sqrt(dot(a, a) * dot(b, b)) || 1)) / 2;
    case "dot_product":
      return (1 + product) / 2;
    case "l2_norm":
      return 1 / (1 + Math.max(0, dot(a, a) + dot(b, b) - 2 * product));
    case "max_inner_product":
      return product < 0 ? 1 / (1 - product) : product + 1;
  }
}

function checkUnit(vector: ArrayLike<number>, what: string): void {
  const length = Math.sqrt(dot(vector, vector));
  if (Math.abs(length - 1) <= UNIT_TOLERANCE) return;
  throw new InvalidArgumentError(
    "metric",
    "dot_product",
    `dot_product needs vectors of length one, and ${what} has the length ${length.toPrecision(4)}: use cosine, which does not mind, or max_inner_product, where length shall count; or divide vectors by their length before they are written`,
  );
}
