/** `huiliu/ai-sdk`: a collection as tools of the AI SDK, for `generateText`, `streamText` and agents. */
import { type Tool, tool } from "ai";
import type { z } from "zod";
import type { Collection } from "../collection/types.ts";
import { type CollectionTool, collectionTools, type ToolOptions } from "./tools.ts";

type AiSdkTool<T> =
  T extends CollectionTool<infer Input, infer Output> ? Tool<z.input<Input>, z.output<Output>> : never;

type Tools = ReturnType<typeof collectionTools>;
/** A collection's tools for the AI SDK, by name. */
export type AiSdkTools = { [Name in keyof Tools]: AiSdkTool<NonNullable<Tools[Name]>> };

/**
 * The tools search, ask, get, list (not with `filters`), count and analyze. The model reads results as text; `toolResults` has them as objects.
 * The call's abort signal stops them.
 *
 * @example
 * const { text } = await generateText({ model, tools: aiSdkTools(handbook), stopWhen: stepCountIs(5), prompt: "How many days of leave?" });
 */
export function aiSdkTools(collection: Collection, options: ToolOptions = {}): AiSdkTools {
  const tools = collectionTools(collection, options) as unknown as Record<string, CollectionTool>;
  return Object.fromEntries(Object.values(tools).map((each) => [each.name, wrapped(each)])) as unknown as AiSdkTools;
}

function wrapped({ title, description, input, output, run, text }: CollectionTool) {
  return tool({
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    execute: (args, { abortSignal }) => run(args, abortSignal ? { signal: abortSignal } : {}),
    toModelOutput: ({ output: result }) => ({ type: "text" as const, value: text(result) }),
  });
}
