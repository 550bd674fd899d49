/**
 * Queries on runtime fields (Elasticsearch's AbstractScriptFieldQuery): every document is a candidate, and its values are read from its source
 * when it is looked at. One score for all.
 */
import { javaFloat } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
import { denseIterator } from "../../segment/doc-iterators.ts";
import type { LeafReader } from "../../segment/types.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { constantScorer, matchesAt } from "../scorers/index.ts";
import type { Query } from "../types.ts";

export type RuntimeValues = readonly (string | number | bigint)[];

/** As Elasticsearch assumes of a script: dearer than anything that an index answers. */
const MATCH_COST = 9000;

/**
 * @param text Lucene's text of the query
 * @param matches whether a document with these values matches
 */
export function runtimeQuery(
  field: MappedField,
  kind: string,
  text: string,
  matches: (values: RuntimeValues) => boolean,
  key = text,
): Query {
  const { runtime } = field;
  if (runtime === undefined) throw new Error(`[${field.name}] is no runtime field`);
  const query: Query = {
    className: runtimeClass(field, kind),
    describe: () => text,
    toString: () => `runtime ${field.name} ${runtime.key} ${key}`,
    rewrite: () => query,
    createWeight(searcher, _mode, boost) {
      const scorer = (leaf: LeafReader) => {
        const docs = denseIterator(leaf.segment.maxDoc);
        return constantScorer(docs, boost, {
          matchCost: MATCH_COST,
          matches: () => {
            // Highlighters search a text alone, of a document that was found: it has matched.
            if (searcher.source === undefined) return true;
            const source = searcher.source(leaf, docs.docID());
            return source !== undefined && matches(runtime.values(source));
          },
        });
      };
      return {
        query,
        scorer,
        explain(leaf, doc) {
          if (!matchesAt(scorer(leaf), doc)) return unmatched(`${text} doesn't match id ${doc}`);
          const shown = boost === 1 ? text : `${text}^${javaFloat(boost)}`;
          return matched(boost, shown, [explainRuntimeScore(boost)]);
        },
      };
    },
  };
  return query;
}

/** AbstractScriptFieldQuery.explain */
export function explainRuntimeScore(boost: number): Explanation {
  return matched(boost, "boost * runtime_field_score", [
    matched(boost, "boost"),
    matched(1, "runtime_field_score is always 1"),
  ]);
}

/** Elasticsearch's class of a query on a runtime field: dates are longs. */
export function runtimeClass({ type }: MappedField, kind: string): string {
  const names: { readonly [type: string]: string } = { keyword: "String", date: "Long" };
  return `${names[type] ?? `${type[0].toUpperCase()}${type.slice(1)}`}ScriptField${kind}Query`;
}
