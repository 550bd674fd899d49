/** The language model that is configured, for the strategies that ask one. */
import type { LanguageModel } from "../schema/index.ts";
import type { CommonOptions, Context } from "./context.ts";

export async function languageModelFor(
  { io }: Context,
  { settings: { config } }: CommonOptions,
): Promise<{ model?: LanguageModel }> {
  if (config.model === undefined) return {};
  const { configuredLanguageModel } = await import("../config/index.ts");
  const model = await configuredLanguageModel(config, io.env);
  return model ? { model } : {};
}
