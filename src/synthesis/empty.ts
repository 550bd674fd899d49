import { type Response, response } from "../schema/index.ts";
import { questionLanguage } from "./language.ts";

const NOTHING_FOUND = {
  zh: "没有找到与这个问题有关的内容。",
  en: "Nothing was found that concerns this question.",
};

/** The answer when no passage was found: no model is asked, and nothing is made up. */
export function emptyAnswer(question: string): Response {
  return response({ text: NOTHING_FOUND[questionLanguage(question)], kind: "empty" });
}
