/** accumulate: the question asked of each passage, the answers side by side. compact_accumulate: of passages packed together. */
import { StreamingNotSupportedError } from "../../schema/index.ts";
import { type Answer, type Answering, inParallel } from "./mode.ts";

const SEPARATOR = "\n---------------------\n";

export async function accumulate(answering: Answering): Promise<Answer> {
  const { texts, prompts, budget, question } = answering;
  const known = { ...answering.variables, query_str: question };
  const chunks: string[] = [];
  for (const text of texts) chunks.push(...(await budget.repack(prompts.textQa, [text], { known })));
  return accumulated(answering, chunks, "accumulate");
}

export async function compactAccumulate(answering: Answering): Promise<Answer> {
  const { texts, prompts, budget, question } = answering;
  const chunks = await budget.repack(prompts.textQa, texts, { known: { ...answering.variables, query_str: question } });
  return accumulated(answering, chunks, "compact_accumulate");
}

async function accumulated(answering: Answering, chunks: readonly string[], mode: string): Promise<Answer> {
  const { question, calls, prompts, parallel, noAnswer, schema } = answering;
  if (answering.streaming) {
    throw new StreamingNotSupportedError(mode, `${mode} puts whole answers side by side: ask without \`streaming\``);
  }
  calls.plan(chunks.length);
  const objects: unknown[] = [];
  const answers = await inParallel([...chunks.keys()], parallel, async (i) => {
    const call = {
      prompt: prompts.textQa,
      values: { ...answering.variables, query_str: question, context_str: chunks[i]! },
      name: "textQa",
    };
    if (!schema) return (await calls.complete(call)) || noAnswer;
    objects[i] = await calls.object(call, schema);
    return JSON.stringify(objects[i]);
  });
  const text = answers.map((answer, i) => `Response ${i + 1}: ${answer}`).join(SEPARATOR);
  return { text, ...(schema ? { object: objects } : {}) };
}
