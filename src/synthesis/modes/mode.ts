/** What the response modes share: the texts and the question come in, and an answer comes out, whole or as a stream still to be read. */
import type { PromptBudget } from "../budget.ts";
import type { ModelCalls } from "../model-calls.ts";
import type { AnswerPrompts } from "../prompts.ts";
import type { AnswerSchema } from "../structured.ts";

/** One answer under way. */
export interface Answering {
  question: string;
  /** The found passages as the model reads them; none is blank. */
  texts: readonly string[];
  calls: ModelCalls;
  budget: PromptBudget;
  prompts: AnswerPrompts;
  /** What stands for further names in the prompts. */
  variables: Readonly<Record<string, string>>;
  streaming: boolean;
  /** Calls at the same time, where a mode has several that do not wait for each other. */
  parallel: number;
  /** What stands where a model says nothing. */
  noAnswer: string;
  /** Asks in each step of `refine` and `compact` whether the passage answers, and leaves out what does not. */
  filtering: boolean;
  schema?: AnswerSchema<unknown>;
  signal?: AbortSignal;
}

/** The whole text, the pieces of it, or nothing: no passage answers, or the model said nothing. */
export type Answer =
  | { text: string; object?: unknown }
  | { pieces: AsyncIterable<string> /** Whether the call is made before anybody reads. */; eager?: boolean }
  | { nothing: "model" | "passages" };

/** Works on the items with a few calls at once; results in their order. The first error ends it. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const out = new Array<R>(items.length);
  let next = 0;
  let failed = false;
  async function worker(): Promise<void> {
    while (next < items.length && !failed) {
      const i = next++;
      try {
        out[i] = await work(items[i]!);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return out;
}
