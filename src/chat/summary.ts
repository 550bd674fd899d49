/** What no longer fits into a chat's memory, summed up by a model: each time the summary so far and what has come since. */
import { type AiSdkLanguageModel, toLanguageModel } from "../models/index.ts";
import {
  type AnswerLanguage,
  askModel,
  type CallOptions,
  inLanguage,
  type LanguageModel,
  type PromptOption,
  questionLanguage,
  type Tokenizer,
  type Verbose,
} from "../schema/index.ts";
import { promptBudget } from "../synthesis/index.ts";
import { historyText } from "./history.ts";
import type { MemoryMessage } from "./memory.ts";

/** What sums up messages that no longer fit, and how. */
export interface SummarizeOptions {
  model: LanguageModel | AiSdkLanguageModel;
  /** Tokens of a summary at most, taken from the memory's. Default 256, and never more than half of the memory's. */
  tokens?: number;
  /** `{summary_str}` (what was summed up before) and `{chat_history}` are filled in. */
  prompt?: PromptOption;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

/** A summary of earlier messages, and how many it stands for. */
export interface ChatSummary {
  text: string;
  /** How many of the oldest messages it covers. */
  covers: number;
}

const TOKENS = 256;

const PROMPT: Record<AnswerLanguage, string> = {
  en:
    "A conversation is too long to be kept whole. Sum up what has to be known to go on with it: facts, names, numbers, wishes and decisions. " +
    "Write the summary alone, in a few sentences.\n\nSummary so far:\n{summary_str}\n\nWhat came after it:\n{chat_history}\n\nNew summary:\n",
  zh:
    "一段对话太长，无法全部保留。概括继续对话需要知道的内容：事实、名称、数字、愿望和决定。只写概括，几句话即可。\n\n" +
    "已有的概括：\n{summary_str}\n\n之后的对话：\n{chat_history}\n\n新的概括：\n",
};

const SHOWN: Record<AnswerLanguage, string> = {
  en: "What was said earlier in this conversation, summed up: ",
  zh: "这段对话之前内容的概括：",
};

export interface Summarizer {
  readonly tokens: number;
  /** A summary of the messages; the one so far is taken up where it covers their beginning. */
  of(messages: readonly MemoryMessage[], before: ChatSummary | undefined, call: CallOptions): Promise<ChatSummary>;
  shown(summary: ChatSummary): string;
}

export function summarizer(options: SummarizeOptions, tokenizer: Tokenizer | undefined): Summarizer {
  const { tokens = TOKENS, prompt = PROMPT, verbose } = options;
  const model = toLanguageModel(options.model);
  const budget = promptBudget({
    contextWindow: model.contextWindow ?? 3900,
    maxOutputTokens: model.maxOutputTokens ?? TOKENS,
    ...(tokenizer ? { tokenizer } : {}),
  });
  return {
    tokens,
    async of(messages, before, call) {
      const known = before && before.covers <= messages.length ? before : { text: "", covers: 0 };
      let text = known.text;
      if (known.covers < messages.length) {
        const history = historyText(messages.slice(known.covers));
        const template = inLanguage(prompt, questionLanguage(history));
        // A history that does not fit into one prompt is summed up piece by piece.
        for (const piece of await budget.repack(template, [history], { known: { summary_str: text } })) {
          const values = { summary_str: text, chat_history: piece };
          const written = await askModel({ model, prompt: template, values, purpose: "chat summary", verbose }, call);
          text = (await budget.cut(written.trim(), tokens)) || text;
        }
      }
      return { text, covers: messages.length };
    },
    shown: ({ text }) => SHOWN[questionLanguage(text)] + text,
  };
}
