/** The Model Context Protocol over HTTP ("streamable HTTP"), without sessions: each request is whole in itself. */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Collection } from "../collection/types.ts";
import { type McpOptions, mcpServer } from "./server.ts";

/**
 * Answers a request of an MCP client. Whoever serves it checks host and origin first, and limits the body.
 *
 * @example app.all("/_mcp", (context) => mcpResponse(context.req.raw, collection));
 */
export async function mcpResponse(
  request: Request,
  collection: Collection,
  options: McpOptions = {},
): Promise<Response> {
  // Without sessions there is nothing to listen to and nothing to end.
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
  const server = mcpServer(collection, options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const stop = () => void server.close();
  request.signal.addEventListener("abort", stop, { once: true });
  try {
    return await transport.handleRequest(request);
  } finally {
    request.signal.removeEventListener("abort", stop);
    stop();
  }
}
