import { expect } from "vitest";
import type { Metadata } from "../../../src/schema/index.ts";
import { type ResponseMode, responseSynthesizer } from "../../../src/synthesis/index.ts";
import { onTheWire, piecesOf, plainCall, type ScriptCall, scriptModel } from "../script-model.ts";
import { expectClose, idsScores, type JsonNode, type Outcome, type Topic, tokenizer, toScored } from "../support.ts";

export interface Templates {
  text_qa: string;
  refine: string;
  summary: string;
  simple: string;
}

export interface SynthesisInput {
  mode: ResponseMode;
  query: string;
  tokenizer: string;
  context_window: number;
  num_output: number;
  templates: Templates;
  nodes: JsonNode[];
  additional_source_nodes?: JsonNode[];
  answers?: string[];
  streaming?: boolean;
  use_async?: boolean;
  model_streams?: boolean;
  chunk_overlap_ratio?: number;
  chunk_size_limit?: number | null;
  separator?: string;
}

type RecordedCall = ScriptCall & { vars: Record<string, string | string[]>; template: string };

export interface Recorded {
  calls: RecordedCall[];
  response?: string | null;
  pieces?: string[];
  calls_before_iteration?: number;
  source_nodes: [string, number | null][];
  metadata: Record<string, Metadata> | null;
}

type Actual = Omit<Recorded, "calls"> & { calls: ScriptCall[]; kind: string };

/** The options of a synthesizer that a recording stands for. */
export function synthesizerOptions(
  input: Pick<SynthesisInput, "context_window" | "num_output" | "templates" | "tokenizer"> & Partial<SynthesisInput>,
) {
  const { templates } = input;
  return {
    prompts: {
      textQa: templates.text_qa,
      refine: templates.refine,
      summary: templates.summary,
      simple: templates.simple,
    },
    contextWindow: input.context_window,
    maxOutputTokens: input.num_output,
    tokenizer: tokenizer(input.tokenizer),
    emptyAnswer: "Empty Response",
    ...(input.mode === undefined ? {} : { mode: input.mode }),
    ...(input.streaming === undefined ? {} : { streaming: input.streaming }),
    ...(input.use_async ? { parallel: 4 } : {}),
    ...(input.chunk_overlap_ratio === undefined ? {} : { overlapRatio: input.chunk_overlap_ratio }),
    ...(input.chunk_size_limit ? { chunkSizeLimit: input.chunk_size_limit } : {}),
    ...(input.separator === undefined ? {} : { separator: input.separator }),
  };
}

export const topic: Topic<SynthesisInput> = {
  async run(input) {
    const model = scriptModel({ answers: input.answers ?? [], streams: input.model_streams ?? true });
    const synthesizer = responseSynthesizer({ ...synthesizerOptions(input), model });
    const answer = await synthesizer.synthesize({
      query: input.query,
      nodes: input.nodes.map(toScored),
      additionalSources: (input.additional_source_nodes ?? []).map(toScored),
    });
    const before = model.calls.length;
    return {
      pieces: await piecesOf(answer.textStream),
      calls_before_iteration: before,
      response: await answer.text,
      calls: model.calls,
      kind: answer.kind,
      source_nodes: idsScores(answer.sources),
      metadata: answer.metadata,
    };
  },
  compare: (actual: Actual, expected: Recorded) => compareAnswers(actual, expected),
  quirks: {
    "better pass the string": ({ value }: Outcome, expected: Recorded, input) => {
      const actual = value as unknown as Actual;
      if (isBlank(input) && actual.kind === "empty") return;
      compareAnswers(actual, { ...expected, calls: expected.calls.map((call) => unlisted(call, input)) });
    },
    "better skip it": ({ value }: Outcome, expected: Recorded, input) => {
      const actual = value as unknown as Actual;
      if (isBlank(input)) {
        expect(actual).toMatchObject({ kind: "empty", calls: [], response: "Empty Response" });
        return;
      }
      if (input.mode === "context_only") {
        expect(actual.response).toBe(expected.response!.replace(/\n\n\s*\n\n/g, "\n\n"));
        return;
      }
      // The same contexts in the same order, without the blank ones; later answers have other numbers.
      const contexts = expected.calls.flatMap(contextOf).filter((context) => context.trim() !== "");
      expect(actual.calls).toHaveLength(contexts.length);
      for (const [i, context] of contexts.entries()) expect(actual.calls[i]!.prompt).toContain(context);
      expect(actual.source_nodes).toEqual(expected.source_nodes);
    },
    "better scale the padding": ({ value }: Outcome, _: Recorded, input) => {
      const actual = value as unknown as Actual;
      expect(actual.calls[0]!.prompt).toContain(input.nodes[0]!.text.trim().slice(0, 10));
      for (const call of actual.calls) expectFits(call, input);
    },
    "better keep the order": ({ value }: Outcome, expected: Recorded, input) => {
      const actual = value as unknown as Actual;
      for (const call of actual.calls) expectFits(call, input);
      expect(actual.calls[0]).toMatchObject({ prompt: expected.calls[0]!.prompt });
      const at = actual.calls.map((call) => placeIn(input, call.prompt!)).filter((place) => place >= 0);
      expect(at).toEqual([...at].sort((a, b) => a - b));
      expect(actual.source_nodes).toEqual(expected.source_nodes);
    },
    "better shorten the existing answer": ({ value }: Outcome, _: Recorded, input) => {
      const actual = value as unknown as Actual;
      expect(actual.calls.length).toBeGreaterThan(1);
      for (const call of actual.calls) expectFits(call, input);
    },
    "better a clear error when a level does not get shorter": ({ error }: Outcome) => {
      expect(error).toMatchObject({ code: expect.stringMatching(/^(SUMMARIES_DO_NOT_SHRINK|PROMPT_TOO_LONG)$/) });
    },
  },
};

export function compareAnswers(actual: Actual, expected: Recorded): void {
  const streamed = expected.pieces !== undefined;
  expect(actual.calls).toEqual(expected.calls.map(plainCall));
  if (streamed) {
    expect(actual.pieces).toEqual(expected.pieces);
    // A call over the wire has been made, but may not have arrived.
    if (!onTheWire()) expect(actual.calls_before_iteration).toBe(expected.calls_before_iteration);
  }
  expect(actual.response).toBe(streamed ? expected.pieces!.join("") : (expected.response ?? ""));
  expectClose(actual.source_nodes, expected.source_nodes, 1e-9);
  expect(actual.metadata).toEqual(expected.metadata ?? {});
}

function isBlank({ nodes }: SynthesisInput): boolean {
  return nodes.every((node) => node.text.trim() === "");
}

function contextOf({ vars }: RecordedCall): string[] {
  const context = vars["context_str"] ?? vars["context_msg"];
  return context === undefined ? [] : [Array.isArray(context) ? context.join("\n") : context];
}

/** The prompt with the text itself in the place of the list that holds it, blank texts left out. */
function unlisted(call: RecordedCall, { templates, nodes }: SynthesisInput): RecordedCall {
  let context = contextOf(call)[0]!;
  for (const node of nodes) if (node.text.trim() === "") context = context.replace(`${node.text}\n`, "");
  const values: Record<string, string> = { context_str: context, query_str: String(call.vars["query_str"]) };
  return { ...call, prompt: templates.text_qa.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!) };
}

function expectFits(call: ScriptCall, input: SynthesisInput): void {
  const { count } = tokenizer(input.tokenizer);
  expect(count(call.prompt!)).toBeLessThanOrEqual(input.context_window - input.num_output);
}

/** Where the context of a prompt begins in the last node's text. */
function placeIn({ nodes }: SynthesisInput, prompt: string): number {
  const context = /^RE\[(.{12})/s.exec(prompt)?.[1];
  return context === undefined ? -1 : nodes[nodes.length - 1]!.text.indexOf(context);
}
