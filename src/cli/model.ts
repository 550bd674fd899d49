/** The language model that is configured for a command. */
import { InvalidArgumentError, type LanguageModel } from "../schema/index.ts";
import type { CommonOptions, Context } from "./context.ts";

/** Undefined when none is configured: answers are extracts then. */
export async function configuredModel(
  context: Pick<Context, "io">,
  options: CommonOptions & { baseUrl?: string },
): Promise<LanguageModel | undefined> {
  const { config } = options.settings;
  if (config.model === undefined) {
    const { baseUrl } = options;
    if (baseUrl === undefined) return undefined;
    throw new InvalidArgumentError(
      "base-url",
      baseUrl,
      "--base-url needs --model provider/name, the model to ask there",
    );
  }
  const { configuredLanguageModel } = await import("../config/index.ts");
  return configuredLanguageModel(config, context.io.env);
}

/** The same as an option of a search, for the strategies that ask one. */
export async function modelOption(
  context: Pick<Context, "io">,
  options: CommonOptions & { baseUrl?: string },
): Promise<{ model?: LanguageModel }> {
  const model = await configuredModel(context, options);
  return model ? { model } : {};
}
