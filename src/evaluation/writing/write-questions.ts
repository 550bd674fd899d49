/**
 * Questions that a language model writes from a user's own passages, each with its answer and the passage that holds it. What copies the passage,
 * speaks of "the passage" or asks again what was asked before is left out, and said why.
 */
import { z } from "zod";
import { tokensAtMost } from "../../models/estimate.ts";
import { type AiSdkLanguageModel, toLanguageModel } from "../../models/index.ts";
import { grouped } from "../../schema/grouped.ts";
import {
  AnswerFormatError,
  type AnswerLanguage,
  type CallOptions,
  callOptions,
  inLanguage,
  type LanguageModel,
  type PromptOption,
  questionLanguage,
} from "../../schema/index.ts";
import { modelCalls } from "../../synthesis/model-calls.ts";
import { answerSchema } from "../../synthesis/structured.ts";
import { repaired } from "../judges/judges.ts";
import { seededRandom, shuffled } from "../random.ts";

/** A passage that questions are written from. */
export interface SourcePassage {
  id: string;
  text: string;
  file?: string;
  heading?: string;
}

/** A line of a question set; `readQuestions` reads it. */
export interface WrittenQuestion {
  question: string;
  answer: string;
  relevant: string[];
  /** What it was written from. */
  passage: { id: string; text: string };
}

/** Why a written question was left out. */
export type LeftOut = "copies the passage" | "speaks of the passage" | "asked before" | "too short or too long";

/** From which passages questions are written, by which model, and how many. */
export interface WriteQuestionsOptions extends CallOptions {
  passages: readonly SourcePassage[];
  model: LanguageModel | AiSdkLanguageModel;
  /** Of each passage. Default 1. */
  perPassage?: number;
  /** What is there already: its passages are not asked of again, and its questions not repeated. */
  known?: readonly WrittenQuestion[];
  /** `{context_str}`, `{heading}` and `{count}` are filled in; the form of the model's answer is added. */
  prompt?: PromptOption;
  onQuestion?: (question: WrittenQuestion) => void | Promise<void>;
  onLeftOut?: (question: string, why: LeftOut) => void;
  onProgress?: (progress: { done: number; total: number }) => void;
}

const PROMPT: Record<AnswerLanguage, string> = {
  en: `From a document{heading}:
{context_str}

Write {count} question(s) that somebody would ask who needs what stands here, but has never seen this text. Each must be answered by the text alone, stand on its own (name the thing that is meant; never "the text" or "the document"), and use other words than the text where that is natural. Give the answer with each, in one or two sentences.`,
  zh: `以下内容摘自一份文档{heading}：
{context_str}

请写出 {count} 个问题：提问者需要这里的信息，但从未见过这段文字。每个问题都必须仅凭这段文字就能回答，单独看也清楚（说出所指的事物，不要用“本文”“上文”“该文档”），并尽量换一种说法，不要照抄原文。每个问题附上一两句话的答案。`,
};

const FORM = z.object({ questions: z.array(z.object({ question: z.string(), answer: z.coerce.string() })) });

/** Passages shorter than this hold nothing to ask about. */
const SHORTEST = 40;

/** Some passages, by the seed: from as many files as possible, none that is tiny. */
export function choosePassages(passages: readonly SourcePassage[], count: number, seed = 1): SourcePassage[] {
  const long = shuffled(passages, seededRandom(seed)).filter(({ text }) => [...text.trim()].length >= SHORTEST);
  const byFile = grouped(long, ({ file, id }) => file ?? id);
  const out: SourcePassage[] = [];
  const lists = [...byFile.values()];
  for (let round = 0; out.length < count && lists.some((list) => list.length > round); round++)
    for (const list of lists) if (list[round] && out.length < count) out.push(list[round]!);
  return out;
}

/** What writing will take, at most: an upper bound, since how a model counts is its own affair. */
export function writingCost(
  passages: readonly SourcePassage[],
  perPassage = 1,
): { calls: number; tokensIn: number; tokensOut: number } {
  const tokensIn = passages.reduce(
    (sum, { text }) => sum + tokensAtMost(PROMPT[questionLanguage(text)]) + tokensAtMost(text) + 150,
    0,
  );
  return { calls: passages.length, tokensIn, tokensOut: passages.length * (40 + 160 * perPassage) };
}

/** Writes questions, one call a passage. Those that are done when a signal stops it have been handed to `onQuestion`. */
export async function writeQuestions(options: WriteQuestionsOptions): Promise<WrittenQuestion[]> {
  const { perPassage = 1, known = [], prompt = PROMPT } = options;
  const call = callOptions(options);
  const model = toLanguageModel(options.model);
  const form = answerSchema(FORM);
  const asked = known.map(({ question }) => question);
  const done = new Set(known.map(({ passage }) => passage.id));
  const open = options.passages.filter(({ id }) => !done.has(id));
  const out: WrittenQuestion[] = [];
  for (const [i, passage] of open.entries()) {
    call.signal?.throwIfAborted();
    const language = questionLanguage(passage.text);
    const calls = modelCalls({ model, call, purpose: "questions", language });
    const said = await repaired(calls, form, {
      prompt: inLanguage(prompt, language),
      values: {
        context_str: passage.text,
        heading: passage.heading === undefined ? "" : ` (${passage.heading})`,
        count: String(perPassage),
      },
      name: "questions",
    }).catch((error: unknown) => {
      // One passage of which a model makes nothing is no reason to lose the others.
      if (error instanceof AnswerFormatError) return { questions: [] };
      throw error;
    });
    for (const { question: written, answer } of said.questions.slice(0, perPassage)) {
      const question = written.trim();
      const why = reasonAgainst(question, passage.text, asked);
      if (why !== undefined) {
        options.onLeftOut?.(question, why);
        continue;
      }
      asked.push(question);
      const line = {
        question,
        answer: answer.trim(),
        relevant: [nameOf(passage)],
        passage: { id: passage.id, text: passage.text },
      };
      out.push(line);
      await options.onQuestion?.(line);
    }
    options.onProgress?.({ done: i + 1, total: open.length });
  }
  return out;
}

/** What should be found: the heading's section, or the passage itself where there is none. */
function nameOf({ id, file, heading }: SourcePassage): string {
  return file !== undefined && heading !== undefined ? `${file}#${heading}` : `passage:${id}`;
}

/** "the passage", "本文": what only whoever sees the text can understand. */
const SPEAKS_OF_IT =
  /\b(?:the|this) (?:passage|text|document|excerpt|section|article|paragraph)\b|according to (?:the|this)\b.{0,20}\b(?:passage|text|document|section)|本文|上文|该文|此文|文中|本段|这段(?:文字|内容|话)|该段|(?:上述|以上|本|该|这份)(?:内容|文字|资料|文档|材料|段落)/i;

/** Characters in a row that are a copy. */
const COPIED = { zh: 14, en: 45 } as const;

export function reasonAgainst(question: string, passage: string, asked: readonly string[]): LeftOut | undefined {
  const length = [...question].length;
  if (length < 4 || length > 300) return "too short or too long";
  if (SPEAKS_OF_IT.test(question)) return "speaks of the passage";
  const [bare, source] = [plain(question), plain(passage)];
  const run = longestCommon(bare, source);
  if (run >= COPIED[questionLanguage(question)] || (run >= 6 && run > 0.8 * bare.length)) return "copies the passage";
  return asked.some((other) => alike(bare, plain(other))) ? "asked before" : undefined;
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Length of the longest run of characters that both have. */
function longestCommon(a: string, b: string): number {
  let best = 0;
  let row = new Uint16Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const next = new Uint16Array(b.length + 1);
    for (let j = 0; j < b.length; j++) {
      if (a[i] !== b[j]) continue;
      next[j + 1] = row[j]! + 1;
      best = Math.max(best, next[j + 1]!);
    }
    row = next;
  }
  return best;
}

/** Whether two questions share most of their runs of three characters. */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  const [ta, tb] = [trigrams(a), trigrams(b)];
  const common = [...ta].filter((gram) => tb.has(gram)).length;
  const all = ta.size + tb.size - common;
  return all > 0 && common / all >= 0.8;
}

function trigrams(text: string): Set<string> {
  const characters = [...` ${text} `];
  return new Set(characters.slice(2).map((_, i) => characters.slice(i, i + 3).join("")));
}
