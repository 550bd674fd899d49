/**
 * Sources of intervals (Lucene's Intervals): terms, what joins them and what chooses among them. Where gaps count, disjunctions are pulled up
 * to the top, so that none of several lengths hides another: BLOCK(or(a, BLOCK(a,b)), c) becomes or(BLOCK(a,c), BLOCK(a,b,c)).
 */
import { EngineError, illegalArgument } from "../../errors.ts";
import { type DocIterator, type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import { offsetsOf } from "../matches.ts";
import { unionPositions } from "../scorers/index.ts";
import {
  containedBy,
  containing,
  notContainedBy,
  notContaining,
  notOverlapping,
  overlapping,
} from "../scorers/interval-filters.ts";
import {
  besideIntervals,
  blockIntervals,
  eitherIntervals,
  extendedIntervals,
  type Intervals,
  intervalsWithin,
  NO_MORE_INTERVALS,
  orderedIntervals,
  positionIntervals,
  repeatedIntervals,
  unorderedIntervals,
} from "../scorers/intervals.ts";
import type { TermMatcher } from "./multi-term.ts";
import { allOf, anyOf } from "./spans.ts";

/** Candidates of one segment; `intervals` starts anew in the current document, and is asked once. */
export interface IntervalDocs extends DocIterator {
  /** @param leaves with the terms that each is made of */
  intervals(leaves?: boolean): Intervals;
}

export interface IntervalsSource {
  /** Equal sources have equal keys. */
  readonly key: string;
  /** Lucene's text. */
  readonly description: string;
  /** Positions that an interval covers at least. */
  readonly minExtent: number;
  readonly kind?: "or" | Joined;
  /** What it is made of: all whose terms are looked for. */
  readonly parts?: readonly IntervalsSource[];
  /** The term of a single one. */
  readonly term?: string;
  /** What a source of many terms stands for. */
  readonly matcher?: TermMatcher;
  /** The field that it looks in, where that is a field of its own. */
  readonly field?: string;
  /** The sources that it is a disjunction of; itself where it is none. */
  pullUp(): readonly IntervalsSource[];
  docs(leaf: LeafReader, field: string): IntervalDocs | undefined;
}

type Sources = readonly IntervalsSource[];

/** A source that is no disjunction. */
function single(source: Omit<IntervalsSource, "pullUp">): IntervalsSource {
  const own: IntervalsSource = { ...source, pullUp: () => [own] };
  return own;
}

function docsWith(docs: DocIterator, intervals: IntervalDocs["intervals"]): IntervalDocs {
  return {
    docID: () => docs.docID(),
    nextDoc: () => docs.nextDoc(),
    advance: (target) => docs.advance(target),
    cost: () => docs.cost(),
    intervals,
  };
}

const texts = (parts: Sources) => parts.map(({ description }) => description).join(",");
const keys = (parts: Sources) => parts.map(({ key }) => key).join(",");

export function termIntervals(term: string): IntervalsSource {
  return single({
    key: JSON.stringify(term),
    description: term,
    minExtent: 1,
    term,
    docs({ segment }, field) {
      const terms = segment.terms(field);
      const ord = terms ? terms.lookup(term) : -1;
      if (!terms || ord < 0) return undefined;
      const postings = terms.postings(ord, { positions: true });
      const leaf = (position: number) => ({ term, position, ...offsetsOf(postings) });
      return docsWith(postings, (leaves) =>
        positionIntervals(postings.freq(), () => postings.nextPosition(), false, leaves ? leaf : undefined),
      );
    },
  });
}

/** All terms that match. @param pattern Lucene's text @param most more terms in one segment are refused */
export function multiTermIntervals(matcher: TermMatcher, pattern: string, most: number): IntervalsSource {
  return single({
    key: `MultiTerm(${matcher.text})`,
    description: `MultiTerm(${pattern})`,
    minExtent: 1,
    matcher,
    docs({ segment }, field) {
      const terms = segment.terms(field);
      const ords = terms ? matcher.ords(terms, most + 1) : [];
      if (!terms || ords.length === 0) return undefined;
      if (ords.length > most) {
        const reason = `Automaton [${pattern}] expanded to too many terms (limit ${most})`;
        throw new EngineError("illegal_state_exception", reason, { status: 500, metadata: { phase: "shard" } });
      }
      const union = unionPositions(ords.map((ord) => terms.postings(ord, { positions: true })));
      const leaf = (position: number) => ({ term: pattern, position, ...offsetsOf(union) });
      return docsWith(union, (leaves) =>
        positionIntervals(union.freq(), () => union.nextPosition(), true, leaves ? leaf : undefined),
      );
    },
  });
}

/** What a text without a token stands for. */
export const NO_INTERVALS: IntervalsSource = {
  key: "no_match",
  description: "no_match",
  minExtent: 0,
  pullUp: () => [],
  docs: () => {
    let doc = -1;
    const end = () => (doc = NO_MORE_DOCS);
    const none = { docID: () => doc, nextDoc: end, advance: end, cost: () => 0 };
    return docsWith(none, () => positionIntervals(0, () => NO_MORE_INTERVALS));
  },
};

/** Intervals.or: each source once, disjunctions among them opened. */
export function anyIntervals(sources: Sources): IntervalsSource {
  const opened = sources.flatMap((source) => (source.kind === "or" ? source.pullUp() : [source]));
  const parts = [...new Map(opened.map((source) => [source.key, source])).values()];
  if (parts.length === 1) return parts[0];
  return {
    key: `or(${parts.map(({ key }) => key).sort()})`,
    description: `or(${parts.map(({ description }) => description).sort()})`,
    minExtent: parts.reduce((least, { minExtent }) => Math.min(least, minExtent), NO_MORE_INTERVALS),
    kind: "or",
    parts,
    pullUp: () => parts,
    docs(leaf, field) {
      const found = parts.map((part) => part.docs(leaf, field)).filter((docs) => docs !== undefined);
      if (found.length === 0) return undefined;
      const docs = anyOf(found);
      const here = () => found.filter((each) => each.docID() === docs.docID());
      return docsWith(docs, (leaves) => eitherIntervals(here().map((each) => each.intervals(leaves))));
    },
  };
}

type Joined = "ordered" | "unordered" | "block";
const JOIN = { ordered: orderedIntervals, unordered: unorderedIntervals, block: blockIntervals };

function joined(kind: Joined, parts: Sources): IntervalsSource {
  const name = kind.toUpperCase();
  const own: IntervalsSource = {
    key: `${name}(${keys(parts)})`,
    description: `${name}(${texts(parts)})`,
    minExtent: parts.reduce((sum, { minExtent }) => sum + minExtent, 0),
    kind,
    parts,
    // A block has pulled its disjunctions up when it was made.
    pullUp: () => (kind === "block" ? [own] : combinations(parts).map((each) => joined(kind, each))),
    docs(leaf, field) {
      const found: IntervalDocs[] = [];
      for (const part of parts) {
        const docs = part.docs(leaf, field);
        if (!docs) return undefined;
        found.push(docs);
      }
      return docsWith(allOf(found), (leaves) => JOIN[kind](found.map((docs) => docs.intervals(leaves))));
    },
  };
  return own;
}

/** Sources that follow each other, or that all are there; equal ones are runs of one. */
export function combinedIntervals(kind: "ordered" | "unordered", sources: Sources): IntervalsSource {
  const runs: { readonly source: IntervalsSource; count: number }[] = [];
  const known = new Map<string, { count: number }>();
  for (const source of sources) {
    const last = runs.at(-1);
    const same = kind === "unordered" ? known.get(source.key) : last?.source.key === source.key ? last : undefined;
    if (same) same.count++;
    else {
      const run = { source, count: 1 };
      runs.push(run);
      known.set(source.key, run);
    }
  }
  const name = runs.length === 1 ? kind.toUpperCase() : undefined;
  const parts = runs.map(({ source, count }) => (count === 1 ? source : repeated(source, count, name)));
  return parts.length === 1 ? parts[0] : joined(kind, parts);
}

function repeated(source: IntervalsSource, count: number, name: string | undefined): IntervalsSource {
  const text = Array<string>(count).fill(source.description).join(",");
  return single({
    key: `${source.key}×${count}`,
    description: name === undefined ? text : `${name}(${text})`,
    minExtent: source.minExtent,
    parts: [source],
    docs(leaf, field) {
      const docs = source.docs(leaf, field);
      return docs && docsWith(docs, (leaves) => repeatedIntervals(docs.intervals(leaves), count));
    },
  });
}

/** A phrase of sources; phrases among them are parts of it. */
export function phraseIntervals(sources: Sources): IntervalsSource {
  const opened = (parts: Sources) => parts.flatMap((source) => (source.kind === "block" ? source.parts! : [source]));
  return anyIntervals(combinations(sources).map((parts) => joined("block", opened(parts))));
}

/** The sources of a disjunction; those of one position are one, as they cannot hide each other. */
function split(source: IntervalsSource): Sources {
  const all = source.pullUp();
  const ones = all.filter(({ minExtent }) => minExtent === 1);
  const longer = all.filter(({ minExtent }) => minExtent !== 1);
  return ones.length > 0 ? [anyIntervals(ones), ...longer] : longer;
}

/** More ways are refused: `indices.query.bool.max_clause_count`, as everywhere. */
const MOST_WAYS = 4096;

/** Each way to take one source of each disjunction (Disjunctions.pullUp). */
function combinations(sources: Sources): Sources[] {
  let ways: IntervalsSource[][] = [[]];
  for (const source of sources) {
    const choices = split(source);
    if (ways.length * choices.length > MOST_WAYS) throw illegalArgument("Too many disjunctions to expand");
    ways = choices.flatMap((choice) => ways.map((way) => [...way, choice]));
  }
  return ways;
}

export function maxGapsIntervals(source: IntervalsSource, maxGaps: number): IntervalsSource {
  const name = `MAXGAPS/${maxGaps}`;
  return anyIntervals(
    source.pullUp().map((part) =>
      single({
        key: `${name}(${part.key})`,
        description: `${name}(${part.description})`,
        minExtent: part.minExtent,
        parts: [part],
        docs(leaf, field) {
          const docs = part.docs(leaf, field);
          return docs && docsWith(docs, (leaves) => intervalsWithin(docs.intervals(leaves), maxGaps));
        },
      }),
    ),
  );
}

/** @param before positions that each interval begins earlier @param after positions that it ends later */
export function extendIntervals(source: IntervalsSource, before: number, after: number): IntervalsSource {
  if (before === 0 && after === 0) return source;
  const own: IntervalsSource = {
    key: `EXTEND(${source.key},${before},${after})`,
    description: `EXTEND(${source.description},${before},${after})`,
    parts: [source],
    minExtent: Math.min(before + source.minExtent + after, NO_MORE_INTERVALS),
    pullUp() {
      const inner = source.pullUp();
      return inner.length === 0
        ? [own]
        : inner.map((part) => (part === source ? own : extendIntervals(part, before, after)));
    },
    docs(leaf, field) {
      const docs = source.docs(leaf, field);
      return docs && docsWith(docs, (leaves) => extendedIntervals(docs.intervals(leaves), before, after));
    },
  };
  return own;
}

/** Intervals of another field. */
export function fixedFieldIntervals(name: string, source: IntervalsSource): IntervalsSource {
  const own: IntervalsSource = {
    key: `FIELD(${JSON.stringify(name)},${source.key})`,
    description: `FIELD(${name},${source.description})`,
    parts: [source],
    field: name,
    minExtent: source.minExtent,
    pullUp() {
      const inner = source.pullUp();
      return inner.length === 1 ? [own] : inner.map((part) => fixedFieldIntervals(name, part));
    },
    docs: (leaf) => source.docs(leaf, name),
  };
  return own;
}

function beside(source: IntervalsSource, side: "before" | "after"): IntervalsSource {
  const name = side === "before" ? "PRECEDING" : "FOLLOWING";
  return single({
    key: `${name}(${source.key})`,
    description: `${name}(${source.description})`,
    minExtent: 1,
    parts: [source],
    docs(leaf, field) {
      const docs = source.docs(leaf, field);
      return docs && docsWith(docs, (leaves) => besideIntervals(docs.intervals(leaves), side));
    },
  });
}

type Filter = (it: Intervals, others: Intervals) => Intervals;

/** Chooses by the other source, which must be in the document. @param pulled whose disjunctions are pulled up */
function choosing(
  name: string,
  filter: Filter,
  pulled: "source" | "other" | "both",
): (source: IntervalsSource, other: IntervalsSource) => IntervalsSource {
  const make = (source: IntervalsSource, other: IntervalsSource): IntervalsSource => ({
    key: `${name}(${keys([source, other])})`,
    description: `${name}(${texts([source, other])})`,
    minExtent: source.minExtent,
    parts: [source, other],
    pullUp: () => pullUp(source, other),
    docs(leaf, field) {
      const docs = source.docs(leaf, field);
      const others = docs && other.docs(leaf, field);
      return (
        docs &&
        others &&
        docsWith(allOf([docs, others]), (leaves) => filter(docs.intervals(leaves), others.intervals(leaves)))
      );
    },
  });
  const pullUp = (source: IntervalsSource, other: IntervalsSource): Sources => {
    if (pulled === "both") return combinations([source, other]).map(([a, b]) => make(a, b));
    return pulled === "source"
      ? split(source).map((part) => make(part, other))
      : split(other).map((part) => make(source, part));
  };
  return (source, other) => (pulled === "both" ? make(source, other) : anyIntervals(pullUp(source, other)));
}

/** Leaves out what the other source speaks against, where it is in the document. */
function excluding(
  name: string,
  filter: Filter,
  pulled?: "source" | "other",
): (source: IntervalsSource, other: IntervalsSource) => IntervalsSource {
  const make = (source: IntervalsSource, other: IntervalsSource): IntervalsSource =>
    single({
      key: `${name}(${keys([source, other])})`,
      description: `${name}(${texts([source, other])})`,
      minExtent: source.minExtent,
      parts: [source],
      docs(leaf, field) {
        const docs = source.docs(leaf, field);
        const others = docs && other.docs(leaf, field);
        if (!docs || !others) return docs;
        return docsWith(docs, (leaves) => {
          const doc = docs.docID();
          if (others.docID() < doc) others.advance(doc);
          return others.docID() === doc ? filter(docs.intervals(leaves), others.intervals()) : docs.intervals(leaves);
        });
      },
    });
  return (source, other) => {
    if (pulled === undefined) return make(source, other);
    return anyIntervals(
      pulled === "source"
        ? split(source).map((part) => make(part, other))
        : split(other).map((part) => make(source, part)),
    );
  };
}

const within = choosing("CONTAINED_BY", containedBy, "other");

/** The filters by their names in the DSL. */
export const INTERVAL_FILTERS: Readonly<
  Record<string, (source: IntervalsSource, other: IntervalsSource) => IntervalsSource>
> = {
  contained_by: within,
  containing: choosing("CONTAINING", containing, "source"),
  overlapping: choosing("OVERLAPPING", overlapping, "both"),
  not_contained_by: excluding("NOT_CONTAINED_BY", notContainedBy, "other"),
  not_containing: excluding("NOT_CONTAINING", notContaining, "source"),
  not_overlapping: excluding("NON_OVERLAPPING", notOverlapping),
  before: (source, other) => within(source, extendIntervals(beside(other, "before"), NO_MORE_INTERVALS, 0)),
  after: (source, other) => within(source, extendIntervals(beside(other, "after"), 0, NO_MORE_INTERVALS)),
};
