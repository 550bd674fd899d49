/** The modes of at most one call: simple_summarize, generation, context_only, no_text. */
import type { PromptedCall } from "../model-calls.ts";
import type { Answer, Answering } from "./mode.ts";

/** What fits of all passages together, in one call. */
export async function simpleSummarize(answering: Answering): Promise<Answer> {
  const { texts, prompts, budget, question } = answering;
  const known = { ...answering.variables, query_str: question };
  const [context = ""] = await budget.truncate(prompts.textQa, [texts.join("\n")], { known });
  const call = { prompt: prompts.textQa, values: { ...known, context_str: context }, name: "textQa" };
  const answer = await oneCall(answering, call);
  return "text" in answer && answer.text === "" ? { nothing: "model" } : answer;
}

/** The question alone: the passages are sources that the model does not read. */
export function generation(answering: Answering): Promise<Answer> {
  const { prompts, question } = answering;
  return oneCall(answering, {
    prompt: prompts.simple,
    values: { ...answering.variables, query_str: question },
    name: "simple",
  });
}

/** What the model would read. */
export async function contextOnly({ texts }: Answering): Promise<Answer> {
  return { text: texts.join("\n\n") };
}

/** The sources, and no text. */
export async function noText(): Promise<Answer> {
  return { text: "" };
}

async function oneCall({ calls, streaming, schema }: Answering, call: PromptedCall): Promise<Answer> {
  if (streaming) return { pieces: calls.stream(call, schema), eager: true };
  if (!schema) return { text: await calls.complete(call) };
  const object = await calls.object(call, schema);
  return { text: JSON.stringify(object), object };
}
