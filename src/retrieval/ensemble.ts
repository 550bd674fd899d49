/** One retriever for each of several settings, fused: what LlamaIndex calls an ensemble over chunk sizes or other parameters. */
import { InvalidArgumentError, type Retriever } from "../schema/index.ts";
import { type FusionOptions, fusionRetriever } from "./fusion.ts";

/** The settings, and what makes a retriever of each; how they are fused. */
export interface EnsembleOptions<P> extends Omit<FusionOptions, "retrievers" | "weights"> {
  /** The settings, by the names that the results' ranks mention. */
  settings: Readonly<Record<string, P>>;
  make: (setting: P, name: string) => Retriever | Promise<Retriever>;
}

/**
 * Makes the retrievers of all settings and fuses them. A passage that several settings find counts for more.
 *
 * @example
 * await ensembleRetriever({ settings: { small: 128, large: 512 }, make: async (chunkSize) => (await indexOf(chunkSize)).asRetriever() })
 */
export async function ensembleRetriever<P>({ settings, make, ...fusion }: EnsembleOptions<P>): Promise<Retriever> {
  const names = Object.keys(settings);
  if (names.length === 0)
    throw new InvalidArgumentError("settings", settings, "an ensemble needs at least one setting");
  const retrievers: Record<string, Retriever> = {};
  for (const name of names) retrievers[name] = await make(settings[name] as P, name);
  return fusionRetriever({ ...fusion, retrievers });
}
