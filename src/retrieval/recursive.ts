/**
 * LlamaIndex's RecursiveRetriever: index nodes name what they stand for, and the retriever knows the names. Beside `defineRetriever`'s own
 * following (by object), for whoever keeps retrievers, engines and nodes in one place.
 */
import {
  InvalidArgumentError,
  type Metadata,
  type Node,
  type NodeWithScore,
  type QueryBundle,
  type QueryEngine,
  queryBundle,
  type RetrieveOptions,
  type Retriever,
  step,
  textNode,
} from "../schema/index.ts";
import { NotRetrievableError, withoutDuplicates } from "./define.ts";

/** The retrievers, engines and nodes that index nodes lead to. */
export interface RecursiveRetrieverOptions {
  /** By id; `root` names the first to be asked. */
  retrievers: Readonly<Record<string, Retriever>>;
  engines?: Readonly<Record<string, QueryEngine>>;
  nodes?: Readonly<Record<string, Node>>;
  /** Default `root`. */
  root?: string;
  /** How an engine's answer becomes a node's text. Default `Query: {query_str}\nResponse: {response}`. */
  queryResponseTemplate?: string;
}

/** A retriever that follows index nodes to what they stand for. */
export interface RecursiveRetriever extends Retriever {
  /** The same, with the sources of the engines that answered. */
  retrieveAll(
    query: string | QueryBundle,
    options?: RetrieveOptions,
  ): Promise<{ nodes: NodeWithScore[]; additionalSources: NodeWithScore[] }>;
}

const TEMPLATE = "Query: {query_str}\nResponse: {response}";

/**
 * Makes a retriever that follows the ids of index nodes: to a node, to a retriever, or to a query engine, in this order. An id that is
 * being followed already ends there.
 *
 * @throws NotRetrievableError when asked, for an id that nothing is known under
 * @example recursiveRetriever({ retrievers: { root: summaries, leave: leaveRetriever }, engines: { table: tableEngine } })
 */
export function recursiveRetriever(options: RecursiveRetrieverOptions): RecursiveRetriever {
  const { retrievers, engines = {}, nodes = {}, root = "root", queryResponseTemplate = TEMPLATE } = options;
  if (!Object.hasOwn(retrievers, root)) {
    throw new InvalidArgumentError("retrievers", Object.keys(retrievers), `there is no retriever called "${root}"`);
  }

  async function ask(
    id: string,
    score: number,
    bundle: QueryBundle,
    call: RetrieveOptions,
    path: readonly string[],
  ): Promise<{ nodes: NodeWithScore[]; additionalSources: NodeWithScore[] }> {
    call.signal?.throwIfAborted();
    if (Object.hasOwn(nodes, id)) return { nodes: [{ node: nodes[id]!, score }], additionalSources: [] };
    if (Object.hasOwn(retrievers, id)) {
      const found = await retrievers[id]!.retrieve(bundle, call);
      return followed(found, bundle, call, [...path, id]);
    }
    if (Object.hasOwn(engines, id)) {
      const answer = await engines[id]!.query(bundle, call);
      const filled: Record<string, string> = { query_str: bundle.query, response: await answer.text };
      const text = queryResponseTemplate.replace(/\{(query_str|response)\}/g, (_, name: string) => filled[name]!);
      const node = textNode({ text, metadata: (answer.metadata ?? {}) as Metadata });
      return { nodes: [{ node, score }], additionalSources: answer.sources.map(({ n: _, ...source }) => source) };
    }
    throw new NotRetrievableError(
      id,
      `nothing is known under the id "${id}": neither a node nor a retriever nor an engine`,
    );
  }

  async function followed(found: NodeWithScore[], bundle: QueryBundle, call: RetrieveOptions, path: readonly string[]) {
    const out: NodeWithScore[] = [];
    const additional: NodeWithScore[] = [];
    const met = new Set<string>();
    for (const item of found) {
      const { node } = item;
      if (node.type !== "index") {
        out.push(item);
        continue;
      }
      if (met.has(node.indexId) || path.includes(node.indexId)) continue;
      met.add(node.indexId);
      const inner = await ask(node.indexId, item.score ?? 1, bundle, call, path);
      out.push(...inner.nodes);
      additional.push(...inner.additionalSources);
    }
    return { nodes: withoutDuplicates(out), additionalSources: withoutDuplicates(additional) };
  }

  const retrieveAll: RecursiveRetriever["retrieveAll"] = async (query, call = {}) => {
    const bundle = queryBundle(query);
    return step(
      call,
      { kind: "retrieve", name: "recursive", attributes: { query: bundle.query } },
      (inner) => ask(root, 1, bundle, inner, []),
      (result) => ({ results: result.nodes.length }),
    );
  };
  return { retrieveAll, retrieve: async (query, call) => (await retrieveAll(query, call)).nodes };
}
