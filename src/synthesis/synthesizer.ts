/**
 * LlamaIndex's response synthesizers: from a question and found passages to an answer, in one of nine ways. Which calls each makes is said
 * in docs/response-modes.md.
 */
import type { z } from "zod";
import { type AiSdkLanguageModel, toLanguageModel } from "../models/index.ts";
import {
  type AnswerLanguage,
  type CallOptions,
  type EmbeddingModel,
  InvalidArgumentError,
  type LanguageModel,
  type Metadata,
  ModelNotConfiguredError,
  type NodeWithScore,
  nodeContent,
  type PromptOption,
  queryBundle,
  questionLanguage,
  type Response,
  response,
  type SynthesizeOptions,
  type Synthesizer,
  step,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";
import { type PromptBudget, type PromptBudgetOptions, promptBudget } from "./budget.ts";
import { NO_ANSWER, NOTHING_FOUND } from "./empty.ts";
import { extractiveAnswer } from "./extract.ts";
import { modelCalls, streaming as streamOf } from "./model-calls.ts";
import { accumulate, compactAccumulate } from "./modes/accumulate.ts";
import type { Answer, Answering } from "./modes/mode.ts";
import { compact, FILTERED, refine } from "./modes/refine.ts";
import { contextOnly, generation, noText, simpleSummarize } from "./modes/simple.ts";
import { treeSummarize } from "./modes/tree-summarize.ts";
import {
  ANSWER_PROMPTS,
  type AnswerPromptOptions,
  type AnswerPrompts,
  answerPrompts,
  quotedPassage,
} from "./prompts.ts";
import { type AnswerSchema, answerSchema, formatText, readObject } from "./structured.ts";

const MODES = {
  refine,
  compact,
  tree_summarize: treeSummarize,
  simple_summarize: simpleSummarize,
  no_text: noText,
  accumulate,
  compact_accumulate: compactAccumulate,
  context_only: contextOnly,
  generation,
} satisfies Record<string, (answering: Answering) => Promise<Answer>>;

/** The name of a response mode. */
export type ResponseMode = keyof typeof MODES;

/** The names of the response modes; LlamaIndex's. */
export const RESPONSE_MODES = Object.keys(MODES) as ResponseMode[];

/** Modes that ask no model. */
const WITHOUT_MODEL: readonly ResponseMode[] = ["no_text", "context_only"];
/** Modes for which an extract can stand in. */
const EXTRACTABLE: readonly ResponseMode[] = ["compact", "simple_summarize"];

/** The model, the mode, prompts and limits of a synthesizer. */
export interface ResponseSynthesizerOptions extends PromptBudgetOptions {
  /** Default `compact`. */
  mode?: ResponseMode;
  /** Without one, `compact` and `simple_summarize` give an extract; the other modes that need one refuse. */
  model?: LanguageModel | AiSdkLanguageModel;
  /** Compares meanings for an extract. */
  embedding?: EmbeddingModel;
  /** Whether the answer comes in pieces as the model writes it. Default false: the text is whole when the response is there. */
  streaming?: boolean;
  /** Prompts by name, in place of ours. */
  prompts?: AnswerPromptOptions;
  /** What stands for further names in the prompts; filled in as it is. */
  variables?: Readonly<Record<string, string>>;
  /** Of our prompts. Default: the question's. */
  language?: AnswerLanguage;
  /** Asks for an object of a zod schema: `response.object`; the text is its JSON. */
  schema?: z.ZodType;
  /** Of `refine` and `compact`: leaves out what the model makes of passages that do not answer. Default false. */
  structuredFiltering?: boolean;
  /** Calls at the same time in `tree_summarize`, `accumulate` and `compact_accumulate`. Default 1. */
  parallel?: number;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
  /** What is said where nothing was found, or the model says nothing. Default: a sentence in the question's language. */
  emptyAnswer?: string;
}

/** Makes answers in one response mode; its prompts can be seen and replaced. */
export interface ResponseSynthesizer extends Synthesizer {
  readonly mode: ResponseMode;
  /** The prompts that are used for a language, by name: what can be replaced by `prompts`. */
  prompts(language: AnswerLanguage): Partial<AnswerPrompts>;
}

/** The prompts that a mode uses. */
const USED: Record<ResponseMode, readonly (keyof AnswerPrompts)[]> = {
  refine: ["textQa", "refine"],
  compact: ["textQa", "refine"],
  tree_summarize: ["summary"],
  simple_summarize: ["textQa"],
  no_text: [],
  accumulate: ["textQa"],
  compact_accumulate: ["textQa"],
  context_only: [],
  generation: ["simple"],
};

/**
 * Makes a synthesizer.
 *
 * @throws InvalidArgumentError for an unknown mode and for options that the mode cannot keep
 * @throws ModelNotConfiguredError for a mode that needs a model and gets none
 * @example
 * const synthesizer = responseSynthesizer({ mode: "tree_summarize", model });
 * const answer = await synthesizer.synthesize({ query: "年休假有几天", nodes });
 */
export function responseSynthesizer(options: ResponseSynthesizerOptions = {}): ResponseSynthesizer {
  const { mode = "compact", streaming = false, parallel = 1 } = options;
  const model = options.model === undefined ? undefined : toLanguageModel(options.model);
  check(options, mode, model);
  if (streaming && model && !WITHOUT_MODEL.includes(mode)) streamOf(model);
  const schema = options.schema ? answerSchema(options.schema) : undefined;
  const sizes: PromptBudgetOptions = {
    ...options,
    ...defined("contextWindow", options.contextWindow ?? model?.contextWindow),
    ...defined("maxOutputTokens", options.maxOutputTokens ?? model?.maxOutputTokens),
  };
  const budget = promptBudget(sizes);
  const own = usedPrompts(mode, options.prompts);

  /** The budget of prompts that say a schema. */
  async function budgetFor(language: AnswerLanguage): Promise<PromptBudget> {
    const said = options.structuredFiltering ? FILTERED : schema;
    if (!said) return budget;
    const reservedTokens = (sizes.reservedTokens ?? 0) + (await budget.count(await formatText(said, language)));
    return promptBudget({ ...sizes, reservedTokens });
  }

  async function answer(request: SynthesizeOptions, question: string, call: CallOptions): Promise<Response> {
    const { nodes, additionalSources = [] } = request;
    const language = options.language ?? questionLanguage(question);
    const nothing = options.emptyAnswer ?? NOTHING_FOUND[language];
    if (nodes.length === 0 && mode !== "generation") return response({ text: nothing, kind: "empty" });
    const sources = [...nodes, ...additionalSources];
    const metadata = metadataById(sources);
    const texts = nodes.map(({ node }) => nodeContent(node, "llm")).filter((text) => text.trim() !== "");
    if (texts.length === 0 && !["generation", "no_text"].includes(mode)) {
      return response({ text: nothing, kind: "empty", sources, metadata });
    }
    if (!model && !WITHOUT_MODEL.includes(mode)) return extract(question, nodes, sources, metadata, call);
    const stop = new AbortController();
    const signal = call.signal ? AbortSignal.any([call.signal, stop.signal]) : stop.signal;
    const prompts = answerPrompts(language, own);
    // Where our marks stand around passages, none of them may end its own quotation.
    const marked = mode !== "context_only" && JSON.stringify(prompts).includes("<passages>");
    const noAnswer = options.emptyAnswer ?? NO_ANSWER[language];
    const given = await MODES[mode]({
      question,
      texts: marked ? texts.map(quotedPassage) : texts,
      calls: modelCalls({
        model: model!,
        call: { ...call, signal },
        purpose: mode,
        language,
        ...defined("verbose", options.verbose),
      }),
      budget: await budgetFor(language),
      prompts,
      variables: options.variables ?? {},
      streaming,
      parallel,
      noAnswer,
      filtering: options.structuredFiltering ?? false,
      ...defined("schema", schema),
      signal,
    });
    if ("nothing" in given) {
      return response({ text: given.nothing === "passages" ? nothing : noAnswer, kind: "empty", sources, metadata });
    }
    if ("text" in given) return response({ text: given.text, sources, metadata, ...objectOf(given.object, schema) });
    return response({
      text: given.pieces,
      sources,
      metadata,
      eager: given.eager ?? false,
      onCancel: (reason) => stop.abort(reason),
      ...(schema ? { object: (text) => readObject(model!.name, text, schema) } : {}),
    });
  }

  async function extract(
    question: string,
    nodes: NodeWithScore[],
    sources: NodeWithScore[],
    metadata: Record<string, Metadata>,
    call: CallOptions,
  ): Promise<Response> {
    const { embedding } = options;
    const extracted = await extractiveAnswer({ question, nodes, ...defined("embedding", embedding), ...call });
    return response({ text: await extracted.text, kind: extracted.kind, sources, metadata });
  }

  const self: ResponseSynthesizer = {
    mode,
    prompts(language) {
      const all = answerPrompts(language, own);
      return Object.fromEntries(USED[mode].map((name) => [name, all[name]]));
    },
    async synthesize(request) {
      const { query, nodes, additionalSources: _, ...call } = request;
      const question = queryBundle(query).query;
      return step(call, { kind: "respond", name: mode, attributes: { nodes: nodes.length } }, (inner) =>
        answer(request, question, inner),
      );
    },
  };
  return withPrompts(self, own);
}

/** The prompts of a mode, in both languages. */
function usedPrompts(mode: ResponseMode, given: AnswerPromptOptions = {}): Record<string, PromptOption> {
  const ours = (name: keyof AnswerPrompts) => ({ en: ANSWER_PROMPTS.en[name], zh: ANSWER_PROMPTS.zh[name] });
  return Object.fromEntries(USED[mode].map((name) => [name, given[name] ?? ours(name)]));
}

function check(options: ResponseSynthesizerOptions, mode: ResponseMode, model: LanguageModel | undefined): void {
  const wrong = (name: string, value: unknown, message: string) => new InvalidArgumentError(name, value, message);
  if (!Object.hasOwn(MODES, mode)) {
    throw wrong("mode", mode, `there is no response mode "${mode}": take one of ${RESPONSE_MODES.join(", ")}`);
  }
  const { parallel = 1, schema, structuredFiltering } = options;
  if (!Number.isInteger(parallel) || parallel < 1) {
    throw wrong("parallel", parallel, `parallel must be a whole number of at least 1, not ${parallel}`);
  }
  if (schema && WITHOUT_MODEL.includes(mode)) throw wrong("schema", schema, `${mode} asks no model for an object`);
  if (structuredFiltering) {
    if (mode !== "refine" && mode !== "compact") {
      throw wrong(
        "structuredFiltering",
        true,
        `structuredFiltering is of the modes refine and compact; ${mode} has no steps`,
      );
    }
    if (schema)
      throw wrong("structuredFiltering", true, "structuredFiltering and schema each ask for an object: take one");
  }
  if (model || WITHOUT_MODEL.includes(mode)) return;
  if (!EXTRACTABLE.includes(mode)) {
    throw new ModelNotConfiguredError("language", mode, `give it \`model\`, or take ${EXTRACTABLE.join(" or ")}`);
  }
  if (schema || structuredFiltering) {
    throw new ModelNotConfiguredError("language", schema ? "schema" : "structuredFiltering", "give it `model`");
  }
}

/** LlamaIndex's `response.metadata`: that of each source by its id, the last of an id. */
function metadataById(sources: readonly NodeWithScore[]): Record<string, Metadata> {
  return Object.fromEntries(sources.map(({ node }) => [node.id, node.metadata]));
}

function objectOf(object: unknown, schema: AnswerSchema<unknown> | undefined): { object?: () => unknown } {
  return schema ? { object: () => object } : {};
}

function defined<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [key in K]?: V };
}
