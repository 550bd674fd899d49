/** A conversation as text and as messages for a model. */
import type { ChatMessage } from "../schema/index.ts";
import type { MemoryMessage } from "./memory.ts";

/** `role: content`, a line a message. */
export function historyText(messages: readonly MemoryMessage[]): string {
  return messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
}

/** The messages that a model is shown: what tools said is not among them. */
export function shownMessages(messages: readonly MemoryMessage[]): ChatMessage[] {
  return messages.flatMap(({ role, content }) => (role === "tool" ? [] : [{ role, content }]));
}
