/** tree_summarize: passages packed into prompts, each summed up; the summaries are summed up again, until one is left. */
import { HuiliuError } from "../../schema/index.ts";
import { type Answer, type Answering, inParallel } from "./mode.ts";

/** Summaries do not get shorter than what they sum up: there would be no end. Code `SUMMARIES_DO_NOT_SHRINK`. */
export class SummariesDoNotShrinkError extends HuiliuError {
  /** Prompts of the level, and of the one before. */
  readonly chunks: number;
  readonly chunksBefore: number;

  constructor(chunks: number, chunksBefore: number) {
    super(
      "SUMMARIES_DO_NOT_SHRINK",
      `tree_summarize would not end: the summaries of ${chunksBefore} pieces fill ${chunks} prompts again; take a larger contextWindow, a lower ` +
        "maxOutputTokens, or a shorter summary prompt",
    );
    this.chunks = chunks;
    this.chunksBefore = chunksBefore;
  }
}

/** What a level may have of the one before, in prompts or in characters. */
const SHRINKING = 0.9;

export async function treeSummarize(answering: Answering): Promise<Answer> {
  const { question, calls, prompts, budget, streaming, parallel, schema } = answering;
  const known = { ...answering.variables, query_str: question };
  const call = (context: string) => ({
    prompt: prompts.summary,
    values: { ...known, context_str: context },
    name: "summary",
  });
  let texts = answering.texts;
  let before: { chunks: number; characters: number } | undefined;
  while (true) {
    answering.signal?.throwIfAborted();
    const chunks = await budget.repack(prompts.summary, texts, { known });
    if (chunks.length <= 1) {
      const last = call(chunks[0] ?? "");
      if (streaming) return { pieces: calls.stream(last, schema), eager: true };
      if (!schema) return { text: await calls.complete(last) };
      const object = await calls.object(last, schema);
      return { text: JSON.stringify(object), object };
    }
    const characters = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    // A level may fill as many prompts as the one before, if it is clearly shorter: all levels together cost ten times the first at most.
    if (before && chunks.length > before.chunks * SHRINKING && characters > before.characters * SHRINKING) {
      throw new SummariesDoNotShrinkError(chunks.length, before.chunks);
    }
    calls.plan(chunks.length + 1);
    before = { chunks: chunks.length, characters };
    texts = await inParallel(chunks, parallel, (chunk) => calls.complete(call(chunk)));
  }
}
