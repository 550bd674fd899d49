/**
 * LlamaIndex's BM25Retriever: BM25 over nodes in memory, without an index. The formula is Lucene's without its factor (k1 + 1), in single
 * precision. An index of the engine does the same for more nodes, with analyzers for Chinese.
 */
import { porter2Stem } from "../engine/analysis/filters/porter2.ts";
import { ENGLISH_STOP_WORDS } from "../engine/analysis/languages/stop-words.ts";
import {
  type Filters,
  filterPredicate,
  InvalidArgumentError,
  type Node,
  type NodeWithScore,
  nodeContent,
  type Retriever,
} from "../schema/index.ts";
import { defineRetriever, type RetrieverFrame } from "./define.ts";
import { checkedTopK } from "./retriever.ts";
import { bothFilters } from "./store-retriever.ts";

/** The nodes, and what counts as a word in them. */
export interface MemoryBm25Options extends RetrieverFrame {
  nodes: readonly Node[];
  /** Default 10. */
  topK?: number;
  filters?: Filters;
  /** What a token is. Default: single Han characters and kana, and other words of at least two characters. */
  tokenPattern?: RegExp;
  /** Whether English words keep their endings. Default false. */
  skipStemming?: boolean;
  k1?: number;
  b?: number;
}

const TOKENS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}\p{M}_]){2,}/gu;
const STOP_WORDS = new Set(ENGLISH_STOP_WORDS);

interface Postings {
  /** Places of the nodes that hold the token, and what it adds to the score of each. */
  nodes: number[];
  scores: number[];
}

/**
 * Makes a BM25 retriever over nodes. The text is that which would be embedded, metadata included. Nodes that share no word with the
 * question are not found.
 *
 * @throws InvalidArgumentError without nodes
 * @example const retriever = memoryBm25Retriever({ nodes, topK: 5 });
 */
export function memoryBm25Retriever(options: MemoryBm25Options): Retriever {
  const { nodes, tokenPattern = TOKENS, skipStemming = false, k1 = 1.5, b = 0.75 } = options;
  const topK = checkedTopK(options.topK);
  if (nodes.length === 0) throw new InvalidArgumentError("nodes", nodes, "BM25 over nodes needs at least one node");
  const pattern = tokenPattern.global ? tokenPattern : new RegExp(tokenPattern.source, `${tokenPattern.flags}g`);
  const tokens = (text: string): string[] => {
    const words = (text.toLowerCase().match(pattern) ?? []).filter((word) => !STOP_WORDS.has(word));
    return skipStemming ? words : words.map((word) => (/^[a-z']+$/.test(word) ? porter2Stem(word) : word));
  };
  const postings = indexed(
    nodes.map((node) => tokens(nodeContent(node, "embed"))),
    k1,
    b,
  );
  return defineRetriever(
    ({ query, filters }) => {
      const passes = filterPredicate(bothFilters(options.filters, filters));
      const scores = new Float32Array(nodes.length);
      for (const token of tokens(query)) {
        const found = postings.get(token);
        found?.nodes.forEach((place, i) => {
          scores[place]! += found.scores[i]!;
        });
      }
      const hits: NodeWithScore[] = [];
      nodes.forEach((node, place) => {
        if (scores[place]! > 0 && passes(node.metadata)) hits.push({ node, score: scores[place]! });
      });
      return hits.sort((x, y) => y.score! - x.score!).slice(0, topK);
    },
    { name: "bm25", ...options },
  );
}

/** Robertson's BM25 with Lucene's idf; each token's part of a node's score is worked out once. */
function indexed(texts: readonly string[][], k1: number, b: number): Map<string, Postings> {
  const average = texts.reduce((sum, words) => sum + words.length, 0) / texts.length;
  const frequencies = new Map<string, Map<number, number>>();
  texts.forEach((words, place) => {
    for (const word of words) {
      const places = frequencies.get(word) ?? new Map<number, number>();
      places.set(place, (places.get(place) ?? 0) + 1);
      frequencies.set(word, places);
    }
  });
  const out = new Map<string, Postings>();
  for (const [word, places] of frequencies) {
    const idf = Math.log(1 + (texts.length - places.size + 0.5) / (places.size + 0.5));
    const scores = [...places].map(([place, tf]) => {
      const length = texts[place]!.length;
      return Math.fround(idf * (tf / (tf + k1 * (1 - b + (b * length) / average))));
    });
    out.set(word, { nodes: [...places.keys()], scores });
  }
  return out;
}
