import { expect } from "vitest";
import { memoryBm25Retriever } from "../../../src/retrieval/index.ts";
import type { Filters } from "../../../src/schema/index.ts";
import { expectRanked, idsScores, type JsonNode, type Outcome, type Topic, toNode } from "../support.ts";

type Scored = [string, number | null];

interface Input {
  nodes: JsonNode[];
  queries: string[];
  similarity_top_k?: number;
  token_pattern?: string;
  skip_stemming?: boolean;
  filters?: Filters;
}

interface Result {
  similarity_top_k: number;
  results: Scored[][];
}

export const topic: Topic<Input> = {
  async run({ nodes, queries, similarity_top_k = 2, token_pattern, skip_stemming = false, filters }) {
    const topK = Math.min(similarity_top_k, nodes.length);
    const retriever = memoryBm25Retriever({
      nodes: nodes.map(toNode),
      topK,
      skipStemming: skip_stemming,
      ...(filters ? { filters } : {}),
      ...(token_pattern ? { tokenPattern: new RegExp(token_pattern.replace("(?u)", ""), "gu") } : {}),
    });
    const results: Scored[][] = [];
    for (const query of queries) results.push(idsScores(await retriever.retrieve(query)));
    return { similarity_top_k: topK, results };
  },
  quirks: {
    "a run of Chinese characters is one token": ({ value }: Outcome, expected: Result, { queries }: Input) => {
      const actual = value as unknown as Result;
      // What was found is found, and Chinese questions find something.
      actual.results.forEach((nodes, i) => {
        expect(nodes.every(([, score]) => score! > 0)).toBe(true);
        for (const [id, score] of expected.results[i]!)
          if (score! > 0) expect(nodes.map(([other]) => other)).toContain(id);
      });
      expect(queries.some((query, i) => /\p{sc=Han}/u.test(query) && actual.results[i]!.length > 0)).toBe(true);
    },
    "nodes with score 0 are returned; better drop them": (
      { value, error }: Outcome,
      expected: Result | { error: string },
      { filters }: Input,
      name: string,
    ) => {
      if ("error" in expected) {
        // Filters that leave nothing find nothing.
        if (filters) expect((value as unknown as Result).results).toEqual([[]]);
        else expect(error).toBeDefined();
        return;
      }
      const actual = value as unknown as Result;
      expect(actual.similarity_top_k).toBe(expected.similarity_top_k);
      expected.results.forEach((nodes, i) => {
        const found = nodes.filter(([, score]) => score! > 0);
        expectRanked(actual.results[i]!, found, {
          score: ([, score]) => score,
          key: ([id]) => id,
          name,
          tolerance: 1e-5,
        });
      });
    },
  },
};
