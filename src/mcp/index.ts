/**
 * `huiliu/mcp`: a collection for agents, over the Model Context Protocol.
 *
 * @module huiliu/mcp
 */
export { type CollectionTool, collectionTools, type ToolOptions } from "../tools/tools.ts";
export { mcpResponse } from "./http.ts";
export { type McpOptions, mcpServer, serveMcp } from "./server.ts";
