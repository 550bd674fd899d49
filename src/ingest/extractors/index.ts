/**
 * Metadata that a language model writes: titles, summaries, keywords, questions. Under LlamaIndex's keys, so that both libraries see the
 * same text. Chinese texts are asked about in Chinese, others in English.
 */

import { grouped } from "../../schema/grouped.ts";
import {
  askModel,
  type CallOptions,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  type Metadata,
  type Node,
  nodeContent,
  type PromptOption,
  pythonStrip,
  questionLanguage,
  step,
} from "../../schema/index.ts";
import { inParallel } from "../pool.ts";

/** Makes metadata of nodes. */
export interface Extractor {
  /** Says what it does and how: results are cached under it. */
  readonly name: string;
  /** New metadata for each node, in order. */
  extract(nodes: readonly Node[], options?: CallOptions): Promise<Metadata[]>;
}

interface ModelOptions {
  model: LanguageModel;
  /** What the model is told, in one language or in both; each extractor says which names are filled in. */
  prompt?: PromptOption;
  /** Calls at the same time. Default 4. */
  concurrency?: number;
}

const CONCURRENCY = 4;

/** The nodes with what extractors found added to their metadata; the nodes themselves stay as they are. */
export async function withExtracted(
  nodes: readonly Node[],
  extractor: Extractor,
  options: CallOptions = {},
): Promise<Node[]> {
  const found = await step(
    options,
    { kind: "extract", name: extractor.name, attributes: { nodes: nodes.length } },
    (inner) => extractor.extract(nodes, inner),
  );
  return nodes.map((node, i) => ({ ...node, metadata: { ...node.metadata, ...found[i] } }));
}

async function ask(
  model: LanguageModel,
  prompts: PromptOption,
  values: Record<string, string> & { context_str: string },
  options: CallOptions,
): Promise<string> {
  const prompt = inLanguage(prompts, questionLanguage(values.context_str));
  return pythonStrip(await askModel({ model, prompt, values, purpose: "metadata" }, options));
}

const named = (what: string, options: ModelOptions, more: unknown): string =>
  `${what} ${JSON.stringify([options.model.name, options.prompt ?? "", more])}`;

const KEYWORDS = {
  en: "{context_str}\n\nGive {keywords} keywords for this text, in its language, separated by commas. Write nothing else.\nKeywords: ",
  zh: "{context_str}\n\n用这段文字的语言写出它的 {keywords} 个关键词，以逗号分隔，不要写别的。\n关键词：",
};

/**
 * `excerpt_keywords`: the keywords of each node. In the prompt: `{context_str}`, `{keywords}`.
 *
 * @example keywordExtractor({ model, keywords: 5 })
 */
export function keywordExtractor(options: ModelOptions & { keywords?: number }): Extractor {
  const { model, prompt = KEYWORDS, concurrency = CONCURRENCY, keywords = 5 } = options;
  positive("keywords", keywords);
  return {
    name: named("keywords", options, keywords),
    extract: (nodes, call = {}) =>
      inParallel(nodes, concurrency, async (node) => ({
        excerpt_keywords: await ask(
          model,
          prompt,
          { context_str: nodeContent(node, "all"), keywords: String(keywords) },
          call,
        ),
      })),
  };
}

const QUESTIONS = {
  en:
    "{context_str}\n\nWrite {num_questions} questions that this text answers and that others are unlikely to answer, in its language, one a " +
    "line. Write nothing else.\nQuestions:\n",
  zh: "{context_str}\n\n用这段文字的语言写出 {num_questions} 个问题：这段文字能回答，而别处不大会有答案。每行一个，不要写别的。\n问题：\n",
};

/**
 * `questions_this_excerpt_can_answer`: questions to each node. In the prompt: `{context_str}`, `{num_questions}`.
 */
export function questionExtractor(options: ModelOptions & { questions?: number }): Extractor {
  const { model, prompt = QUESTIONS, concurrency = CONCURRENCY, questions = 5 } = options;
  positive("questions", questions);
  return {
    name: named("questions", options, questions),
    extract: (nodes, call = {}) =>
      inParallel(nodes, concurrency, async (node) => ({
        questions_this_excerpt_can_answer: await ask(
          model,
          prompt,
          { context_str: nodeContent(node, "all"), num_questions: String(questions) },
          call,
        ),
      })),
  };
}

const SUMMARY = {
  en: "{context_str}\n\nSummarise what this text says, and about what and whom, in two or three sentences and in its language.\nSummary: ",
  zh: "{context_str}\n\n用这段文字的语言，以两三句话概括它讲了什么、涉及哪些人和事。\n摘要：",
};

export const SUMMARY_KINDS = ["self", "previous", "next"] as const;

/**
 * `section_summary`, `prev_section_summary`, `next_section_summary`: of each node and its neighbours in the list. Each text is summarised
 * once. In the prompt: `{context_str}`.
 *
 * @example summaryExtractor({ model, summaries: ["self", "previous"] })
 */
export function summaryExtractor(
  options: ModelOptions & { summaries?: readonly (typeof SUMMARY_KINDS)[number][] },
): Extractor {
  const { model, prompt = SUMMARY, concurrency = CONCURRENCY, summaries = ["self"] } = options;
  for (const kind of summaries) {
    if (!SUMMARY_KINDS.includes(kind)) {
      throw new InvalidArgumentError(
        "summaries",
        kind,
        `unknown summary "${kind}": known are ${SUMMARY_KINDS.join(", ")}`,
      );
    }
  }
  return {
    name: named("summary", options, summaries),
    async extract(nodes, call = {}) {
      const texts = await inParallel(nodes, concurrency, (node) =>
        ask(model, prompt, { context_str: nodeContent(node, "all") }, call),
      );
      return nodes.map((_, i) => ({
        ...(summaries.includes("previous") && i > 0 ? { prev_section_summary: texts[i - 1]! } : {}),
        ...(summaries.includes("next") && i + 1 < nodes.length ? { next_section_summary: texts[i + 1]! } : {}),
        ...(summaries.includes("self") ? { section_summary: texts[i]! } : {}),
      }));
    },
  };
}

const TITLE = {
  en:
    "{context_str}\n\nGive a title to the document that this text is from: what it is about, and what is special about it. Answer in its " +
    "language, with the title alone.\nTitle: ",
  zh: "{context_str}\n\n这段文字出自一份文档。给文档起一个标题，写明它讲什么、有何特别之处。用原文的语言，只写标题。\n标题：",
};
const COMBINE = {
  en:
    "{context_str}\n\nAbove are titles that were given to parts of one document. Give one title to the whole, in their language, with the " +
    "title alone.\nTitle: ",
  zh: "{context_str}\n\n以上是同一份文档各部分的标题。给整份文档起一个标题，用它们的语言，只写标题。\n标题：",
};

/**
 * `document_title`: one for each document, from its first nodes. In both prompts: `{context_str}`.
 *
 * @example titleExtractor({ model, nodes: 3 })
 */
export function titleExtractor(options: ModelOptions & { nodes?: number; combinePrompt?: PromptOption }): Extractor {
  const { model, prompt = TITLE, combinePrompt = COMBINE, concurrency = CONCURRENCY, nodes: count = 5 } = options;
  positive("nodes", count);
  return {
    name: named("title", options, [count, combinePrompt]),
    async extract(nodes, call = {}) {
      const documents = grouped(nodes, (node) => node.relationships.source?.id ?? node.id);
      const titles = await inParallel([...documents], concurrency, async ([id, parts]) => {
        const candidates: string[] = [];
        for (const part of parts.slice(0, count)) {
          candidates.push(await ask(model, prompt, { context_str: nodeContent(part, "none") }, call));
        }
        const title =
          candidates.length === 1
            ? candidates[0]!
            : await ask(model, combinePrompt, { context_str: candidates.join(", ") }, call);
        return [id, title] as const;
      });
      const byId = new Map(titles);
      return nodes.map((node) => ({ document_title: byId.get(node.relationships.source?.id ?? node.id)! }));
    },
  };
}

function positive(name: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError(name, value, `${name} must be a whole number, at least 1`);
  }
}
