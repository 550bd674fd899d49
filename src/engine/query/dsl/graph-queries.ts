/** Queries for texts whose tokens are a graph, as Elasticsearch's MatchQueryParser makes them. */
import { EngineError, unsupported } from "../../errors.ts";
import { booleanQuery, type Clause } from "../lucene/boolean.ts";
import { CONSTANT_SCORE, multiTermQuery } from "../lucene/multi-term.ts";
import { spanMultiQuery, spanNearQuery, spanOrQuery, spanTermQuery } from "../lucene/span-queries.ts";
import type { SpanQuery } from "../lucene/spans.ts";
import { prefixMatcher } from "../lucene/term-matchers.ts";
import type { Query } from "../types.ts";
import type { AnalyzedText } from "./analyzed-text.ts";
import { MAX_CLAUSES } from "./compound.ts";
import { type FieldMatch, type TermQueries, textQuery } from "./match-field.ts";
import { graphPaths, graphSegments } from "./token-graph.ts";

/** As many paths of a graph are searched at most. */
export const PATHS = {
  most: MAX_CLAUSES,
  exceeded(): never {
    throw new EngineError("too_many_clauses", `maxClauseCount is set to ${MAX_CLAUSES}`);
  },
};

/** The segments between the positions that all paths share, as clauses; several paths are a disjunction of phrases. */
export function graphBooleanQuery({ tokens }: AnalyzedText, queries: TermQueries, options: FieldMatch): Query {
  const prefixed = options.type === "bool_prefix";
  const clauses = graphSegments(tokens, PATHS).map(({ terms, paths, last }): Query => {
    if (terms) return prefixed && last && terms.length === 1 ? queries.begins(terms[0]) : queries.terms(terms);
    const phrase = prefixed && last ? "phrase_prefix" : "phrase";
    const type = options.synonymPhrases === false ? "boolean" : phrase;
    const each = paths.map((path) => textQuery(path, queries, { ...options, type, operator: "and", slop: 0 }));
    return each.length === 1 ? each[0] : booleanQuery(each.map((query) => ({ occur: "should", query })));
  });
  const occur = options.operator === "and" ? "must" : "should";
  return booleanQuery(clauses.map((query): Clause => ({ occur, query })));
}

/** With slop a phrase for each path; without, the segments one after another. */
export function graphPhraseQuery({ tokens }: AnalyzedText, queries: TermQueries, options: FieldMatch): Query {
  const { field } = queries;
  if (field === undefined) throw unsupported("phrases with synonyms of several words over several fields");
  if ((options.slop ?? 0) > 0) {
    const phrases = graphPaths(tokens, PATHS).map((path) => textQuery(path, queries, { ...options, operator: "and" }));
    return booleanQuery(phrases.map((query) => ({ occur: "should", query })));
  }
  const clauses = graphSegments(tokens, PATHS).map(({ terms, paths, last }): SpanQuery => {
    const begun = last && options.type === "phrase_prefix";
    const one = (term: string) => (begun ? spanPrefix(field, term, options) : spanTermQuery(field, term));
    if (terms) return terms.length === 1 ? one(terms[0]) : spanOrQuery(terms.map(one));
    return spanOrQuery(paths.map((path) => spanPath(field, path, one)));
  });
  return clauses.length === 1 ? clauses[0] : spanNearQuery(clauses, { slop: 0, inOrder: true });
}

/** The tokens of a path one after another, holes included. */
function spanPath(field: string, { places }: AnalyzedText, lastOne: (term: string) => SpanQuery): SpanQuery {
  const clauses: (SpanQuery | { readonly gap: number })[] = [];
  let before = -1;
  for (const [i, { terms, position }] of places.entries()) {
    const gap = position - before - 1;
    if (gap > 0 && i === 0) throw unsupported("synonyms of several words behind a removed word");
    if (gap > 0) clauses.push({ gap });
    clauses.push(i === places.length - 1 ? lastOne(terms[0]) : spanTermQuery(field, terms[0]));
    before = position;
  }
  return clauses.length === 1 ? (clauses[0] as SpanQuery) : spanNearQuery(clauses, { slop: 0, inOrder: true });
}

function spanPrefix(field: string, prefix: string, { maxExpansions = 50 }: FieldMatch): SpanQuery {
  const query = multiTermQuery(field, prefixMatcher(prefix, false), CONSTANT_SCORE, MAX_CLAUSES);
  return spanMultiQuery(query, maxExpansions, "cut");
}
