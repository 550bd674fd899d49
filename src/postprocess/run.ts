/** Postprocessors one after the other, each a step. */
import {
  callOptions,
  type NodeWithScore,
  type Postprocessor,
  type QueryBundle,
  type RetrieveOptions,
  step,
} from "../schema/index.ts";

export async function postprocessed(
  postprocessors: readonly Postprocessor[],
  found: NodeWithScore[],
  query: QueryBundle,
  call: RetrieveOptions,
): Promise<NodeWithScore[]> {
  let nodes = found;
  for (const part of postprocessors) {
    const what = { kind: "postprocess", name: "postprocessor", attributes: { nodes: nodes.length } } as const;
    nodes = await step(callOptions(call), what, async (own) => part.postprocess(nodes, { ...own, query }));
  }
  return nodes;
}
