/** LlamaIndex's SubQuestionQueryEngine: a model takes a question apart, engines answer the parts, and the answers answer the whole. */

import { type AiSdkLanguageModel, toLanguageModel } from "../models/index.ts";
import type { Choice } from "../retrieval/index.ts";
import { strictJsonInAnswer } from "../retrieval/model-json.ts";
import {
  AnswerFormatError,
  type AnswerLanguage,
  askModel,
  BudgetError,
  callOptions,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  type NodeWithScore,
  type PromptOption,
  type PromptSet,
  type QueryEngine,
  questionLanguage,
  type RetrieveOptions,
  responseWith,
  textNode,
  withPrompts,
} from "../schema/index.ts";
import { inParallel } from "../synthesis/modes/mode.ts";
import { queryEngine } from "./frame.ts";
import { type AnswerOptions, synthesizerOf } from "./retriever.ts";

/** An engine as a model sees it. */
export interface EngineTool extends Choice {
  name: string;
  engine: QueryEngine;
}

/** The engines that parts of a question go to, and the model that takes it apart. */
export interface SubQuestionQueryEngineOptions extends AnswerOptions {
  tools: readonly EngineTool[];
  /** Takes the question apart, and writes the answer unless there is a `synthesizer`. */
  model: LanguageModel | AiSdkLanguageModel;
  /** Takes the question apart: `{tools_str}` (JSON, names with descriptions) and `{query_str}` are filled in. */
  questionPrompt?: PromptOption;
  /** Questions that are asked at most; what the model writes beyond is left out. Default 10. */
  maxQuestions?: number;
}

/** What became of a part of the question: `metadata.subQuestions`. */
export interface SubQuestion {
  question: string;
  tool: string;
  answer?: string;
  /** Why it was left out. */
  error?: unknown;
}

const PROMPT: Record<AnswerLanguage, string> = {
  en:
    "Below are tools, each with what it knows, and a question. Write the questions that have to be asked of the tools so that together their " +
    'answers answer it. Answer with JSON and nothing else: [{"sub_question": string, "tool_name": name of a tool}, …].\n\n' +
    "Tools:\n{tools_str}\n\nQuestion: {query_str}\nJSON:\n",
  zh:
    "下面是一些工具（各自知道的内容），以及一个问题。写出应当分别向这些工具提的问题，使它们的回答合起来能回答原问题。只输出 JSON，不要输出其他内容：" +
    '[{"sub_question": "问题", "tool_name": "工具名"}, …]。\n\n工具：\n{tools_str}\n\n问题：{query_str}\nJSON：\n',
};

/**
 * Makes a query engine that takes questions apart. Parts for tools that there are not, and those whose engine fails, are left out and told
 * in `metadata.subQuestions`.
 *
 * @throws AnswerFormatError when asked, for an answer of the model that is no list of questions
 * @example
 * subQuestionQueryEngine({ tools: [{ name: "leave", description: "请假", engine: leave }, { name: "travel", description: "出差", engine: travel }], model })
 */
export function subQuestionQueryEngine(options: SubQuestionQueryEngineOptions): QueryEngine {
  const { tools, questionPrompt: question = PROMPT, maxQuestions = 10, ...answer } = options;
  const model = toLanguageModel(options.model);
  if (tools.length === 0) throw new InvalidArgumentError("tools", tools, "give at least one tool");
  if (!Number.isInteger(maxQuestions) || maxQuestions < 1) {
    throw new InvalidArgumentError("maxQuestions", maxQuestions, "maxQuestions must be a whole number of at least 1");
  }
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new InvalidArgumentError("tools", tools, "each tool needs a name of its own");
  const synthesizer = synthesizerOf(answer);
  const prompts: PromptSet["own"] = { question };
  const shown = JSON.stringify(Object.fromEntries(tools.map(({ name, description }) => [name, description])), null, 4);

  async function ask(
    { question, tool }: SubQuestion,
    call: RetrieveOptions,
  ): Promise<SubQuestion & { sources: NodeWithScore[] }> {
    const known = byName.get(tool);
    const none = { question, tool, sources: [] };
    if (!known) return { ...none, error: new InvalidArgumentError("tool_name", tool, `there is no tool "${tool}"`) };
    try {
      const answered = await known.engine.query(question, call);
      return { question, tool, answer: await answered.text, sources: answered.sources };
    } catch (error) {
      call.signal?.throwIfAborted();
      if (error instanceof BudgetError) throw error;
      return { ...none, error };
    }
  }

  const engine = queryEngine("sub-question", async (bundle, call) => {
    const prompt = inLanguage(prompts["question"]!, questionLanguage(bundle.query));
    const values = { tools_str: shown, query_str: bundle.query };
    const written = await askModel({ model, prompt, values, purpose: "sub-questions", verbose: answer.verbose }, call);
    const parts = parseSubQuestions(model.name, written).slice(0, maxQuestions);
    const asked = await inParallel(parts, answer.parallel ?? 1, (part) => ask(part, call));
    const answered = asked.filter((part) => part.error === undefined);
    const nodes = answered.map((part) => ({
      node: textNode({ text: `Sub question: ${part.question}\nResponse: ${part.answer}` }),
    }));
    const additionalSources = answered.flatMap((part) => part.sources);
    const whole = await synthesizer.synthesize({ ...callOptions(call), query: bundle, nodes, additionalSources });
    const subQuestions = asked.map(({ sources: _, ...part }) => part);
    return responseWith(whole, { metadata: { ...whole.metadata, subQuestions } });
  });
  return withPrompts(engine, prompts, { synthesizer });
}

/** The questions in a model's answer. @throws AnswerFormatError */
export function parseSubQuestions(model: string, answer: string): { question: string; tool: string }[] {
  const value = strictJsonInAnswer(answer);
  const list = isRecord(value) && Array.isArray(value["items"]) ? value["items"] : value;
  const questions = Array.isArray(list) ? list.map(readQuestion) : [];
  if (questions.length > 0 && !questions.includes(undefined)) return questions as { question: string; tool: string }[];
  throw new AnswerFormatError(
    model,
    answer,
    `${model} was asked for a list of questions with their tools and answered: ${answer.slice(0, 200)}`,
  );
}

function readQuestion(item: unknown): { question: string; tool: string } | undefined {
  if (!isRecord(item)) return undefined;
  const { sub_question: question, tool_name: tool } = item;
  return typeof question === "string" && typeof tool === "string" ? { question, tool } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
