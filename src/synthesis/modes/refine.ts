/**
 * refine: an answer from the first passage, made better with each further one. compact: the same over passages packed into as few prompts as
 * the window allows.
 */
import { z } from "zod";
import { AnswerFormatError, type Prompt } from "../../schema/index.ts";
import type { PromptedCall } from "../model-calls.ts";
import { answerSchema } from "../structured.ts";
import type { Answer, Answering } from "./mode.ts";

/** Tokens that are kept free in the first packing for the answer that will stand in the prompt (LlamaIndex's number). */
const ANSWER_ROOM = 500;

/** What each step says where passages are filtered. */
export const FILTERED = answerSchema(
  z.object({
    answer: z.string().describe("The answer to the question, from the passages alone."),
    query_satisfied: z.boolean().describe("Whether the passages hold enough to answer the question."),
  }),
);

/** Each passage by itself. The longer of the two prompts, with nothing filled in, says how much fits. */
export async function refine(answering: Answering): Promise<Answer> {
  const { texts, prompts, budget, variables: known } = answering;
  const prompt = longer(prompts.textQa, prompts.refine);
  const chunks: string[] = [];
  for (const text of texts) {
    chunks.push(...(await budget.repack(prompt, [text], { known, padding: ANSWER_ROOM, scalePadding: true })));
  }
  return refined(answering, chunks);
}

/** All passages together, as few pieces as fit. */
export async function compact(answering: Answering): Promise<Answer> {
  const { texts, prompts, budget, question } = answering;
  const known = { ...answering.variables, query_str: question };
  const prompt = longer(prompts.textQa, prompts.refine);
  return refined(answering, await budget.repack(prompt, texts, { known, padding: ANSWER_ROOM, scalePadding: true }));
}

async function refined(answering: Answering, chunks: readonly string[]): Promise<Answer> {
  const { question, calls, prompts, budget, streaming, filtering, schema } = answering;
  calls.plan(chunks.length);
  const queue = [...chunks];
  let answer: string | undefined;
  let object: unknown;
  let unreadable: AnswerFormatError | undefined;
  while (queue.length > 0) {
    answering.signal?.throwIfAborted();
    let chunk = queue.shift()!;
    let call: PromptedCall = {
      prompt: prompts.textQa,
      values: { ...answering.variables, query_str: question, context_str: chunk },
      name: "textQa",
    };
    if (answer !== undefined) {
      answer = await fitting(answer, answering);
      const known = { ...answering.variables, query_str: question, existing_answer: answer };
      // The answer takes its room from the passage, which may have to be cut again; its pieces keep their order. They share nothing, or each
      // longer answer would multiply the calls.
      const pieces = await budget.repack(prompts.refine, [chunk], { known, overlap: false });
      if (pieces.length > 1) {
        queue.unshift(...pieces);
        continue;
      }
      chunk = pieces[0] ?? "";
      call = { prompt: prompts.refine, values: { ...known, context_msg: chunk }, name: "refine" };
    }
    try {
      if (filtering) {
        const given = await calls.object(call, FILTERED);
        if (given.query_satisfied && given.answer !== "") answer = given.answer;
      } else if (schema && !(streaming && queue.length === 0)) {
        object = await calls.object(call, schema);
        answer = JSON.stringify(object);
      } else if (streaming) {
        const pieces = calls.stream(call, schema);
        if (queue.length === 0) return { pieces };
        answer = "";
        for await (const piece of pieces) answer += piece;
      } else {
        answer = (await calls.complete(call)) || answer;
      }
    } catch (error) {
      // What cannot be read says nothing; what was said before it stays.
      if (!(error instanceof AnswerFormatError)) throw error;
      unreadable = error;
    }
  }
  if (answer === undefined && unreadable && schema) throw unreadable;
  if (answer === undefined) return { nothing: filtering ? "passages" : "model" };
  return { text: answer, ...(schema ? { object } : {}) };
}

/** An answer so long that hardly any passage fits beside it loses its end: half of the room is the passage's. */
async function fitting(answer: string, answering: Answering): Promise<string> {
  const { budget, prompts, question, variables } = answering;
  const known = { ...variables, query_str: question };
  const room = await budget.chunkSize(prompts.refine, { known, padding: 0 });
  const tokens = await budget.count(answer);
  const left = room - tokens - PADDING;
  return left >= Math.min(LEAST, Math.ceil(room / 4)) ? answer : budget.cut(answer, Math.floor(room / 2));
}

const PADDING = 5;
/** Tokens of a passage that are worth a call. */
const LEAST = 32;

/** In characters; the first where they are as long. */
function longer(a: Prompt, b: Prompt): Prompt {
  return characters(b) > characters(a) ? b : a;
}

function characters(prompt: Prompt): number {
  if (typeof prompt === "string") return [...prompt.replace(/\{\w+\}/g, "")].length;
  return prompt.reduce((sum, { content }) => sum + characters(content), 0);
}
