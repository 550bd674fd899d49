/**
 * LlamaIndex's HierarchicalNodeParser: chunks of several sizes, each cut from the one above it. The smallest are embedded and found;
 * `autoMergingRetriever` puts a parent in the place of its children where most of them are found.
 */
import {
  type Document,
  InvalidArgumentError,
  type Node,
  relatedNode,
  type Splitter,
  type TextNode,
} from "../../schema/index.ts";
import { buildNodes, type NodeOptions } from "./nodes.ts";
import { type SentenceSplitterOptions, sentenceSplitter } from "./sentence-splitter.ts";
import { checkedSize, splitterName } from "./text.ts";

/** The sizes of each level, in tokens, the largest first. */
export interface HierarchicalSplitterOptions extends NodeOptions {
  /** Sizes of the levels, largest first. Default `[2048, 512, 128]`. */
  chunkSizes?: readonly number[];
  /** Tokens that neighbours of each level share at most. Default 20. */
  chunkOverlap?: number;
  tokenizer?: SentenceSplitterOptions["tokenizer"];
  sentenceTokenizer?: SentenceSplitterOptions["sentenceTokenizer"];
}

/**
 * Makes a splitter of several levels. All nodes come in one list, level by level; `leafNodes` and `rootNodes` pick from it. The ids of
 * children begin with their parent's.
 *
 * @example const nodes = await hierarchicalSplitter({ chunkSizes: [512, 128] }).split(document({ text }));
 */
export function hierarchicalSplitter(options: HierarchicalSplitterOptions = {}): Splitter {
  const { chunkSizes = [2048, 512, 128], chunkOverlap = 20, tokenizer, sentenceTokenizer } = options;
  if (chunkSizes.length === 0) {
    throw new InvalidArgumentError("chunkSizes", chunkSizes, "chunkSizes needs at least one size");
  }
  const levels = chunkSizes.map((size) =>
    sentenceSplitter({
      chunkSize: checkedSize("chunkSizes", size),
      chunkOverlap: Math.min(chunkOverlap, size),
      ...(tokenizer ? { tokenizer } : {}),
      ...(sentenceTokenizer ? { sentenceTokenizer } : {}),
    }),
  );
  return {
    name: splitterName("hierarchical", options),
    async split(document, { signal } = {}) {
      const all: TextNode[] = [];
      let parents: (Document | TextNode)[] = [document];
      for (const splitter of levels) {
        const level: TextNode[] = [];
        for (const parent of parents) {
          // A node of the level above is cut as if it were a document of its own.
          const cut = await splitter.split({ ...parent, type: "document" } as Document, signal ? { signal } : {});
          const pieces = cut.map(({ text, startCharIdx: start }) => ({
            text,
            ...(start === undefined ? {} : { start }),
          }));
          const children = buildNodes(parent, pieces, options);
          if (parent.type === "text") link(parent, children);
          level.push(...children);
        }
        all.push(...level);
        parents = level;
      }
      return all;
    },
  };
}

function link(parent: TextNode, children: readonly TextNode[]): void {
  const related = relatedNode(parent);
  for (const child of children) child.relationships.parent = related;
  if (children.length > 0) parent.relationships.children = children.map(relatedNode);
}

/** The nodes without children: the smallest, which are embedded. */
export function leafNodes<N extends Node>(nodes: readonly N[]): N[] {
  return nodes.filter((node) => !node.relationships.children?.length);
}

/** The nodes without a parent: the largest. */
export function rootNodes<N extends Node>(nodes: readonly N[]): N[] {
  return nodes.filter((node) => !node.relationships.parent);
}
