import { type AnswerLanguage, questionLanguage, type Response, response } from "../schema/index.ts";

/** What is said where nothing was found. */
export const NOTHING_FOUND: Record<AnswerLanguage, string> = {
  zh: "没有找到与这个问题有关的内容。",
  en: "Nothing was found that concerns this question.",
};

/** What is said where a model gave an empty answer. */
export const NO_ANSWER: Record<AnswerLanguage, string> = {
  zh: "模型没有给出回答。",
  en: "The model gave no answer.",
};

/** The answer when no passage was found: no model is asked, and nothing is made up. */
export function emptyAnswer(question: string): Response {
  return response({ text: NOTHING_FOUND[questionLanguage(question)], kind: "empty" });
}
