/** The recordings' language model: it gives the answers of a list, then `answer-<n>`, and remembers what it was asked. */
import type { ChatMessage, GenerateOptions, LanguageModel } from "../../src/schema/index.ts";

/** A call as it is recorded; the template and its variables are seen in the prompt. */
export interface ScriptCall {
  method: "complete" | "stream" | "chat" | "stream_chat";
  prompt?: string;
  messages?: ChatMessage[];
  answer: string;
}

export interface ScriptModel extends LanguageModel {
  calls: ScriptCall[];
}

export interface ScriptOptions {
  answers?: readonly string[];
  contextWindow?: number;
  maxOutputTokens?: number;
  /** Default true. */
  streams?: boolean;
}

let transport:
  | ((script: LanguageModel, limits: Omit<ScriptOptions, "answers" | "streams">) => LanguageModel)
  | undefined;

/** Puts something between whoever asks and the script, such as a server. */
export function throughTransport(through: typeof transport): void {
  transport = through;
}

/** Whether a call takes a moment to arrive. */
export function onTheWire(): boolean {
  return transport !== undefined;
}

export function scriptModel({ answers = [], streams = true, ...limits }: ScriptOptions = {}): ScriptModel {
  let asked = 0;
  const calls: ScriptCall[] = [];
  function next({ prompt, messages }: GenerateOptions, streamed: boolean): string {
    const answer = answers[asked] ?? `answer-${asked + 1}`;
    asked++;
    calls.push(
      messages
        ? { method: streamed ? "stream_chat" : "chat", messages, answer }
        : { method: streamed ? "stream" : "complete", prompt: prompt!, answer },
    );
    return answer;
  }
  const script: LanguageModel = {
    name: "script",
    ...limits,
    async generate(options) {
      return next(options, false);
    },
    ...(streams
      ? {
          async *stream(options: GenerateOptions) {
            const characters = [...next(options, true)];
            for (let i = 0; i < characters.length; i += 4) yield characters.slice(i, i + 4).join("");
          },
        }
      : {}),
  };
  return { ...(transport?.(script, limits) ?? script), calls };
}

/** A recorded call without what is told twice. */
export function plainCall({ method, prompt, messages, answer }: ScriptCall): ScriptCall {
  return { method, ...(messages ? { messages } : { prompt: prompt! }), answer };
}

export async function piecesOf(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}
