/**
 * Metadata that a language model writes: titles, summaries, keywords, questions. Under LlamaIndex's keys, so that both libraries see the
 * same text.
 */
import {
  askModel,
  type CallOptions,
  InvalidArgumentError,
  type LanguageModel,
  type Metadata,
  type Node,
  nodeContent,
  pythonStrip,
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
  /** What the model is told; see each extractor's default for the names that are filled in. */
  prompt?: string;
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
  template: string,
  values: Record<string, string>,
  options: CallOptions,
): Promise<string> {
  return pythonStrip(await askModel({ model, prompt: template, values, purpose: "metadata" }, options));
}

const named = (what: string, options: ModelOptions, more: unknown): string =>
  `${what} ${JSON.stringify([options.model.name, options.prompt ?? "", more])}`;

const KEYWORDS =
  "{context_str}\n\nGive {keywords} keywords for this text, in its language, separated by commas. Write nothing else.\nKeywords: ";

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

const QUESTIONS =
  "{context_str}\n\nWrite {num_questions} questions that this text answers and that others are unlikely to answer, in its language, one a " +
  "line. Write nothing else.\nQuestions:\n";

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

const SUMMARY =
  "{context_str}\n\nSummarise what this text says, and about what and whom, in two or three sentences and in its language.\nSummary: ";

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

const TITLE =
  "{context_str}\n\nGive a title to the document that this text is from: what it is about, and what is special about it. Answer in its " +
  "language, with the title alone.\nTitle: ";
const COMBINE =
  "{context_str}\n\nAbove are titles that were given to parts of one document. Give one title to the whole, in their language, with the " +
  "title alone.\nTitle: ";

/**
 * `document_title`: one for each document, from its first nodes. In both prompts: `{context_str}`.
 *
 * @example titleExtractor({ model, nodes: 3 })
 */
export function titleExtractor(options: ModelOptions & { nodes?: number; combinePrompt?: string }): Extractor {
  const { model, prompt = TITLE, combinePrompt = COMBINE, concurrency = CONCURRENCY, nodes: count = 5 } = options;
  positive("nodes", count);
  return {
    name: named("title", options, [count, combinePrompt]),
    async extract(nodes, call = {}) {
      const documents = new Map<string, Node[]>();
      for (const node of nodes) {
        const id = node.relationships.source?.id ?? node.id;
        documents.set(id, [...(documents.get(id) ?? []), node]);
      }
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
