/** Postprocessors that prefer what is new, or what was looked at lately. */
import {
  cosine,
  type EmbeddingModel,
  embedTexts,
  InvalidArgumentError,
  type Node,
  type NodeWithScore,
  nodeContent,
  type Postprocessor,
} from "../schema/index.ts";

/** How many of the newest nodes are kept, and by which date. */
export interface FixedRecencyOptions {
  /** Metadata key of the date: what `Date` reads, or seconds since 1970. Default `date`. */
  dateKey?: string;
  /** Default 1. */
  topK?: number;
}

/**
 * Keeps the newest nodes, newest first; equally old ones stay in order. A node without a date that can be read goes last.
 *
 * @example fixedRecency({ dateKey: "effective", topK: 3 })
 */
export function fixedRecency({ dateKey = "date", topK = 1 }: FixedRecencyOptions = {}): Postprocessor {
  return { postprocess: (nodes) => newestFirst(nodes, dateKey).slice(0, topK) };
}

function newestFirst(nodes: readonly NodeWithScore[], dateKey: string): NodeWithScore[] {
  return nodes
    .map((item) => ({ item, time: timeOf(item.node, dateKey) }))
    .sort((a, b) => (a.time === b.time ? 0 : b.time - a.time))
    .map(({ item }) => item);
}

function timeOf(node: Node, key: string): number {
  const value = node.metadata[key];
  if (typeof value === "number") return value * 1000;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** How fast a node's score fades with the time since it was last seen. */
export interface TimeWeightedRecencyOptions {
  /** How much a score loses in an hour, from 0 to 1. Default 0.99. */
  decay?: number;
  /** Default 1. */
  topK?: number;
  /** Metadata key of the last access, in seconds since 1970. Default `__last_accessed__`. */
  accessedKey?: string;
  /** Seconds since 1970. Default: the present. */
  now?: () => number;
}

/**
 * Adds to each score what is left of 1 after the hours since the node was last accessed, and keeps the best. Those that are kept come as
 * copies that were accessed now: store them to remember it.
 */
export function timeWeightedRecency(options: TimeWeightedRecencyOptions = {}): Postprocessor {
  const { decay = 0.99, topK = 1, accessedKey = "__last_accessed__", now = () => Date.now() / 1000 } = options;
  if (!(decay >= 0 && decay <= 1)) throw new InvalidArgumentError("decay", decay, "decay must be between 0 and 1");
  return {
    postprocess(nodes) {
      const present = now();
      return nodes
        .map((item) => {
          const accessed = item.node.metadata[accessedKey];
          const hours = (present - (typeof accessed === "number" ? accessed : present)) / 3600;
          // A score of 0 counts as none, and none as 1.
          return { item, score: (item.score || 1) + (1 - decay) ** hours };
        })
        .sort((a, b) => b.score - a.score)
        .slice(0, topK)
        .map(({ item, score }) => ({
          ...item,
          score,
          node: { ...item.node, metadata: { ...item.node.metadata, [accessedKey]: present } },
        }));
    },
  };
}

/** Which nodes are taken for older versions of others, and left out. */
export interface EmbeddingRecencyOptions {
  embedding: EmbeddingModel;
  dateKey?: string;
  /** Nodes that are at least so near to a newer one are taken for older versions of it. Default 0.7. */
  similarityCutoff?: number;
}

/**
 * Keeps of each group of similar nodes the newest, newest first: of a rule in several versions, the last.
 *
 * @example embeddingRecency({ embedding, dateKey: "effective" })
 */
export function embeddingRecency(options: EmbeddingRecencyOptions): Postprocessor {
  const { embedding, dateKey = "date", similarityCutoff = 0.7 } = options;
  return {
    async postprocess(nodes, { query: _, ...call }) {
      const sorted = newestFirst(nodes, dateKey);
      const texts = sorted.map(({ node }) => nodeContent(node, "embed"));
      const vectors = await embedTexts(embedding, texts, { kind: "document", ...call });
      const kept: number[] = [];
      for (const place of sorted.keys()) {
        if (!kept.some((newer) => cosine(vectors[newer]!, vectors[place]!) >= similarityCutoff)) kept.push(place);
      }
      return kept.map((place) => sorted[place]!);
    },
  };
}
