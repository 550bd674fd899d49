/**
 * Metadata filters as DSL. A value is matched as it was indexed: a string through the field's `keyword` subfield (dynamic mapping makes
 * one for each string), numbers and booleans through the field itself.
 */
import type { estypes } from "@elastic/elasticsearch";
import { KEYWORD_LENGTH } from "../elasticsearch/layout.ts";
import {
  compareValues,
  FilterError,
  type FilterScalar,
  type Filters,
  type MetadataFilter,
  type NormalizedFilters,
  normalizeFilters,
} from "../schema/index.ts";

type Query = estypes.QueryDslQueryContainer;

/**
 * The filters as one query, or undefined where there are none.
 *
 * @param field prefix of the metadata fields. Default `metadata`
 * @throws FilterError for an operator that the DSL cannot express
 */
export function filtersToQuery(filters: Filters | undefined, field = "metadata"): Query | undefined {
  const normalized = normalizeFilters(filters);
  if (!normalized || normalized.filters.length === 0) return undefined;
  return listQuery(normalized, field);
}

function listQuery(list: NormalizedFilters, field: string): Query {
  const clauses = list.filters.map((item) =>
    "key" in item ? filterQuery(item, `${field}.${item.key}`) : listQuery(item, field),
  );
  // An empty list matches everything under every condition.
  if (clauses.length === 0) return { match_all: {} };
  switch (list.condition) {
    case "and":
      return clauses.length === 1 ? clauses[0]! : { bool: { filter: clauses } };
    case "or":
      return clauses.length === 1 ? clauses[0]! : { bool: { should: clauses, minimum_should_match: 1 } };
    case "not":
      return { bool: { must_not: clauses } };
  }
}

function filterQuery(filter: Required<MetadataFilter>, field: string): Query {
  const { operator, value, key } = filter;
  const long = list(value).find((item) => typeof item === "string" && item.length > KEYWORD_LENGTH);
  if (long !== undefined) {
    throw new FilterError(
      key,
      `the filter on [${key}] has a text of ${String(long).length} characters: an index matches texts of ${KEYWORD_LENGTH} at most`,
    );
  }
  switch (operator) {
    case "==":
      return Array.isArray(value) ? exactly(field, value) : held(field, scalarOrNull(value, key));
    case "contains":
      return held(field, scalarOrNull(value, key));
    case "!=":
      return { bool: { must_not: [filterQuery({ ...filter, operator: "==" }, field)] } };
    case "in":
    case "any":
      return anyOf(field, list(value));
    case "nin":
      return { bool: { must_not: [anyOf(field, list(value))] } };
    case "all": {
      const values = list(value);
      // Of no values, all are there wherever the field exists.
      if (values.length === 0) return { exists: { field } };
      return { bool: { filter: values.map((item) => (item === null ? { match_none: {} } : equal(field, item))) } };
    }
    case ">":
      return range(field, { gt: bound(value, key) });
    case ">=":
      return range(field, { gte: bound(value, key) });
    case "<":
      return range(field, { lt: bound(value, key) });
    case "<=":
      return range(field, { lte: bound(value, key) });
    case "is_empty":
      return empty(field);
    case "text_match":
      return substring(field, scalar(value, key), key, false);
    case "text_match_insensitive":
      return substring(field, scalar(value, key), key, true);
  }
}

/** A field with several values matches when one of them does. Nothing equals null. */
function held(field: string, value: FilterScalar): Query {
  return value === null ? { match_none: {} } : equal(field, value);
}

/** These values and no others, in any order: a field is a set of values. What lies between, before and after them is no other. */
function exactly(field: string, values: FilterScalar[]): Query {
  const wanted = [...new Set(values)];
  if (wanted.includes(null)) return { match_none: {} };
  if (wanted.length === 0) return missing(field);
  const known = (wanted as Exclude<FilterScalar, null>[]).sort(compareValues);
  return either(
    termFields(field, known[0]!).map((name) => ({
      bool: {
        filter: known.map((value) => ({ term: { [name]: { value } } })),
        must_not: others(name, known),
      },
    })),
  );
}

/** What finds any value that is not among those, which are sorted. */
function others(name: string, known: Exclude<FilterScalar, null>[]): Query[] {
  if (typeof known[0] === "boolean") {
    return known.length > 1 ? [] : [{ term: { [name]: { value: !known[0] } } }];
  }
  const bounds = known as (string | number)[];
  return [
    { range: { [name]: { lt: bounds[0]! } } },
    ...bounds.slice(1).map((to, i) => ({ range: { [name]: { gt: bounds[i]!, lt: to } } })),
    { range: { [name]: { gt: bounds.at(-1)! } } },
  ];
}

function equal(field: string, value: Exclude<FilterScalar, null>): Query {
  return either(termFields(field, value).map((name) => ({ term: { [name]: { value } } })));
}

/** What the layout keeps beside the node's own metadata is a keyword by itself, or was mapped as text by other software. */
const LAYOUT_FIELD = /\.(?:document_id|doc_id|ref_doc_id|_node_type)$/;

/** Strings match whole, and compare, through the keyword subfield: ISO dates sort as they should there. */
function termFields(field: string, value: Exclude<FilterScalar, null>): string[] {
  if (typeof value !== "string") return [field];
  return LAYOUT_FIELD.test(field) ? [field, `${field}.keyword`] : [`${field}.keyword`];
}

function either(queries: Query[]): Query {
  return queries.length === 1 ? queries[0]! : { bool: { should: queries, minimum_should_match: 1 } };
}

function anyOf(field: string, values: FilterScalar[]): Query {
  const byField = new Map<string, Exclude<FilterScalar, null>[]>();
  for (const value of values) {
    if (value === null) continue;
    for (const name of termFields(field, value)) {
      const terms = byField.get(name);
      if (terms) terms.push(value);
      else byField.set(name, [value]);
    }
  }
  if (byField.size === 0) return { match_none: {} };
  return either([...byField].map(([name, terms]) => ({ terms: { [name]: terms } })));
}

function range(field: string, bounds: Record<string, string | number>): Query {
  return either(termFields(field, Object.values(bounds)[0]!).map((name) => ({ range: { [name]: bounds } })));
}

function missing(field: string): Query {
  return { bool: { must_not: [{ exists: { field } }] } };
}

/** Missing, null, an empty list (all three leave no value) or an empty string. */
function empty(field: string): Query {
  return {
    bool: { should: [missing(field), { term: { [`${field}.keyword`]: { value: "" } } }], minimum_should_match: 1 },
  };
}

function substring(field: string, value: FilterScalar, key: string, caseInsensitive: boolean): Query {
  if (typeof value !== "string") throw new FilterError(key, `text_match on [${key}] needs a string`);
  const fields = termFields(field, value);
  if (!caseInsensitive) return either(fields.map((name) => ({ wildcard: { [name]: { value: wildcard(value) } } })));
  // Wildcards and patterns of Elasticsearch fold the case of ASCII letters only: other letters are spelt out in both.
  if (/^[\x00-\x7f]*$/.test(value) || !hasCase(value)) {
    return either(fields.map((name) => ({ wildcard: { [name]: { value: wildcard(value), case_insensitive: true } } })));
  }
  const pattern = `.*${[...value].map(bothCases).join("")}.*`;
  return either(fields.map((name) => ({ regexp: { [name]: { value: pattern, case_insensitive: true } } })));
}

function wildcard(value: string): string {
  return `*${value.replace(/[\\*?]/g, "\\$&")}*`;
}

function hasCase(value: string): boolean {
  return value.toLowerCase() !== value.toUpperCase();
}

/** A character of Lucene's patterns that stands for its small and its capital form, where both are single characters. */
function bothCases(char: string): string {
  const forms = [...new Set([char, char.toLowerCase(), char.toUpperCase()])].filter((form) => [...form].length === 1);
  if (char <= "\x7f" || forms.length === 1) return char.replace(/[.?+*|{}[\]()"\\#@&<>~^$-]/, "\\$&");
  return `[${forms.join("")}]`;
}

function list(value: MetadataFilter["value"]): FilterScalar[] {
  return Array.isArray(value) ? value : [value ?? null];
}

function scalarOrNull(value: MetadataFilter["value"], key: string): FilterScalar {
  if (Array.isArray(value)) {
    throw new FilterError(key, `the filter on [${key}] needs a single value; for several use the operator "in"`);
  }
  return value ?? null;
}

function scalar(value: MetadataFilter["value"], key: string): Exclude<FilterScalar, null> {
  const single = scalarOrNull(value, key);
  if (single === null) throw new FilterError(key, `the filter on [${key}] needs a value, not null`);
  return single;
}

function bound(value: MetadataFilter["value"], key: string): string | number {
  const single = scalar(value, key);
  if (typeof single === "boolean") throw new FilterError(key, `a range on [${key}] needs a number or a string`);
  return single;
}
