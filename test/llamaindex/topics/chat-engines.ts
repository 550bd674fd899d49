import { expect } from "vitest";
import {
  type ChatEngine,
  type ChatOptions,
  chatMemory,
  condensePlusContextChatEngine,
  condenseQuestionChatEngine,
  contextChatEngine,
  type MemoryMessage,
  simpleChatEngine,
} from "../../../src/chat/index.ts";
import { defineRetriever, type LanguageModel } from "../../../src/index.ts";
import { completionModel } from "../../../src/models/index.ts";
import { retrieverQueryEngine } from "../../../src/query-engine/index.ts";
import { piecesOf, type ScriptCall, scriptModel } from "../script-model.ts";
import { idsScores, type JsonNode, type Outcome, type Topic, tokenizer, toScored } from "../support.ts";
import { synthesizerOptions, type Templates } from "./response-modes.ts";

type Pair = [MemoryMessage["role"], string];

interface Input {
  engine: "simple" | "condense_question" | "context" | "condense_plus_context";
  turns: ({ message: string; chat_history?: Pair[]; reset?: undefined } | { reset: true; message?: undefined })[];
  streaming: boolean;
  chat_model: boolean;
  nodes: JsonNode[];
  tokenizer: string;
  context_window: number;
  num_output: number;
  templates: Templates & { condense: string; context: string; context_refine: string };
  memory_token_limit?: number;
  prefix_messages?: Pair[];
  system_prompt?: string;
  answers?: string[];
  chat_history?: Pair[];
  skip_condense?: boolean;
}

interface Turn {
  reset?: true;
  retrieved_with: string[];
  calls: ScriptCall[];
  response: string;
  pieces?: string[];
  source_nodes: [string, number | null][];
  memory: MemoryMessage[];
  memory_given: MemoryMessage[];
}

export const topic: Topic<Input> = {
  async run(input) {
    const script = scriptModel({ answers: input.answers ?? [] });
    const model = input.chat_model ? script : completing(script);
    const asked: string[] = [];
    const retriever = defineRetriever(({ query }) => {
      asked.push(query);
      return input.nodes.map(toScored);
    });
    const memory = chatMemory({
      tokenLimit: input.memory_token_limit ?? 3000,
      tokenizer: tokenizer(input.tokenizer),
      messages: (input.chat_history ?? []).map(toMessage),
    });
    const engine = engineOf(input, model, retriever, memory);
    const turns: unknown[] = [];
    for (const turn of input.turns) {
      script.calls.length = 0;
      asked.length = 0;
      if (turn.reset) {
        await engine.reset();
        turns.push({ reset: true, memory: memory.getAll() });
        continue;
      }
      const history: ChatOptions = turn.chat_history ? { history: turn.chat_history.map(toMessage) } : {};
      const answer = await engine.chat(turn.message, history);
      const pieces = await piecesOf(answer.textStream);
      turns.push({
        retrieved_with: [...asked],
        calls: [...script.calls],
        response: await answer.text,
        pieces,
        source_nodes: idsScores(answer.sources),
        memory: memory.getAll(),
        memory_given: await memory.get(),
      });
    }
    return turns;
  },
  compare: (actual: Turn[], { turns }: { turns: Turn[] }) => {
    expect(actual).toHaveLength(turns.length);
    for (const [i, turn] of turns.entries()) compareTurn(actual[i]!, turn);
  },
  quirks: {
    // What is remembered is what was said, streamed or not.
    "streaming trims the answer": ({ value }: Outcome, { turns }: { turns: Turn[] }, { turns: said }) => {
      const actual = value as unknown as Turn[];
      for (const [i, turn] of turns.entries()) {
        expect(actual[i]!.pieces).toEqual(turn.pieces);
        const message = said[i]!.message!;
        const answer = turn.pieces!.join("");
        expect(actual[i]!.memory.slice(-2)).toEqual([
          { role: "user", content: message },
          { role: "assistant", content: answer },
        ]);
      }
    },
    // A turn without an answer is not remembered.
    "leaving a user message without answer": ({ value }: Outcome, { turns }: { turns: Turn[] }) => {
      const [turn] = value as unknown as Turn[];
      expect(turn).toMatchObject({ memory: [], pieces: [] });
      expect(turn!.calls.map(normal)).toEqual(turns[0]!.calls.map(normal));
    },
    // As in the other engines: it replaces the memory.
    "history given in the call is used once": ({ value }: Outcome, { turns }: { turns: Turn[] }, input) => {
      const actual = value as unknown as Turn[];
      const at = input.turns.findIndex((turn) => !turn.reset && turn.chat_history);
      const { message, chat_history = [] } = input.turns[at] as { message: string; chat_history?: Pair[] };
      for (let i = 0; i < at; i++) compareTurn(actual[i]!, turns[i]!);
      expect(actual[at]!.memory).toEqual([
        ...chat_history.map(toMessage),
        { role: "user", content: message },
        { role: "assistant", content: actual[at]!.response },
      ]);
      if (chat_history.length > 0) expect(actual[at]!.calls.map(normal)).toEqual(turns[at]!.calls.map(normal));
      else expect(actual[at]!.retrieved_with).toEqual([message]);
    },
    // Nothing that was said is a template.
    "better never format history": ({ value }: Outcome, _: unknown, { turns, answers }) => {
      const said = (value as unknown as Turn[])[1]!.calls.at(-1)!.messages!.map((message) => message.content);
      expect(said).toContain(turns[0]!.message);
      expect(said.at(-1)).toBe(turns[1]!.message);
      expect(said).toContain(answers![0]);
    },
  },
};

function compareTurn(actual: Turn, expected: Turn): void {
  if (expected.reset) {
    expect(actual).toEqual(expected);
    return;
  }
  expect(actual.retrieved_with).toEqual(expected.retrieved_with);
  expect(actual.calls.map(normal)).toEqual(expected.calls.map(normal));
  expect(actual.response).toBe(expected.pieces ? expected.pieces.join("") : expected.response);
  if (expected.pieces) expect(actual.pieces).toEqual(expected.pieces);
  expect(actual.source_nodes).toEqual(expected.source_nodes);
  expect(actual.memory).toEqual(expected.memory);
  expect(actual.memory_given).toEqual(expected.memory_given);
}

/** A prompt and a single message of the user's are the same thing to a chat model. */
function normal({ method, prompt, messages, answer }: ScriptCall): unknown {
  const streamed = method.startsWith("stream");
  const [only] = messages ?? [];
  const text = prompt ?? (messages?.length === 1 && only!.role === "user" ? only!.content : undefined);
  return text === undefined ? { streamed, messages, answer } : { streamed, prompt: text, answer };
}

function toMessage([role, content]: Pair): MemoryMessage {
  return { role, content };
}

/** The script as a model that completes text. */
function completing(script: ReturnType<typeof scriptModel>): LanguageModel {
  return completionModel({
    name: script.name,
    complete: (prompt) => script.generate({ prompt }),
    stream: (prompt) => script.stream!({ prompt }),
  });
}

function engineOf(
  input: Input,
  model: LanguageModel,
  retriever: ReturnType<typeof defineRetriever>,
  memory: ReturnType<typeof chatMemory>,
): ChatEngine {
  const { streaming, templates } = input;
  const limits = {
    contextWindow: input.context_window,
    maxOutputTokens: input.num_output,
    tokenizer: tokenizer(input.tokenizer),
  };
  const common = {
    model,
    memory,
    streaming,
    ...limits,
    ...(input.system_prompt === undefined ? {} : { systemPrompt: input.system_prompt }),
    ...(input.prefix_messages ? { prefixMessages: input.prefix_messages.map(toMessage) as never } : {}),
  };
  if (input.engine === "simple") return simpleChatEngine(common);
  const prompts = { condense: templates.condense, context: templates.context, contextRefine: templates.context_refine };
  if (input.engine === "condense_question") {
    // Its inner engine has a window of its own in the recordings.
    const inner = { ...synthesizerOptions(input), contextWindow: 2000, maxOutputTokens: 50, streaming };
    const queryEngine = retrieverQueryEngine({ retriever, model, ...inner });
    return condenseQuestionChatEngine({ ...common, queryEngine, prompts });
  }
  const context = { ...common, retriever, prompts, emptyAnswer: "Empty Response" };
  if (input.engine === "context") return contextChatEngine(context);
  return condensePlusContextChatEngine({ ...context, skipCondense: input.skip_condense ?? false });
}
