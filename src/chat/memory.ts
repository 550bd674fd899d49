/**
 * What a chat remembers, within a budget of tokens. A buffer keeps everything and gives the latest that fits (LlamaIndex's
 * ChatMemoryBuffer, and with a model that sums up what does not fit, its ChatSummaryMemoryBuffer); a queue moves the oldest turns out when
 * it gets long (its Memory).
 */
import { cl100kTokenizer } from "../ingest/index.ts";
import { type CallOptions, type ChatMessage, InvalidArgumentError, type Tokenizer } from "../schema/index.ts";
import { type ChatSummary, type SummarizeOptions, summarizer } from "./summary.ts";

/** A message as it is remembered. What tools said is kept, and not shown to a model. */
export interface MemoryMessage {
  role: ChatMessage["role"] | "tool";
  content: string;
}

/** What a chat engine remembers: messages are put in, and those that fit are given back. */
export interface ChatMemory {
  /** What fits of the messages, the last one always. With a summary, a `system` message with it comes first. */
  get(options?: GetOptions): Promise<MemoryMessage[]>;
  getAll(): MemoryMessage[];
  put(...messages: MemoryMessage[]): Promise<void>;
  /** Puts these in the place of all. */
  set(messages: readonly MemoryMessage[]): Promise<void>;
  reset(): Promise<void>;
  toJson(): ChatMemoryJson;
}

/** How much room the messages may take. */
export interface GetOptions extends CallOptions {
  /** Tokens that something else takes from the budget. */
  initialTokens?: number;
  /** Messages that come behind, and count. */
  adding?: readonly MemoryMessage[];
}

/** What `chatMemory` and `queueMemory` take up again. */
export interface ChatMemoryJson {
  messages: MemoryMessage[];
  /** Of a queue: how many of the oldest have been moved out. */
  flushed?: number;
  summary?: ChatSummary;
}

/** How much is remembered, in tokens, and whether what falls out is summed up. */
export interface ChatMemoryOptions {
  /** Tokens of what is given. Default 3000; a chat engine's own memory has its model's window less 256. */
  tokenLimit?: number;
  /** Default cl100k_base. */
  tokenizer?: Tokenizer;
  /** What is remembered already. */
  messages?: readonly MemoryMessage[];
  /** What another memory's `toJson` gave. */
  json?: ChatMemoryJson;
}

/** Memory of the latest messages within a number of tokens. */
export interface BufferMemoryOptions extends ChatMemoryOptions {
  /** Sums up what no longer fits. */
  summarize?: SummarizeOptions;
}

/** Options of `queueMemory`: short-term messages, and how they are handed on. */
export interface QueueMemoryOptions extends ChatMemoryOptions {
  /** Part of the limit that may be filled before the oldest are moved out. Default 0.7. */
  historyRatio?: number;
  /** Tokens that are moved out at once, at least. Default 3000, or the filled part of a smaller limit. */
  flushSize?: number;
}

const TOKEN_LIMIT = 3000;
const HISTORY_RATIO = 0.7;
const FLUSH_SIZE = 3000;

/**
 * Makes a memory that gives the latest messages that fit.
 *
 * @throws InvalidArgumentError for a limit below 1; when asked, where what is to count beside fills it
 * @example chatMemory({ tokenLimit: 2000, summarize: { model } })
 */
export function chatMemory(options: BufferMemoryOptions = {}): ChatMemory {
  const limit = checkedLimit(options.tokenLimit);
  const count = counter(options.tokenizer);
  const sum = options.summarize ? summarizer(options.summarize, options.tokenizer) : undefined;
  let messages = (options.json?.messages ?? options.messages ?? []).map(checked);
  let summary = options.json?.summary;

  return {
    async get({ initialTokens = 0, adding = [], ...call } = {}) {
      if (initialTokens > limit) {
        throw new InvalidArgumentError(
          "tokenLimit",
          limit,
          `the memory's limit of ${limit} tokens is less than the ${initialTokens} of the messages before it: raise it, or shorten them`,
        );
      }
      const all = [...messages, ...adding];
      const whole = await fitting(all, initialTokens, limit, count);
      if (!sum || whole.length === all.length) return whole;
      const kept = await fitting(all, initialTokens, limit - Math.min(sum.tokens, Math.floor(limit / 2)), count);
      summary = await sum.of(all.slice(0, all.length - kept.length), summary, call);
      return summary.text === "" ? kept : [{ role: "system", content: sum.shown(summary) }, ...kept];
    },
    getAll: () => [...messages],
    async put(...added) {
      messages.push(...added.map(checked));
    },
    async set(given) {
      messages = given.map(checked);
      summary = undefined;
    },
    async reset() {
      messages = [];
      summary = undefined;
    },
    toJson: () => ({ messages: [...messages], ...(summary ? { summary } : {}) }),
  };
}

/** From the oldest on, what does not fit is left out, and what would then begin with an answer; the last message stays. */
async function fitting(
  all: readonly MemoryMessage[],
  initialTokens: number,
  limit: number,
  count: Counter,
): Promise<MemoryMessage[]> {
  let from = 0;
  while (from < all.length - 1 && (await count(all.slice(from))) + initialTokens > limit) {
    from++;
    while (from < all.length - 1 && isAnswer(all[from]!)) from++;
  }
  return all.slice(from);
}

/**
 * Makes a memory that moves its oldest turns out when it gets long. `getAll` still has them.
 *
 * @example queueMemory({ tokenLimit: 30_000, flushSize: 3000 })
 */
export function queueMemory(options: QueueMemoryOptions = {}): ChatMemory {
  const limit = checkedLimit(options.tokenLimit ?? 30_000);
  const { historyRatio = HISTORY_RATIO, flushSize = FLUSH_SIZE } = options;
  if (!(historyRatio > 0 && historyRatio <= 1)) {
    throw new InvalidArgumentError("historyRatio", historyRatio, "historyRatio must be above 0 and at most 1");
  }
  if (!Number.isInteger(flushSize) || flushSize < 1) {
    throw new InvalidArgumentError("flushSize", flushSize, "flushSize must be a whole number of at least 1");
  }
  const full = Math.floor(limit * historyRatio);
  const flush = flushSize > limit ? full : flushSize;
  const count = counter(options.tokenizer);
  const { json } = options;
  let messages = (json?.messages ?? options.messages ?? []).map(checked);
  let flushed = json ? Math.min(Math.max(0, json.flushed ?? 0), messages.length) : 0;
  /** Messages after which it was looked whether it is too long. */
  let settled = json ? messages.length : 0;
  let settling = Promise.resolve();

  function settle(): Promise<void> {
    settling = settling.then(async () => {
      while (settled < messages.length) await moveOut(messages.slice(flushed, ++settled));
    });
    return settling;
  }

  async function moveOut(queue: readonly MemoryMessage[]): Promise<void> {
    if ((await count(queue)) <= full) return;
    let out = 0;
    for (let tokens = 0; out < queue.length && tokens < flush; out++) tokens += await count([queue[out]!]);
    while (out < queue.length && isAnswer(queue[out]!)) out++;
    // The last turn stays, however long it is.
    if (out >= queue.length) out = Math.max(0, queue.map((item) => item.role).lastIndexOf("user"));
    flushed += out;
  }

  function replace(given: readonly MemoryMessage[]): Promise<void> {
    messages = given.map(checked);
    flushed = 0;
    settled = 0;
    return settle();
  }

  return {
    async get({ adding = [] } = {}) {
      await settle();
      return [...messages.slice(flushed), ...adding];
    },
    getAll: () => [...messages],
    async put(...added) {
      messages.push(...added.map(checked));
      await settle();
    },
    set: async (given) => replace(given),
    reset: () => replace([]),
    toJson: () => ({ messages: [...messages], flushed }),
  };
}

type Counter = (messages: readonly MemoryMessage[]) => Promise<number>;

/** Tokens of the contents in a row, as LlamaIndex counts them. */
function counter(tokenizer: Tokenizer | undefined): Counter {
  return async (messages) => {
    const { count } = tokenizer ?? (await cl100kTokenizer());
    return count(messages.map((message) => message.content).join(" "));
  };
}

function isAnswer({ role }: MemoryMessage): boolean {
  return role === "assistant" || role === "tool";
}

function checkedLimit(limit = TOKEN_LIMIT): number {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new InvalidArgumentError(
      "tokenLimit",
      limit,
      `tokenLimit must be a whole number of at least 1, not ${limit}`,
    );
  }
  return limit;
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

function checked(message: MemoryMessage): MemoryMessage {
  if (ROLES.has(message?.role) && typeof message.content === "string") {
    return { role: message.role, content: message.content };
  }
  throw new InvalidArgumentError(
    "messages",
    message,
    "a message has a role (system, user, assistant, tool) and a content",
  );
}
