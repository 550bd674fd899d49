/** LlamaIndex's MultiStepQueryEngine: a model asks one question after another, each with what the earlier ones brought. */
import { type AiSdkLanguageModel, toLanguageModel } from "../models/index.ts";
import {
  type AnswerLanguage,
  askModel,
  callOptions,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  type NodeWithScore,
  type PromptOption,
  type PromptSet,
  type QueryEngine,
  questionLanguage,
  responseWith,
  textNode,
  withPrompts,
} from "../schema/index.ts";
import { queryEngine } from "./frame.ts";
import { type AnswerOptions, synthesizerOf } from "./retriever.ts";

/** The engine that is asked step by step, the model that finds the next step, and when to stop. */
export interface MultiStepQueryEngineOptions extends AnswerOptions {
  /** Answers each question. */
  engine: QueryEngine;
  /** Writes the questions, and the answer unless there is a `synthesizer`. */
  model: LanguageModel | AiSdkLanguageModel;
  /** Questions at most. Default 3. */
  numSteps?: number;
  /** What the engine knows, for the model. */
  indexSummary?: string;
  /** `{query_str}`, `{prev_reasoning}` (`None` at first) and `{context_str}` (the summary) are filled in; an answer with `none` ends the steps. */
  stepPrompt?: PromptOption;
}

const PROMPT: Record<AnswerLanguage, string> = {
  en:
    "A question is answered step by step by asking a source of knowledge.\nThe question: {query_str}\nThe source: {context_str}\n" +
    "What was asked and answered so far: {prev_reasoning}\nWrite the next question to ask, and nothing else. It must differ from those before. " +
    "If what is known is enough, or the source cannot know more, write: None\nNext question:\n",
  zh:
    "通过向一个知识来源逐步提问来回答一个问题。\n原问题：{query_str}\n知识来源：{context_str}\n已经问到的内容：{prev_reasoning}\n" +
    "只写出下一个要问的问题，不要写其他内容，也不要重复已经问过的。如果已知的内容足够，或者来源不可能知道更多，就写：None\n下一个问题：\n",
};

/**
 * Makes a query engine that asks in steps. `metadata.subQuestions` holds them with their answers.
 *
 * @example multiStepQueryEngine({ engine, model, indexSummary: "员工手册", numSteps: 3 })
 */
export function multiStepQueryEngine(options: MultiStepQueryEngineOptions): QueryEngine {
  const { engine, numSteps = 3, indexSummary = "None", stepPrompt: next = PROMPT, ...answer } = options;
  const model = toLanguageModel(options.model);
  if (!Number.isInteger(numSteps) || numSteps < 1) {
    throw new InvalidArgumentError(
      "numSteps",
      numSteps,
      `numSteps must be a whole number of at least 1, not ${numSteps}`,
    );
  }
  const synthesizer = synthesizerOf(answer);
  const prompts: PromptSet["own"] = { step: next };
  const self = queryEngine("multi-step", async (bundle, call) => {
    const prompt = inLanguage(prompts["step"]!, questionLanguage(bundle.query));
    const subQuestions: { question: string; answer: string }[] = [];
    const sources: NodeWithScore[] = [];
    while (subQuestions.length < numSteps) {
      const values = { prev_reasoning: reasoning(subQuestions), query_str: bundle.query, context_str: indexSummary };
      const asking = { model, prompt, values, purpose: "next question", verbose: answer.verbose };
      const question = await askModel(asking, call);
      if (question.trim() === "" || question.toLowerCase().includes("none")) break;
      const answered = await engine.query(question, call);
      subQuestions.push({ question, answer: await answered.text });
      sources.push(...answered.sources);
    }
    const nodes = subQuestions.map((part) => ({
      node: textNode({ text: `\nQuestion: ${part.question}\nAnswer: ${part.answer}` }),
    }));
    const request = { ...callOptions(call), query: bundle, nodes, additionalSources: sources };
    const whole = await synthesizer.synthesize(request);
    return responseWith(whole, { metadata: { ...whole.metadata, subQuestions } });
  });
  return withPrompts(self, prompts, { engine, synthesizer });
}

function reasoning(steps: readonly { question: string; answer: string }[]): string {
  if (steps.length === 0) return "None";
  return `\n${steps.map(({ question, answer }) => `- ${question}\n- ${answer}\n`).join("")}`;
}
