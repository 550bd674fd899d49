/** The neighbourhood of a question or of a passage: what lies nearest to it by meaning, as points of a plane. */
import { VECTOR_FIELD, WINDOW_VECTOR_FIELD, WINDOWS_FIELD } from "../elasticsearch/layout.ts";
import type { StrategyTarget } from "../retrieval/index.ts";
import {
  type CallOptions,
  callOptions,
  type EmbeddingModel,
  type Filters,
  InvalidArgumentError,
  type NodeWithScore,
} from "../schema/index.ts";
import { findPassage } from "./passage.ts";
import { project } from "./projection.ts";
import { runStrategy } from "./run.ts";

/** A passage and where it lies on the plane, in which every vector has been given the length 1. */
export interface Neighbour extends NodeWithScore {
  x: number;
  y: number;
}

/** What lies around a question or a passage, projected on the two directions in which it differs most. */
export interface Neighbourhood {
  /** Where the question or the passage itself stands. */
  origin: { x: number; y: number; text: string; id?: string };
  /** The nearest first. */
  neighbours: Neighbour[];
  /** How much of the vectors' spread each axis shows. */
  shares: [number, number];
}

/** Of what, among which passages, and how many of `neighbourhood`. */
export interface NeighbourhoodOptions extends CallOptions {
  /** A question … */
  query?: string;
  /** … or a passage: its id, or file#n. */
  passage?: string;
  filters?: Filters;
  /** Default 50. */
  topK?: number;
}

/** Passages at most: the products of all with each other are computed. */
const MOST = 200;

/**
 * The passages nearest to a question or to a passage by meaning, each with its place on a plane.
 *
 * @throws InvalidArgumentError with neither or both of `query` and `passage`, or with `topK` outside 1 to 200
 * @throws PassageNotFoundError
 * @example await neighbourhood(collection, { passage: "docs/leave.md#1" })
 */
export async function neighbourhood(
  target: StrategyTarget & { embedding: EmbeddingModel },
  { query, passage, filters, topK = 50, ...options }: NeighbourhoodOptions,
): Promise<Neighbourhood> {
  const call = callOptions(options);
  if ((query === undefined) === (passage === undefined))
    throw new InvalidArgumentError("query", query, "give either a question or a passage");
  if (!Number.isInteger(topK) || topK < 1 || topK > MOST)
    throw new InvalidArgumentError("topK", topK, `topK is a whole number from 1 to ${MOST}`);
  const from = passage === undefined ? undefined : await findPassage(target, passage, call);
  const text = query ?? from!.node.text;
  const found = await runStrategy(target, text, {
    ...call,
    strategy: "dense",
    topK: topK + (from ? 1 : 0),
    ...(filters ? { filters } : {}),
  });
  const near = found.filter(({ node }) => node.id !== from?.node.id).slice(0, topK);
  const [asked] = await target.embedding.embed([text], { kind: "query", ...call });
  const stored = await vectorsOf(
    target,
    near.map(({ node }) => node.id),
    call,
  );
  // A passage is where its best window is: that is what made it a neighbour.
  const placed = near.flatMap((hit) => {
    const vectors = (stored.get(hit.node.id) ?? []).map(unit);
    const best = vectors.sort((a, b) => product(b, asked!) - product(a, asked!))[0];
    return best ? [{ hit, vector: best }] : [];
  });
  const { points, shares } = project([unit(asked!), ...placed.map(({ vector }) => vector)]);
  return {
    origin: { ...points[0]!, text, ...(from ? { id: from.node.id } : {}) },
    neighbours: placed.map(({ hit }, i) => ({ ...hit, ...points[i + 1]! })),
    shares,
  };
}

interface StoredVectors {
  [VECTOR_FIELD]?: number[];
  [WINDOWS_FIELD]?: { vector: number[] }[];
}

async function vectorsOf(
  target: StrategyTarget,
  ids: readonly string[],
  { signal }: CallOptions,
): Promise<Map<string, number[][]>> {
  if (ids.length === 0) return new Map();
  const answer = await target.client.mget<StoredVectors>(
    { index: target.index, ids: [...ids], _source_includes: [VECTOR_FIELD, WINDOW_VECTOR_FIELD] },
    signal ? { signal } : {},
  );
  const out = new Map<string, number[][]>();
  for (const doc of answer.docs) {
    if (!("found" in doc) || !doc.found) continue;
    const { [VECTOR_FIELD]: whole, [WINDOWS_FIELD]: windows } = doc._source ?? {};
    out.set(doc._id, [...(whole ? [whole] : []), ...(windows ?? []).map(({ vector }) => vector)]);
  }
  return out;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Directions are compared, not lengths. */
function unit(vector: ArrayLike<number>): Float64Array {
  const length = Math.sqrt(product(vector, vector));
  return Float64Array.from(vector, (one) => (length > 0 ? one / length : 0));
}
