/** DashScope's rerankers, `gte-rerank` and `gte-rerank-v2`, over the native API. */

import { ModelError } from "../../schema/errors.ts";
import type { RerankModel } from "../../schema/models.ts";
import { tokensAtMost } from "../estimate.ts";
import { callDashScope, type DashScopeAccess } from "./call.ts";

/** Limits of a request. A cross-encoder scores each text by itself, so that longer lists are asked in parts. */
const MAX_TEXTS = 500;
const MAX_TOKENS = 30_000;
/** Of a text that is longer, the service reads so many tokens. */
const MAX_TEXT_TOKENS = 4_000;
const PATH = "rerank/text-rerank/text-rerank";

export function dashScopeRerank(access: DashScopeAccess, id: string): RerankModel {
  const name = `dashscope/${id}`;
  return {
    name,
    async rerank(query, texts, { signal, topN } = {}) {
      signal?.throwIfAborted();
      const scores: { index: number; score: number }[] = [];
      for (const [start, end] of parts(query, texts)) {
        const documents = texts.slice(start, end);
        const body = {
          model: id,
          input: { query, documents },
          // Without `top_n` every text comes back.
          parameters: { return_documents: false },
        };
        const answer = await callDashScope(access, name, PATH, body, signal);
        for (const { index, score } of results(name, answer.output, documents.length)) {
          scores.push({ index: start + index, score });
        }
      }
      scores.sort((a, b) => b.score - a.score || a.index - b.index);
      return topN === undefined ? scores : scores.slice(0, topN);
    },
  };
}

/** Ranges of texts that fit one request each. */
function* parts(query: string, texts: readonly string[]): Generator<[number, number]> {
  const queryTokens = Math.min(tokensAtMost(query), MAX_TEXT_TOKENS);
  let start = 0;
  let tokens = queryTokens;
  for (let i = 0; i < texts.length; i++) {
    const more = Math.min(tokensAtMost(texts[i]!), MAX_TEXT_TOKENS);
    if (i > start && (i - start === MAX_TEXTS || tokens + more > MAX_TOKENS)) {
      yield [start, i];
      start = i;
      tokens = queryTokens;
    }
    tokens += more;
  }
  if (start < texts.length) yield [start, texts.length];
}

function results(name: string, output: unknown, count: number): { index: number; score: number }[] {
  const { results: list } = (output ?? {}) as { results?: { index?: unknown; relevance_score?: unknown }[] };
  const seen = new Set<number>();
  const scores: { index: number; score: number }[] = [];
  for (const item of Array.isArray(list) ? list : []) {
    const { index, relevance_score: score } = item;
    if (typeof index !== "number" || typeof score !== "number" || index >= count || seen.has(index)) continue;
    seen.add(index);
    scores.push({ index, score });
  }
  if (scores.length !== count)
    throw new ModelError(name, `${name} returned scores for ${scores.length} of ${count} texts`);
  return scores;
}
