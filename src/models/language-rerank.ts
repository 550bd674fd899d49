/** Any language model as a reranker: it is shown numbered passages and names those that help, with a mark for each. */

import { askModel } from "../schema/ask.ts";
import { ModelError } from "../schema/errors.ts";
import { type AnswerLanguage, questionLanguage } from "../schema/language.ts";
import type { LanguageModel, RerankModel } from "../schema/models.ts";
import { type PromptSet, withPrompts } from "../schema/prompted.ts";
import { inLanguage, type PromptOption } from "../schema/prompts.ts";
import type { Verbose } from "../schema/shown.ts";
import { type AiSdkLanguageModel, toLanguageModel } from "./ai-sdk.ts";
import { parseRanking } from "./parse-ranking.ts";

/** The language model that gives marks, and how many passages it sees at a time. */
export interface LanguageRerankOptions {
  /** Passages that the model sees at once. Default 10. */
  maxBatch?: number;
  /** `{context_str}` (the passages under their numbers) and `{query_str}` are filled in; the answer has lines "Doc: 3, Relevance: 8". */
  prompt?: PromptOption;
  /** How passages are shown in it. */
  format?: (passages: { number: number; text: string }[]) => string;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

/**
 * A reranker out of a language model. Scores are its marks from 0 to 10. What it does not name is left out: it may find nothing that helps.
 *
 * @throws ModelError when the answer names no passage and does not say "none" either
 * @example languageRerank(await languageModelFromName("dashscope/qwen-plus"))
 */
export function languageRerank(
  language: LanguageModel | AiSdkLanguageModel,
  options: LanguageRerankOptions = {},
): RerankModel {
  const model = toLanguageModel(language);
  const { maxBatch = 10, format = numbered } = options;
  const prompts: PromptSet["own"] = { prompt: options.prompt ?? PROMPT };
  const self: RerankModel = {
    name: model.name,
    async rerank(query, texts, { topN, ...call } = {}) {
      const found: { index: number; score: number }[] = [];
      for (let start = 0; start < texts.length; start += maxBatch) {
        const passages = texts.slice(start, start + maxBatch).map((text, i) => ({ number: i + 1, text }));
        const answer = await askModel(
          {
            model,
            prompt: inLanguage(prompts["prompt"]!, questionLanguage(query)),
            values: { context_str: format(passages), query_str: query },
            purpose: "rerank",
            temperature: 0,
            verbose: options.verbose,
          },
          call,
        );
        const ranking = parseRanking(answer, passages.length);
        if (!ranking) {
          throw new ModelError(
            model.name,
            `${model.name} was asked for a list of passages with marks and answered: ${JSON.stringify(answer.slice(0, 200))}`,
          );
        }
        for (const { number, score } of ranking) found.push({ index: start + number - 1, score });
      }
      found.sort((a, b) => b.score - a.score || a.index - b.index);
      return topN === undefined ? found : found.slice(0, topN);
    },
  };
  return withPrompts(self, prompts);
}

const PROMPT: Record<AnswerLanguage, string> = {
  en:
    "Numbered passages follow, and then a question. Name the passages that help to answer it, the most helpful one first, each on a line of " +
    "its own with a mark from 1 to 10:\nDoc: <number>, Relevance: <mark>\nLeave out passages that do not help. If none helps, answer: none. " +
    "Write nothing else.\n\n{context_str}\n\nQuestion: {query_str}",
  zh:
    "下面是一些编号的段落和一个问题。列出对回答问题有帮助的段落，最有帮助的排在前面，每行一个，并给出 1 到 10 的分数：\nDoc: <编号>, Relevance: <分数>\n" +
    "没有帮助的段落不要列出；都没有帮助时回答：none。不要输出其他内容。\n\n{context_str}\n\n问题：{query_str}",
};

function numbered(passages: { number: number; text: string }[]): string {
  return passages.map(({ number, text }) => `Doc ${number}:\n${text}`).join("\n\n");
}
