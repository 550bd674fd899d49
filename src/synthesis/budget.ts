/**
 * LlamaIndex's PromptHelper: how much text a prompt has room for, by the model's window and real token counts, and texts packed into as few
 * prompts as that allows.
 */
import { cl100kTokenizer, tokenSplitter } from "../ingest/index.ts";
import {
  fillPrompt,
  InvalidArgumentError,
  type Prompt,
  PromptTooLongError,
  promptVariables,
  pythonStrip,
  type Tokenizer,
} from "../schema/index.ts";

/** A model's window and answer, and the tokenizer that counts. */
export interface PromptBudgetOptions {
  /** Tokens of prompt and answer together. Default 3900. */
  contextWindow?: number;
  /** Tokens that are kept free for the answer. Default 256. */
  maxOutputTokens?: number;
  /** Tokens that are put behind each prompt, such as a schema. Default 0. */
  reservedTokens?: number;
  /** Tokens that neighbouring pieces of a text share, as a part of a piece. Default 0.1. */
  overlapRatio?: number;
  /** Tokens of a piece at most, however large the window is. */
  chunkSizeLimit?: number;
  /** Counts tokens. Default cl100k_base; a model's own counts exactly. */
  tokenizer?: Tokenizer;
  /** Where texts are cut first. Default a space. */
  separator?: string;
}

/** How much text fits into a prompt, and cutting texts so that it does. */
export interface PromptBudget {
  /** Tokens of text that a prompt has room for. */
  chunkSize(prompt: Prompt, options?: PackOptions): Promise<number>;
  /** The texts joined and cut so that each piece fits into the prompt. Without any text that is not blank: one empty piece. */
  repack(prompt: Prompt, texts: readonly string[], options?: PackOptions): Promise<string[]>;
  /** The beginning of each text, so that all fit together. */
  truncate(prompt: Prompt, texts: readonly string[], options?: PackOptions): Promise<string[]>;
  /** Tokens of a text. */
  count(text: string): Promise<number>;
  /** The beginning of a text. */
  cut(text: string, tokens: number): Promise<string>;
}

/** How texts are packed into prompts; sizes are tokens. */
export interface PackOptions {
  /** What is filled into the prompt beside the texts; other names in it take no room. */
  known?: Readonly<Record<string, string>>;
  /** Tokens kept free beside the answer's. Default 5. */
  padding?: number;
  /** Whether pieces share their ends. Default true. */
  overlap?: boolean;
  /** Where the padding leaves no room: whether half of what there is will do. Default false: that is an error. */
  scalePadding?: boolean;
}

const CONTEXT_WINDOW = 3900;
const MAX_OUTPUT_TOKENS = 256;
const PADDING = 5;
/** Tokens that a message costs beside its role and content. */
const MESSAGE_FRAME = 3;

/**
 * Makes the budget of a model's prompts.
 *
 * @throws InvalidArgumentError for sizes that make no sense
 * @example const pieces = await promptBudget({ contextWindow: 8192 }).repack("{context_str}\n\nSum this up.", texts);
 */
export function promptBudget(options: PromptBudgetOptions = {}): PromptBudget {
  const {
    contextWindow = CONTEXT_WINDOW,
    maxOutputTokens = MAX_OUTPUT_TOKENS,
    reservedTokens = 0,
    overlapRatio = 0.1,
    chunkSizeLimit,
    separator = " ",
  } = options;
  checkWhole("contextWindow", contextWindow, 1);
  checkWhole("maxOutputTokens", maxOutputTokens, 0);
  checkWhole("reservedTokens", reservedTokens, 0);
  if (chunkSizeLimit !== undefined) checkWhole("chunkSizeLimit", chunkSizeLimit, 1);
  if (!(overlapRatio >= 0 && overlapRatio < 1)) {
    throw new InvalidArgumentError("overlapRatio", overlapRatio, "overlapRatio must be at least 0 and less than 1");
  }
  const tokenizer = async () => options.tokenizer ?? (await cl100kTokenizer());

  async function sizeFor(prompt: Prompt, texts: number, options: PackOptions): Promise<number> {
    const { known = {}, padding = PADDING, scalePadding = false } = options;
    const promptTokens = tokensOf(filled(prompt, known), await tokenizer()) + reservedTokens;
    const share = Math.floor((contextWindow - promptTokens - maxOutputTokens) / texts);
    let size = share - padding;
    if (size <= 0 && scalePadding) size = Math.floor(share / 2);
    if (size <= 0) throw tooLong(promptTokens);
    return chunkSizeLimit === undefined ? size : Math.min(size, chunkSizeLimit);
  }

  function tooLong(promptTokens: number): PromptTooLongError {
    const facts = { contextWindow, promptTokens, maxOutputTokens };
    return new PromptTooLongError(
      facts,
      `no room for text: the window has ${contextWindow} tokens, the prompt without it ${promptTokens}, and ${maxOutputTokens} are kept for the ` +
        "answer; shorten the prompt or the question, or lower maxOutputTokens",
    );
  }

  async function splitter(size: number, overlap = true) {
    return tokenSplitter({
      chunkSize: size,
      chunkOverlap: overlap ? Math.floor(overlapRatio * size) : 0,
      separator,
      tokenizer: await tokenizer(),
    });
  }

  return {
    chunkSize: (prompt, pack = {}) => sizeFor(prompt, 1, pack),
    async repack(prompt, texts, pack = {}) {
      const size = await sizeFor(prompt, 1, pack);
      const joined = texts
        .map(pythonStrip)
        .filter((text) => text !== "")
        .join("\n\n");
      return (await splitter(size, pack.overlap)).splitText(joined);
    },
    async truncate(prompt, texts, pack = {}) {
      if (texts.length === 0) return [];
      const cut = await splitter(await sizeFor(prompt, texts.length, pack));
      return Promise.all(texts.map(async (text) => (await cut.splitText(text))[0] ?? ""));
    },
    async count(text) {
      return (await tokenizer()).count(text);
    },
    async cut(text, tokens) {
      return (await (await splitter(Math.max(1, tokens))).splitText(text))[0] ?? "";
    },
  };
}

/** The prompt without the texts: they are counted when they are packed. */
function filled(prompt: Prompt, known: Readonly<Record<string, string>>): Prompt {
  const empty = Object.fromEntries(promptVariables(prompt).map((name) => [name, ""]));
  return fillPrompt(prompt, { ...empty, ...known });
}

function tokensOf(prompt: Prompt, tokenizer: Tokenizer): number {
  if (typeof prompt === "string") return tokenizer.count(prompt);
  return prompt.reduce(
    (sum, { role, content }) => sum + tokenizer.count(role) + tokenizer.count(content) + MESSAGE_FRAME,
    0,
  );
}

function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new InvalidArgumentError(name, value, `${name} must be a whole number of at least ${least}, not ${value}`);
  }
}
