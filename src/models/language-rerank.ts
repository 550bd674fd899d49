/** Any language model as a reranker: it is shown numbered passages and names those that help, with a mark for each. */

import { askModel } from "../schema/ask.ts";
import { ModelError } from "../schema/errors.ts";
import type { LanguageModel, RerankModel } from "../schema/models.ts";
import type { Verbose } from "../schema/shown.ts";
import { type AiSdkLanguageModel, toLanguageModel } from "./ai-sdk.ts";
import { parseRanking } from "./parse-ranking.ts";

export interface LanguageRerankOptions {
  /** Passages that the model sees at once. Default 10. */
  maxBatch?: number;
  /** Another prompt: it shows the passages under their numbers and asks for lines "Doc: 3, Relevance: 8". */
  prompt?: (query: string, passages: { number: number; text: string }[]) => string;
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
  const { maxBatch = 10, prompt = defaultPrompt } = options;
  return {
    name: model.name,
    async rerank(query, texts, { topN, ...call } = {}) {
      const found: { index: number; score: number }[] = [];
      for (let start = 0; start < texts.length; start += maxBatch) {
        const passages = texts.slice(start, start + maxBatch).map((text, i) => ({ number: i + 1, text }));
        const asked = { model, prompt: prompt(query, passages), values: {}, purpose: "rerank", temperature: 0 };
        const answer = await askModel({ ...asked, verbose: options.verbose }, call);
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
}

function defaultPrompt(query: string, passages: { number: number; text: string }[]): string {
  const shown = passages.map(({ number, text }) => `Doc ${number}:\n${text}`).join("\n\n");
  return `Numbered passages follow, and then a question. Name the passages that help to answer it, the most helpful one first, each on a line of its own with a mark from 1 to 10:
Doc: <number>, Relevance: <mark>
Leave out passages that do not help. If none helps, answer: none. Write nothing else.

${shown}

Question: ${query}`;
}
