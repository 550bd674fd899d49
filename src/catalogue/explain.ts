/** Why a passage ranks where it does for a question: list by list and term by term, also where it was not found. */
import type { estypes } from "@elastic/elasticsearch";
import {
  bothFilters,
  type FusionMode,
  filtersToQuery,
  fuse,
  type StrategyCall,
  type StrategyRequest,
  type StrategyTarget,
} from "../retrieval/index.ts";
import { type CallOptions, callOptions, type Filters, type NodeWithScore } from "../schema/index.ts";
import { type TermShare, termShares } from "./explanation.ts";
import { referenceParts, type StrategyReference } from "./lists.ts";
import { checkedOptions, strategyNamed } from "./options.ts";
import { findPassage } from "./passage.ts";
import { type AnySearch, runStrategy } from "./run.ts";

/** Ranks that are looked at: what stands lower has none. */
const DEEP = 10_000;
const USUAL_DEPTH = 100;
const MOST_TERMS = 10_000;

/** What one list gave a passage: its rank and score there, and how much of the fused score that is. */
export interface ListExplanation {
  /** Name of the list: its strategy. */
  list: string;
  /** Rank in the whole list, from 1. */
  rank?: number;
  score?: number;
  /** Score of the list's first. */
  best?: number;
  /** Hits of the list that a fusion reads. */
  depth: number;
  /** What it adds to the fused score. */
  adds?: number;
  /** Terms of the question in the passage, those that add most first. */
  terms: TermShare[];
  /** Terms of the question that the passage has not. */
  missing: string[];
  /** Why the list does not have it. */
  why?: string;
  /** The tree of Elasticsearch. */
  explanation?: estypes.ExplainExplanationDetail;
}

/** Why a passage ranks where it does: its score taken apart, by list and by term. */
export interface HitExplanation {
  question: string;
  strategy: string;
  passage: NodeWithScore;
  topK: number;
  /** Rank among everything that the strategy finds, from 1. */
  rank?: number;
  score?: number;
  /** Whether it is among the first `topK`. */
  found: boolean;
  /** In a sentence, why it is there or not. */
  why: string;
  lists: ListExplanation[];
  reranked?: NodeWithScore["reranked"];
}

/**
 * Explains one passage for one question. The options are those of the search.
 *
 * @param passage its id, or file#n
 * @throws PassageNotFoundError
 * @example await explainHit(collection, "婚假有几天", "zh/marriage-leave.md#1", { strategy: "hybrid" })
 */
export async function explainHit(
  target: StrategyTarget,
  question: string,
  passage: string,
  search: AnySearch = {},
): Promise<HitExplanation> {
  const { strategy = "hybrid", topK = 10 } = search;
  const call = callOptions(search);
  const hit = await findPassage(target, passage, call);
  const filters = bothFilters(target.filters, search.filters);
  const own = ownOptions(strategy, search);
  const parts = listsOf(target, strategy, own);
  const hits = await runStrategy(target, question, {
    ...search,
    topK: parts.deep ? Math.max(topK, USUAL_DEPTH) : topK,
  });
  const place = hits.findIndex(({ node }) => node.id === hit.node.id);
  const found = hits[place];
  const leftOut = await outsideFilters(target, hit.node.id, filters, call);
  const lists: ListExplanation[] = [];
  for (const reference of parts.lists) {
    lists.push(await explainList(target, question, hit.node.id, reference, { parts, topK, filters, leftOut, call }));
  }
  const base = {
    question,
    strategy,
    passage: { ...hit, ...(found?.score === undefined ? {} : { score: found.score }) },
    topK,
    ...(found ? { rank: place + 1 } : {}),
    ...(found?.score === undefined ? {} : { score: found.score }),
    found: place >= 0 && place < topK,
    lists,
    ...(found?.reranked ? { reranked: found.reranked } : {}),
  };
  return { ...base, why: summary(base, leftOut, hits, hit) };
}

function ownOptions(strategy: string, search: AnySearch): Record<string, unknown> {
  const { shape } = strategyNamed(strategy).options;
  const given = Object.fromEntries(Object.entries(search).filter(([key]) => Object.hasOwn(shape, key)));
  return checkedOptions(strategyNamed(strategy), given);
}

interface Parts {
  lists: StrategyReference[];
  /** How lists become one; missing where there is one list, or where it is not a matter of scores. */
  mode?: FusionMode;
  rankConstant?: number;
  weights?: Record<string, number>;
  depth: number;
  /** Whether asking for more changes nothing but the number. */
  deep: boolean;
}

/** The single requests that a strategy rests on. */
function listsOf(target: StrategyTarget, name: string, options: Record<string, unknown>): Parts {
  const depth = typeof options["depth"] === "number" ? options["depth"] : USUAL_DEPTH;
  const strategy = strategyNamed(name);
  const two: StrategyReference[] = ["bm25", "dense"];
  const lists = (options["strategies"] as StrategyReference[] | undefined) ?? two;
  const isDefault = lists.length === 2 && two.every((one) => lists.includes(one));
  const weights =
    weightsOf(options["weights"], lists) ?? (isDefault && target.weights ? { ...target.weights } : undefined);
  switch (name) {
    case "hybrid":
      return { lists: two, mode: "relative_score", depth, deep: true, ...(weights ? { weights } : {}) };
    case "weighted": {
      const normalize = options["normalize"];
      const mode = normalize === "none" ? "raw_sum" : normalize === "z-score" ? "dist_based_score" : "relative_score";
      return {
        lists,
        mode,
        depth,
        deep: true,
        ...(weights ? { weights } : {}),
      };
    }
    case "rrf":
      return {
        lists,
        mode: "reciprocal_rerank",
        rankConstant: options["k"] as number,
        depth,
        deep: true,
      };
    case "fusion":
      return { lists, depth, deep: false };
    case "bm25-tuned":
      return { lists: ["bm25"], depth, deep: true };
    case "metric":
      return { lists: ["dense"], depth, deep: true };
  }
  if (strategy.request && name !== "aggregate") return { lists: [{ strategy: name, ...options }], depth, deep: true };
  const of = (options["of"] as StrategyReference | undefined) ?? "bm25";
  const { name: inner, options: own } = referenceParts(of);
  const parts = listsOf(target, inner, checkedOptions(strategyNamed(inner), own));
  // What is added up here is not what the outer strategy's score is made of.
  const { mode: _, ...rest } = parts;
  return { ...rest, deep: name === "highlight" || name === "filtered" };
}

function weightsOf(given: unknown, lists: readonly StrategyReference[]): Record<string, number> | undefined {
  if (Array.isArray(given)) {
    return Object.fromEntries(lists.map((reference, i) => [referenceParts(reference).name, Number(given[i])]));
  }
  return typeof given === "object" && given !== null ? (given as Record<string, number>) : undefined;
}

interface ListContext {
  parts: Parts;
  topK: number;
  filters: Filters | undefined;
  leftOut: boolean;
  call: CallOptions;
}

async function explainList(
  target: StrategyTarget,
  question: string,
  id: string,
  reference: StrategyReference,
  { parts, topK, filters, leftOut, call }: ListContext,
): Promise<ListExplanation> {
  const { name, options } = referenceParts(reference);
  const strategy = strategyNamed(name);
  const depth = Math.max(topK, parts.depth);
  const blank = { list: name, depth, terms: [], missing: [] };
  if (!strategy.request)
    return { ...blank, why: `${name} is composed of other strategies: explain it by its own name` };
  const ask = (size: number): StrategyCall => ({
    topK: size,
    ...(filters ? { filters } : {}),
    warn: () => {},
    strategy: () => {
      throw new Error("a request asks no other strategy");
    },
  });
  const input = { query: question, ...call };
  const checked = checkedOptions(strategy, options);
  const request = await strategy.request(target, input, checked, ask(depth));
  if (!request) return { ...blank, why: "the question has nothing in it that this list can look for" };
  let hits = await ranking(target, request, call);
  let place = hits.findIndex((other) => other.id === id);
  const scored = await scoreOf(target, request, id, call);
  if (place < 0 && scored) {
    const deep = await strategy.request(target, input, checked, ask(DEEP));
    hits = deep ? await ranking(target, deep, call) : hits;
    place = hits.findIndex((other) => other.id === id);
  }
  const terms = scored?.explanation ? termShares(scored.explanation) : [];
  const score = scored?.score;
  return {
    ...blank,
    ...(place >= 0 ? { rank: place + 1 } : {}),
    ...(score === undefined ? {} : { score }),
    ...(hits[0] ? { best: hits[0].score } : {}),
    ...(place >= 0 && place < depth ? added(name, parts, hits.slice(0, depth), id) : {}),
    terms,
    missing: request.knn ? [] : await missingTerms(target, question, terms, call),
    ...(scored?.explanation && !request.knn ? { explanation: scored.explanation } : {}),
    ...(await whyNot(target, request, id, { place, depth, leftOut, scored: scored !== undefined, call })),
  };
}

interface Ranked {
  id: string;
  score: number;
}

async function ranking(target: StrategyTarget, request: StrategyRequest, call: CallOptions): Promise<Ranked[]> {
  const answer = await target.client.search({ index: target.index, ...request, _source: false }, signalOf(call));
  return answer.hits.hits.map(({ _id, _score }) => ({ id: _id ?? "", score: Number(_score ?? 0) }));
}

function signalOf({ signal }: CallOptions) {
  return signal ? { signal } : {};
}

/** The score of one passage, wherever it ranks. */
async function scoreOf(target: StrategyTarget, request: StrategyRequest, id: string, call: CallOptions) {
  const one = onlyOne(request, id);
  const answer = await target.client.search({ index: target.index, ...one, size: 1, _source: false }, signalOf(call));
  const hit = answer.hits.hits[0];
  if (!hit) return undefined;
  return { score: Number(hit._score ?? 0), ...(hit._explanation ? { explanation: unwrapped(hit._explanation) } : {}) };
}

function onlyOne(request: StrategyRequest, id: string): StrategyRequest {
  const ids = { ids: { values: [id] } };
  const { knn } = request;
  if (knn && !Array.isArray(knn)) {
    const filter = knn.filter === undefined ? [] : Array.isArray(knn.filter) ? knn.filter : [knn.filter];
    return { ...request, knn: { ...knn, k: 1, filter: [...filter, ids] } };
  }
  return { ...request, explain: true, query: { bool: { must: [request.query ?? { match_all: {} }], filter: [ids] } } };
}

/** The question's own part: beside it stands the filter by id, which scores nothing. */
function unwrapped(explanation: estypes.ExplainExplanationDetail): estypes.ExplainExplanationDetail {
  const scoring = (explanation.details ?? []).filter(({ value }) => value !== 0);
  return explanation.description === "sum of:" && scoring.length === 1 ? scoring[0]! : explanation;
}

/** What the list alone makes of the passage, times its share. */
function added(name: string, { mode, weights, rankConstant, lists }: Parts, hits: readonly Ranked[], id: string) {
  if (!mode) return {};
  const nodes = hits.map(({ id: node, score }) => ({ node: { id: node } as NodeWithScore["node"], score }));
  const alone = fuse([{ name, nodes }], mode, (node) => node.id, rankConstant).find(({ node }) => node.id === id);
  if (alone?.score === undefined) return {};
  if (mode === "reciprocal_rerank") return { adds: alone.score };
  const all = weights ? Object.values(weights).reduce((sum, weight) => sum + weight, 0) : lists.length;
  return { adds: (alone.score * (weights ? (weights[name] ?? 0) : 1)) / all };
}

/** How a question is cut where the analysis of the text and that of questions differ. */
const QUESTION_ANALYZERS: Record<string, string> = {
  default: "question",
  standard: "question",
  cjk: "cjk",
  ik: "ik_smart",
  ik_smart: "ik_smart",
};

async function missingTerms(
  target: StrategyTarget,
  question: string,
  terms: readonly TermShare[],
  call: CallOptions,
): Promise<string[]> {
  const analyzer = QUESTION_ANALYZERS[target.analysis ?? ""];
  const { tokens = [] } = await target.client.indices.analyze(
    { index: target.index, text: question.slice(0, MOST_TERMS), ...(analyzer ? { analyzer } : { field: "content" }) },
    signalOf(call),
  );
  const has = new Set(terms.flatMap(({ term }) => [term, ...term.replace(/^"|"$/g, "").split(" ")]));
  const stems = [...has].filter((term) => /^[a-z]/.test(term));
  const there = (token: string) => has.has(token) || stems.some((stem) => stem.length > 2 && token.startsWith(stem));
  return [...new Set(tokens.map(({ token }) => token))].filter((token) => !there(token)).slice(0, 50);
}

async function outsideFilters(target: StrategyTarget, id: string, filters: Filters | undefined, call: CallOptions) {
  const query = filtersToQuery(filters);
  if (!query) return false;
  const body = { query: { bool: { filter: [query, { ids: { values: [id] } }] } } };
  return (await target.client.count({ index: target.index, ...body }, signalOf(call))).count === 0;
}

interface Place {
  place: number;
  depth: number;
  leftOut: boolean;
  scored: boolean;
  call: CallOptions;
}

async function whyNot(
  target: StrategyTarget,
  request: StrategyRequest,
  id: string,
  { place, depth, leftOut, scored, call }: Place,
): Promise<{ why?: string }> {
  if (leftOut) return { why: "the filters leave the passage out" };
  if (place >= depth) return { why: `it is beyond the first ${depth} of this list, which are all that count` };
  if (place >= 0) return {};
  if (scored) return { why: `it is beyond the first ${DEEP} of this list` };
  const { knn } = request;
  if (!knn || Array.isArray(knn)) return { why: "nothing in the passage matches" };
  if (knn.similarity === undefined) return { why: "the passage has no vector" };
  const { similarity, ...without } = knn;
  const near = await scoreOf(target, { ...request, knn: without }, id, call);
  if (!near) return { why: "the passage has no vector" };
  return { why: `its score ${near.score.toFixed(4)} is below what the cutoff ${similarity} allows` };
}

function summary(
  { found, rank, topK, lists, reranked }: Omit<HitExplanation, "why">,
  leftOut: boolean,
  hits: readonly NodeWithScore[],
  hit: NodeWithScore,
): string {
  if (leftOut) return "It is not found: the filters leave it out.";
  if (found) {
    const by = lists
      .filter((list) => list.rank !== undefined && list.rank <= list.depth)
      .map(({ list, rank: own }) => `${list} #${own}`);
    return `It is number ${rank}${by.length > 0 ? ` (${by.join(", ")})` : ""}${reranked ? `, and was number ${reranked.rankBefore} before it was reranked` : ""}.`;
  }
  if (rank !== undefined) return `It is number ${rank}, and ${topK} were asked for.`;
  const whys = lists.flatMap(({ list, why }) => (why ? [`${list}: ${why}`] : []));
  if (whys.length === lists.length) return `It is not found. ${whys.join("; ")}.`;
  const twin = hits.find(({ node }) => node.text === hit.node.text);
  if (twin) return `It is not found: the passage ${twin.node.id} has the same text, and was taken.`;
  return "It is in a list, and not among what the strategy made of it.";
}
