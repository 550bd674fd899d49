/** The order in which steps begin and end. The original's spans and class names are its own. */
import { expect } from "vitest";
import { vectorStoreIndex } from "../../../src/indices/index.ts";
import { similarityCutoff } from "../../../src/postprocess/index.ts";
import { citationQueryEngine, retrieverQueryEngine } from "../../../src/query-engine/index.ts";
import { defineRetriever, fusionRetriever } from "../../../src/retrieval/index.ts";
import { eventStream, type QueryEngine, type Retriever } from "../../../src/schema/index.ts";
import type { ResponseMode } from "../../../src/synthesis/index.ts";
import { scriptModel } from "../script-model.ts";
import { hashEmbedding, type JsonNode, type Topic, toNode, toScored } from "../support.ts";

interface Input {
  query: string;
  nodes: JsonNode[];
  mode?: ResponseMode;
  streaming?: boolean;
  similarity_cutoff?: number;
  similarity_top_k?: number;
}

interface Expected {
  instrumentation: ["event" | "enter" | "exit", string][];
  calls: number;
}

/** Our steps by the original's events. */
const OURS: Record<string, string> = {
  query: "Query",
  retrieve: "Retrieval",
  synthesize: "Synthesize",
  respond: "GetResponse",
  generate: "LLM",
  embed: "Embedding",
};

/** The original's events, of those that name a step twice only one. */
const THEIRS =
  /^(?:(Query|Retrieval|Synthesize|GetResponse|Embedding)(Start|End)|LLMPredict(Start)|LLMCompletion(End))Event$/;

export const topic: Topic<Input> = {
  async run({ query, nodes, mode, streaming = false, similarity_cutoff, similarity_top_k }, name) {
    const model = scriptModel();
    const trace = eventStream();
    const fixed = () => defineRetriever(() => nodes.map(toScored));
    const options = { model, streaming, ...(mode ? { mode } : {}) };
    const ask = async (engine: QueryEngine) => (await engine.query(query, { trace })).text;
    const find = (retriever: Retriever) => retriever.retrieve(query, { trace });
    if (name.startsWith("retriever alone")) await find(fixed());
    else if (name.startsWith("fusion")) await find(fusionRetriever({ retrievers: [fixed(), fixed()] }));
    else if (name.startsWith("citation")) await ask(citationQueryEngine({ retriever: fixed(), ...options }));
    else if (similarity_top_k !== undefined) {
      const index = await vectorStoreIndex({ nodes: nodes.map(toNode), embedding: hashEmbedding() });
      await ask(index.asQueryEngine({ topK: similarity_top_k, ...options }));
    } else {
      const postprocessors = similarity_cutoff === undefined ? [] : [similarityCutoff(similarity_cutoff)];
      await ask(retrieverQueryEngine({ retriever: fixed(), postprocessors, ...options }));
    }
    const told = trace.events
      .filter((event) => event.kind !== "respond" || event.name === "compact" || event.name === "refine")
      .flatMap(({ kind, type }) => (OURS[kind] ? [`${OURS[kind]} ${type}`] : []));
    return { told, calls: model.calls.length };
  },
  compare(actual: { told: string[]; calls: number }, { instrumentation, calls }: Expected, _, name) {
    const expected: string[] = [];
    for (const [what, event] of instrumentation) {
      const found = what === "event" ? THEIRS.exec(event) : null;
      if (!found) continue;
      const step = `${found[1] ?? "LLM"} ${(found[2] ?? found[3] ?? found[4])!.toLowerCase()}`;
      // A call within a call tells its end twice.
      if (step !== expected[expected.length - 1] || !step.startsWith("LLM")) expected.push(step);
    }
    // Two retrievers are asked at once here, one after the other there.
    const order = (steps: string[]) => (name.startsWith("fusion") ? [...steps].sort() : steps);
    expect(order(actual.told)).toEqual(order(expected));
    expect(actual.calls).toBe(calls);
  },
};
