/**
 * The frame around every retriever, as LlamaIndex's BaseRetriever is: the question is normalised, the one method is called, index nodes are
 * followed to what they stand for, and no node comes twice.
 */
import {
  callOptions,
  type Document,
  HuiliuError,
  type IndexNode,
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

/** What an index node may stand for. */
export type Retrievable = Retriever | QueryEngine | Node | Document | NodeWithScore;

/** What `defineRetriever` puts around a retriever's function. */
export interface RetrieverFrame {
  /** What index nodes without an object of their own stand for, by `indexId`. */
  objects?: Readonly<Record<string, Retrievable>> | ReadonlyMap<string, Retrievable>;
  /** Whether index nodes are followed. Default true. */
  follow?: boolean;
  /** Shown in traces. Default `retriever`. */
  name?: string;
}

/** What a retriever's function gets: the question, and the call's options. */
export type RetrieveInput = QueryBundle & RetrieveOptions;

/** An index node stands for something that cannot be retrieved. Code `NOT_RETRIEVABLE`. */
export class NotRetrievableError extends HuiliuError {
  readonly indexId: string;

  constructor(indexId: string, message: string) {
    super("NOT_RETRIEVABLE", message);
    this.indexId = indexId;
  }
}

/**
 * Makes a retriever of a function. The question comes as a bundle, whatever form the caller gave it; index nodes among the results are
 * followed: a node takes their place, a retriever or a query engine is asked the same question.
 *
 * @example const wiki = defineRetriever(async ({ query, signal }) => (await searchWiki(query, signal)).map(toNode));
 */
export function defineRetriever(
  retrieve: (input: RetrieveInput) => NodeWithScore[] | Promise<NodeWithScore[]>,
  { objects, follow = true, name = "retriever" }: RetrieverFrame = {},
): Retriever {
  const self: Retriever = {
    async retrieve(query, options = {}) {
      options.signal?.throwIfAborted();
      const bundle = queryBundle(query);
      return step(
        options,
        { kind: "retrieve", name, attributes: { query: bundle.query } },
        async (inner) => {
          inner.budget?.spend("retrievals");
          const found = await retrieve({ ...bundle, ...inner });
          if (!follow) return withoutDuplicates(found);
          return expanded(found, bundle, { ...inner, within: [...(inner.within ?? []), self] }, objects);
        },
        (nodes) => ({ results: nodes.length }),
      );
    },
  };
  return self;
}

/** The question without the options that came with it. */
export function bundleOf({ signal: _, trace: __, budget: ___, within: ____, ...bundle }: RetrieveInput): QueryBundle {
  return bundle;
}

/** The options of a call without the question's fields: what is handed on. */
export function retrieveOptions(input: RetrieveOptions): RetrieveOptions {
  return { ...callOptions(input), ...(input.within ? { within: input.within } : {}) };
}

async function expanded(
  found: readonly NodeWithScore[],
  bundle: QueryBundle,
  options: RetrieveOptions,
  objects: RetrieverFrame["objects"],
): Promise<NodeWithScore[]> {
  const lists = await inOrder(found, (item) => {
    const obj = item.node.type === "index" ? objectOf(item.node, objects) : undefined;
    return obj === undefined ? [item] : whatItStandsFor(item.node as IndexNode, obj, item.score ?? 1, bundle, options);
  });
  return withoutDuplicates(lists.flat());
}

/** One after the other: what stands behind an index node may be asked at a price. */
async function inOrder<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>): Promise<R[]> {
  const out: R[] = [];
  for (const item of items) out.push(await work(item));
  return out;
}

/** The first of each id. */
export function withoutDuplicates(nodes: readonly NodeWithScore[]): NodeWithScore[] {
  const seen = new Set<string>();
  return nodes.filter(({ node }) => !seen.has(node.id) && seen.add(node.id));
}

/** Its own object, else the retriever's; what counts as nothing in Python (an empty list as well) is none. */
function objectOf(node: IndexNode, objects: RetrieverFrame["objects"]): unknown {
  const mapped =
    objects instanceof Map
      ? objects.get(node.indexId)
      : objects && Object.hasOwn(objects, node.indexId)
        ? (objects as Record<string, Retrievable>)[node.indexId]
        : undefined;
  const obj = node.obj ?? mapped;
  return !obj || (Array.isArray(obj) && obj.length === 0) ? undefined : obj;
}

/** What an index node stands for. Not followed further: a node that is found this way stays, even if it is an index node. */
async function whatItStandsFor(
  node: IndexNode,
  obj: unknown,
  score: number,
  bundle: QueryBundle,
  options: RetrieveOptions,
): Promise<NodeWithScore[]> {
  if (typeof obj === "object" && obj !== null) {
    // A pointer back to what is being asked adds nothing.
    if (options.within?.some((asked) => asked === obj || (asked as Followed).followed === obj)) return [];
    // An engine may have its retriever's method as well.
    if (isQueryEngine(obj)) return answerAsNode(obj, score, bundle, options);
    if (isRetriever(obj)) return obj.retrieve(bundle, options);
    if ("node" in obj && isNode(obj.node)) return [{ ...(obj as NodeWithScore) }];
    if (isNode(obj)) return [{ node: asNode(obj), score }];
  }
  throw new NotRetrievableError(
    node.indexId,
    `the index node ${node.id} (index id "${node.indexId}") stands for ${describe(obj)}, which cannot be retrieved: give it a retriever, a query engine or a node`,
  );
}

/** An engine that an index node led to. */
interface Followed {
  followed?: object;
}

/** An engine's answer as a text node; an empty answer is none. */
async function answerAsNode(
  engine: QueryEngine,
  score: number,
  bundle: QueryBundle,
  options: RetrieveOptions,
): Promise<NodeWithScore[]> {
  // An engine of this library adds itself, and takes itself in the chain for a question that came back.
  const here: Followed = { followed: engine };
  const answer = await engine.query(bundle, { ...options, within: [...(options.within ?? []), here] });
  const text = await answer.text;
  return text === "" ? [] : [{ node: textNode({ text, metadata: (answer.metadata ?? {}) as Metadata }), score }];
}

function isRetriever(obj: object): obj is Retriever {
  return "retrieve" in obj && typeof obj.retrieve === "function";
}

function isQueryEngine(obj: object): obj is QueryEngine {
  return "query" in obj && typeof obj.query === "function";
}

function isNode(obj: unknown): obj is Node | Document {
  return typeof obj === "object" && obj !== null && "id" in obj && "text" in obj && "metadata" in obj && "type" in obj;
}

function asNode(node: Node | Document): Node {
  if (node.type !== "document") return node;
  const { type: _, sections: __, ...base } = node;
  return textNode(base);
}

function describe(obj: unknown): string {
  if (typeof obj === "object") return Array.isArray(obj) ? "a list" : "an object without retrieve, query or node";
  return `${typeof obj} ${String(obj)}`;
}
