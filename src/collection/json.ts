/** Hits and sources as programs get them: the same from the command's `--json` and from the server. */
import type { NodeWithScore, Source } from "../schema/index.ts";

/** A hit with its rank from 1, and what is known of how it came there. */
export function hitJson(hit: NodeWithScore, i: number): Record<string, unknown> {
  const { node, score, similarity, ranks, highlights, reranked } = hit;
  const { file, heading } = node.metadata;
  return {
    rank: i + 1,
    ...(score === undefined ? {} : { score }),
    ...(similarity === undefined ? {} : { similarity }),
    id: node.id,
    ...(file === undefined ? {} : { file }),
    ...(heading === undefined ? {} : { heading }),
    text: node.text,
    metadata: node.metadata,
    ...(ranks === undefined ? {} : { ranks }),
    ...(highlights === undefined ? {} : { highlights }),
    ...(reranked === undefined ? {} : { reranked }),
  };
}

/** A source under its number. */
export function sourceJson({ n, file, heading, score, node, ranks }: Source): Record<string, unknown> {
  return {
    n,
    ...(file === undefined ? {} : { file }),
    ...(heading === undefined ? {} : { heading }),
    ...(score === undefined ? {} : { score }),
    id: node.id,
    text: node.text,
    ...(ranks === undefined ? {} : { ranks }),
  };
}
