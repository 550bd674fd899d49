/** The graph of a vector field: when one is built, out of what, and how it lies in a section (whole numbers of 32 bits, level by level). */
import type { Slices } from "../slices.ts";
import { buildGraph, type StartGraph } from "../vectors/hnsw/builder.ts";
import type { GraphLevel, HnswGraph } from "../vectors/hnsw/graph.ts";
import { createSpace, type QuantizedVectors } from "../vectors/space.ts";
import { hasGraph, type StoredVector, storedLength, type VectorShape } from "../vectors/types.ts";
import { bytesOf } from "./bytes.ts";
import type { SegmentFile } from "./file.ts";
import type { FieldMeta } from "./meta.ts";
import type { MergedVectors } from "./vectors.ts";

/** Fewer vectors are compared one by one: a walk over a graph compares a thousand or two, and misses some. */
const GRAPH_FROM = 4096;

type GraphMeta = NonNullable<NonNullable<FieldMeta["vectors"]>["graph"]>;

/** Builds the graph of a segment, in slices; undefined where there is none. */
export async function graphOver(
  shape: VectorShape,
  vectors: StoredVector | QuantizedVectors,
  slices: Slices | undefined,
  merged: readonly MergedVectors[] | undefined,
): Promise<HnswGraph | undefined> {
  const data = "levels" in vectors ? vectors.levels : vectors;
  if (!hasGraph(shape) || data.length < GRAPH_FROM * storedLength(shape)) return undefined;
  const { m, efConstruction } = shape.index as { m: number; efConstruction: number };
  const steps = buildGraph(createSpace(shape, vectors), { m, efConstruction }, startOf(merged ?? []));
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices?.due()) await slices.pause();
  }
}

/** The largest graph of those that are merged, of which nothing was deleted: the rest is added to it. */
function startOf(merged: readonly MergedVectors[]): StartGraph | undefined {
  let start: StartGraph | undefined;
  let first = 0;
  for (const { column, ords } of merged) {
    const from = first;
    first += ords.length;
    const { size } = column;
    const graph = ords.length === size && size > (start?.size ?? 0) ? column.graph() : undefined;
    if (graph) start = { graph, size, ords: (old) => from + old };
  }
  return start;
}

export function graphParts({ levels }: HnswGraph): Uint8Array[] {
  return levels.flatMap(({ nodes, offsets, links }) =>
    [...(nodes ? [nodes] : []), offsets, links].map((numbers) => bytesOf(numbers)),
  );
}

export function graphMeta({ entry, levels }: HnswGraph): GraphMeta {
  return {
    entry,
    levels: levels.map(({ offsets, links }) => ({ nodes: offsets.length - 1, links: links.length })),
  };
}

export function readGraph(file: SegmentFile, section: string, meta: GraphMeta): HnswGraph {
  let at = 0;
  const next = (count: number): Uint32Array => {
    const numbers = file.view(section, Uint32Array, at, count);
    at += count * 4;
    return numbers;
  };
  const levels = meta.levels.map(
    ({ nodes, links }, level): GraphLevel => ({
      nodes: level === 0 ? undefined : next(nodes),
      offsets: next(nodes + 1),
      links: next(links),
    }),
  );
  return { entry: meta.entry, levels };
}
