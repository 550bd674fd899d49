/** The language of a question decides in which language the answer's frame is written. */
export type AnswerLanguage = "zh" | "en";

const HAN = /\p{Script=Han}/gu;
const LATIN_WORD = /\p{Script=Latin}+/gu;

/** Chinese when it has at least as many Han characters as Latin words ("HR系统怎么请假" is Chinese). */
export function questionLanguage(question: string): AnswerLanguage {
  const han = question.match(HAN)?.length ?? 0;
  const words = question.match(LATIN_WORD)?.length ?? 0;
  return han > 0 && han >= words ? "zh" : "en";
}
