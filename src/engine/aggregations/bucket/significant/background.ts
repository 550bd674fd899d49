/** How frequent terms are among the documents that a set is compared with: all of the index, or those of a filter. */

import type { MappedField } from "../../../mapping/types.ts";
import type { QueryBuilder } from "../../../query/dsl/index.ts";
import { fieldTermQuery } from "../../../query/dsl/term-level.ts";
import { booleanQuery } from "../../../query/lucene/boolean.ts";
import { matchAllQuery } from "../../../query/lucene/constant.ts";
import { numbersQuery } from "../../../query/lucene/range.ts";
import { confirmed } from "../../../query/scorers/index.ts";
import type { Query } from "../../../query/types.ts";
import { hitCandidates } from "../../../search/searcher.ts";
import { NO_MORE_DOCS } from "../../../segment/types.ts";
import type { ValuesSource } from "../../support/values-source.ts";
import type { AggregationContext } from "../../types.ts";
import type { TermKey } from "../terms/internal-terms.ts";

export interface Background {
  readonly size: number;
  count(key: TermKey): number;
}

/** @param format how text keys are written in queries */
export function backgroundOf(
  field: MappedField,
  source: Pick<ValuesSource, "kind" | "format">,
  filter: QueryBuilder | undefined,
  context: AggregationContext,
): Background {
  const { searcher, query } = context;
  // Its names are not those of the search.
  const within = filter?.toQuery({ ...query, named: [] });
  const known = new Map<TermKey, number>();
  const queryOf = (key: TermKey): Query => {
    if (typeof key === "string") {
      return fieldTermQuery(field, source.kind === "ip" ? String(source.format.format(key)) : key, query);
    }
    return numbersQuery(field.info.name, [key], field.indexed && field.family !== "boolean");
  };
  const countOf = (key: TermKey): number => {
    // A term's own count is at hand where nothing else is asked, and no nested documents are to be left out.
    const asIs = field.family !== "metadata" && field.family !== "boolean" && query.mapping.nestedPaths().length === 0;
    const plain = typeof key === "string" && source.kind === "keyword" && field.indexed && asIs;
    if (plain && !within && !field.runtime) return searcher.docFreq(field.info.name, (field.termPrefix ?? "") + key);
    return documents(both(queryOf(key), within), context);
  };
  return {
    size: documents(within ?? matchAllQuery(), context),
    count(key) {
      const before = known.get(key);
      if (before !== undefined) return before;
      const count = countOf(key);
      known.set(key, count);
      return count;
    },
  };
}

const both = (query: Query, filter: Query | undefined): Query =>
  filter
    ? booleanQuery([
        { occur: "filter", query },
        { occur: "filter", query: filter },
      ])
    : query;

/** How many live documents a query matches. */
function documents(query: Query, { searcher }: AggregationContext): number {
  const weight = query.rewrite(searcher).createWeight(searcher, "none", 1);
  let count = 0;
  for (const leaf of searcher.leaves) {
    const scorer = weight.scorer(leaf);
    if (!scorer) continue;
    const live = hitCandidates(leaf);
    const walk = confirmed(scorer);
    for (let doc = walk.nextDoc(); doc !== NO_MORE_DOCS; doc = walk.nextDoc()) if (!live || live.get(doc)) count++;
  }
  return count;
}
