/** `asChatEngine` of an index: a chat engine by its name, over the index's retriever. */
import {
  type ChatEngine,
  type CondensePlusContextOptions,
  condensePlusContextChatEngine,
  condenseQuestionChatEngine,
  contextChatEngine,
  simpleChatEngine,
} from "../chat/index.ts";
import { retrieverQueryEngine } from "../query-engine/index.ts";
import { InvalidArgumentError, type Postprocessor, type Retriever } from "../schema/index.ts";

/** The names of the ways to chat over an index. */
export const CHAT_MODES = ["best", "condense_plus_context", "context", "condense_question", "simple"] as const;
/** The name of a way to chat over an index; LlamaIndex's. */
export type ChatMode = (typeof CHAT_MODES)[number];

/** A retriever's options beside those of a chat engine. `mode` is the chat's; the retriever's own is called `queryMode`. */
export type ChatOptionsOf<R extends { mode?: unknown }> = Omit<R, "mode"> &
  Omit<CondensePlusContextOptions, "retriever"> & {
    /** Default `best`, which is `condense_plus_context`. */
    mode?: ChatMode;
    /** How the index is searched. Default `default`. */
    queryMode?: R["mode"];
    postprocessors?: readonly Postprocessor[];
  };

type Chat = Omit<CondensePlusContextOptions, "retriever">;

/** Every option of a chat engine: what is not one of them is the retriever's. */
const OF_CHAT: Record<keyof Chat, true> = {
  model: true,
  memory: true,
  streaming: true,
  language: true,
  verbose: true,
  systemPrompt: true,
  prefixMessages: true,
  postprocessors: true,
  prompts: true,
  answerWithoutContext: true,
  emptyAnswer: true,
  skipCondense: true,
  contextWindow: true,
  maxOutputTokens: true,
  reservedTokens: true,
  overlapRatio: true,
  chunkSizeLimit: true,
  tokenizer: true,
  separator: true,
};

/** What each mode has no use for: refused rather than ignored. */
const UNUSED: Partial<Record<ChatMode, readonly (keyof Chat)[]>> = {
  simple: ["postprocessors", "prompts", "answerWithoutContext", "emptyAnswer", "skipCondense"],
  context: ["skipCondense"],
  condense_question: ["systemPrompt", "prefixMessages", "skipCondense", "answerWithoutContext"],
};

export function chatEngineOf<R extends { mode?: unknown }>(
  asRetriever: (options: R) => Retriever,
  given: ChatOptionsOf<R>,
): ChatEngine {
  const { mode = "best", queryMode, ...rest } = given;
  if (!CHAT_MODES.includes(mode)) {
    throw new InvalidArgumentError(
      "mode",
      mode,
      `there is no chat mode "${mode}": take one of ${CHAT_MODES.join(", ")} (agents such as react are not part of this library)`,
    );
  }
  const forRetriever: Record<string, unknown> = queryMode === undefined ? {} : { mode: queryMode };
  const forChat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) (Object.hasOwn(OF_CHAT, name) ? forChat : forRetriever)[name] = value;
  }
  const unused = mode === "simple" ? Object.keys(forRetriever) : [];
  const [refused] = [...unused, ...(UNUSED[mode] ?? []).filter((name) => Object.hasOwn(forChat, name))];
  if (refused)
    throw new InvalidArgumentError(refused, undefined, `"${refused}" has no effect in the chat mode ${mode}`);
  const chat = forChat as unknown as Chat;
  if (mode === "simple") return simpleChatEngine(chat);
  const retriever = asRetriever(forRetriever as R);
  if (mode === "context") return contextChatEngine({ ...chat, retriever });
  if (mode !== "condense_question") return condensePlusContextChatEngine({ ...chat, retriever });
  const { memory, prompts, ...answer } = chat;
  return condenseQuestionChatEngine({
    queryEngine: retrieverQueryEngine({ ...answer, retriever }),
    model: chat.model,
    ...(memory ? { memory } : {}),
    ...(prompts ? { prompts } : {}),
    ...pick(chat, ["language", "streaming", "tokenizer", "contextWindow", "verbose"]),
  });
}

function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<
    T,
    K
  >;
}
