/** Queries on runtime fields: what their types make of a value, and how Elasticsearch shows them. */
import type { JsonValue } from "../../json/types.ts";
import { formatAddress, stepAddress } from "../../mapping/ip-address.ts";
import { hashOrder, javaDouble } from "../../mapping/java-text.ts";
import type { IndexedValue, MappedField } from "../../mapping/types.ts";
import { denseIterator } from "../../segment/doc-iterators.ts";
import { compareNumbers } from "../../segment/index.ts";
import type { OrdinalColumn } from "../../segment/types.ts";
import { acceptsText } from "../automaton/byte-automaton.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import type { TermMatcher } from "../lucene/multi-term.ts";
import { type RuntimeValues, runtimeClass, runtimeQuery } from "../lucene/runtime.ts";
import type { Query } from "../types.ts";
import type { QueryContext } from "./builder.ts";
import { textOf } from "./read.ts";

type Value = string | number | bigint;

const LONG_MAX = 2n ** 63n - 1n;

// As Java's primitives compare: −0 is 0, and NaN nothing.
const atLeast = (a: Value, b: Value) => a >= b;
const same = (a: Value, b: Value) => atLeast(a, b) && atLeast(b, a);
const has = (values: RuntimeValues, wanted: Value) => values.some((value) => same(value, wanted));

/** A value in the query's text. */
function show({ type }: MappedField, value: Value): string {
  if (type === "ip") return formatAddress(String(value));
  if (type === "boolean") return String(Number(value) === 1);
  return type === "double" ? javaDouble(Number(value)) : String(value);
}

export function runtimeExistsQuery(field: MappedField): Query {
  return runtimeQuery(field, "Exists", `${field.name}:${runtimeClass(field, "Exists")}`, (values) => values.length > 0);
}

export function runtimeTermQuery(
  field: MappedField,
  value: JsonValue,
  { now }: QueryContext,
  ignoreCase = false,
): Query {
  if (ignoreCase) {
    if (field.type === "keyword") return ignoringCaseQuery(field, textOf(value) ?? "");
    // Booleans are read in any case.
    value = (textOf(value) ?? "").toLowerCase();
  }
  const wanted = field.termValue(value, { now });
  if (wanted === undefined) return matchNoneQuery(`Value [${textOf(value)}] is no ${field.type}`);
  if (typeof wanted === "object") return spanQuery(field, wanted);
  return runtimeQuery(field, "Term", `${field.name}:${show(field, wanted)}`, (values) => has(values, wanted));
}

function ignoringCaseQuery(field: MappedField, term: string): Query {
  const lower = term.toLowerCase();
  const matches = (values: RuntimeValues) => values.some((value) => String(value).toLowerCase() === lower);
  return runtimeQuery(field, "Term", `${field.name}:${term}`, matches, `${term} ignoring case`);
}

/** An address, or a network of them. */
function spanQuery(field: MappedField, { low, high }: { low: IndexedValue; high: IndexedValue }): Query {
  if (low === high)
    return runtimeQuery(field, "Term", `${field.name}:${show(field, low)}`, (values) => has(values, low));
  return betweenQuery(field, low, high);
}

function betweenQuery(field: MappedField, low: Value, high: Value): Query {
  const text = `${field.name}:[${show(field, low)} TO ${show(field, high)}]`;
  return runtimeQuery(field, "Range", text, (values) =>
    values.some((value) => atLeast(value, low) && atLeast(high, value)),
  );
}

export function runtimeTermsQuery(field: MappedField, given: readonly JsonValue[], context: QueryContext): Query {
  const { now } = context;
  const wanted: Value[] = [];
  const networks: Query[] = [];
  for (const value of given) {
    const term = field.termValue(value, { now });
    if (term === undefined) continue;
    if (typeof term !== "object") wanted.push(term);
    else if (term.low === term.high) wanted.push(term.low);
    else networks.push(spanQuery(field, term));
  }
  if (field.type === "boolean") return booleansQuery(field, wanted.includes(1), wanted.includes(0));
  if (networks.length === 0) return wanted.length === 0 ? matchNoneQuery("no values") : anyOfQuery(field, wanted);
  // Beside networks stand the single addresses, be there any or not.
  const should = [...networks, anyOfQuery(field, wanted)].map((query) => ({ occur: "should" as const, query }));
  return booleanQuery(should);
}

function anyOfQuery(field: MappedField, wanted: readonly Value[]): Query {
  const shown = hashOrder([...new Set(wanted.map((value) => show(field, value)))]);
  const text = `${field.name}:[${shown.join(", ")}]`;
  const key = JSON.stringify(shown);
  if (field.type === "keyword") {
    const terms = new Set<Value>(wanted);
    return runtimeQuery(field, "Terms", text, (values) => values.some((value) => terms.has(value)), key);
  }
  return runtimeQuery(field, "Terms", text, (values) => wanted.some((value) => has(values, value)), key);
}

/** BooleanScriptFieldType.termsQuery */
function booleansQuery(field: MappedField, yes: boolean, no: boolean): Query {
  if (yes && no) return runtimeExistsQuery(field);
  if (!yes && !no) return matchNoneQuery("neither true nor false allowed");
  return runtimeQuery(field, "Term", `${field.name}:${yes}`, (values) => has(values, yes ? 1 : 0));
}

export interface RuntimeBounds {
  readonly low: IndexedValue | undefined;
  readonly high: IndexedValue | undefined;
  readonly includeLower: boolean;
  readonly includeUpper: boolean;
}

export function runtimeRangeQuery(field: MappedField, bounds: RuntimeBounds): Query {
  const { low, high, includeLower, includeUpper } = bounds;
  switch (field.type) {
    case "keyword":
      return textRangeQuery(field, bounds);
    case "boolean":
      return booleanRangeQuery(field, bounds);
    case "ip": {
      const from = low === undefined ? "0".repeat(32) : includeLower ? String(low) : stepAddress(String(low), 1n);
      const to = high === undefined ? "f".repeat(32) : includeUpper ? String(high) : stepAddress(String(high), -1n);
      return from > to ? matchNoneQuery("empty range") : betweenQuery(field, from, to);
    }
    default: {
      const whole = field.type !== "double";
      const least = whole ? -LONG_MAX - 1n : Number.NEGATIVE_INFINITY;
      const greatest = whole ? LONG_MAX : Number.POSITIVE_INFINITY;
      const from = low === undefined ? least : includeLower ? (low as number) : field.nextUp(low as number);
      const to = high === undefined ? greatest : includeUpper ? (high as number) : field.nextDown(high as number);
      return compareNumbers(from, to) > 0 ? matchNoneQuery("empty range") : betweenQuery(field, from, to);
    }
  }
}

/** Terms are compared as Java compares texts, by UTF-16 units. */
function textRangeQuery(field: MappedField, { low, high, includeLower, includeUpper }: RuntimeBounds): Query {
  const [from, to] = [low === undefined ? undefined : String(low), high === undefined ? undefined : String(high)];
  const text = `${field.name}:${includeLower ? "[" : "{"}${from ?? "*"} TO ${to ?? "*"}${includeUpper ? "]" : "}"}`;
  const inside = (value: string) => {
    if (from !== undefined && !(includeLower ? value >= from : value > from)) return false;
    return to === undefined || (includeUpper ? value <= to : value < to);
  };
  const key = JSON.stringify([from, to, includeLower, includeUpper]);
  return runtimeQuery(field, "Range", text, (values) => values.some((value) => inside(String(value))), key);
}

/** An open end counts as false, at the upper end too (BooleanScriptFieldType.rangeQuery). */
function booleanRangeQuery(field: MappedField, { low, high, includeLower, includeUpper }: RuntimeBounds): Query {
  const from = (low ?? 0) === 1;
  const to = (high ?? 0) === 1;
  if ((from && !includeLower) || (!to && !includeUpper)) return matchNoneQuery("an empty range of booleans");
  const no = !from && includeLower;
  const yes = to && includeUpper;
  return booleansQuery(field, yes, no);
}

/** A query for the terms that a matcher stands for. @param shown the text of the query behind the field's name */
export function runtimePatternQuery(field: MappedField, kind: string, matcher: TermMatcher, shown: string): Query {
  const matches = (values: RuntimeValues) => values.some((value) => matcher.ords(oneTerm(String(value))).length > 0);
  return runtimeQuery(field, kind, `${field.name}:${shown}`, matches, matcher.text);
}

/** A dictionary of one term, for matchers. */
function oneTerm(term: string): OrdinalColumn {
  return {
    docCount: 1,
    single: true,
    valueCount: 1,
    has: () => true,
    start: () => 0,
    end: () => 1,
    ord: () => 0,
    term: () => term,
    lookup: (text) => (text === term ? 0 : -1),
    iterator: () => denseIterator(1),
    intersect: (automaton) => (acceptsText(automaton, term) ? [0] : []),
    prefixRange: (prefix) => (term.startsWith(prefix) ? [0, 1] : [0, 0]),
  };
}
