/** The kinds of span queries: terms, and what joins them. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { LeafReader } from "../../segment/types.ts";
import { offsetsOf } from "../matches.ts";
import {
  containing,
  either,
  type Gap,
  nearOrdered,
  nearUnordered,
  type Span,
  within,
  without,
} from "../scorers/spans.ts";
import { expandedTerms, type MultiTermQuery } from "./multi-term.ts";
import { allOf, anyOf, type SpanParts, type SpanQuery, type SpanSource, spanQuery } from "./spans.ts";

export function spanTermQuery(field: string, term: string, description = `${field}:${term}`): SpanQuery {
  return spanQuery({
    key: `spanTerm(${field}:${JSON.stringify(term)})`,
    description,
    field,
    terms: [{ field, term }],
    kind: "term",
    source({ segment }) {
      const terms = segment.terms(field);
      const ord = terms ? terms.lookup(term) : -1;
      if (!terms || ord < 0) return undefined;
      if (terms.info.index !== "positions") throw withoutPositions(field, term);
      const postings = terms.postings(ord, { positions: true });
      return sourceOf(postings, (leaves) => {
        const spans: Span[] = [];
        for (let left = postings.freq(); left > 0; left--) {
          const start = postings.nextPosition();
          const leaf = leaves ? { leaves: [{ field, term, position: start, ...offsetsOf(postings) }] } : undefined;
          spans.push({ start, end: start + 1, width: 0, ...leaf });
        }
        return spans;
      });
    },
  });
}

function withoutPositions(field: string, term: string): EngineError {
  const reason = `field "${field}" was indexed without position data; cannot run SpanTermQuery (term=${term})`;
  return new EngineError("illegal_state_exception", reason, { status: 500, metadata: { phase: "shard" } });
}

function sourceOf(
  docs: Pick<SpanSource, "docID" | "nextDoc" | "advance" | "cost">,
  spans: SpanSource["spans"],
): SpanSource {
  return {
    docID: () => docs.docID(),
    nextDoc: () => docs.nextDoc(),
    advance: (target) => docs.advance(target),
    cost: () => docs.cost(),
    spans,
  };
}

/** A query made of others, which are resolved first where they stand for many terms. */
function composed(parts: readonly SpanQuery[], make: (parts: readonly SpanQuery[]) => SpanParts): SpanQuery {
  const query: SpanQuery = spanQuery(make(parts), (searcher) => {
    const rewritten = parts.map((part) => part.rewrite(searcher) as SpanQuery);
    return rewritten.some((part, i) => part !== parts[i]) ? composed(rewritten, make) : query;
  });
  return query;
}

const termsOf = (parts: readonly SpanQuery[]) => ({
  terms: parts.flatMap(({ span }) => span.terms),
  many: parts.flatMap(({ span }) => span.many ?? []),
});
const described = (parts: readonly SpanQuery[]) => parts.map(({ span }) => span.description).join(", ");
const keysOf = (parts: readonly SpanQuery[]) => parts.map(String).join(", ");

function checkFields(parts: readonly SpanQuery[]): void {
  if (parts.some(({ span }) => span.field !== parts[0].span.field)) {
    throw illegalArgument("Clauses must have same field.");
  }
}

export interface SpanNearOptions {
  readonly slop: number;
  readonly inOrder: boolean;
}

/** @param clauses span queries, and gaps where the order counts */
export function spanNearQuery(clauses: readonly (SpanQuery | Gap)[], { slop, inOrder }: SpanNearOptions): SpanQuery {
  const queries = clauses.filter((clause): clause is SpanQuery => !("gap" in clause));
  checkFields(queries);
  return composed(queries, (parts) => {
    let next = 0;
    const filled = clauses.map((clause) => ("gap" in clause ? clause : parts[next++]));
    const shown = filled.map((part) =>
      "gap" in part ? `SpanGap(${parts[0].span.field}:${part.gap})` : part.span.description,
    );
    const keys = filled.map((part) => ("gap" in part ? `gap ${part.gap}` : String(part)));
    return {
      key: `spanNear([${keys.join(", ")}], ${slop}, ${inOrder})`,
      description: `spanNear([${shown.join(", ")}], ${slop}, ${inOrder})`,
      field: parts[0].span.field,
      ...termsOf(parts),
      source(leaf) {
        const sources = sourcesOf(parts, leaf);
        if (sources.length < parts.length) return undefined;
        return sourceOf(allOf(sources), (leaves) => {
          const spans = sources.map((source) => source.spans(leaves));
          if (!inOrder) return nearUnordered(spans, slop);
          let at = 0;
          return nearOrdered(
            clauses.map((clause) => ("gap" in clause ? clause : spans[at++])),
            slop,
          );
        });
      },
    };
  });
}

function sourcesOf(parts: readonly SpanQuery[], leaf: LeafReader): SpanSource[] {
  return parts.map(({ span }) => span.source(leaf)).filter((source) => source !== undefined);
}

export function spanOrQuery(clauses: readonly SpanQuery[]): SpanQuery {
  checkFields(clauses);
  return composed(clauses, (parts) => ({
    key: `spanOr([${keysOf(parts)}])`,
    description: `spanOr([${described(parts)}])`,
    field: parts[0].span.field,
    ...termsOf(parts),
    source(leaf) {
      const sources = sourcesOf(parts, leaf);
      if (sources.length === 0) return undefined;
      const docs = anyOf(sources);
      return sourceOf(docs, (leaves) =>
        either(sources.map((source) => (source.docID() === docs.docID() ? source.spans(leaves) : []))),
      );
    },
  }));
}

/** @param pre positions before a span that must be free of the excluded @param post positions after it */
export function spanNotQuery(include: SpanQuery, exclude: SpanQuery, pre: number, post: number): SpanQuery {
  checkFields([include, exclude]);
  return composed([include, exclude], ([included, excluded]) => ({
    key: `spanNot(${included}, ${excluded}, ${pre}, ${post})`,
    description: `spanNot(${included.span.description}, ${excluded.span.description}, ${pre}, ${post})`,
    field: included.span.field,
    // What is excluded has no part in the scores.
    ...termsOf([included]),
    source(leaf) {
      const source = included.span.source(leaf);
      const others = source && excluded.span.source(leaf);
      if (!source || !others) return source;
      return sourceOf(source, (leaves) => {
        const doc = source.docID();
        if (others.docID() < doc) others.advance(doc);
        const spans = source.spans(leaves);
        return others.docID() === doc ? without(spans, others.spans(), pre, post) : spans;
      });
    },
  }));
}

/** Spans that end at or before a position. */
export function spanFirstQuery(match: SpanQuery, end: number): SpanQuery {
  return composed([match], ([part]) => ({
    ...part.span,
    kind: undefined,
    key: `spanFirst(${part}, ${end})`,
    description: `spanFirst(${part.span.description}, ${end})`,
    source(leaf) {
      const source = part.span.source(leaf);
      return source && sourceOf(source, (leaves) => source.spans(leaves).filter((span) => span.end <= end));
    },
  }));
}

/** @param keep "big": big spans that hold a little one; "little": little spans within a big one */
export function spanContainQuery(big: SpanQuery, little: SpanQuery, keep: "big" | "little"): SpanQuery {
  checkFields([big, little]);
  const name = keep === "big" ? "SpanContaining" : "SpanWithin";
  return composed([big, little], (parts) => ({
    key: `${name}(${keysOf(parts)})`,
    description: `${name}(${described(parts)})`,
    field: parts[0].span.field,
    ...termsOf(parts),
    source(leaf) {
      const sources = sourcesOf(parts, leaf);
      if (sources.length < 2) return undefined;
      const join = keep === "big" ? containing : within;
      return sourceOf(allOf(sources), (leaves) => join(sources[0].spans(leaves), sources[1].spans(leaves)));
    },
  }));
}

/** Spans of one field that count as those of another, to be joined with them. */
export function fieldMaskingSpanQuery(inner: SpanQuery, field: string): SpanQuery {
  const query: SpanQuery = {
    span: {
      ...inner.span,
      kind: undefined,
      key: `mask(${inner}) as ${field}`,
      description: `mask(${inner.span.description}) as ${field}`,
      field,
    },
    className: "FieldMaskingSpanQuery",
    describe: () => query.span.description,
    toString: () => query.span.key,
    rewrite(searcher) {
      const rewritten = inner.rewrite(searcher) as SpanQuery;
      return rewritten === inner ? query : fieldMaskingSpanQuery(rewritten, field);
    },
    visit: (visitor) => visitor.span(query),
    // On its own it is the inner query.
    createWeight: (searcher, mode, boost) => inner.createWeight(searcher, mode, boost),
  };
  return query;
}

/** A span query of a field that matches nothing (Elasticsearch's SpanMatchNoDocsQuery). */
export function spanNoneQuery(field: string, reason: string): SpanQuery {
  const description = `SpanMatchNoDocsQuery("${reason}")`;
  return spanQuery({ key: `${field}: ${description}`, description, field, terms: [], source: () => undefined });
}

/** Terms that the index has for a query over many terms (SpanMultiTermQueryWrapper). */
export function spanMultiQuery(query: MultiTermQuery, maxClauses: number, beyond: "fail" | "cut" = "fail"): SpanQuery {
  const { field } = query.multiTerm;
  const description = `SpanMultiTermQueryWrapper(${query.describe()})`;
  const nothing = { key: `spanMulti(${query})`, description, field, terms: [], source: () => undefined };
  return spanQuery({ ...nothing, many: [query] }, (searcher) => {
    const expanded = expandedTerms(searcher, query, maxClauses);
    const terms = beyond === "cut" ? expanded.slice(0, maxClauses) : expanded;
    if (terms.length > maxClauses) {
      const reason = `[${query.describe()} ] exceeds maxClauseCount [ Boolean maxClauseCount is set to ${maxClauses}]`;
      throw new EngineError("runtime_exception", reason, { status: 500, metadata: { phase: "shard" } });
    }
    if (terms.length === 0) return spanQuery(nothing);
    const spans = terms.map((term) => spanTermQuery(field, term));
    return spans.length === 1 ? spans[0] : spanOrQuery(spans);
  });
}
