/** Synthesis: from a question and passages to an answer with its sources, written by a model or extracted. */
export { type ExtractOptions, extractiveAnswer } from "./extract.ts";
export { type AnswerLanguage, questionLanguage } from "./language.ts";
export { checkCitations, type WrittenOptions, writtenAnswer } from "./written.ts";
