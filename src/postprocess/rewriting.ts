/** Postprocessors that change what of a node is shown, or in which order nodes are. Nodes are never changed: changed ones are copies. */
import { type NodeWithScore, type Postprocessor, pythonStr } from "../schema/index.ts";

/**
 * Shows a metadata value in the place of the text, where there is one: after sentence windows, the window.
 *
 * @example metadataReplacement("window")
 */
export function metadataReplacement(key: string): Postprocessor {
  return {
    postprocess: (nodes) =>
      nodes.map((item) => {
        const value = Object.hasOwn(item.node.metadata, key) ? item.node.metadata[key] : undefined;
        if (value === undefined || value === null) return item;
        return { ...item, node: { ...item.node, text: pythonStr(value) } };
      }),
  };
}

/**
 * Puts the best nodes at both ends and the weakest in the middle, where models read least carefully (Liu et al. 2023, "Lost in the
 * Middle").
 */
export function longContextReorder(): Postprocessor {
  return {
    postprocess(nodes) {
      const ascending = [...nodes].sort((a, b) => (a.score ?? 0) - (b.score ?? 0));
      const front: NodeWithScore[] = [];
      const back: NodeWithScore[] = [];
      for (const [place, item] of ascending.entries()) (place % 2 === 0 ? front : back).push(item);
      return [...front.reverse(), ...back];
    },
  };
}
