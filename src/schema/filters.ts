/**
 * Metadata filters, in two forms: the short one, an object of conditions that must all hold, and LlamaIndex's list of
 * filters with operators, which nests. `normalizeFilters` turns either into the list, once, at the door.
 */

import { FilterError } from "./errors.ts";

/** A value that a filter compares with. */
export type FilterScalar = string | number | boolean | null;

/** LlamaIndex's operators. `is_empty` takes no value; `in`, `nin`, `any` and `all` take a list. */
export const FILTER_OPERATORS = [
  "==",
  "!=",
  ">",
  ">=",
  "<",
  "<=",
  "in",
  "nin",
  "any",
  "all",
  "text_match",
  "text_match_insensitive",
  "contains",
  "is_empty",
] as const;

/** How a filter compares, by LlamaIndex's signs and names. */
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** A condition on one key of the metadata. */
export interface MetadataFilter {
  key: string;
  value?: FilterScalar | FilterScalar[];
  /** Default `==`. */
  operator?: FilterOperator;
}

/** LlamaIndex's list form. `not` means: none of them matches. */
export interface MetadataFilters {
  filters: (MetadataFilter | MetadataFilters)[];
  /** Default `and`. */
  condition?: "and" | "or" | "not";
}

/** Conditions on one key in the short form; all of them must hold. */
export interface FilterConditions {
  eq?: FilterScalar;
  ne?: FilterScalar;
  gt?: string | number;
  gte?: string | number;
  lt?: string | number;
  lte?: string | number;
  in?: FilterScalar[];
  nin?: FilterScalar[];
  any?: FilterScalar[];
  all?: FilterScalar[];
  contains?: FilterScalar;
  textMatch?: string;
  textMatchInsensitive?: string;
  /** `true`: missing, null, "" or []. `false`: none of these. */
  isEmpty?: boolean;
}

/**
 * The short form: `{ level: "员工", effective: { gte: "2024-01-01" } }`. A list as a value means any of its values.
 */
export type ShortFilters = { [key: string]: FilterScalar | FilterScalar[] | FilterConditions };

/** Conditions on metadata: short, as `{ level: "员工", days: { gte: 3 } }`, or LlamaIndex's list with `condition`. */
export type Filters = ShortFilters | MetadataFilters;

/** The list form with every default filled in. */
export interface NormalizedFilters {
  filters: (Required<MetadataFilter> | NormalizedFilters)[];
  condition: "and" | "or" | "not";
}

const SHORT_OPERATORS: Record<Exclude<keyof FilterConditions, "isEmpty">, FilterOperator> = {
  eq: "==",
  ne: "!=",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  in: "in",
  nin: "nin",
  any: "any",
  all: "all",
  contains: "contains",
  textMatch: "text_match",
  textMatchInsensitive: "text_match_insensitive",
};

const LIST_OPERATORS: readonly FilterOperator[] = ["in", "nin", "any", "all"];
const MAX_DEPTH = 64;

/**
 * Either form as the list form, checked. `undefined` stays `undefined`; an empty list matches everything.
 *
 * @throws FilterError for an unknown operator, a value that does not fit its operator, or nesting deeper than 64
 */
export function normalizeFilters(filters: Filters | undefined): NormalizedFilters | undefined {
  if (filters === undefined || filters === null) return undefined;
  if (typeof filters !== "object" || Array.isArray(filters)) {
    throw new FilterError("", 'filters must be an object such as { level: "员工" } or { filters: [{ key, value }] }');
  }
  return isListForm(filters) ? normalizeList(filters, 0) : normalizeShort(filters);
}

function isListForm(filters: Filters): filters is MetadataFilters {
  const list = (filters as { filters?: unknown }).filters;
  // A metadata key may be called "filters" too: its list would hold plain values.
  return Array.isArray(list) && list.every((item) => typeof item === "object" && item !== null);
}

function normalizeList(list: MetadataFilters, depth: number): NormalizedFilters {
  if (depth > MAX_DEPTH) throw new FilterError("", `filters are nested deeper than ${MAX_DEPTH}`);
  const condition = list.condition ?? "and";
  if (condition !== "and" && condition !== "or" && condition !== "not") {
    throw new FilterError("", `unknown filter condition "${String(condition)}": use "and", "or" or "not"`);
  }
  return {
    condition,
    filters: list.filters.map((item) =>
      "key" in item ? checked(item.key, item.operator ?? "==", item.value) : normalizeList(asList(item), depth + 1),
    ),
  };
}

function asList(item: MetadataFilters): MetadataFilters {
  if (!Array.isArray(item.filters)) {
    throw new FilterError("", "an item of filters needs a key and a value, or filters of its own");
  }
  return item;
}

function normalizeShort(short: ShortFilters): NormalizedFilters {
  const filters: (Required<MetadataFilter> | NormalizedFilters)[] = [];
  for (const [key, condition] of Object.entries(short)) {
    if (condition === undefined) continue;
    if (Array.isArray(condition)) filters.push(checked(key, "in", condition));
    else if (typeof condition === "object" && condition !== null) filters.push(...conditions(key, condition));
    else filters.push(condition === null ? checked(key, "is_empty", null) : checked(key, "==", condition));
  }
  return { condition: "and", filters };
}

function conditions(key: string, condition: FilterConditions): (Required<MetadataFilter> | NormalizedFilters)[] {
  const out: (Required<MetadataFilter> | NormalizedFilters)[] = [];
  for (const [name, value] of Object.entries(condition)) {
    if (value === undefined) continue;
    if (name === "isEmpty") {
      const empty = checked(key, "is_empty", null);
      out.push(value ? empty : { condition: "not", filters: [empty] });
      continue;
    }
    const operator = Object.hasOwn(SHORT_OPERATORS, name)
      ? SHORT_OPERATORS[name as keyof typeof SHORT_OPERATORS]
      : undefined;
    if (!operator) {
      const known = [...Object.keys(SHORT_OPERATORS), "isEmpty"].join(", ");
      throw new FilterError(key, `unknown condition "${name}" on [${key}]: known are ${known}`);
    }
    out.push(checked(key, operator, value as FilterScalar | FilterScalar[]));
  }
  return out;
}

function checked(key: string, operator: FilterOperator, value: MetadataFilter["value"]): Required<MetadataFilter> {
  if (typeof key !== "string" || key === "")
    throw new FilterError(String(key), "a filter needs a key that is not empty");
  if (!FILTER_OPERATORS.includes(operator)) {
    throw new FilterError(
      key,
      `unknown filter operator "${String(operator)}" on [${key}]: known are ${FILTER_OPERATORS.join(", ")}`,
    );
  }
  if (operator === "is_empty") return { key, operator, value: null };
  if (value === undefined) throw new FilterError(key, `the filter on [${key}] has no value`);
  if (LIST_OPERATORS.includes(operator) && !Array.isArray(value)) {
    throw new FilterError(key, `the operator "${operator}" on [${key}] needs a list of values`);
  }
  const scalars = Array.isArray(value) ? value : [value];
  for (const scalar of scalars) {
    if (scalar !== null && !["string", "number", "boolean"].includes(typeof scalar)) {
      throw new FilterError(key, `a filter value on [${key}] must be a string, a number, a boolean or null`);
    }
  }
  if (new Set(scalars.filter((scalar) => scalar !== null).map((scalar) => typeof scalar)).size > 1) {
    throw new FilterError(key, `the values of a filter on [${key}] must be of one kind: all strings, or all numbers`);
  }
  if (operator.startsWith("text_match") && typeof value !== "string") {
    throw new FilterError(key, `the operator "${operator}" on [${key}] needs a string`);
  }
  return { key, operator, value };
}
