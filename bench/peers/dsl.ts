/** The suites in Elasticsearch's DSL, for Huiliu and for a node. */
import { type Answer, type Passage, type Question, type Suite, TOP } from "../workload/types.ts";

export const ANSWER_FIELDS = "filter_path=hits.hits._id,hits.hits._score,aggregations";

export function indexBody(suite: Suite): string {
  const analyzer = suite.language === "zh" ? "ik_smart" : "standard";
  const vector = {
    type: "dense_vector",
    dims: suite.dims,
    similarity: "cosine",
    index_options: suite.exact ? { type: "flat" } : { type: "int8_hnsw", m: 16, ef_construction: 100 },
  };
  return JSON.stringify({
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "-1" },
    mappings: {
      dynamic: "strict",
      properties: {
        ...(suite.text ? { text: { type: "text", analyzer } } : {}),
        tag: { type: "keyword" },
        ...(suite.dims > 0 ? { vector } : {}),
      },
    },
  });
}

export function bulkBody(suite: Suite, passages: readonly Passage[]): string {
  let body = "";
  for (const { id, text, tag, vector } of passages) {
    body += `{"index":{"_id":"${id}"}}\n{"tag":"${tag}"`;
    if (suite.text) body += `,"text":${JSON.stringify(text)}`;
    if (suite.dims > 0) body += `,"vector":[${vector.join()}]`;
    body += "}\n";
  }
  return body;
}

function queryOf({ kind, words, tag }: Question): object {
  const query = words.join(" ");
  const match = { match: { text: query } };
  if (kind === "phrase") return { match_phrase: { text: query } };
  if (kind === "fuzzy") return { fuzzy: { text: { value: query, fuzziness: 1 } } };
  if (kind === "prefix") return { prefix: { text: query } };
  if (kind === "filtered") return { bool: { must: match, filter: { term: { tag } } } };
  return match;
}

export function searchBody(suite: Suite, question: Question): string {
  const { kind, tag, vector } = question;
  const common = { size: TOP, _source: false, track_total_hits: 1000 };
  if (suite.dims === 0) {
    const aggs = kind === "aggregated" ? { aggs: { tags: { terms: { field: "tag", size: 50 } } }, size: 0 } : {};
    return JSON.stringify({ ...common, query: queryOf(question), ...aggs });
  }
  const near = { field: "vector", query_vector: vector, k: TOP, num_candidates: 100 };
  if (kind !== "hybrid") {
    return JSON.stringify({ ...common, knn: kind === "kNN" ? near : { ...near, filter: { term: { tag } } } });
  }
  const retrievers = [{ standard: { query: queryOf(question) } }, { knn: near }];
  return JSON.stringify({
    size: TOP,
    _source: false,
    retriever: { rrf: { retrievers, rank_constant: 60, rank_window_size: TOP } },
  });
}

interface SearchAnswer {
  hits?: { hits?: { _id: string; _score: number }[] };
  aggregations?: { tags: { buckets: { key: string; doc_count: number }[] } };
}

export function answerOf(body: string): Answer {
  const { hits, aggregations } = JSON.parse(body) as SearchAnswer;
  const found = hits?.hits ?? [];
  return {
    ids: found.map(({ _id }) => Number(_id)),
    scores: found.map(({ _score }) => _score),
    ...(aggregations
      ? { buckets: Object.fromEntries(aggregations.tags.buckets.map(({ key, doc_count }) => [key, doc_count])) }
      : {}),
  };
}
