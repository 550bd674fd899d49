/** LlamaIndex's selectors: a model, or an embedding, chooses by their descriptions which of several parts a question is for. */
import {
  AnswerFormatError,
  type AnswerLanguage,
  askModel,
  cosine,
  type EmbeddingModel,
  embedQuery,
  embedTexts,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  type PromptOption,
  type PromptSet,
  type QueryBundle,
  questionLanguage,
  type RetrieveOptions,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";
import { strictJsonInAnswer } from "./model-json.ts";

/** Something that a selector may choose, with what it is for. */
export interface Choice {
  /** What it knows: this is what is chosen by. */
  description: string;
  name?: string;
}

/** What a selector chose, counted from 0, and why. */
export interface Selection {
  /** Place among the choices, from 0. */
  index: number;
  /** Why, as far as it was said. */
  reason: string;
}

/** Chooses among parts, best first. */
export type Selector = (
  choices: readonly Choice[],
  bundle: QueryBundle,
  options: RetrieveOptions,
) => Promise<Selection[]>;

/** The model that chooses, whether it may choose several, and its prompts. */
export interface ModelSelectorOptions {
  model: LanguageModel;
  /** Whether several may be chosen. Default false: the first counts. */
  multiple?: boolean;
  /** Choices at most, where several may be chosen. Default: all. */
  maxOutputs?: number;
  /** `{context_list}`, `{query_str}`, `{num_choices}` and `{max_outputs}` are filled in. */
  prompt?: PromptOption;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

const ONE: Record<AnswerLanguage, string> = {
  en:
    "Below are {num_choices} numbered descriptions of sources, and a question. Choose the one that the question is for. Answer with JSON and " +
    'nothing else: [{"choice": number, "reason": string}].\n\n{context_list}\n\nQuestion: {query_str}\nJSON:\n',
  zh:
    "下面是 {num_choices} 个编号的资料来源，以及一个问题。选出这个问题应当查询的一个来源。只输出 JSON，不要输出其他内容：" +
    '[{"choice": 编号, "reason": "理由"}]。\n\n{context_list}\n\n问题：{query_str}\nJSON：\n',
};

const SEVERAL: Record<AnswerLanguage, string> = {
  en:
    "Below are {num_choices} numbered descriptions of sources, and a question. Choose those that the question is for, {max_outputs} at most, " +
    'the best one first. Answer with JSON and nothing else: [{"choice": number, "reason": string}, …].\n\n{context_list}\n\n' +
    "Question: {query_str}\nJSON:\n",
  zh:
    "下面是 {num_choices} 个编号的资料来源，以及一个问题。选出这个问题应当查询的来源，最多 {max_outputs} 个，最合适的排在前面。只输出 JSON，" +
    '不要输出其他内容：[{"choice": 编号, "reason": "理由"}, …]。\n\n{context_list}\n\n问题：{query_str}\nJSON：\n',
};

/**
 * A language model as a selector.
 *
 * @throws AnswerFormatError when asked, for an answer that names no choice there is
 */
export function modelSelector(options: ModelSelectorOptions): Selector {
  const { model, multiple = false, verbose } = options;
  const prompts: PromptSet["own"] = { prompt: options.prompt ?? (multiple ? SEVERAL : ONE) };
  const select: Selector = async (choices, { query }, call) => {
    const most = Math.min(options.maxOutputs ?? choices.length, choices.length);
    const values = {
      context_list: choices.map(({ description }, i) => `(${i + 1}) ${description.replace(/\n/g, " ")}`).join("\n\n"),
      query_str: query,
      num_choices: String(choices.length),
      max_outputs: String(most),
    };
    const asked = inLanguage(prompts["prompt"]!, questionLanguage(query));
    const answer = await askModel({ model, prompt: asked, values, purpose: "routing", verbose }, call);
    const known = parseSelections(model.name, answer)
      .map(({ choice, reason }) => ({ index: choice - 1, reason }))
      .filter(({ index }) => index >= 0 && index < choices.length);
    if (known.length === 0) throw noChoice(model.name, answer, `a choice from 1 to ${choices.length}`);
    return known.slice(0, multiple ? most : 1);
  };
  return withPrompts(select, prompts);
}

/** Nested lists deeper than this are no answer. */
const DEEPEST = 20;

/**
 * The choices in a model's answer, their numbers as they were said: of an object or a list, or of whatever objects lie deeper in it.
 *
 * @throws AnswerFormatError where there is no JSON, or no object with a `choice` in it
 */
export function parseSelections(model: string, answer: string): { choice: number; reason: string }[] {
  const value = strictJsonInAnswer(answer);
  if (value === undefined) throw noChoice(model, answer, "a choice");
  const found: { choice: number; reason: string }[] = [];
  const search = (item: unknown, depth: number): void => {
    if (typeof item !== "object" || item === null || depth > DEEPEST) return;
    if (!Array.isArray(item) && "choice" in item) {
      const { choice, reason } = item as { choice: unknown; reason?: unknown };
      const number = typeof choice === "string" && choice.trim() !== "" ? Number(choice) : choice;
      if (typeof number === "number" && Number.isInteger(number)) {
        found.push({ choice: number, reason: typeof reason === "string" ? reason : "" });
      }
      return;
    }
    for (const part of Object.values(item)) search(part, depth + 1);
  };
  search(value, 0);
  if (found.length === 0 && !(Array.isArray(value) && value.length === 0)) throw noChoice(model, answer, "a choice");
  return found;
}

function noChoice(model: string, answer: string, wanted: string): AnswerFormatError {
  return new AnswerFormatError(model, answer, `${model} was asked for ${wanted} and answered: ${answer.slice(0, 200)}`);
}

/** The choice whose description is nearest to the question. */
export function embeddingSelector({ embedding }: { embedding: EmbeddingModel }): Selector {
  return async (choices, bundle, { within: _, ...call }) => {
    const asked = await embedQuery(embedding, bundle, call);
    if (!asked)
      throw new InvalidArgumentError("query", bundle.query, "choosing by embedding needs a question that is not empty");
    const texts = choices.map((choice) => choice.description);
    const vectors = await embedTexts(embedding, texts, { kind: "document", ...call });
    const similarities = vectors.map((vector) => cosine(asked, vector));
    const index = similarities.indexOf(Math.max(...similarities));
    const { name } = choices[index]!;
    const reason = `Top similarity match: ${similarities[index]!.toFixed(2)}${name === undefined ? "" : `, ${name}`}`;
    return [{ index, reason }];
  };
}
