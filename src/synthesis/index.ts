/** Synthesis: from a question and passages to an answer with its sources, written by a model or extracted. */

export { type PackOptions, type PromptBudget, type PromptBudgetOptions, promptBudget } from "./budget.ts";
export { checkCitations } from "./citations.ts";
export { type ExtractOptions, extractiveAnswer } from "./extract.ts";
export { SummariesDoNotShrinkError } from "./modes/tree-summarize.ts";
export {
  ANSWER_PROMPTS,
  type AnswerPromptOptions,
  type AnswerPrompts,
} from "./prompts.ts";
export {
  RESPONSE_MODES,
  type ResponseMode,
  type ResponseSynthesizer,
  type ResponseSynthesizerOptions,
  responseSynthesizer,
} from "./synthesizer.ts";
export { type WrittenOptions, writtenAnswer } from "./written.ts";
