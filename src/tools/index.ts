/**
 * `huiliu/ai-sdk`: a collection as tools of the AI SDK.
 *
 * @module huiliu/ai-sdk
 */
export { type AiSdkTools, aiSdkTools } from "./ai-sdk.ts";
export { type CollectionTool, collectionTools, type ToolOptions } from "./tools.ts";
