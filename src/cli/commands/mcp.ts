/** huiliu mcp: the collection for an agent, over standard input and output, until the agent closes them. */
import { type CommonOptions, type Context, EXIT, openForQuestions, rerankerOf } from "../context.ts";
import { errorSentence } from "../errors.ts";
import { configuredModel } from "../model.ts";
import { harmless } from "../terminal/text.ts";

export interface McpCommandOptions extends CommonOptions {
  baseUrl?: string;
}

export async function mcp(context: Context, options: McpCommandOptions): Promise<number> {
  const { io } = context;
  const [{ StdioServerTransport }, { serveMcp }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/stdio.js"),
    import("../../mcp/server.ts"),
  ]);
  const model = await configuredModel(context, options);
  const { reranker } = await rerankerOf(context, options);
  const { search } = options.settings.config;
  const collection = await openForQuestions(context, options);
  const ended = new AbortController();
  const end = () => ended.abort();
  // The protocol has no farewell: an agent that is done closes the pipe.
  process.stdin.once("end", end).once("close", end);
  try {
    // Standard output belongs to the protocol.
    await serveMcp(collection, new StdioServerTransport(), {
      signal: AbortSignal.any([context.signal, context.outputClosed, ended.signal]),
      ...(model ? { model } : {}),
      ...(reranker ? { reranker } : {}),
      ...(search ? { search } : {}),
      onError: (error) => io.err(`huiliu: ${harmless(errorSentence(error))}\n`),
    });
    return EXIT.ok;
  } finally {
    process.stdin.off("end", end).off("close", end);
    await collection.close();
  }
}
