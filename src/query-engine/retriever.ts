/** LlamaIndex's RetrieverQueryEngine: retrieve, post-process in order, write the answer. */
import { postprocessed } from "../postprocess/run.ts";
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
  withPrompts,
} from "../schema/index.ts";
import { type ResponseSynthesizerOptions, responseSynthesizer } from "../synthesis/index.ts";
import { queryEngine } from "./frame.ts";

/** How an answer is written: by a synthesizer, or by one that is made of its options. */
export interface AnswerOptions extends ResponseSynthesizerOptions {
  /** In the place of all other options of the answer. */
  synthesizer?: Synthesizer;
}

/** A retriever, postprocessors, and how answers are made. */
export interface RetrieverQueryEngineOptions extends AnswerOptions {
  retriever: Retriever;
  postprocessors?: readonly Postprocessor[];
}

/** A query engine over a retriever: also retrieves alone, and answers from nodes that are given. */
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
    return postprocessed(postprocessors, await retriever.retrieve(bundle, call), bundle, call);
  }

  function synthesize(request: SynthesizeOptions): Promise<Response> {
    const what = { kind: "synthesize", name: "answer", attributes: { nodes: request.nodes.length } } as const;
    return step(request, what, (own) => synthesizer.synthesize(own));
  }

  const engine = queryEngine("retriever", async (bundle, call) => {
    const nodes = await retrieve(bundle, call);
    return synthesize({ ...callOptions(call), query: bundle, nodes });
  });
  const parts = {
    retrieve: async (query: string | QueryBundle, call: RetrieveOptions = {}) => retrieve(queryBundle(query), call),
    synthesize,
  };
  return withPrompts(Object.assign(engine, parts), {}, { retriever, synthesizer });
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
