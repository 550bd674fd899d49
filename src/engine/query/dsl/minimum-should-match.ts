/** `minimum_should_match` in all its forms (Elasticsearch's Queries.calculateMinShouldMatch). */
import { EngineError } from "../../errors.ts";
import { booleanQuery, isBoolean } from "../lucene/boolean.ts";
import type { Query } from "../types.ts";

/** Java's Integer.parseInt. */
export function parseInteger(text: string): number {
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= -(2 ** 31) && number < 2 ** 31) return number;
  throw new EngineError("number_format_exception", `For input string: "${text}"`);
}

/**
 * How many of `optional` clauses must match: `2`, `-1`, `75%`, `-25%`, `3<90%`, `2<-25% 9<-3`.
 * @throws number_format_exception for anything else, array_index_out_of_bounds_exception for `2<`
 */
export function minimumShouldMatch(optional: number, spec: string): number {
  const text = spec.trim();
  if (text.includes("<")) {
    let result = optional;
    for (const part of text.replace(/\s*<\s*/g, "<").split(/\s+/)) {
      const [bound, inner] = part.split("<");
      if (optional <= parseInteger(bound)) return result;
      if (!inner) {
        const reason = "Index 1 out of bounds for length 1";
        throw new EngineError("array_index_out_of_bounds_exception", reason);
      }
      result = minimumShouldMatch(optional, inner);
    }
    return result;
  }
  if (text.includes("%")) {
    const percent = parseInteger(text.slice(0, -1));
    // In floats, as Java has it, then cut.
    const part = Math.trunc(Math.fround(Math.fround(optional * percent) * Math.fround(1 / 100)));
    return Math.max(0, percent < 0 ? optional + part : part);
  }
  const number = parseInteger(text);
  return Math.max(0, number < 0 ? optional + number : number);
}

/** Applied to a query of should clauses; other queries stay as they are. */
export function applyMinimumShouldMatch(query: Query, spec: string | undefined): Query {
  if (spec === undefined || !isBoolean(query)) return query;
  const optional = query.clauses.filter(({ occur }) => occur === "should").length;
  const least = minimumShouldMatch(optional, spec);
  return least > 0 ? booleanQuery(query.clauses, least) : query;
}
