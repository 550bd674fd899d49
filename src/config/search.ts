/** How questions are searched and documents are cut where a command says nothing else: what `huiliu tune --write` writes. */
import { z } from "zod";
import type { IndexTuning } from "../collection/tuning.ts";

/** How a collection is searched and cut where nothing else is said. */
export interface SearchConfig extends IndexTuning {
  /** A strategy of the catalogue. Default `hybrid`. */
  strategy?: string;
  /** The strategy's options. */
  options?: Record<string, unknown>;
}

const FORM: z.ZodType<SearchConfig> = z.strictObject({
  strategy: z.string().min(1).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  bm25: z.strictObject({ k1: z.number().min(0).optional(), b: z.number().min(0).max(1).optional() }).optional(),
  passages: z.strictObject({ size: z.int().min(1).optional(), overlap: z.int().min(0).optional() }).optional(),
  boosts: z.record(z.string(), z.number().min(0)).optional(),
});

/** What is wrong with a setting, with its place; undefined where nothing is. */
export function searchConfigFault(value: unknown): { place: string; message: string } | undefined {
  const parsed = FORM.safeParse(value);
  if (parsed.success) return undefined;
  const { path, message } = parsed.error.issues[0]!;
  return { place: ["search", ...path].join("."), message };
}

/** What a collection is opened with. */
export function indexTuning({ search }: { search?: SearchConfig }): IndexTuning {
  const { bm25, passages, boosts } = search ?? {};
  return { ...(bm25 ? { bm25 } : {}), ...(passages ? { passages } : {}), ...(boosts ? { boosts } : {}) };
}
