/** The frame around every chat engine: a history that is given replaces the memory, and a turn is remembered once its answer is there. */
import { InvalidArgumentError, type Response, type RetrieveOptions, responseThrough, step } from "../schema/index.ts";
import type { ChatMemory, MemoryMessage } from "./memory.ts";

/** What one message takes: an abort signal, a trace, a history in the memory's place. */
export interface ChatOptions extends RetrieveOptions {
  /** The conversation so far, in the place of what the memory holds. */
  history?: readonly MemoryMessage[];
}

/** A conversation: each message is answered with those before it in mind. */
export interface ChatEngine {
  readonly memory: ChatMemory;
  /**
   * Answers a message. A turn without an answer (it failed, was cancelled or is empty) is not remembered; of a streamed answer, the turn is
   * once it was read to its end. One turn at a time.
   */
  chat(message: string, options?: ChatOptions): Promise<Response>;
  /** Forgets the conversation. */
  reset(): Promise<void>;
}

export interface ChatFrame {
  name: string;
  memory: ChatMemory;
  streaming: boolean;
  turn(message: string, call: RetrieveOptions): Promise<Response>;
}

export function chatFrame({ name, memory, streaming, turn }: ChatFrame): ChatEngine {
  async function remember(message: string, answer: string): Promise<void> {
    if (answer !== "") await memory.put({ role: "user", content: message }, { role: "assistant", content: answer });
  }

  return {
    memory,
    async chat(message, { history, ...call } = {}) {
      if (typeof message !== "string") throw new InvalidArgumentError("message", message, "a message is a string");
      call.signal?.throwIfAborted();
      return step(call, { kind: "chat", name, attributes: { query: message } }, async (inner) => {
        if (history) await memory.set(history);
        const answer = await turn(message, inner);
        if (!streaming) {
          await remember(message, await answer.text);
          return answer;
        }
        return responseThrough(answer, async function* (pieces) {
          let text = "";
          for await (const piece of pieces) {
            text += piece;
            yield piece;
          }
          await remember(message, text);
        });
      });
    },
    reset: () => memory.reset(),
  };
}
