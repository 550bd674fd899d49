/** Whether a query can match documents that it should not, so that a filter is needed (Elasticsearch's NestedHelper). */
import type { Query } from "../types.ts";
import { isBoolean } from "./boolean.ts";
import { inner, matchesNone } from "./constant.ts";
import type { IteratorQuery } from "./iterator.ts";
import { isTerm } from "./term.ts";

/** @param mayHold whether documents of the unwanted kind can hold a field */
export function mightMatch(query: Query, mayHold: (field: string) => boolean): boolean {
  const within = inner(query);
  if (within) return mightMatch(within, mayHold);
  if (matchesNone(query)) return false;
  if (isTerm(query)) return mayHold(query.field);
  if (isBoolean(query)) {
    const required = query.clauses.filter(({ occur }) => occur === "must" || occur === "filter");
    if (required.length > 0) return required.every((clause) => mightMatch(clause.query, mayHold));
    return query.clauses.some(({ occur, query: each }) => occur === "should" && mightMatch(each, mayHold));
  }
  const { onlyField } = query as Partial<IteratorQuery>;
  if (onlyField !== undefined) return mayHold(onlyField);
  return (query as { readonly rootsOnly?: boolean }).rootsOnly !== true;
}
