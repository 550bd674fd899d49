import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import type { Collection } from "../collection/types.ts";
import { type CollectionTool, collectionTools, type ToolOptions } from "../tools/tools.ts";

/**
 * A collection as LangChain's tools: search, ask, get, list (not with `filters`), count and analyze. The model reads results as text; the
 * message's `artifact` has them as objects.
 *
 * @example const agent = createAgent({ model, tools: langchainTools(handbook) });
 */
export function langchainTools(collection: Collection, options: ToolOptions = {}): DynamicStructuredTool[] {
  const tools = Object.values(collectionTools(collection, options)) as unknown as CollectionTool[];
  return tools.map(({ name, description, input, run, text }) =>
    tool(
      async (args, { signal }) => {
        const result = await run(args, signal ? { signal } : {});
        return [text(result), result];
      },
      { name, description, schema: input, responseFormat: "content_and_artifact" },
    ),
  ) as unknown as DynamicStructuredTool[];
}
