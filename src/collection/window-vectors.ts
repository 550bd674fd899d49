/**
 * The vectors of a passage's sentence windows. A static embedding sees nothing but a window's own words, and a window often leaves out what it is
 * about ("Five working days, plus travelling time."): so a share of the whole passage's vector and of its title's is added to each.
 */
import type { Window } from "../elasticsearch/layout.ts";
import { sentenceWindows } from "../ingest/windows.ts";
import { isZero, type TextNode } from "../schema/index.ts";

/** Weights beside the window's own 1; measured in docs/search-and-fusion.md. */
const PASSAGE_WEIGHT = 0.3;
const TITLE_WEIGHT = 0.4;

/**
 * The windows of each passage in order, with vectors of length one (before they are written with few decimals). A window without a known word
 * has no meaning to be found by, and is left out.
 */
export async function windowVectors(
  nodes: readonly TextNode[],
  embed: (texts: string[]) => Promise<Float32Array[]>,
): Promise<Window[][]> {
  const places = nodes.map((node) => sentenceWindows(node.text));
  const titles = [...new Set(nodes.map(titleOf))].filter((title) => title !== "");
  const texts = nodes.flatMap((node, i) => places[i]!.map(({ start, end }) => node.text.slice(start, end)));
  const vectors = await embed([...texts, ...titles]);
  const titleVectors = new Map(titles.map((title, i) => [title, vectors[texts.length + i]!]));
  let at = 0;
  return nodes.map((node, i) => {
    const own = vectors.slice(at, at + places[i]!.length);
    at += own.length;
    const context = contextOf(own, places[i]!, titleVectors.get(titleOf(node)));
    return places[i]!.flatMap(({ start, end }, k) =>
      isZero(own[k]!) ? [] : [{ vector: numbers(inContext(own[k]!, context)), start, end }],
    );
  });
}

function titleOf(node: TextNode): string {
  const { title } = node.metadata;
  return typeof title === "string" ? title.trim() : "";
}

/** What is added to each window: the passage's vector, made of its windows by their lengths, and its title's. */
function contextOf(
  windows: readonly Float32Array[],
  places: readonly { start: number; end: number }[],
  title: Float32Array | undefined,
): Float64Array {
  const passage = new Float64Array(windows[0]?.length ?? 0);
  windows.forEach((vector, k) => {
    const length = places[k]!.end - places[k]!.start;
    for (let d = 0; d < passage.length; d++) passage[d]! += length * vector[d]!;
  });
  const scale = PASSAGE_WEIGHT / (Math.hypot(...passage) || 1);
  for (let d = 0; d < passage.length; d++) {
    passage[d] = scale * passage[d]! + (title === undefined ? 0 : TITLE_WEIGHT * title[d]!);
  }
  return passage;
}

function inContext(window: Float32Array, context: Float64Array): Float64Array {
  const sum = Float64Array.from(window, (value, d) => value + context[d]!);
  // A window that says the opposite of its context, and as loudly, keeps its own direction.
  const length = Math.hypot(...sum);
  return length > 1e-6 ? sum.map((value) => value / length) : Float64Array.from(window);
}

/**
 * A vector as JSON numbers of four decimals: a third of the bytes of full floats, and an error far below that of any embedding. The
 * index compares by cosine, so that the rounded length does not matter.
 */
export function numbers(vector: Float32Array | Float64Array): number[] {
  return Array.from(vector, (value) => Math.round(value * 1e4) / 1e4);
}
