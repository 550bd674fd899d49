/** LlamaIndex's RetrieverQueryEngine: retrieve, post-process in order, write the answer. */
import {
  type EmbeddingModel,
  type LanguageModel,
  type Postprocessor,
  type QueryEngine,
  queryBundle,
  type Retriever,
  type Synthesizer,
  step,
} from "../schema/index.ts";
import { extractiveAnswer, writtenAnswer } from "../synthesis/index.ts";

export interface RetrieverQueryEngineOptions {
  retriever: Retriever;
  postprocessors?: readonly Postprocessor[];
  /** Writes the answer. Default: the model with numbered sources, or an extract where there is none. */
  synthesizer?: Synthesizer;
  model?: LanguageModel;
  /** Compares meanings for an extract. */
  embedding?: EmbeddingModel;
}

/**
 * Makes a query engine of a retriever. It can stand behind an index node, too: then its answer becomes a node.
 *
 * @example
 * const engine = retrieverQueryEngine({ retriever, postprocessors: [similarityCutoff(0.3)], model });
 * for await (const text of (await engine.query("年休假有几天")).textStream) process.stdout.write(text);
 */
export function retrieverQueryEngine(options: RetrieverQueryEngineOptions): QueryEngine {
  const { retriever, postprocessors = [], synthesizer = defaultSynthesizer(options) } = options;
  return {
    async query(query, call = {}) {
      const bundle = queryBundle(query);
      return step(
        call,
        { kind: "query", name: "retriever", attributes: { query: bundle.query } },
        async (inner) => {
          let nodes = await retriever.retrieve(bundle, inner);
          const { within: _, ...passed } = inner;
          for (const part of postprocessors) {
            nodes = await step(
              passed,
              { kind: "postprocess", name: "postprocessor", attributes: { nodes: nodes.length } },
              async (own) => part.postprocess(nodes, { ...own, query: bundle }),
            );
          }
          return step(passed, { kind: "synthesize", name: "answer", attributes: { nodes: nodes.length } }, (own) =>
            synthesizer.synthesize({ ...own, query: bundle, nodes }),
          );
        },
        (answer) => ({ sources: answer.sources.length }),
      );
    },
  };
}

function defaultSynthesizer({ model, embedding }: RetrieverQueryEngineOptions): Synthesizer {
  return {
    async synthesize({ query, nodes, signal }) {
      const input = { question: queryBundle(query).query, nodes, ...(signal ? { signal } : {}) };
      return model
        ? writtenAnswer({ ...input, model })
        : extractiveAnswer({ ...input, ...(embedding ? { embedding } : {}) });
    },
  };
}
