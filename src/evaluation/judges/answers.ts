/** Answers of a collection, judged question by question. */
import { type CallOptions, callOptions, nodeContent, type Response } from "../../schema/index.ts";
import { mean } from "../evaluate.ts";
import type { Question } from "../questions.ts";
import { bootstrapInterval, type Interval } from "../statistics.ts";
import type { Judge } from "./judges.ts";

/** One judged answer, with the mark of each judge. */
export interface AnswerRow {
  id: string;
  question: string;
  answer: string;
  /** Judge → score; missing where there was nothing to judge. */
  scores: Record<string, number>;
  /** Judge → what is wrong. */
  feedback: Record<string, string>;
}

/** Judged answers: the mean of each judge, and every answer. */
export interface AnswerResult {
  name: string;
  /** Judge → the mean of what it judged, and how many that were. */
  judges: Record<string, Interval & { mean: number; questions: number }>;
  rows: AnswerRow[];
}

/** What is asked, who answers, and who judges. */
export interface JudgeAnswersOptions extends CallOptions {
  name: string;
  questions: readonly Question[];
  ask(question: string, options: CallOptions): Promise<Response>;
  /** Correctness is judged of questions with a known answer only. */
  judges: readonly Judge[];
  seed?: number;
  onProgress?: (progress: { done: number; total: number }) => void;
}

/** Asks each question and has each judge mark the answer. */
export async function judgeAnswers(options: JudgeAnswersOptions): Promise<AnswerResult> {
  const { questions, judges, ask, seed = 1 } = options;
  const call = callOptions(options);
  const rows: AnswerRow[] = [];
  for (const { id, text, answer: reference } of questions) {
    call.signal?.throwIfAborted();
    const response = await ask(text, call);
    const answer = await response.text;
    const contexts = response.sources.map(({ node }) => nodeContent(node, "llm"));
    const row: AnswerRow = { id, question: text, answer, scores: {}, feedback: {} };
    for (const judge of judges) {
      if (judge.name === "correctness" && reference === undefined) continue;
      const request = { query: text, answer, contexts, ...(reference === undefined ? {} : { reference }), ...call };
      const { score, feedback } = await judge.evaluate(request);
      if (score !== undefined) row.scores[judge.name] = score;
      if (feedback !== undefined) row.feedback[judge.name] = feedback;
    }
    rows.push(row);
    options.onProgress?.({ done: rows.length, total: questions.length });
  }
  const summary: AnswerResult["judges"] = {};
  for (const { name } of judges) {
    const scores = rows.flatMap((row) => (row.scores[name] === undefined ? [] : [row.scores[name]]));
    if (scores.length === 0) continue;
    const interval = await bootstrapInterval(scores, { seed, ...call });
    summary[name] = { mean: mean(scores), ...interval, questions: scores.length };
  }
  return { name: options.name, judges: summary, rows };
}
