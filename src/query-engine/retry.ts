/** LlamaIndex's RetryQueryEngine: an answer that an evaluator does not let pass is asked for again, with what was wrong with it. */
import { type AiSdkLanguageModel, toLanguageModel } from "../models/index.ts";
import {
  AnswerFormatError,
  type AnswerLanguage,
  askModel,
  type CallOptions,
  callOptions,
  fillTemplate,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  nodeContent,
  type PromptOption,
  type PromptSet,
  type QueryEngine,
  questionLanguage,
  type Response,
  responseWith,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";
import { queryEngine } from "./frame.ts";

/** Whether an answer passes, and what is wrong with it. */
export interface Evaluation {
  passing: boolean;
  /** What is wrong with the answer, for the next attempt. */
  feedback?: string;
}

/** Judges an answer by the question and by what it rests on. */
export interface AnswerEvaluator {
  evaluate(request: { query: string; answer: string; contexts: string[] } & CallOptions): Promise<Evaluation>;
}

/** The engine that is asked again, who judges its answers, and how often. */
export interface RetryQueryEngineOptions {
  engine: QueryEngine;
  evaluator: AnswerEvaluator;
  /** Further attempts after the first. Default 3. */
  maxRetries?: number;
  /** How the question is put again: `{query_str}`, `{answer}` and `{feedback}` are filled in. */
  retryPrompt?: string | Readonly<Record<AnswerLanguage, string>>;
}

const AGAIN: Record<AnswerLanguage, string> = {
  en: "{query_str}\n\nAn earlier answer was not good enough:\n{answer}\nWhat was wrong with it: {feedback}\nAnswer the question better.",
  zh: "{query_str}\n\n之前的回答不够好：\n{answer}\n问题在于：{feedback}\n请更好地回答这个问题。",
};

const NO_FEEDBACK: Record<AnswerLanguage, string> = { en: "it does not answer the question", zh: "没有回答问题" };

/**
 * Makes a query engine that asks again. The last answer is given even if it does not pass; `metadata.attempts` holds the judgement of each.
 *
 * @example retryQueryEngine({ engine, evaluator: relevancyEvaluator({ model }), maxRetries: 2 })
 */
export function retryQueryEngine(options: RetryQueryEngineOptions): QueryEngine {
  const { engine, evaluator, maxRetries = 3, retryPrompt: retry = AGAIN } = options;
  const prompts: PromptSet["own"] = { retry };
  if (!Number.isInteger(maxRetries) || maxRetries < 0) {
    throw new InvalidArgumentError("maxRetries", maxRetries, "maxRetries must be a whole number of at least 0");
  }
  const self = queryEngine("retry", async (bundle, call) => {
    const { query } = bundle;
    const language = questionLanguage(query);
    const template = inLanguage(prompts["retry"]!, language);
    if (typeof template !== "string") {
      throw new InvalidArgumentError("retry", template, "the prompt of a retry is the question put again: a text");
    }
    const attempts: Evaluation[] = [];
    const judged = (answer: Response) => responseWith(answer, { metadata: { ...answer.metadata, attempts } });
    let asked = bundle;
    while (true) {
      const answer = await engine.query(asked, call);
      if (attempts.length >= maxRetries) return judged(answer);
      const text = await answer.text;
      const contexts = answer.sources.map(({ node }) => nodeContent(node, "llm"));
      const evaluation = await evaluator.evaluate({ query, answer: text, contexts, ...callOptions(call) });
      attempts.push(evaluation);
      if (evaluation.passing) return judged(answer);
      const feedback = evaluation.feedback || NO_FEEDBACK[language];
      // The question alone says what is meant; what was wrong with the answer is for the model that writes.
      asked = {
        embeddingTexts: [query],
        ...bundle,
        query: fillTemplate(template, { query_str: query, answer: text, feedback }),
      };
    }
  });
  return withPrompts(self, prompts, { engine, evaluator });
}

const JUDGE: Record<AnswerLanguage, string> = {
  en:
    "Passages:\n{context_str}\n\nQuestion: {query_str}\nAnswer: {answer}\n\nDoes the answer answer the question, and do the passages support it? " +
    "Write YES or NO first, and after NO in one sentence what is wrong.",
  zh: "资料：\n{context_str}\n\n问题：{query_str}\n回答：{answer}\n\n这个回答是否回答了问题，并且有资料支持？先写“是”或“否”；写“否”时再用一句话说明哪里不对。",
};

/** The model that says whether an answer fits question and sources. */
export interface RelevancyEvaluatorOptions {
  model: LanguageModel | AiSdkLanguageModel;
  /** `{query_str}`, `{answer}` and `{context_str}` are filled in; the answer begins with yes or no. */
  prompt?: PromptOption;
  /** Characters of the passages that the model reads. Default 12,000. */
  maxChars?: number;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

/** LlamaIndex's RelevancyEvaluator: a model says whether the answer answers, and rests on its sources. */
export function relevancyEvaluator(options: RelevancyEvaluatorOptions): AnswerEvaluator {
  const { maxChars = 12_000, verbose } = options;
  const prompts: PromptSet["own"] = { prompt: options.prompt ?? JUDGE };
  const model = toLanguageModel(options.model);
  const self: AnswerEvaluator = {
    async evaluate({ query, answer, contexts, ...call }) {
      const values = { query_str: query, answer, context_str: contexts.join("\n\n").slice(0, maxChars) };
      const asked = inLanguage(prompts["prompt"]!, questionLanguage(query));
      const said = await askModel({ model, prompt: asked, values, purpose: "evaluation", verbose }, call);
      const verdict = /^[\s*_"'“「`]*(yes|no\b|是|否|不是)[\s*_"'”」`:：,，.。、—-]*/iu.exec(said);
      if (!verdict) {
        throw new AnswerFormatError(
          model.name,
          said,
          `${model.name} was asked for yes or no and answered: ${said.slice(0, 200)}`,
        );
      }
      const passing = /yes|^是/i.test(verdict[1]!);
      const feedback = said.slice(verdict[0].length).trim();
      return { passing, ...(passing || feedback === "" ? {} : { feedback }) };
    },
  };
  return withPrompts(self, prompts);
}
