/**
 * Judges: a language model says how good an answer is, by prompts of this project. Each gives a score from 0 to 1 and says what is wrong, so that
 * it can also be the evaluator of a `retryQueryEngine`.
 */
import { z } from "zod";
import { type AiSdkLanguageModel, toLanguageModel } from "../../models/index.ts";
import type { AnswerEvaluator } from "../../query-engine/index.ts";
import {
  AnswerFormatError,
  type AnswerLanguage,
  type CallOptions,
  callOptions,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  type PromptOption,
  questionLanguage,
} from "../../schema/index.ts";
import { modelCalls } from "../../synthesis/model-calls.ts";
import { type AnswerSchema, answerSchema } from "../../synthesis/structured.ts";

/** A mark from 0 to 1 and what it rests on; without a mark where there was nothing to judge. */
export interface Judged {
  /** 0 to 1; undefined where there is nothing to judge (an answer that claims nothing, no passages). */
  score: number | undefined;
  /** Whether the score reaches the judge's threshold. Where nothing is to be judged, it passes. */
  passing: boolean;
  /** What is wrong, for people and for the next attempt. */
  feedback?: string;
}

/** What is judged. `reference` is the answer that is known to be right. */
export type JudgeRequest = { query: string; answer: string; contexts: string[]; reference?: string } & CallOptions;

/** Marks an answer from 0 to 1, with reasons. `faithfulnessJudge` and its siblings make one. */
export interface Judge extends AnswerEvaluator {
  readonly name: string;
  evaluate(request: JudgeRequest): Promise<Judged>;
}

/** The model that judges, its prompt, and the least score that passes. */
export interface JudgeOptions {
  model: LanguageModel | AiSdkLanguageModel;
  /** `{query_str}`, `{answer}`, `{context_str}` and `{reference}` are filled in; the form of the model's answer is added. */
  prompt?: PromptOption;
  /** The least score that passes. Default 0.7. */
  threshold?: number;
  /** Characters of the passages that the model reads. Default 12,000. */
  maxChars?: number;
}

const FAITHFUL: Record<AnswerLanguage, string> = {
  en: `Passages:
{context_str}

Answer to be checked:
{answer}

Split the answer into its single statements of fact. Say of each whether the passages alone support it: what you know yourself does not count, and a statement that goes beyond the passages or contradicts them is not supported. Leave out greetings, numbers of sources and sentences that only say that something is not known.`,
  zh: `资料：
{context_str}

待检查的回答：
{answer}

请把回答拆成一条条事实陈述，逐条判断资料本身是否支持它：你自己的知识不算，超出资料或与资料矛盾的陈述都算不支持。寒暄、来源编号、仅仅说明“不知道”的句子不用列出。`,
};

const RELEVANT: Record<AnswerLanguage, string> = {
  en: `Question: {query_str}
Answer: {answer}

How well does the answer answer the question? Judge only that, not whether it is true. 5: completely and to the point. 4: with small gaps or some padding. 3: in part. 2: it only touches on it. 1: not at all, or it says that it does not know.`,
  zh: `问题：{query_str}
回答：{answer}

这个回答在多大程度上回答了问题？只看是否切题，不看是否属实。5：完整而切题。4：略有遗漏或多余。3：回答了一部分。2：只是沾边。1：完全没有回答，或只说不知道。`,
};

const CONTEXT: Record<AnswerLanguage, string> = {
  en: `Question: {query_str}

Passages:
{context_str}

Say of each passage, by its number, whether it holds something that helps to answer the question.`,
  zh: `问题：{query_str}

资料：
{context_str}

请按编号逐段判断：这段资料里有没有能帮助回答问题的内容？`,
};

const CORRECT: Record<AnswerLanguage, string> = {
  en: `Question: {query_str}
Answer known to be right: {reference}
Answer to be judged: {answer}

How far does the answer to be judged say the same as the one known to be right? Other words are fine, further true details too. 5: the same in all that matters. 4: the same, with a small gap. 3: half of it. 2: mostly wrong or missing. 1: wrong, contradicting, or no answer.`,
  zh: `问题：{query_str}
标准答案：{reference}
待评判的回答：{answer}

待评判的回答与标准答案在内容上有多一致？措辞不同没有关系，多出的正确细节也没有关系。5：要点全部一致。4：一致，略有遗漏。3：只对一半。2：大多错误或缺失。1：错误、相互矛盾或没有回答。`,
};

/** As models write it: true, "yes", "是", 1. */
const YES = z.preprocess((value) => {
  if (typeof value === "string") {
    if (/^\s*(true|yes|y|是|支持|相关|supported|relevant)\s*[.。]?\s*$/i.test(value)) return true;
    if (
      /^\s*(false|no|n|否|不是|不支持|不相关|not supported|unsupported|irrelevant|not relevant)\s*[.。]?\s*$/i.test(
        value,
      )
    )
      return false;
  }
  return value === 1 ? true : value === 0 ? false : value;
}, z.boolean());

/** As models write it: 4, "4", "4/5", "4 points". */
const GRADE = z.preprocess((value) => {
  const digits = typeof value === "string" ? /^\s*([1-5](?:\.\d+)?)(?!\d)/.exec(value)?.[1] : undefined;
  return digits === undefined ? value : Number(digits);
}, z.number().min(1).max(5));

const TEXT = z.preprocess((value) => (typeof value === "string" ? value : ""), z.string());

const CLAIMS = z.object({ claims: z.array(z.object({ claim: z.string(), supported: YES })) });
const PASSAGES = z.object({ passages: z.array(z.object({ number: z.coerce.number().int(), relevant: YES })) });
const GRADED = z.object({ reason: TEXT, score: GRADE });

/** The share of the answer's statements that the passages support. An answer without statements is not judged. */
export function faithfulnessJudge(options: JudgeOptions): Judge {
  return judge("faithfulness", options, FAITHFUL, CLAIMS, ({ claims }) => {
    const wrong = claims.filter(({ supported }) => !supported);
    return {
      score: claims.length === 0 ? undefined : 1 - wrong.length / claims.length,
      wrong: wrong.map(({ claim }) => claim).join("; "),
    };
  });
}

/** How well the answer answers the question, whether true or not. */
export function answerRelevancyJudge(options: JudgeOptions): Judge {
  return judge("answer relevancy", options, RELEVANT, GRADED, graded);
}

/** The share of the passages that help to answer. No answer is needed. */
export function contextRelevancyJudge(options: JudgeOptions): Judge {
  return judge("context relevancy", options, CONTEXT, PASSAGES, ({ passages }, { contexts }) => {
    const relevant = new Set(passages.filter((passage) => passage.relevant).map(({ number }) => number));
    const useless = contexts.flatMap((_, i) => (relevant.has(i + 1) ? [] : [i + 1]));
    return {
      score: contexts.length === 0 ? undefined : 1 - useless.length / contexts.length,
      wrong: useless.map((n) => `[${n}]`).join(" "),
    };
  });
}

/** How far the answer says what the reference says. @throws InvalidArgumentError without a reference */
export function correctnessJudge(options: JudgeOptions): Judge {
  return judge("correctness", options, CORRECT, GRADED, graded);
}

const graded = ({ score, reason }: z.output<typeof GRADED>) => ({ score: (score - 1) / 4, wrong: reason });

function judge<T>(
  name: string,
  { model: given, prompt: own, threshold = 0.7, maxChars = 12_000 }: JudgeOptions,
  prompts: Record<AnswerLanguage, string>,
  schema: z.ZodType<T>,
  score: (answer: T, request: JudgeRequest) => { score: number | undefined; wrong: string },
): Judge {
  const model = toLanguageModel(given);
  const form = answerSchema(schema);
  return {
    name,
    async evaluate(request) {
      const { query, answer, contexts, reference } = request;
      if (name === "correctness" && reference === undefined)
        throw new InvalidArgumentError(
          "reference",
          reference,
          "correctness needs the answer that is known to be right",
        );
      const language = questionLanguage(query);
      const numbered = contexts.map((text, i) => `[${i + 1}] ${text}`).join("\n\n");
      const calls = modelCalls({ model, call: callOptions(request), purpose: "evaluation", language });
      const said = await repaired(calls, form, {
        prompt: inLanguage(own ?? prompts, language),
        values: { query_str: query, answer, context_str: numbered.slice(0, maxChars), reference: reference ?? "" },
        name,
      });
      const judged = score(said, request);
      const passing = judged.score === undefined || judged.score >= threshold;
      return { score: judged.score, passing, ...(passing || judged.wrong === "" ? {} : { feedback: judged.wrong }) };
    },
  };
}

/** An answer that is not of the form is asked for once more. */
export async function repaired<T>(
  calls: ReturnType<typeof modelCalls>,
  form: AnswerSchema<T>,
  call: Parameters<ReturnType<typeof modelCalls>["complete"]>[0],
): Promise<T> {
  try {
    return await calls.object(call, form);
  } catch (error) {
    if (!(error instanceof AnswerFormatError)) throw error;
    return calls.object(call, form);
  }
}
