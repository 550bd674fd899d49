/** Chat engines: answers in a conversation, and its memory. */
export {
  type ChatEngineOptions,
  type CondensePlusContextOptions,
  type CondenseQuestionOptions,
  type ContextChatEngineOptions,
  condensePlusContextChatEngine,
  condenseQuestionChatEngine,
  contextChatEngine,
  type SimpleChatEngineOptions,
  simpleChatEngine,
} from "./engines.ts";
export type { ChatEngine, ChatOptions } from "./frame.ts";
export {
  type BufferMemoryOptions,
  type ChatMemory,
  type ChatMemoryJson,
  type ChatMemoryOptions,
  chatMemory,
  type GetOptions,
  type MemoryMessage,
  type QueueMemoryOptions,
  queueMemory,
} from "./memory.ts";
export { loadChatMemory, saveChatMemory } from "./persist.ts";
export { CHAT_PROMPTS, type ChatPrompts } from "./prompts.ts";
export type { ChatSummary, SummarizeOptions } from "./summary.ts";
