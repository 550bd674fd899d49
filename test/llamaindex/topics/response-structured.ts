import { expect } from "vitest";
import { z } from "zod";
import { AnswerFormatError, type GenerateOptions } from "../../../src/schema/index.ts";
import { responseSynthesizer } from "../../../src/synthesis/index.ts";
import { piecesOf, scriptModel } from "../script-model.ts";
import { expectClose, idsScores, type Outcome, type Topic, toScored } from "../support.ts";
import { type SynthesisInput, synthesizerOptions } from "./response-modes.ts";

type Scripted = "raise" | { answer: string; query_satisfied: boolean };

interface Input extends SynthesisInput {
  structured_answer_filtering?: boolean;
  program_script?: Scripted[];
  output_class?: Record<string, string>;
}

interface Call {
  template: keyof SynthesisInput["templates"];
  vars: Record<string, string>;
  returns: Scripted;
}

interface Expected {
  calls?: Call[];
  number_of_calls?: number;
  calls_before_iteration?: number;
  response?: string;
  pieces?: string[];
  object?: unknown;
  source_nodes: [string, number | null][];
}

interface Actual {
  prompts: string[];
  calls: number;
  response: string;
  pieces: string[];
  object?: unknown;
  source_nodes: [string, number | null][];
}

export const topic: Topic<Input> = {
  async run(input): Promise<Actual> {
    const prompts: string[] = [];
    const script = scriptModel({ answers: input.answers ?? [] });
    const model = input.program_script
      ? {
          ...script,
          generateObject: async (options: GenerateOptions) => program(options, prompts, input.program_script!),
        }
      : script;
    const synthesizer = responseSynthesizer({
      ...synthesizerOptions(input),
      model,
      ...(input.structured_answer_filtering ? { structuredFiltering: true } : {}),
      ...(input.output_class ? { schema: schemaOf(input.output_class) } : {}),
    });
    const answer = await synthesizer.synthesize({ query: input.query, nodes: input.nodes.map(toScored) });
    const pieces = await piecesOf(answer.textStream);
    return {
      prompts,
      pieces,
      response: await answer.text,
      ...(answer.object ? { object: await answer.object } : {}),
      source_nodes: idsScores(answer.sources),
      calls: input.program_script ? prompts.length : script.calls.length,
    };
  },
  compare(actual: Actual, expected: Expected, input: Input) {
    if (expected.calls) expect(actual.prompts).toEqual(expected.calls.map((call) => promptOf(call, input)));
    if (expected.number_of_calls !== undefined) expect(actual.calls).toBe(expected.number_of_calls);
    if (expected.object !== undefined) expect(actual.object).toEqual(expected.object);
    else expect(actual.response).toBe(expected.pieces?.join("") ?? expected.response);
    if (expected.pieces) expect(actual.pieces).toEqual(expected.pieces);
    expectClose(actual.source_nodes, expected.source_nodes, 1e-9);
  },
  quirks: {
    "the object is lost": expectObject,
    "the output class is ignored when streaming": expectObject,
    "better JSON": ({ value }: Outcome, _: Expected, input) => {
      const { object, response } = value as unknown as Actual;
      const objects = input.nodes.map((_, i) => objectIn(input.answers![i]!));
      expect(object).toEqual(objects);
      for (const item of objects) expect(response).toContain(JSON.stringify(item));
    },
  },
};

/** The last answer that the model streamed, read by the schema. */
function expectObject({ value }: Outcome, expected: Expected, input: Input): void {
  const { object, calls, pieces } = value as unknown as Actual;
  expect(calls).toBe(expected.number_of_calls);
  expect(object).toEqual(objectIn(input.answers![calls - 1]!));
  expect(pieces.length).toBeGreaterThan(1);
}

function objectIn(answer: string): unknown {
  return JSON.parse(/\{.*\}/s.exec(answer)![0]);
}

function program(options: GenerateOptions, prompts: string[], script: Scripted[]): unknown {
  // What is asked, without the schema behind it.
  const prompt = options.prompt!.slice(0, options.prompt!.lastIndexOf("\n\n"));
  const returned = script[prompts.push(prompt) - 1]!;
  if (returned === "raise") throw new AnswerFormatError("script", "", "scripted");
  return returned;
}

function promptOf({ template, vars }: Call, { templates }: Input): string {
  return templates[template].replace(/\{(\w+)\}/g, (_, name: string) => vars[name]!);
}

function schemaOf(fields: Record<string, string>): z.ZodType {
  const types: Record<string, z.ZodType> = { integer: z.int(), string: z.string(), number: z.number() };
  return z.object(Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, types[type]!])));
}
