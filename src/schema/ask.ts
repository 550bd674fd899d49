/** One call of a language model as a step: the prompt filled, counted, told to the trace and shown to whoever watches. */

import type { CallOptions, LanguageModel } from "./models.ts";
import { callOptions } from "./parts.ts";
import { asCall, fillPrompt, type Prompt } from "./prompts.ts";
import { shower, shownPrompt, shownText, type Verbose } from "./shown.ts";
import { step } from "./trace.ts";

/** A question to a language model, with the prompt and what is filled into it. */
export interface ModelQuestion {
  model: LanguageModel;
  prompt: Prompt;
  /** What is filled in: neither a question nor a passage is ever read as a template. */
  values: Readonly<Record<string, string>>;
  /** What the call is for: its name in traces and where it is shown. */
  purpose: string;
  verbose?: Verbose | undefined;
  temperature?: number;
}

/** Asks a model and gives its whole answer. */
export async function askModel(
  { model, prompt, values, purpose, verbose, ...settings }: ModelQuestion,
  call: CallOptions,
) {
  call.signal?.throwIfAborted();
  call.budget?.spend("modelCalls");
  const filled = fillPrompt(prompt, values);
  const show = shower(verbose);
  show(`${purpose} → ${shownPrompt(filled)}`);
  const what = { kind: "generate", name: model.name, attributes: { purpose } } as const;
  const answer = await step(callOptions(call), what, (inner) =>
    model.generate({ ...asCall(filled), ...settings, ...inner }),
  );
  show(`${purpose} ← ${shownText(answer)}`);
  return answer;
}
