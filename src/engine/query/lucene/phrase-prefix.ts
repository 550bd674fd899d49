/** A phrase whose last term is only begun (Elasticsearch's MultiPhrasePrefixQuery): a phrase with the terms that the index has there. */
import { EngineError } from "../../errors.ts";
import type { IndexSearcher, Query } from "../types.ts";
import { matchNoneQuery } from "./constant.ts";
import { type PhrasePlace, phraseQuery } from "./phrase.ts";

export interface PhrasePrefixOptions {
  readonly field: string;
  readonly places: readonly PhrasePlace[];
  readonly slop: number;
  /** How many terms the last place is expanded to. */
  readonly maxExpansions: number;
  /** How many terms a single place may have. */
  readonly maxClauses: number;
}

export function phrasePrefixQuery(options: PhrasePrefixOptions): Query {
  const { field, places, slop, maxExpansions, maxClauses } = options;
  if (places.length === 0) return matchNoneQuery("no terms");
  const last = places[places.length - 1];
  const query: Query = {
    describe: () => describePrefix(options),
    toString: () => `${phraseQuery(field, places, slop)}*${maxExpansions}`,
    visit: (visitor) => visitor.phrasePrefix(query, options),
    rewrite(searcher) {
      const terms = expansions(searcher, field, last.terms, maxExpansions);
      if (terms.length === 0)
        return matchNoneQuery("No terms supplied for org.elasticsearch.common.lucene.search.MultiPhrasePrefixQuery");
      if (places.length === 1 && terms.length > maxClauses) {
        throw new EngineError("too_many_clauses", `maxClauseCount is set to ${maxClauses}`);
      }
      const expanded = [...places.slice(0, -1), { terms, position: last.position }];
      return phraseQuery(field, expanded, slop, true).rewrite(searcher);
    },
    createWeight() {
      throw new Error("a phrase with a prefix is rewritten before it is searched");
    },
  };
  return query;
}

/** Terms in their places, those of the last with a star behind each. */
function describePrefix({ field, places, slop }: PhrasePrefixOptions): string {
  const parts = places.map(({ terms }, i) => {
    const shown = i === places.length - 1 ? terms.map((term) => `${term}*`) : terms;
    return shown.length === 1 ? shown[0] : `(${shown.join(" ")})`;
  });
  return `${field}:"${parts.join(" ")}"${slop === 0 ? "" : `~${slop}`}`;
}

/** The first terms of each segment, in the order of bytes, until there are enough. */
function expansions({ leaves }: IndexSearcher, field: string, prefixes: readonly string[], most: number): string[] {
  const found = new Set<string>();
  const expand = (prefix: string): void => {
    for (const { segment } of leaves) {
      const terms = segment.terms(field);
      if (!terms) continue;
      const [from, to] = terms.prefixRange(prefix);
      for (let ord = from; ord < to; ord++) {
        found.add(terms.term(ord));
        if (found.size >= most) return;
      }
    }
  };
  for (const prefix of prefixes) {
    expand(prefix);
    if (found.size > most) break;
  }
  return [...found];
}
