/** Calls of a language model as the steps of an answer make them: filled prompts, told to the trace and to whoever watches. */
import {
  AnswerFormatError,
  asCall,
  type CallOptions,
  fillPrompt,
  type LanguageModel,
  ModelError,
  type Prompt,
  StreamingNotSupportedError,
  step,
  stepStream,
  type Verbose,
} from "../schema/index.ts";
import { shower, shownPrompt, shownText } from "../schema/shown.ts";
import { type AnswerSchema, readObject, withFormat } from "./structured.ts";

export interface PromptedCall {
  prompt: Prompt;
  values: Readonly<Record<string, string>>;
  /** The prompt's name, for traces. */
  name: string;
}

export interface ModelCalls {
  readonly model: LanguageModel;
  /** Says how many calls come next at least. @throws BudgetError before the first, where they are too many */
  plan(count: number): void;
  complete(call: PromptedCall): Promise<string>;
  /** Nothing is asked before the first piece is wanted. With a schema, the prompt says it; the reader of the text has to check it. */
  stream(call: PromptedCall, schema?: AnswerSchema<unknown>): AsyncIterable<string>;
  /** @throws AnswerFormatError for an answer that is not of the schema */
  object<T>(call: PromptedCall, schema: AnswerSchema<T>): Promise<T>;
}

export interface ModelCallsOptions {
  model: LanguageModel;
  call: CallOptions;
  verbose?: Verbose;
  /** What is being done, such as a response mode: the name under which calls are shown. */
  purpose: string;
  /** Of the format's words. */
  language?: "zh" | "en";
}

/** The calls of one answer. */
export function modelCalls({ model, call, verbose, purpose, language = "en" }: ModelCallsOptions): ModelCalls {
  const show = shower(verbose);
  let calls = 0;
  /** Until the provider says that it does not know the parameter. */
  let holdsToSchemas = true;

  function prepare({ prompt, values, name }: PromptedCall) {
    call.budget?.spend("modelCalls");
    const filled = fillPrompt(prompt, values);
    const number = ++calls;
    show(`${purpose} ${number} ${name} → ${shownPrompt(filled)}`);
    return {
      filled,
      what: { kind: "generate", name: model.name, attributes: { purpose, prompt: name } } as const,
      done: (answer: string) => show(`${purpose} ${number} ${name} ← ${shownText(answer)}`),
    };
  }

  return {
    model,
    plan: (count) => call.budget?.plan("modelCalls", count),
    async complete(prompted) {
      call.signal?.throwIfAborted();
      const { filled, what, done } = prepare(prompted);
      const answer = await step(call, what, (inner) => model.generate({ ...asCall(filled), ...inner }));
      done(answer);
      return answer;
    },
    stream(prompted, schema) {
      const stream = streaming(model);
      async function* started(): AsyncGenerator<string> {
        const { filled, what, done } = prepare(prompted);
        const asked = schema ? await withFormat(filled, schema, language) : filled;
        yield* watched(
          stepStream(call, what, (inner) => stream({ ...asCall(asked), ...inner })),
          done,
        );
      }
      return started();
    },
    async object(prompted, schema) {
      call.signal?.throwIfAborted();
      const { filled, what, done } = prepare(prompted);
      // The prompt says the schema in any case: providers differ in what they tell the model.
      const asked = asCall(await withFormat(filled, schema, language));
      return step(call, what, async (inner) => {
        if (model.generateObject && holdsToSchemas) {
          try {
            const value = await model.generateObject({ ...asked, ...inner, schema: await schema.json() });
            done(JSON.stringify(value) ?? "");
            return schema.check(model.name, value);
          } catch (error) {
            // What the provider could not read may still hold an object, among words.
            if (error instanceof AnswerFormatError) return readObject(model.name, error.answer, schema);
            if (!(error instanceof ModelError) || error.reason !== "invalid_request") throw error;
            holdsToSchemas = false;
            call.budget?.spend("modelCalls");
          }
        }
        const answer = await model.generate({ ...asked, ...inner });
        done(answer);
        return readObject(model.name, answer, schema);
      });
    },
  };
}

/** The model's stream. @throws StreamingNotSupportedError where it has none */
export function streaming(model: LanguageModel): NonNullable<LanguageModel["stream"]> {
  if (!model.stream) {
    throw new StreamingNotSupportedError(
      model.name,
      `${model.name} cannot stream: ask without \`streaming\`, or take a model that has \`stream\``,
    );
  }
  return (options) => model.stream!(options);
}

async function* watched(pieces: AsyncIterable<string>, done: (answer: string) => void): AsyncGenerator<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    yield piece;
  }
  done(text);
}
