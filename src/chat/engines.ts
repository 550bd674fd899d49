/** LlamaIndex's chat engines: simple, context, condense-question and condense-plus-context. */
import { type AiSdkLanguageModel, toLanguageModel } from "../models/index.ts";
import { postprocessed } from "../postprocess/run.ts";
import {
  type AnswerLanguage,
  askModel,
  type ChatMessage,
  callOptions,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  type Postprocessor,
  type Prompt,
  type PromptOption,
  pythonStrip,
  type QueryEngine,
  questionLanguage,
  type Response,
  type RetrieveOptions,
  type Retriever,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";
import { type PromptBudgetOptions, responseSynthesizer } from "../synthesis/index.ts";
import { type ChatEngine, chatFrame } from "./frame.ts";
import { historyText, shownMessages } from "./history.ts";
import { type ChatMemory, chatMemory, type MemoryMessage } from "./memory.ts";
import { CHAT_PROMPTS, type ChatPrompts, chatPrompts, textIn } from "./prompts.ts";

/** What all chat engines take: the model, the memory, prompts and limits. */
export interface ChatEngineOptions extends PromptBudgetOptions {
  model: LanguageModel | AiSdkLanguageModel;
  /** Default: a buffer of the model's window less 256 tokens. */
  memory?: ChatMemory;
  /** Whether answers come in pieces. Default false. */
  streaming?: boolean;
  /** Of our prompts. Default: the message's. */
  language?: AnswerLanguage;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

/** Options of `simpleChatEngine`, which talks with the model alone. */
export interface SimpleChatEngineOptions extends ChatEngineOptions {
  /** What the model is told first. */
  systemPrompt?: string;
  /** Messages before the conversation, such as examples, in the place of `systemPrompt`. */
  prefixMessages?: readonly ChatMessage[];
}

/** Options of `contextChatEngine`, which retrieves for each message. */
export interface ContextChatEngineOptions extends SimpleChatEngineOptions {
  retriever: Retriever;
  postprocessors?: readonly Postprocessor[];
  prompts?: ChatPrompts;
  /** Whether the model answers from the conversation alone where nothing was found. Default false: the answer says that nothing was. */
  answerWithoutContext?: boolean;
  /** What is said where nothing was found. Default: a sentence in the message's language. */
  emptyAnswer?: string;
}

/** Options of `condensePlusContextChatEngine`, which asks for what stands alone and answers from what is found. */
export interface CondensePlusContextOptions extends ContextChatEngineOptions {
  /** Retrieves with the message as it is. Default false. */
  skipCondense?: boolean;
}

/** Options of `condenseQuestionChatEngine`, which asks a query engine for what stands alone. */
export interface CondenseQuestionOptions
  extends Pick<ChatEngineOptions, "model" | "memory" | "tokenizer" | "contextWindow" | "verbose"> {
  /** Answers the questions. Whether its answer is a stream is the engine's matter; see `streaming`. */
  queryEngine: QueryEngine;
  prompts?: Pick<ChatPrompts, "condense">;
  language?: AnswerLanguage;
  /** Whether the engine's answer is handed on as it comes. Default false: it is waited for. */
  streaming?: boolean;
}

/** Kept free in the model's window for the answer, beside the memory. */
const ANSWER_TOKENS = 256;
const CONTEXT_WINDOW = 3900;

/**
 * A conversation with a model, without any documents.
 *
 * @example const { text } = await simpleChatEngine({ model }).chat("你好");
 */
export function simpleChatEngine(options: SimpleChatEngineOptions): ChatEngine {
  const { streaming = false } = options;
  const model = toLanguageModel(options.model);
  const prefix = prefixOf(options);
  const memory = options.memory ?? memoryFor(model, options);
  return chatFrame({
    name: "simple",
    memory,
    streaming,
    async turn(message, call) {
      const initialTokens = await tokensOf(prefix, options);
      const history = await memory.get({
        ...callOptions(call),
        initialTokens,
        adding: [{ role: "user", content: message }],
      });
      const messages = [...prefix, ...shownMessages(history)];
      return plainAnswer(model, messages, options, call);
    },
  });
}

/**
 * Each message is looked up, and the model answers in the conversation with what was found.
 *
 * @example contextChatEngine({ retriever: index.asRetriever({ topK: 3 }), model, systemPrompt: "你是人事助手。" })
 */
export function contextChatEngine(options: ContextChatEngineOptions): ChatEngine {
  const { context, contextRefine } = chatPrompts(options.prompts);
  return contextEngine("context", { ...options, prompts: { context, contextRefine } }, async (message) => message);
}

/**
 * Each message is first written as a question that stands by itself, that is looked up, and the model answers the message in the
 * conversation with what was found.
 */
export function condensePlusContextChatEngine(options: CondensePlusContextOptions): ChatEngine {
  const { skipCondense = false, ...context } = { ...options, prompts: chatPrompts(options.prompts) };
  const model = toLanguageModel(options.model);
  return contextEngine("condense_plus_context", context, (message, history, call) =>
    skipCondense ? Promise.resolve(message) : condensed(model, context, message, history, call),
  );
}

/** Each message is written as a question that stands by itself, which a query engine answers. */
export function condenseQuestionChatEngine(options: CondenseQuestionOptions): ChatEngine {
  const { queryEngine, streaming = false } = options;
  for (const name of ["systemPrompt", "prefixMessages"]) {
    if ((options as unknown as Record<string, unknown>)[name] !== undefined) {
      throw new InvalidArgumentError(
        name,
        undefined,
        `${name} has no place in condense_question: the query engine's own prompts say how to answer`,
      );
    }
  }
  const model = toLanguageModel(options.model);
  const memory = options.memory ?? memoryFor(model, options);
  const prompts = { condense: chatPrompts(options.prompts).condense };
  const engine = chatFrame({
    name: "condense_question",
    memory,
    streaming,
    async turn(message, call) {
      const own = { ...options, prompts };
      const question = await condensed(model, own, message, await memory.get(callOptions(call)), call);
      return queryEngine.query(question, call);
    },
  });
  return withPrompts(engine, prompts, { queryEngine });
}

function contextEngine(
  name: string,
  options: ContextChatEngineOptions & { prompts: ChatPrompts },
  questionOf: (message: string, history: readonly MemoryMessage[], call: RetrieveOptions) => Promise<string>,
): ChatEngine {
  const { retriever, postprocessors = [], streaming = false, answerWithoutContext = false } = options;
  const model = toLanguageModel(options.model);
  const prefix = prefixOf(options);
  const memory = options.memory ?? memoryFor(model, options);

  const engine = chatFrame({
    name,
    memory,
    streaming,
    async turn(message, call) {
      const history = await memory.get(callOptions(call));
      const query = await questionOf(message, history, call);
      const nodes = await postprocessed(postprocessors, await retriever.retrieve(query, call), { query }, call);
      const shown = shownMessages(history);
      const last: ChatMessage = { role: "user", content: message };
      if (nodes.length === 0 && answerWithoutContext) {
        return plainAnswer(model, [...prefix, ...shown, last], options, call);
      }
      const language = options.language ?? questionLanguage(message);
      const synthesizer = responseSynthesizer({
        ...answerOptions(options),
        model,
        ...framed(options, prefix, shown, language),
      });
      return synthesizer.synthesize({ ...callOptions(call), query: message, nodes });
    },
  });
  return withPrompts(engine, options.prompts as Record<string, PromptOption>, { retriever });
}

/**
 * The prompts of an answer in a conversation. What people said stands in them under names that are filled in, so that it is never read as
 * a template.
 */
function framed(
  { prompts = {} }: ContextChatEngineOptions,
  prefix: readonly ChatMessage[],
  history: readonly ChatMessage[],
  language: AnswerLanguage,
): { prompts: { textQa: Prompt; refine: Prompt }; variables: Record<string, string> } {
  const variables: Record<string, string> = {};
  const literal = ({ role, content }: ChatMessage): ChatMessage => {
    const name = `message_${Object.keys(variables).length}`;
    variables[name] = content;
    return { role, content: `{${name}}` };
  };
  const first = prefix[0]?.role === "system" ? prefix[0] : undefined;
  const rules = first ? literal({ role: "system", content: pythonStrip(first.content) }).content : "";
  const others = [...prefix.slice(first ? 1 : 0), ...history].map(literal);
  // Providers want what the system says at the beginning.
  const middle = [...others.filter(isSystem), ...others.filter((message) => !isSystem(message))];
  const around = (template: string): Prompt => [
    { role: "system", content: template + rules },
    ...middle,
    { role: "user", content: "{query_str}" },
  ];
  return {
    prompts: {
      textQa: around(textIn(prompts.context ?? CHAT_PROMPTS.context, language)),
      refine: around(textIn(prompts.contextRefine ?? CHAT_PROMPTS.contextRefine, language)),
    },
    variables,
  };
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system";
}

/** The options of a chat engine that an answer's synthesizer has too. */
function answerOptions({ streaming, emptyAnswer, verbose, language, ...options }: ContextChatEngineOptions) {
  const { contextWindow, maxOutputTokens, reservedTokens, overlapRatio, chunkSizeLimit, tokenizer, separator } =
    options;
  const all = {
    ...{ streaming, emptyAnswer, verbose, language },
    ...{ contextWindow, maxOutputTokens, reservedTokens, overlapRatio, chunkSizeLimit, tokenizer, separator },
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as Partial<ContextChatEngineOptions>;
}

/** An answer of the model to messages, without anything looked up. */
function plainAnswer(
  model: LanguageModel,
  messages: readonly ChatMessage[],
  options: ChatEngineOptions,
  call: RetrieveOptions,
): Promise<Response> {
  const variables: Record<string, string> = Object.fromEntries(
    messages.map(({ content }, i) => [`message_${i}`, content]),
  );
  const simple = messages.map(({ role }, i) => ({ role, content: `{message_${i}}` }));
  const synthesizer = responseSynthesizer({
    ...answerOptions(options as ContextChatEngineOptions),
    mode: "generation",
    model,
    prompts: { simple },
    variables,
  });
  return synthesizer.synthesize({ ...callOptions(call), query: messages.at(-1)?.content ?? "", nodes: [] });
}

/** The message as a question that stands by itself; without a conversation before it, it does. */
async function condensed(
  model: LanguageModel,
  { prompts = {}, language, verbose }: { prompts?: ChatPrompts; language?: AnswerLanguage; verbose?: Verbose },
  message: string,
  history: readonly MemoryMessage[],
  call: RetrieveOptions,
): Promise<string> {
  if (history.length === 0) return message;
  const prompt = inLanguage(prompts.condense ?? CHAT_PROMPTS.condense, language ?? questionLanguage(message));
  const values = { chat_history: historyText(history), question: message };
  const question = await askModel({ model, prompt, values, purpose: "condense", verbose }, call);
  // Silence is no question.
  return question.trim() === "" ? message : question;
}

/** @throws InvalidArgumentError where both are given */
function prefixOf({ systemPrompt, prefixMessages }: SimpleChatEngineOptions): readonly ChatMessage[] {
  if (systemPrompt === undefined) return prefixMessages ?? [];
  if (prefixMessages) {
    throw new InvalidArgumentError(
      "prefixMessages",
      prefixMessages,
      "give systemPrompt or prefixMessages, not both: a system message may stand first among the latter",
    );
  }
  return [{ role: "system", content: systemPrompt }];
}

function memoryFor(
  model: LanguageModel,
  { contextWindow, tokenizer }: Pick<ChatEngineOptions, "contextWindow" | "tokenizer">,
) {
  const window = contextWindow ?? model.contextWindow ?? CONTEXT_WINDOW;
  return chatMemory({ tokenLimit: Math.max(1, window - ANSWER_TOKENS), ...(tokenizer ? { tokenizer } : {}) });
}

async function tokensOf(messages: readonly ChatMessage[], { tokenizer }: ChatEngineOptions): Promise<number> {
  if (messages.length === 0) return 0;
  const { cl100kTokenizer } = await import("../ingest/index.ts");
  const { count } = tokenizer ?? (await cl100kTokenizer());
  return count(messages.map((message) => message.content).join(" "));
}
