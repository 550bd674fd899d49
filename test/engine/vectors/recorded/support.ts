/** Making scenes, and comparing answers. */
import type { Step } from "./scenes.ts";

export const create = (properties: object): Step => [
  "PUT",
  "/vec",
  { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings: { properties } },
];

/** One bulk request, so that there is one segment. */
export const load = (sources: readonly object[]): Step => [
  "POST",
  "/vec/_bulk?refresh=true",
  sources.flatMap((source, i) => [{ index: { _id: String(i) } }, source]),
];

export const search = (body: object): Step => ["POST", "/vec/_search", { _source: false, ...body }];

/** Numbers in −1 … 1 that are the same on each run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.fround(state / 0x40000000 - 1);
  };
}

export function vectors(count: number, dims: number, seed: number): number[][] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => Array.from({ length: dims }, next));
}

export function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => Math.fround(value / length));
}

const VOLATILE = new Set(["took", "index_uuid", "_shards", "uuid", "_node", "node", "_shard"]);
/** float32 sums in another order. */
const TOLERANCE = 1e-5;

/** Without what differs on each run. */
export function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value === "string") return value.replace(/(?<=IndexOptions)@(…|[0-9a-f]{5,8}\b)/g, "");
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !VOLATILE.has(key))
      .map(([key, inner]) => [key, settled(inner)]),
  );
}

/** The path to the first difference, undefined when there is none. */
export function difference(expected: unknown, got: unknown, path = ""): string | undefined {
  if (typeof expected === "number" && typeof got === "number") {
    const near = Math.abs(expected - got) <= TOLERANCE * Math.max(Math.abs(expected), Math.abs(got));
    return near ? undefined : `${path}: ${got} in place of ${expected}`;
  }
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  if (!isObject(expected) || !isObject(got)) {
    return expected === got ? undefined : `${path}: ${JSON.stringify(got)} in place of ${JSON.stringify(expected)}`;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const [a, b] = [expected, got].map((value) => (value as { [key: string]: unknown })[key]);
    const found = difference(a, b, `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
