// The language model of the examples: the one that HUILIU_MODEL names (such as dashscope/qwen-plus), or answers from a script, so that the
// examples run without any.
import { languageModelFromName } from "huiliu";
import { mockLanguageModel } from "huiliu/testing";

/** @param {string[][]} answers in pieces */
export async function exampleModel(answers) {
  const name = process.env.HUILIU_MODEL;
  return name ? languageModelFromName(name) : mockLanguageModel({ answers });
}
