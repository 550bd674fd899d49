/** Scores of a reranking model for the hits of a list: the texts of one field are shown to it (RerankingRankFeaturePhaseRankShardContext). */
import { EngineError } from "../../../errors.ts";
import { isShardError } from "../../../query/dsl/index.ts";
import { textOf } from "../../../query/dsl/read.ts";
import { rerankedHits } from "../../../search/rank-fusion.ts";
import type { Slices } from "../../../slices.ts";
import { plain } from "../../shard-failures.ts";
import { fetchHits } from "../fetch/index.ts";
import { emptyDraft } from "../request.ts";
import type { Shard, ShardHit } from "../shard.ts";
import type { PlacedHit } from "./resolve.ts";
import type { CompoundRetriever } from "./types.ts";

/** A model that says how well texts fit a question. */
export interface Reranker {
  /** Relevance of each text, in any order; `index` points into `texts`. */
  rerank(
    query: string,
    texts: string[],
    options?: { signal?: AbortSignal },
  ): Promise<readonly { readonly index: number; readonly score: number }[]>;
}

/** By `inference_id`. */
export type Rerankers = Readonly<Record<string, Reranker>>;

/** The hits in the model's order. Those without a text are left out. */
export async function reranked(
  hits: readonly PlacedHit[],
  { fusion, minScore, window }: CompoundRetriever,
  rerankers: Rerankers,
  shards: readonly Shard[],
  slices: Slices,
): Promise<readonly PlacedHit[]> {
  if (fusion.type !== "text_similarity_reranker") return hits;
  const reranker = Object.hasOwn(rerankers, fusion.inferenceId) ? rerankers[fusion.inferenceId] : undefined;
  if (!reranker) throw notFound(fusion.inferenceId);
  const texts = await textsOf(hits, fusion.field, shards, slices);
  const shown = hits.flatMap((hit, i) => (texts[i] === undefined ? [] : [{ hit, text: texts[i] }]));
  if (shown.length === 0) return [];
  const relevance = await relevanceOf(
    reranker,
    fusion.text,
    shown.map(({ text }) => text),
    slices,
  );
  return rerankedHits(
    shown.map(({ hit }) => hit),
    relevance,
    { window, minScore },
  );
}

async function relevanceOf(reranker: Reranker, query: string, texts: string[], slices: Slices): Promise<number[]> {
  const { signal } = slices;
  let found: Awaited<ReturnType<Reranker["rerank"]>>;
  try {
    found = await reranker.rerank(query, texts, signal ? { signal } : {});
  } catch (error) {
    slices.check();
    throw failed(error);
  }
  slices.check();
  const relevance: number[] = [];
  for (const { index, score } of found) relevance[index] = score;
  const complete = relevance.length === texts.length && texts.every((_, i) => Number.isFinite(relevance[i]));
  if (complete) return relevance;
  const reason = `Reranker input document count and returned score count mismatch: [${texts.length}] vs [${found.length}]`;
  throw failed(new EngineError("illegal_state_exception", reason, { status: 500 }));
}

/** The error of the phase in which a model is asked. */
function failed(cause: unknown): EngineError {
  return new EngineError("search_phase_execution_exception", "Computing updated ranks for results failed", {
    status: cause instanceof EngineError ? cause.status : 500,
    metadata: { phase: "rank-feature", grouped: true, failed_shards: [] },
    cause,
  });
}

function notFound(id: string): EngineError {
  return failed(
    new EngineError("resource_not_found_exception", `Inference endpoint not found [${id}]`, { status: 404 }),
  );
}

/** The first value of a field of each hit. */
async function textsOf(
  hits: readonly PlacedHit[],
  field: string,
  shards: readonly Shard[],
  slices: Slices,
): Promise<(string | undefined)[]> {
  const draft = emptyDraft();
  const options = { ...draft, fields: [{ field }], source: { ...draft.source, fetch: false } };
  const wanted = hits.map(({ shard, doc, score }): ShardHit => ({ shard: shards[shard], doc, score }));
  try {
    const shown = await fetchHits(wanted, options, { queries: new Map() }, slices);
    return shown.map((hit) => {
      const value = (hit as { fields?: { [name: string]: readonly unknown[] } }).fields?.[field]?.[0];
      return value === undefined || value === null ? undefined : (textOf(value as never) ?? JSON.stringify(value));
    });
  } catch (error) {
    throw isShardError(error) ? failed(plain(error)) : error;
  }
}
