/** LlamaIndex's PrevNextNodePostprocessor: the passages before and after the ones that were found. */
import {
  type AnswerLanguage,
  askModel,
  type CallOptions,
  type Docstore,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  ModelError,
  type Node,
  type NodeWithScore,
  nodeContent,
  type Postprocessor,
  type PromptOption,
  type PromptSet,
  questionLanguage,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";

/** Which neighbours of a node are fetched, by LlamaIndex's names. */
export const NEIGHBOUR_MODES = ["next", "previous", "both"] as const;
/** Which neighbours of a node are fetched: those before it, behind it, or both. */
export type NeighbourMode = (typeof NEIGHBOUR_MODES)[number];

/** The docstore, how many neighbours, and on which side. */
export interface PreviousNextOptions {
  /** Holds the neighbours. */
  docstore: Docstore;
  /** Neighbours on each side. Default 1. */
  count?: number;
  /** Default `next`. */
  mode?: NeighbourMode;
}

/**
 * Adds neighbours, without a score, each beside its passage. Where the docstore does not know one, the walk ends.
 *
 * @example previousNext({ docstore, count: 2, mode: "both" })
 */
export function previousNext(options: PreviousNextOptions): Postprocessor {
  const { docstore, mode = "next" } = options;
  const count = checkedCount(options.count);
  if (!NEIGHBOUR_MODES.includes(mode)) {
    throw new InvalidArgumentError("mode", mode, `unknown mode "${mode}": known are ${NEIGHBOUR_MODES.join(", ")}`);
  }
  return {
    postprocess: (nodes, call) => withNeighbours(nodes, docstore, count, () => mode, call),
  };
}

/** The docstore, and the model that decides which neighbours are needed. */
export interface AutoPreviousNextOptions extends Omit<PreviousNextOptions, "mode"> {
  model: LanguageModel;
  /** Asks for `previous`, `next` or `none`; `{query_str}` and `{context_str}` are filled in. */
  prompt?: PromptOption;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

const PROMPT: Record<AnswerLanguage, string> = {
  en:
    "Below are a passage and a question. Would the passage before it, or the one after it, help to answer the question? Answer with one " +
    "word: previous, next, or none.\n\nPassage:\n{context_str}\n\nQuestion: {query_str}\nAnswer: ",
  zh:
    "下面是一段文字和一个问题。它前面的一段或后面的一段，会对回答这个问题有帮助吗？只回答一个词：previous（前一段）、next（后一段）或 none（都不需要）。" +
    "\n\n文字：\n{context_str}\n\n问题：{query_str}\n回答：",
};

/**
 * Asks a model, for each passage, whether the ones before or after it are needed.
 *
 * @throws ModelError for an answer that is none of the three
 */
export function autoPreviousNext(options: AutoPreviousNextOptions): Postprocessor {
  const { docstore, model, verbose } = options;
  const prompts: PromptSet["own"] = { prompt: options.prompt ?? PROMPT };
  const count = checkedCount(options.count);
  const self: Postprocessor = {
    async postprocess(nodes, { query, ...call }) {
      if (!query) throw new InvalidArgumentError("query", query, "choosing neighbours needs the question");
      const ask = async ({ node }: NodeWithScore): Promise<NeighbourMode | undefined> => {
        const values = { query_str: query.query, context_str: nodeContent(node, "llm") };
        const prompt = inLanguage(prompts["prompt"]!, questionLanguage(query.query));
        return modeIn(await askModel({ model, prompt, values, purpose: "neighbours", verbose }, call), model.name);
      };
      return withNeighbours(nodes, docstore, count, ask, call);
    },
  };
  return withPrompts(self, prompts);
}

function modeIn(answer: string, model: string): NeighbourMode | undefined {
  const lower = answer.toLowerCase();
  if (lower.includes("previous")) return "previous";
  if (lower.includes("next")) return "next";
  if (lower.includes("none")) return undefined;
  throw new ModelError(model, `${model} was asked for previous, next or none and answered: ${answer.slice(0, 200)}`);
}

function checkedCount(count = 1): number {
  if (!Number.isInteger(count) || count < 0) {
    throw new InvalidArgumentError("count", count, "count must be a whole number, at least 0");
  }
  return count;
}

async function withNeighbours(
  nodes: readonly NodeWithScore[],
  docstore: Docstore,
  count: number,
  modeOf: (item: NodeWithScore) => NeighbourMode | undefined | Promise<NeighbourMode | undefined>,
  call: CallOptions,
): Promise<NodeWithScore[]> {
  const found = new Map<string, NodeWithScore>();
  const add = (item: NodeWithScore) => {
    // A hit that is also a neighbour keeps its score.
    const known = found.get(item.node.id);
    if (!known || known.score === undefined) found.set(item.node.id, item);
  };
  for (const item of nodes) {
    call.signal?.throwIfAborted();
    add(item);
    const mode = await modeOf(item);
    if (mode === "next" || mode === "both") {
      for (const node of await walk(item.node, "next", count, docstore, call)) add({ node });
    }
    if (mode === "previous" || mode === "both") {
      for (const node of await walk(item.node, "previous", count, docstore, call)) add({ node });
    }
  }
  return sideBySide([...found.values()]);
}

async function walk(
  from: Node,
  direction: "next" | "previous",
  count: number,
  docstore: Docstore,
  call: CallOptions,
): Promise<Node[]> {
  const out: Node[] = [];
  for (let node = from; out.length < count; ) {
    const id = node.relationships[direction]?.id;
    const [neighbour] = id === undefined ? [] : await docstore.get([id], call);
    if (!neighbour || neighbour.type === "document") break;
    out.push(neighbour);
    node = neighbour;
  }
  return out;
}

/** Each node before the first one that it precedes, or behind the first that it follows, else at the end. */
function sideBySide(items: readonly NodeWithScore[]): NodeWithScore[] {
  const out: NodeWithScore[] = [];
  for (const item of items) {
    const { id } = item.node;
    const beside = out.findIndex(
      ({ node }) => node.relationships.previous?.id === id || node.relationships.next?.id === id,
    );
    if (beside < 0) out.push(item);
    else if (out[beside]!.node.relationships.previous?.id === id) out.splice(beside, 0, item);
    else out.splice(beside + 1, 0, item);
  }
  return out;
}
