import { expect } from "vitest";
import { formattedSources, response, textNode } from "../../../src/schema/index.ts";
import { promptBudget } from "../../../src/synthesis/index.ts";
import { piecesOf } from "../script-model.ts";
import { type Outcome, type Topic, tokenizer } from "../support.ts";

interface Input {
  do: string;
  pieces?: string[];
  length?: number;
  node_text?: string;
  response?: string | null;
  texts: string[];
  op?: "repack" | "truncate";
  tokenizer: string;
  context_window: number;
  num_output: number;
  chunk_overlap_ratio: number;
  template: string;
  partial: Record<string, string>;
}

export const topic: Topic<Input> = {
  async run(input) {
    if (input.do === "prompt_helper") return packed(input);
    if (input.do === "response") {
      const sources = input.texts.map((text, i) => ({ node: textNode({ id: `n${i + 1}`, text }), score: 0.5 }));
      const answer = response({ text: input.response ?? "", sources });
      // The original calls the same thing by two names, depending on whether the answer is streamed.
      const shown = (length?: number) => formattedSources(answer, length).replaceAll("(Node id:", "(Doc id:");
      return { str: await answer.text, formatted_sources_100: shown(), formatted_sources_10: shown(10) };
    }
    const node = textNode({ id: "n1", text: input.node_text ?? "text", metadata: { a: 1 } });
    const answer = response({
      text: streamed(input.pieces!),
      sources: [{ node, score: 0.5 }],
      metadata: { n1: { a: 1 } },
    });
    switch (input.do) {
      case "str, str, iterate":
        return { first: await answer.text, second: await answer.text, response_txt: answer.textSoFar };
      case "iterate, str":
        return { iterated: await piecesOf(answer.textStream), str: await answer.text, response_txt: answer.textSoFar };
      case "get_response":
        return {
          response: await answer.text,
          str: await answer.text,
          metadata: answer.metadata,
          source_nodes: [["n1", 0.5]],
        };
      case "formatted_sources":
        return {
          text: formattedSources(answer, input.length),
          untrimmed: formattedSources(answer, Number.POSITIVE_INFINITY),
        };
      default: {
        let printed = "";
        for await (const piece of answer.textStream) printed += piece;
        return { printed, response_txt: answer.textSoFar };
      }
    }
  },
  compare(actual: Record<string, unknown>, expected: Record<string, unknown>) {
    const { left_to_iterate: _, ...rest } = expected;
    expect(actual).toEqual(rest);
  },
  quirks: {
    "better remember what was streamed": (outcome: Outcome, expected: { iterated: string[] }) => {
      const text = expected.iterated.join("");
      expect(outcome.value).toEqual({ iterated: expected.iterated, str: text, response_txt: text });
    },
    "an empty text prints as None": (outcome: Outcome, expected: Record<string, unknown>) => {
      const { left_to_iterate: _, ...rest } = expected;
      expect(outcome.value).toEqual(
        Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, value === "None" ? "" : value])),
      );
    },
  },
};

async function* streamed(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

async function packed(input: Input): Promise<unknown> {
  const budget = promptBudget({
    contextWindow: input.context_window,
    maxOutputTokens: input.num_output,
    overlapRatio: input.chunk_overlap_ratio,
    tokenizer: tokenizer(input.tokenizer),
  });
  const known = input.partial;
  if (input.op === "truncate") return { chunks: await budget.truncate(input.template, input.texts, { known }) };
  return {
    chunk_size: await budget.chunkSize(input.template, { known }),
    chunks: await budget.repack(input.template, input.texts, { known }),
  };
}
