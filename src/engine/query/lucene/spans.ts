/** Queries by positions (Lucene's SpanQuery): scored like a phrase, a span counts 1 / (1 + its width). */
import { EngineError } from "../../errors.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import { type DocIterator, type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import { explainWeight, matched, unmatched } from "../explanation.ts";
import { fieldMatches, type Match, type Matches, standsAt } from "../matches.ts";
import { matchesAt } from "../scorers/index.ts";
import type { Span } from "../scorers/spans.ts";
import { NO_NORMS, type SimScorer } from "../similarity.ts";
import type { IndexSearcher, Query, Scorer } from "../types.ts";
import type { MultiTermQuery } from "./multi-term.ts";
import { similarityOf } from "./term.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** Candidates of one segment, and the spans of the current one. */
export interface SpanSource extends DocIterator {
  /** @param leaves with the terms that each is made of */
  spans(leaves?: boolean): readonly Span[];
}

/** What a span query is made of. */
export interface SpanParts {
  /** Tells it from all others. */
  readonly key: string;
  /** Lucene's text. */
  readonly description: string;
  /** The field whose lengths and statistics score it. */
  readonly field: string;
  /** The terms whose rarity counts. */
  readonly terms: readonly { readonly field: string; readonly term: string }[];
  /** A single term. */
  readonly kind?: "term";
  /** Queries over many terms, as which others stand in it that only an index knows. */
  readonly many?: readonly MultiTermQuery[];
  source(leaf: LeafReader): SpanSource | undefined;
}

export interface SpanQuery extends Query {
  readonly span: SpanParts;
}

export function isSpan(query: Query): query is SpanQuery {
  return (query as Partial<SpanQuery>).span !== undefined;
}

/** Lucene's class, of which its text begins with the name. */
function classOf({ kind, description }: SpanParts): string {
  if (kind === "term") return "SpanTermQuery";
  const [, name = ""] = /^(\w+)/.exec(description) ?? [];
  if (name === "mask") return "FieldMaskingSpanQuery";
  return name.startsWith("span") ? `S${name.slice(1)}Query` : name;
}

/** Spans of another field pass for those of one that no document has. */
const withoutStatistics = () =>
  new EngineError(
    "null_pointer_exception",
    'Cannot invoke "org.apache.lucene.search.CollectionStatistics.field()" because "collectionStats" is null',
    { status: 500, metadata: { phase: "shard" } },
  );

/** @param resolve a query over many terms is known only when the searcher is */
export function spanQuery(span: SpanParts, resolve?: (searcher: IndexSearcher) => SpanQuery): SpanQuery {
  const query: SpanQuery = {
    span,
    className: classOf(span),
    describe: () => span.description,
    toString: () => span.key,
    visit: (visitor) => visitor.span(query),
    rewrite: (searcher) => (resolve ? resolve(searcher) : query),
    createWeight(searcher, mode, boost) {
      const { field } = span;
      const distinct = new Map(span.terms.map((term) => [`${term.field}\0${term.term}`, term]));
      const docFreqs = [...distinct.values()]
        .sort((a, b) => compareUtf8(a.field, b.field) || compareUtf8(a.term, b.term))
        .map((term) => searcher.docFreq(term.field, term.term));
      if (mode !== "none" && docFreqs.some((docFreq) => docFreq > 0) && !searcher.collectionStatistics(field)) {
        throw withoutStatistics();
      }
      const sim = similarityOf(searcher, mode, field, boost, () => docFreqs.filter((docFreq) => docFreq > 0));
      const scorer = (leaf: LeafReader) => {
        const source = span.source(leaf);
        return source && spanScorer(source, leaf.segment.norms(field), sim);
      };
      return {
        query,
        scorer,
        matches: (leaf, doc) => spanMatches(span, leaf, doc),
        explain(leaf, doc) {
          const at = scorer(leaf);
          if (!matchesAt(at, doc)) return unmatched("no matching term");
          const freq = at.freq();
          return explainWeight(
            span.description,
            doc,
            sim.explain(matched(freq, `phraseFreq=${javaFloat(freq)}`), at.norm()),
          );
        },
      };
    },
  };
  return query;
}

/** SpanWeight.matches: the terms of each span are marked. */
function spanMatches({ field, description, source }: SpanParts, leaf: LeafReader, doc: number): Matches | undefined {
  const docs = source(leaf);
  if (!docs || !standsAt(docs, doc)) return undefined;
  const found: Match[] = [];
  for (const { start, end, leaves = [] } of docs.spans(true)) {
    const parts = [...leaves]
      .sort((a, b) => a.position - b.position)
      .map(({ term, position, startOffset, endOffset }): Match => {
        return { start: position, end: position, startOffset, endOffset, label: term };
      });
    if (parts.length === 0) continue;
    const { startOffset } = parts[0];
    const { endOffset } = parts[parts.length - 1];
    found.push({ start, end: end - 1, startOffset, endOffset, label: description, parts });
  }
  return fieldMatches(field, found);
}

interface SpanScorer extends Scorer {
  freq(): number;
  norm(): number;
}

function spanScorer(source: SpanSource, norms: Uint8Array | undefined, sim: SimScorer): SpanScorer {
  const highest = sim.score(0x7fffffff, norms === undefined ? NO_NORMS : 1);
  let asked = -1;
  let found: readonly Span[] = [];
  const spans = () => {
    if (asked !== source.docID()) {
      asked = source.docID();
      found = source.spans();
    }
    return found;
  };
  const norm = norms === undefined ? () => NO_NORMS : normsOf(norms, source);
  const freq = (): number => {
    let sum = 0;
    for (const { width } of spans()) sum = Math.fround(sum + 1 / (1 + width));
    return sum;
  };
  return {
    freq,
    norm,
    docID: () => source.docID(),
    nextDoc: () => source.nextDoc(),
    advance: (target) => source.advance(target),
    cost: () => source.cost(),
    score: () => sim.score(freq(), norm()),
    maxScore: () => highest,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore: () => {},
    twoPhase: { matchCost: 512, matches: () => spans().length > 0 },
  };
}

/**
 * Norms at the documents of an iterator. A masked field may not be in a document: Lucene's reader of norms then gives what it stands at, the
 * one value where all are equal, and else that of the last document before which has the field; before all of them it reads the byte in front
 * of the norms, the end of the set of documents.
 */
function normsOf(norms: Uint8Array, { docID }: DocIterator): () => number {
  let before = 0;
  let last = BEFORE_ALL;
  let only: number | undefined;
  return () => {
    const doc = docID();
    if (norms[doc] !== 0) return norms[doc];
    only ??= onlyValue(norms);
    if (only !== 0) return only;
    if (doc < before) [before, last] = [0, BEFORE_ALL];
    for (; before < doc; before++) if (norms[before] !== 0) last = norms[before];
    return last;
  };
}

const BEFORE_ALL = 0xff;

/** The value of all documents that have one; 0 where they differ. */
function onlyValue(norms: Uint8Array): number {
  let only = 0;
  for (const norm of norms) {
    if (norm === 0 || norm === only) continue;
    if (only !== 0) return 0;
    only = norm;
  }
  return only;
}

/** Documents that all iterators have. */
export function allOf(parts: readonly DocIterator[]): DocIterator {
  const [lead, ...others] = [...parts].sort((a, b) => a.cost() - b.cost());
  const agree = (candidate: number): number => {
    let doc = candidate;
    for (let i = 0; i < others.length && doc !== NO_MORE_DOCS; ) {
      const at = others[i].docID() < doc ? others[i].advance(doc) : others[i].docID();
      if (at === doc) i++;
      else {
        doc = lead.advance(at);
        i = 0;
      }
    }
    return doc;
  };
  return {
    docID: () => lead.docID(),
    nextDoc: () => agree(lead.nextDoc()),
    advance: (target) => agree(lead.advance(target)),
    cost: () => lead.cost(),
  };
}

/** Documents that any iterator has. */
export function anyOf(parts: readonly DocIterator[]): DocIterator {
  let doc = -1;
  const advance = (target: number): number => {
    doc = NO_MORE_DOCS;
    for (const part of parts) doc = Math.min(doc, part.docID() < target ? part.advance(target) : part.docID());
    return doc;
  };
  return {
    docID: () => doc,
    nextDoc: () => advance(doc + 1),
    advance,
    cost: () => parts.reduce((sum, part) => sum + part.cost(), 0),
  };
}
