/** LlamaIndex's RetrieverQueryEngine: retrieve, post-process in order, write the answer. */
import {
  callOptions,
  InvalidArgumentError,
  type NodeWithScore,
  type Postprocessor,
  type QueryBundle,
  type QueryEngine,
  queryBundle,
  type Response,
  type RetrieveOptions,
  type Retriever,
  type SynthesizeOptions,
  type Synthesizer,
  step,
} from "../schema/index.ts";
import { type ResponseSynthesizerOptions, responseSynthesizer } from "../synthesis/index.ts";

/** How an answer is written: by a synthesizer, or by one that is made of its options. */
export interface AnswerOptions extends ResponseSynthesizerOptions {
  /** In the place of all other options of the answer. */
  synthesizer?: Synthesizer;
}

export interface RetrieverQueryEngineOptions extends AnswerOptions {
  retriever: Retriever;
  postprocessors?: readonly Postprocessor[];
}

export interface RetrieverQueryEngine extends QueryEngine {
  /** The found nodes, post-processed. */
  retrieve(query: string | QueryBundle, options?: RetrieveOptions): Promise<NodeWithScore[]>;
  /** The answer from nodes that are at hand. */
  synthesize(options: SynthesizeOptions): Promise<Response>;
}

/**
 * Makes a query engine of a retriever. It can stand behind an index node, too: then its answer becomes a node.
 *
 * @example
 * const engine = retrieverQueryEngine({ retriever, postprocessors: [similarityCutoff(0.3)], mode: "refine", streaming: true, model });
 * for await (const text of (await engine.query("年休假有几天")).textStream) process.stdout.write(text);
 */
export function retrieverQueryEngine(options: RetrieverQueryEngineOptions): RetrieverQueryEngine {
  const { retriever, postprocessors = [], ...answer } = options;
  const synthesizer = synthesizerOf(answer);

  async function retrieve(bundle: QueryBundle, call: RetrieveOptions): Promise<NodeWithScore[]> {
    let nodes = await retriever.retrieve(bundle, call);
    for (const part of postprocessors) {
      const what = { kind: "postprocess", name: "postprocessor", attributes: { nodes: nodes.length } } as const;
      nodes = await step(callOptions(call), what, async (own) => part.postprocess(nodes, { ...own, query: bundle }));
    }
    return nodes;
  }

  function synthesize(request: SynthesizeOptions): Promise<Response> {
    const what = { kind: "synthesize", name: "answer", attributes: { nodes: request.nodes.length } } as const;
    return step(request, what, (own) => synthesizer.synthesize(own));
  }

  return {
    async query(query, call = {}) {
      const bundle = queryBundle(query);
      return step(
        call,
        { kind: "query", name: "retriever", attributes: { query: bundle.query } },
        async (inner) => {
          const nodes = await retrieve(bundle, inner);
          return synthesize({ ...callOptions(inner), query: bundle, nodes });
        },
        (answered) => ({ sources: answered.sources.length }),
      );
    },
    async retrieve(query, call = {}) {
      return retrieve(queryBundle(query), call);
    },
    synthesize,
  };
}

/** @throws InvalidArgumentError for a synthesizer and options that it would not hear of */
export function synthesizerOf({ synthesizer, ...options }: AnswerOptions): Synthesizer {
  if (!synthesizer) return responseSynthesizer(options);
  // What an index adds by itself is no contradiction.
  const { embedding: _, model: __, ...others } = options;
  const [unheard] = Object.keys(others).filter((name) => others[name as keyof typeof others] !== undefined);
  if (unheard) {
    throw new InvalidArgumentError(
      unheard,
      others[unheard as keyof typeof others],
      `"${unheard}" has no effect beside \`synthesizer\`: give it to responseSynthesizer`,
    );
  }
  return synthesizer;
}
