/** Postprocessors that drop nodes: by score, by words, and for being like others. */
import {
  cosine,
  type EmbeddingModel,
  embedQuery,
  embedTexts,
  InvalidArgumentError,
  marginalRelevance,
  nodeContent,
  type Postprocessor,
} from "../schema/index.ts";

/**
 * Keeps nodes whose score is at least `cutoff`; a node without a score goes. Without a cutoff everything stays.
 *
 * @example similarityCutoff(0.3)
 */
export function similarityCutoff(cutoff?: number): Postprocessor {
  if (cutoff !== undefined && !Number.isFinite(cutoff)) {
    throw new InvalidArgumentError("cutoff", cutoff, "cutoff must be a number");
  }
  return {
    postprocess: (nodes) =>
      cutoff === undefined ? nodes : nodes.filter(({ score }) => score !== undefined && score >= cutoff),
  };
}

/** Words that a node must have, or must not have. */
export interface KeywordFilterOptions {
  /** At least one of these must occur. Default: none is asked for. */
  required?: readonly string[];
  /** None of these may occur. */
  excluded?: readonly string[];
  /** Default true. */
  caseSensitive?: boolean;
}

/**
 * Keeps nodes by words in their text. A keyword of letters occurs as a whole word or phrase; one of Han characters anywhere.
 *
 * @example keywordFilter({ required: ["年假", "annual leave"], excluded: ["draft"] })
 */
export function keywordFilter(options: KeywordFilterOptions): Postprocessor {
  const { required = [], excluded = [], caseSensitive = true } = options;
  const patternOf = (keyword: string) => keywordPattern(keyword, caseSensitive);
  const wanted = required.map(patternOf);
  const unwanted = excluded.map(patternOf);
  return {
    postprocess: (nodes) =>
      nodes.filter(({ node }) => {
        if (wanted.length > 0 && !wanted.some((pattern) => pattern.test(node.text))) return false;
        return !unwanted.some((pattern) => pattern.test(node.text));
      }),
  };
}

/** A letter or digit of a script that sets words apart. */
const WORD = "(?:(?!\\p{sc=Han})[\\p{L}\\p{N}_])";
const STARTS_WORD = new RegExp(`^${WORD}`, "u");
const ENDS_WORD = new RegExp(`${WORD}$`, "u");

function keywordPattern(keyword: string, caseSensitive: boolean): RegExp {
  const trimmed = keyword.trim();
  if (trimmed === "") throw new InvalidArgumentError("keyword", keyword, "a keyword must not be empty");
  const parts = trimmed.split(/\s+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const before = STARTS_WORD.test(trimmed) ? `(?<!${WORD})` : "";
  const after = ENDS_WORD.test(trimmed) ? `(?!${WORD})` : "";
  return new RegExp(`${before}${parts.join("\\s+")}${after}`, caseSensitive ? "u" : "iu");
}

/** How much likeness to what was picked counts against a node. */
export interface MmrOptions {
  embedding: EmbeddingModel;
  /** Nodes that are kept. Default 10. */
  topK?: number;
  /** Share of relevance, from 0 to 1; the rest counts against being like what was picked. Default 0.5. */
  threshold?: number;
}

/**
 * Picks nodes that answer the question and are unlike each other (maximal marginal relevance), in the order in which they were picked.
 * Scores stay.
 *
 * @example maximalMarginalRelevance({ embedding, topK: 5, threshold: 0.7 })
 */
export function maximalMarginalRelevance(options: MmrOptions): Postprocessor {
  const { embedding, topK = 10, threshold = 0.5 } = options;
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new InvalidArgumentError("threshold", threshold, "threshold must be between 0 and 1");
  }
  return {
    async postprocess(nodes, { query, ...call }) {
      if (nodes.length === 0) return [];
      const asked = query && (await embedQuery(embedding, query, call));
      if (!asked) throw new InvalidArgumentError("query", query, "marginal relevance needs the question");
      const texts = nodes.map(({ node }) => nodeContent(node, "embed"));
      const vectors = await embedTexts(embedding, texts, { kind: "document", ...call });
      return marginalRelevance(
        vectors.map((vector) => cosine(asked, vector)),
        (a, b) => cosine(vectors[a]!, vectors[b]!),
        threshold,
        topK,
      ).map((place) => nodes[place]!);
    },
  };
}
