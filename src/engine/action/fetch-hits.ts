/** The fetch phase: a page of hits with their sources, versions and matched queries, from the snapshots that were searched. */
import { JsonNumber } from "../json/types.ts";
import { hashOrder, javaFloat } from "../mapping/java-text.ts";
import { confirmed } from "../query/scorers/index.ts";
import type { Query, Scorer } from "../query/types.ts";
import type { LeafReader } from "../segment/types.ts";
import { explainer, printExplanation } from "./explain.ts";
import type { ResponseValue } from "./response-value.ts";
import type { Shard, ShardHit } from "./search.ts";
import type { SearchRequest } from "./search-request.ts";
import { sourceOf } from "./source-filter.ts";

/** One primary, which never moves. */
const PRIMARY_TERM = 1;

/** A float as Java prints it: the shortest text that reads back as the same float. */
export function printScore(score: number): JsonNumber | number {
  const text = javaFloat(score);
  return String(score) === text ? score : new JsonNumber(text);
}

function leafOf(shard: Shard, doc: number): LeafReader {
  const { leaves } = shard.snapshot;
  let low = 0;
  let high = leaves.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (leaves[middle].docBase <= doc) low = middle;
    else high = middle - 1;
  }
  return leaves[low];
}

/** A page of hits as the response prints them. */
export function fetchHits(
  page: readonly ShardHit[],
  request: SearchRequest,
  queries: ReadonlyMap<Shard, Query>,
): ResponseValue[] {
  const explainers = new Map<Shard, ReturnType<typeof explainer>>();
  const explained = ({ shard, doc }: ShardHit): ResponseValue => {
    const explain = explainers.get(shard) ?? explainer(shard, queries.get(shard)!);
    explainers.set(shard, explain);
    return printExplanation(explain(doc));
  };
  const matched = matchedQueries(page, request.namedScores);
  return page.map((hit) => {
    const { shard, doc, score } = hit;
    const leaf = leafOf(shard, doc);
    const local = doc - leaf.docBase;
    const source = request.source.fetch ? shard.snapshot.source(leaf, local) : undefined;
    const ignored = ignoredFields(leaf, local);
    const names = matched.get(hit)!;
    return {
      ...(request.explain ? { _shard: `[${shard.index.name}][0]`, _node: "huiliu" } : {}),
      _index: shard.index.name,
      ...(request.storedFields ? { _id: leaf.segment.id(local) } : {}),
      ...(request.version ? { _version: leaf.segment.version(local) } : {}),
      ...(request.seqNoPrimaryTerm ? { _seq_no: leaf.segment.seqNo(local), _primary_term: PRIMARY_TERM } : {}),
      _score: printScore(score),
      ...(ignored.length > 0 ? { _ignored: ignored } : {}),
      ...(source === undefined ? {} : { _source: sourceOf(source, request.source) as ResponseValue }),
      ...(names.size > 0 ? { matched_queries: printNames(names, request.namedScores) } : {}),
      ...(request.explain ? { _explanation: explained(hit) } : {}),
    };
  });
}

function printNames(names: ReadonlyMap<string, number>, scored: boolean): ResponseValue {
  if (!scored) return [...names.keys()];
  return Object.fromEntries([...names].map(([name, score]) => [name, printScore(score)]));
}

/** Fields of the document whose values were ignored. */
function ignoredFields(leaf: LeafReader, doc: number): string[] {
  const column = leaf.segment.ordinals("_ignored");
  if (!column?.has(doc)) return [];
  const names: string[] = [];
  for (let i = column.start(doc); i < column.end(doc); i++) names.push(column.term(column.ord(i)));
  return names;
}

/** Named queries that match each hit, with their scores where they are wanted, in the order of Java's hash map. */
function matchedQueries(page: readonly ShardHit[], scored: boolean): Map<ShardHit, Map<string, number>> {
  const matched = new Map(page.map((hit) => [hit, new Map<string, number>()]));
  for (const shard of new Set(page.map((hit) => hit.shard))) {
    const hits = page.filter((hit) => hit.shard === shard).sort((a, b) => a.doc - b.doc);
    const queries = new Map(shard.context.named.map(({ name, query }) => [name, query]));
    for (const name of hashOrder([...queries.keys()])) {
      const query = queries.get(name)!.rewrite(shard.searcher);
      const weight = query.createWeight(shard.searcher, scored ? "complete" : "none", 1);
      const walks = new Map<LeafReader, Scorer | undefined>();
      for (const hit of hits) {
        const leaf = leafOf(shard, hit.doc);
        if (!walks.has(leaf)) walks.set(leaf, optional(weight.scorer(leaf)));
        const walk = walks.get(leaf);
        const doc = hit.doc - leaf.docBase;
        if (walk && walk.docID() < doc) walk.advance(doc);
        if (walk?.docID() === doc) matched.get(hit)!.set(name, scored ? walk.score() : 0);
      }
    }
  }
  return matched;
}

const optional = (scorer: Scorer | undefined) => scorer && confirmed(scorer);
