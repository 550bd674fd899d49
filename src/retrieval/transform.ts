/** Retrievers that change the question before it is asked: LlamaIndex's TransformRetriever, and HyDE. */
import {
  type AnswerLanguage,
  askModel,
  type CallOptions,
  inLanguage,
  type LanguageModel,
  type PromptOption,
  type PromptSet,
  type QueryBundle,
  questionLanguage,
  type Retriever,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";
import { bundleOf, defineRetriever, type RetrieverFrame, retrieveOptions } from "./define.ts";

/** Makes another question of a question. */
export type QueryTransform = (bundle: QueryBundle, options: CallOptions) => QueryBundle | Promise<QueryBundle>;

/** The retriever, and what is done to a question before it gets it. */
export interface TransformOptions extends RetrieverFrame {
  retriever: Retriever;
  transform: QueryTransform;
}

/**
 * Makes a retriever that asks another one something else.
 *
 * @example transformRetriever({ retriever, transform: hyde({ model }) })
 */
export function transformRetriever(options: TransformOptions): Retriever {
  const self = defineRetriever(
    async (input) => {
      const call = retrieveOptions(input);
      return options.retriever.retrieve(await options.transform(bundleOf(input), call), call);
    },
    { name: "transform", ...options },
  );
  return withPrompts(self, {}, { transform: options.transform, retriever: options.retriever });
}

const PROMPT: Record<AnswerLanguage, string> = {
  en:
    "Write a short passage, as it might stand in a handbook, that answers the question below. It may be wrong in its facts; it should use " +
    "the words that such a passage would use. Answer in the question's language.\n\nQuestion: {context_str}\nPassage:\n",
  zh:
    "写一小段文字，像手册里会有的那样，回答下面的问题。内容可以不准确，但要使用这类文字会用的词语。用提问的语言写。\n\n" +
    "问题：{context_str}\n段落：\n",
};

/** The model that makes an answer up, and whether the question counts too. */
export interface HydeOptions {
  model: LanguageModel;
  /** Whether the question itself is embedded beside the passage. Default true. */
  includeOriginal?: boolean;
  /** `{context_str}` is the question. */
  prompt?: PromptOption;
  /** Shows the call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

/**
 * Hypothetical document embeddings (Gao et al. 2022): a model writes a passage that could answer, and that is what is embedded. What is
 * matched as text stays the question.
 */
export function hyde({ model, includeOriginal = true, verbose, ...given }: HydeOptions): QueryTransform {
  const prompts: PromptSet["own"] = { prompt: given.prompt ?? PROMPT };
  const transform: QueryTransform = async (bundle, call) => {
    const asked = inLanguage(prompts["prompt"]!, questionLanguage(bundle.query));
    const question = { model, prompt: asked, values: { context_str: bundle.query }, purpose: "hyde", verbose };
    const passage = await askModel(question, call);
    const originals = includeOriginal ? (bundle.embeddingTexts ?? [bundle.query]) : [];
    const { embedding: _, ...rest } = bundle;
    return { ...rest, embeddingTexts: [passage, ...originals] };
  };
  return withPrompts(transform, prompts);
}
