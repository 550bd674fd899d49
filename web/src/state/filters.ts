/** Conditions on metadata as the interface keeps them: in the address, as chips, and in a request. */
import type { Facet } from "../api/types.ts";

export interface Condition {
  field: string;
  /** A value, or bounds. */
  is?: string | number | boolean;
  gte?: string | number;
  lt?: string | number;
}

/** As the routes take them: conditions on one field hold together, values of one field are alternatives. */
export function requestFilters(conditions: readonly Condition[]): Record<string, unknown> | undefined {
  if (conditions.length === 0) return undefined;
  const out = new Map<string, { values: unknown[]; bounds: Record<string, unknown> }>();
  for (const { field, is, gte, lt } of conditions) {
    const own = out.get(field) ?? { values: [], bounds: {} };
    if (is !== undefined) own.values.push(is);
    if (gte !== undefined) own.bounds["gte"] = gte;
    if (lt !== undefined) own.bounds["lt"] = lt;
    out.set(field, own);
  }
  const filters = [...out].flatMap(([key, { values, bounds }]) => [
    ...(values.length === 1 ? [{ key, operator: "==", value: values[0] }] : []),
    ...(values.length > 1 ? [{ key, operator: "in", value: values }] : []),
    ...(bounds["gte"] === undefined ? [] : [{ key, operator: ">=", value: bounds["gte"] }]),
    ...(bounds["lt"] === undefined ? [] : [{ key, operator: "<", value: bounds["lt"] }]),
  ]);
  return { filters, condition: "and" };
}

export function conditionText({ field, is, gte, lt }: Condition): string {
  if (is !== undefined) return `${field}: ${is}`;
  if (gte !== undefined && lt !== undefined) return `${field}: ${gte} – ${lt}`;
  return gte === undefined ? `${field} < ${lt}` : `${field} ≥ ${gte}`;
}

const same = (a: Condition, b: Condition) => a.field === b.field && a.is === b.is && a.gte === b.gte && a.lt === b.lt;

export const has = (conditions: readonly Condition[], one: Condition): boolean =>
  conditions.some((other) => same(one, other));

/** Sets a condition, or takes it away again. Bounds of a field replace those before. */
export function toggled(conditions: readonly Condition[], one: Condition): Condition[] {
  if (has(conditions, one)) return conditions.filter((other) => !same(one, other));
  const kept = one.is === undefined ? conditions.filter((other) => other.field !== one.field) : conditions;
  return [...kept, one];
}

/** What a bar of a facet stands for. */
export function conditionOf({ field, kind, buckets, interval }: Facet, i: number): Condition {
  const { key } = buckets[i]!;
  if (kind === "values") return { field, is: key };
  const next = buckets[i + 1]?.key;
  if (kind === "numbers") {
    return { field, gte: Number(key), lt: Number((Number(key) + Number(interval)).toPrecision(12)) };
  }
  // Dates are compared as they were written, which begins with year, month and day.
  const from = String(key).slice(0, 10);
  return next === undefined ? { field, gte: from } : { field, gte: from, lt: String(next).slice(0, 10) };
}

export const writeConditions = (conditions: readonly Condition[]): string | undefined =>
  conditions.length === 0 ? undefined : JSON.stringify(conditions);

/** What an address says; what cannot be read there is left out. */
export function readConditions(text: string | undefined): Condition[] {
  if (!text) return [];
  try {
    const read: unknown = JSON.parse(text);
    if (!Array.isArray(read)) return [];
    const scalar = (value: unknown) => ["string", "number", "boolean", "undefined"].includes(typeof value);
    return read.filter(
      (one): one is Condition =>
        typeof one === "object" &&
        one !== null &&
        typeof one.field === "string" &&
        [one.is, one.gte, one.lt].every(scalar),
    );
  } catch {
    return [];
  }
}
