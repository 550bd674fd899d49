/** Terms next to each other: Lucene's PhraseQuery, and MultiPhraseQuery where a place has several terms. */
import { EngineError } from "../../errors.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import type { LeafReader } from "../../segment/types.ts";
import { explainWeight, matched, unmatched } from "../explanation.ts";
import { fieldMatches, type Match, type Matches, standsAt } from "../matches.ts";
import {
  confirms,
  exactPhraseMatcher,
  type PhrasePart,
  type PhraseScorer,
  phraseScorer,
  sloppyPhraseMatcher,
  termScorer,
  unionPositions,
} from "../scorers/index.ts";
import type { SimScorer } from "../similarity.ts";
import type { Query } from "../types.ts";
import { booleanQuery } from "./boolean.ts";
import { matchNoneQuery } from "./constant.ts";
import { similarityOf, termQuery } from "./term.ts";

/** The terms of one place. */
export interface PhrasePlace {
  readonly terms: readonly string[];
  readonly position: number;
}

export interface PhraseQuery extends Query {
  readonly field: string;
  readonly places: readonly PhrasePlace[];
  readonly slop: number;
}

/** A phrase of one place, which is shown as a phrase until it is rewritten to its terms. */
export function onePlaceQuery(field: string, place: PhrasePlace): Query {
  const terms = phraseQuery(field, [place]);
  const shown = place.terms.length === 1 ? place.terms[0] : `(${place.terms.join(" ")})`;
  return { ...terms, describe: () => `${field}:"${shown}"`, rewrite: (searcher) => terms.rewrite(searcher) };
}

/**
 * @param places ascending
 * @param slop how many moves of a term away from its place are allowed
 * @param multi a place may have several terms, whether one of these has or not
 */
export function phraseQuery(field: string, places: readonly PhrasePlace[], slop = 0, multi = false): Query {
  if (places.length === 0) return matchNoneQuery("empty PhraseQuery");
  if (places.length === 1) {
    const [{ terms }] = places;
    if (terms.length === 1) return termQuery(field, terms[0]);
    return booleanQuery(terms.map((term) => ({ occur: "should", query: termQuery(field, term) })));
  }
  const query: PhraseQuery = {
    className: multi || places.some(({ terms }) => terms.length > 1) ? "MultiPhraseQuery" : "PhraseQuery",
    field,
    places,
    slop,
    describe: () => describePhrase(query),
    toString: () => phraseText(query),
    visit: (visitor) => visitor.phrase(query, query),
    rewrite() {
      const [{ position: first }] = places;
      if (first === 0 || places.some(({ terms }) => terms.length > 1)) return query;
      return phraseQuery(
        field,
        places.map(({ terms, position }) => ({ terms, position: position - first })),
        slop,
        multi,
      );
    },
    createWeight(searcher, mode, boost) {
      const sim = similarityOf(searcher, mode, field, boost, () =>
        places
          .flatMap(({ terms }) => terms)
          .map((term) => searcher.docFreq(field, term))
          .filter((docFreq) => docFreq > 0),
      );
      return {
        query,
        scorer: (leaf) => leafScorer(leaf, query, sim),
        matches: (leaf, doc) => phraseMatches(leaf, doc, query, sim),
        explain(leaf, doc) {
          const scorer = leafScorer(leaf, query, sim);
          if (scorer?.advance(doc) !== doc) return unmatched("no matching terms");
          if (!confirms(scorer)) return unmatched("no matching phrase");
          const freq = scorer.freq();
          const score = sim.explain(matched(freq, `phraseFreq=${javaFloat(freq)}`), scorer.norm());
          return explainWeight(query.describe(), doc, score);
        },
      };
    },
  };
  return query;
}

function phraseText({ field, places, slop }: PhraseQuery): string {
  const text = places.map(
    ({ terms, position }) => `${position}:${terms.map((term) => JSON.stringify(term)).join("|")}`,
  );
  return `${field}:"${text.join(" ")}"${slop === 0 ? "" : `~${slop}`}`;
}

/** Terms in their places, a question mark where there is none. */
function describePhrase({ field, places, slop }: PhraseQuery): string {
  const multiple = places.some(({ terms }) => terms.length > 1);
  // A place before the first is shown of plain phrases only.
  let last = multiple ? places[0].position - 1 : -1;
  const parts: string[] = [];
  for (const { terms, position } of places) {
    while (++last < position) parts.push("?");
    parts.push(terms.length === 1 ? terms[0] : `(${terms.join(" ")})`);
  }
  return `${field}:"${parts.join(" ")}"${slop === 0 ? "" : `~${slop}`}`;
}

function leafScorer(leaf: LeafReader, query: PhraseQuery, sim: SimScorer): PhraseScorer | undefined {
  const parts = leafParts(leaf, query, sim);
  return parts && phraseScorer({ parts, slop: query.slop, norms: leaf.segment.norms(query.field), sim });
}

/** PhraseWeight.matches: a phrase is marked as a whole. */
function phraseMatches(leaf: LeafReader, doc: number, query: PhraseQuery, sim: SimScorer): Matches | undefined {
  const { field, places, slop } = query;
  const parts = leafParts(leaf, query, sim);
  if (!parts?.every(({ postings }) => standsAt(postings, doc))) return undefined;
  const matcher = slop === 0 ? exactPhraseMatcher(parts) : sloppyPhraseMatcher(parts, slop, true);
  const label = places.flatMap(({ terms }) => terms).join(" ");
  const found: Match[] = [];
  matcher.reset();
  while (matcher.nextMatch()) found.push({ ...matcher.extent(), label });
  return fieldMatches(field, found);
}

function withoutPositions(query: PhraseQuery): EngineError {
  const name = query.places.some(({ terms }) => terms.length > 1) ? "MultiPhraseQuery" : "PhraseQuery";
  const reason = `field "${query.field}" was indexed without position data; cannot run ${name} (phrase=${query.describe()})`;
  return new EngineError("illegal_state_exception", reason, { status: 500, metadata: { phase: "shard" } });
}

function leafParts({ segment }: LeafReader, query: PhraseQuery, sim: SimScorer): PhrasePart[] | undefined {
  const { field, places } = query;
  const dictionary = segment.terms(field);
  if (!dictionary) return undefined;
  if (dictionary.info.index !== "positions") throw withoutPositions(query);
  const norms = segment.norms(field);
  const parts: PhrasePart[] = [];
  for (const { terms, position } of places) {
    const postings = terms
      .map((term) => dictionary.lookup(term))
      .filter((ord) => ord >= 0)
      .map((ord) => dictionary.postings(ord, { positions: true }));
    if (postings.length === 0) return undefined;
    const single = postings.length === 1 ? postings[0] : undefined;
    parts.push({
      postings: single ?? unionPositions(postings),
      position,
      terms,
      ...(single === undefined ? {} : { bound: termScorer(single, norms, sim) }),
    });
  }
  return parts;
}
