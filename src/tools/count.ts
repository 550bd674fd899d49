/** Counting as a tool: how many passages, of which kinds, when. */
import { z } from "zod";
import { aggregateStrategy, STRATEGIES } from "../catalogue/index.ts";
import type { Collection } from "../collection/types.ts";
import { type CallOptions, callOptions, type Filters } from "../schema/index.ts";

const { by, histogram, interval, metrics, buckets } = STRATEGIES.aggregate.options.shape;

/** What is counted. Aggregations of the DSL are left to programs. */
export const COUNTED = { by, histogram, interval, metrics, buckets };

export const COUNTS = z.object({
  total: z.number().describe("Passages that match"),
  aggregations: z
    .record(z.string(), z.unknown())
    .describe("By the names that were counted, as Elasticsearch gives them"),
});
export type Counts = z.output<typeof COUNTS>;

export async function countPassages(
  collection: Collection,
  query: string,
  options: Partial<z.output<z.ZodObject<typeof COUNTED>>>,
  filters: { filters?: Filters },
  call: CallOptions,
): Promise<Counts> {
  const given = { ...options, ...filters, hits: false, ...callOptions(call) };
  const { total, aggregations } = await aggregateStrategy(collection, query, given);
  return { total, aggregations };
}

interface Bucket {
  key: unknown;
  key_as_string?: string;
  doc_count: number;
}

/** A line for each name: its values with their counts, or its measures. */
export function countsText({ total, aggregations }: Counts): string {
  const lines = Object.entries(aggregations).map(([name, found]) => {
    const { buckets: list, ...measures } = found as { buckets?: Bucket[] } & Record<string, unknown>;
    if (!list) return `${name}: ${JSON.stringify(measures)}`;
    const counted = list.map(({ key, key_as_string: text = String(key), doc_count: count }) => `${text} ${count}`);
    const others = Number(measures["sum_other_doc_count"] ?? 0);
    return `${name}: ${[...counted, ...(others > 0 ? [`others ${others}`] : [])].join(", ")}`;
  });
  return [`${total} passages match.`, ...lines].join("\n");
}
