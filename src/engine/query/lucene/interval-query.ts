/** Documents with intervals of a source (Lucene's IntervalQuery): scored by how many there are and how narrow, never by how rare their terms are. */
import { type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import { matched, unmatched } from "../explanation.ts";
import { fieldMatches, type Match, type Matches, standsAt } from "../matches.ts";
import { matchesAt } from "../scorers/index.ts";
import { type Intervals, NO_MORE_INTERVALS } from "../scorers/intervals.ts";
import type { Query, Scorer } from "../types.ts";
import type { IntervalsSource } from "./interval-sources.ts";

export function intervalQuery(field: string, source: IntervalsSource): Query {
  const description = `${field}:${source.description}`;
  const query: Query = {
    className: "IntervalQuery",
    describe: () => description,
    toString: () => `intervals(${field}:${source.key})`,
    rewrite: () => query,
    visit: (visitor) => visitor.intervals(query, field, source),
    createWeight(_searcher, _mode, boost) {
      const scorer = (leaf: LeafReader) => intervalScorer(leaf, field, source, boost);
      return {
        query,
        scorer,
        matches: (leaf, doc) => intervalMatches(leaf, doc, field, source),
        explain(leaf, doc) {
          const at = scorer(leaf);
          if (!matchesAt(at, doc)) return unmatched("no matching intervals");
          return matched(at.score(), "Saturation function on interval frequency, computed as w * S / (S + k) from:", [
            matched(boost, "w, weight of this function"),
            matched(1, "k, pivot feature value that would give a score contribution equal to w/2"),
            matched(at.freq(), `S, the sloppy frequency of the interval query ${description}`),
          ]);
        },
      };
    },
  };
  return query;
}

/** IntervalWeight.matches: the terms of each interval are marked. */
function intervalMatches(leaf: LeafReader, doc: number, field: string, source: IntervalsSource): Matches | undefined {
  const docs = source.docs(leaf, field);
  if (!docs || !standsAt(docs, doc)) return undefined;
  const found: Match[] = [];
  const it = docs.intervals(true);
  while (it.next() !== NO_MORE_INTERVALS) {
    const parts = (it.leaves?.() ?? []).map(({ term, position, startOffset, endOffset }): Match => {
      return { start: position, end: position, startOffset, endOffset, label: term };
    });
    if (parts.length === 0) continue;
    const startOffset = Math.min(...parts.map((part) => part.startOffset));
    const endOffset = Math.max(...parts.map((part) => part.endOffset));
    found.push({ start: it.start(), end: it.end(), startOffset, endOffset, label: source.description, parts });
  }
  return fieldMatches(field, found);
}

function intervalScorer(
  leaf: LeafReader,
  field: string,
  { docs: docsOf, minExtent }: IntervalsSource,
  boost: number,
): (Scorer & { freq(): number }) | undefined {
  const docs = docsOf(leaf, field);
  if (!docs) return undefined;
  let asked = -1;
  let found: Intervals | undefined;
  let sum: number | undefined;
  /** The document's intervals, at the first one; undefined where it has none. */
  const first = (): Intervals | undefined => {
    if (asked !== docs.docID()) {
      asked = docs.docID();
      sum = undefined;
      found = docs.intervals();
      if (found.next() === NO_MORE_INTERVALS) found = undefined;
    }
    return found;
  };
  const freq = (): number => {
    const it = first();
    if (sum !== undefined || !it) return sum ?? 0;
    sum = 0;
    do {
      const beyond = it.end() - it.start() + 1 - minExtent;
      // A double is added to a float.
      sum = Math.fround(sum + 1 / Math.max(beyond + 1, 1));
    } while (it.next() !== NO_MORE_INTERVALS);
    return sum;
  };
  const f = Math.fround;
  return {
    freq,
    docID: () => docs.docID(),
    nextDoc: () => docs.nextDoc(),
    advance: (target) => docs.advance(target),
    cost: () => docs.cost(),
    score: () => f(boost * f(1 - f(1 / f(1 + freq())))),
    maxScore: () => boost,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore: () => {},
    twoPhase: { matchCost: 512, matches: () => first() !== undefined },
  };
}
