/**
 * LlamaIndex's AutoMergingRetriever: where enough of a parent's children are found, the parent takes their place; where two found
 * neighbours are one node apart, the node between them is filled in.
 */

import { grouped } from "../schema/grouped.ts";
import {
  type Docstore,
  InvalidArgumentError,
  type Node,
  type NodeWithScore,
  type RetrieveOptions,
  type Retriever,
} from "../schema/index.ts";
import { defineRetriever, type RetrieverFrame, retrieveOptions } from "./define.ts";

/** The retriever of leaves, the docstore with their parents, and the share of children that brings a parent in. */
export interface AutoMergingOptions extends RetrieverFrame {
  /** Finds leaves. */
  retriever: Retriever;
  /** Holds the parents (and the nodes between). */
  docstore: Docstore;
  /** A parent is taken when more than this share of its children was found. Default 0.5. */
  threshold?: number;
}

/**
 * Makes a retriever that merges what another one finds.
 *
 * @example autoMergingRetriever({ retriever: leafIndex.asRetriever({ topK: 12 }), docstore })
 */
export function autoMergingRetriever(options: AutoMergingOptions): Retriever {
  const { retriever, docstore, threshold = 0.5 } = options;
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new InvalidArgumentError("threshold", threshold, "threshold must be between 0 and 1");
  }
  return defineRetriever(
    async (input) => {
      const call = retrieveOptions(input);
      let nodes = await retriever.retrieve(input, call);
      for (let changed = true; changed; ) {
        call.signal?.throwIfAborted();
        const filled = await fill(nodes, docstore, call);
        const merged = await merge(filled, docstore, threshold, call);
        changed = filled.length !== nodes.length || merged !== filled;
        nodes = merged;
      }
      return nodes.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    },
    { name: "auto-merging", ...options },
  );
}

/** Puts the node between two neighbours in the list, with their mean score; it may stand elsewhere in the list too, and the better stays. */
async function fill(
  nodes: readonly NodeWithScore[],
  docstore: Docstore,
  call: RetrieveOptions,
): Promise<NodeWithScore[]> {
  const out: NodeWithScore[] = [];
  for (const [i, item] of nodes.entries()) {
    out.push(item);
    const following = nodes[i + 1];
    const between = item.node.relationships.next?.id;
    if (!following || between === undefined || between !== following.node.relationships.previous?.id) continue;
    const [node] = await docstore.get([between], call);
    if (!node || node.type === "document") continue;
    out.push({ node, score: mean([item, following]) });
  }
  return out;
}

/** The list itself when no parent takes the place of its children. */
async function merge(
  nodes: NodeWithScore[],
  docstore: Docstore,
  threshold: number,
  call: RetrieveOptions,
): Promise<NodeWithScore[]> {
  const found = grouped(nodes, ({ node }) => node.relationships.parent?.id);
  let out = nodes;
  for (const parent of (await docstore.get([...found.keys()], call)) as Node[]) {
    const children = found.get(parent.id)!;
    const all = parent.relationships.children?.length ?? 1;
    if (children.length / all <= threshold) continue;
    const gone = new Set(children.map(({ node }) => node.id));
    out = [...out.filter(({ node }) => !gone.has(node.id)), { node: parent, score: mean(children) }];
  }
  return out;
}

function mean(items: readonly NodeWithScore[]): number {
  return items.reduce((sum, item) => sum + (item.score ?? 0), 0) / items.length;
}
