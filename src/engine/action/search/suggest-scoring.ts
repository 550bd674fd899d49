/**
 * Documents that are suggested are fetched among the hits. Where those are sorted and scores are wanted as well, all of them are scored again,
 * one after the other (FetchScorePhase): what the query does not find fails, and so does a document that comes a second time.
 */
import { EngineError } from "../../errors.ts";
import { shardError } from "../../query/dsl/index.ts";
import { matchesAll } from "../../query/lucene/constant.ts";
import type { Query } from "../../query/types.ts";
import { isSuggestOnly, type SearchRequest } from "./request.ts";
import type { Shard } from "./shard.ts";
import type { ShardSearch } from "./shard-search.ts";

/** By what documents are scored again. */
export interface Scoring {
  /** Undefined where nothing was searched for. */
  readonly query: Query | undefined;
}

export function scoringOf({ keys, sliced }: ShardSearch, request: SearchRequest): Scoring | undefined {
  if (!request.trackScores || keys === undefined) return undefined;
  return { query: isSuggestOnly(request) ? undefined : sliced };
}

/** @throws shard errors. @param docs of the snapshot */
export function checkScoring(
  { searcher, context }: Shard,
  scoring: Scoring | undefined,
  docs: readonly number[],
): void {
  if (scoring === undefined || docs.length === 0) return;
  if (scoring.query === undefined) throw failed("preProcess must be called first");
  const query = scoring.query.rewrite(searcher);
  const weight = query.createWeight(searcher, "complete", 1);
  // An iterator over all documents stays where it is; with nested ones it goes over the roots alone.
  const stays = matchesAll(query) && context.mapping.nestedPaths().length === 0;
  const ordered = [...docs].sort((a, b) => a - b);
  for (const leaf of searcher.leaves) {
    const end = leaf.docBase + leaf.segment.maxDoc;
    const own = ordered.filter((doc) => doc >= leaf.docBase && doc < end);
    if (own.length === 0) continue;
    const scorer = weight.scorer(leaf);
    if (!scorer) throw failed("Can't compute score on document as it doesn't match the query");
    for (const [i, doc] of own.entries()) {
      const again = i > 0 && own[i - 1] === doc;
      if (again && stays) continue;
      if (again || scorer.advance(doc - leaf.docBase) !== doc - leaf.docBase || scorer.twoPhase?.matches() === false)
        throw unmatched(doc);
    }
  }
}

/** In the words of Java, which names an object where the document is meant. */
const unmatched = (doc: number) =>
  failed(
    `Can't compute score on document org.elasticsearch.search.fetch.FetchSubPhase$HitContext@${doc.toString(16)} ` +
      "as it doesn't match the query",
  );

const failed = (reason: string) => shardError(new EngineError("illegal_state_exception", reason, { status: 500 }));
