/**
 * All readings of a text's tokens, each as one text: tokens side by side with a separator between their positions (Lucene's
 * ConcatenateGraphFilter over TokenStreamToAutomaton). A position without a token leaves two separators next to each other.
 */
import type { Analyzer } from "./types.ts";

/** Between the tokens of two positions. */
export const SEPARATOR = "\u001f";

/** More readings are left out. */
const MOST_READINGS = 10_000;

interface Edge {
  readonly to: number;
  readonly text: string;
}

export interface GraphOptions {
  readonly preserveSeparators: boolean;
  readonly preservePositions: boolean;
}

/** An analyzer whose tokens are the readings of another one's text, all at one position (Elasticsearch's CompletionAnalyzer). */
export function readingsAnalyzer(analyzer: Analyzer, options: GraphOptions): Analyzer {
  return {
    name: analyzer.name,
    positionIncrementGap: analyzer.positionIncrementGap,
    offsetGap: analyzer.offsetGap,
    analyze(text, sink) {
      for (const [i, reading] of readingsOf(analyzer, text, options).entries()) {
        sink(reading, 0, text.length, i === 0 ? 1 : 0, 1, "word");
      }
      return { increment: 0, offset: text.length };
    },
  };
}

/** @returns each reading once; none where there is no token */
export function readingsOf(
  analyzer: Analyzer,
  text: string,
  { preserveSeparators, preservePositions }: GraphOptions,
): readonly string[] {
  const edges = new Map<number, Edge[]>();
  const arriving = new Set<number>();
  const add = (from: number, to: number, token: string) => {
    const own = edges.get(from);
    if (own) own.push({ to, text: token });
    else edges.set(from, [{ to, text: token }]);
    arriving.add(to);
  };
  /** Nothing stands in the positions before this one that no token covers. */
  const addHoles = (position: number) => {
    for (let at = position; at > 0 && !(arriving.has(at) && edges.has(at - 1)); at--) add(at - 1, at, "");
  };
  let position = -1;
  const { increment: trailing } = analyzer.analyze(text, (term, _start, _end, increment, length) => {
    if (increment > 0) {
      position += preservePositions ? increment : 1;
      const covered = arriving.has(position);
      if (position > 0 && (!covered || increment > 1)) addHoles(position);
    }
    add(position, position + length, term);
  });
  if (position < 0) return [];
  const separator = preserveSeparators ? SEPARATOR : "";
  const end = separator.repeat(trailing);
  const readings = new Set<string>();
  const walk: { readonly at: number; readonly text: string }[] = [{ at: 0, text: "" }];
  for (let step = walk.pop(); step !== undefined && readings.size < MOST_READINGS; step = walk.pop()) {
    for (const edge of edges.get(step.at) ?? []) {
      const read = step.text + edge.text;
      if (edge.to > position) readings.add(read + end);
      else walk.push({ at: edge.to, text: read + separator });
    }
  }
  return [...readings];
}
