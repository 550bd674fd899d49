import { expect } from "vitest";
import { defineRetriever, type FusionMode, fusionRetriever } from "../../../src/retrieval/index.ts";
import type { LanguageModel } from "../../../src/schema/index.ts";
import {
  expectClose,
  expectRanked,
  fromScored,
  type JsonNode,
  type Outcome,
  type Topic,
  toScored,
} from "../support.ts";

interface Input {
  query: string;
  retrievers: Record<string, JsonNode[]>[];
  mode?: FusionMode;
  similarity_top_k?: number;
  num_queries?: number;
  retriever_weights?: number[];
  llm_output?: string;
}

interface Result {
  nodes: JsonNode[];
  queries: [string, string][];
  llm_prompts: string[];
}

// LlamaIndex's defaults, where this library's are others.
const DEFAULTS = { mode: "simple", similarity_top_k: 2, num_queries: 4 } as const;

export const topic: Topic<Input> = {
  async run(given) {
    const input = { ...DEFAULTS, ...given };
    const queries: [string, string][] = [];
    const prompts: string[] = [];
    const model: LanguageModel = {
      name: "script",
      async generate({ prompt }) {
        prompts.push(prompt!);
        return input.llm_output ?? `answer-${prompts.length}`;
      },
      async *stream() {},
    };
    const retriever = fusionRetriever({
      retrievers: Object.fromEntries(
        input.retrievers.map((lists, i) => [
          `r${i}`,
          defineRetriever(({ query }) => {
            queries.push([`r${i}`, query]);
            return (lists[query] ?? lists["*"] ?? []).map(toScored);
          }),
        ]),
      ),
      mode: input.mode,
      topK: input.similarity_top_k,
      numQueries: input.num_queries,
      ...(input.retriever_weights
        ? { weights: Object.fromEntries(input.retriever_weights.map((weight, i) => [`r${i}`, weight])) }
        : {}),
      model,
      queryPrompt: "GEN {num_queries} FOR {query}",
    });
    const nodes = (await retriever.retrieve(input.query)).map((item) => fromScored(item));
    return { nodes, queries, llm_prompts: prompts };
  },
  compare(actual: Result, expected: Result, _: Input, name: string) {
    expectClose({ ...actual, nodes: [] }, { ...expected, nodes: [] }, 0);
    compareNodes(actual.nodes, expected.nodes, name);
  },
  quirks: {
    // Without the repeats, each question is asked once; the order of the others stays.
    "overwrites the earlier result; better drop repeats": ({ value }: Outcome, expected: Result) => {
      const actual = value as unknown as Result;
      expect(actual.queries).toEqual(uniquePairs(expected.queries));
      expect(new Set(ids(actual.nodes))).toEqual(new Set(ids(expected.nodes)));
    },
    "divided by the number asked for, not by the number run": (
      { value }: Outcome,
      expected: Result,
      { num_queries = DEFAULTS.num_queries }: Input,
      name: string,
    ) => {
      const actual = value as unknown as Result;
      const run = new Set(expected.queries.map(([, query]) => query)).size;
      const scaled = expected.nodes.map((node) => ({ ...node, score: (node.score! * num_queries) / run }));
      expect(actual.queries).toEqual(expected.queries);
      compareNodes(actual.nodes, scaled, name);
    },
    "better count it as 0": ({ value }: Outcome) => {
      expect((value as unknown as Result).nodes.length).toBeGreaterThan(0);
    },
    "treat a deviation below 1e-12 as zero": ({ value }: Outcome, expected: Result, { retrievers }: Input) => {
      const actual = value as unknown as Result;
      expect(new Set(ids(actual.nodes))).toEqual(new Set(ids(expected.nodes)));
      for (const node of actual.nodes) {
        const holding = retrievers.filter((lists) => lists["*"]!.some((other) => other.id === node.id));
        expect(node.score).toBeCloseTo(holding.length / retrievers.length, 9);
      }
    },
    "list marks, preambles and language tags stay": ({ value }: Outcome, expected: Result, { llm_output }: Input) => {
      const actual = value as unknown as Result;
      const asked = [...new Set(actual.queries.map(([, query]) => query))];
      expect(asked[0]).toBe(expected.queries[0]![1]);
      expect(asked.length).toBeGreaterThan(1);
      for (const query of asked.slice(1)) {
        expect(llm_output).toContain(query);
        expect(query).not.toMatch(/^(?:[-*•"'`]|\d+\.)|[:："'`]$|^text$/);
      }
      expect(new Set(ids(actual.nodes))).toEqual(new Set(ids(expected.nodes)));
    },
  },
};

function compareNodes(actual: JsonNode[], expected: JsonNode[], name: string): void {
  expectRanked(actual, expected, { score: (node) => node.score ?? null, key: (node) => node.id, name });
}

function ids(nodes: readonly JsonNode[]): string[] {
  return nodes.map((node) => node.id);
}

function uniquePairs(pairs: readonly [string, string][]): [string, string][] {
  return [...new Map(pairs.map((pair) => [pair.join("\n"), pair])).values()];
}
