/**
 * The paths through a text's tokens where some span several positions (synonyms of several words): which positions all paths pass through,
 * and what lies between them (Lucene's GraphTokenStreamFiniteStrings).
 */
import { illegalArgument } from "../../errors.ts";
import type { AnalyzedPlace, AnalyzedText, AnalyzedToken } from "./analyzed-text.ts";

interface Edge {
  readonly term: string;
  readonly from: number;
  readonly to: number;
  /** Positions after the token before it on its path. */
  readonly increment: number;
}

/** What lies between two positions that all paths pass through. */
export interface GraphSegment {
  /** Terms of one position, where all paths are one token long. */
  readonly terms?: readonly string[];
  /** Otherwise the paths, each a text of its own. */
  readonly paths: readonly AnalyzedText[];
  /** Positions of its first token after the token before it. */
  readonly increment: number;
  readonly last: boolean;
}

/** Lucene looks for passages by recursion, 1000 levels deep. */
const MOST_STATES = 1001;

/** As many paths are followed at most: as many clauses could not be searched. */
export interface GraphLimit {
  readonly most: number;
  exceeded(): never;
}

export function graphSegments(tokens: readonly AnalyzedToken[], limit: GraphLimit): GraphSegment[] {
  const edges = edgesOf(tokens);
  const states = new Set(edges.flatMap(({ from, to }) => [from, to])).size;
  if (states > MOST_STATES) throw illegalArgument("Exceeded maximum recursion level during graph analysis");
  const points = [0, ...passages(edges)];
  return points.slice(0, -1).map((from, i): GraphSegment => {
    const to = points[i + 1];
    const last = i === points.length - 2;
    const starting = edges.filter((edge) => edge.from === from);
    const { increment } = starting[0];
    if (starting.every((edge) => edge.to === starting[0].to)) {
      return { terms: starting.map(({ term }) => term), paths: [], increment, last };
    }
    return { paths: pathsBetween(edges, from, to, limit).map(textOfPath), increment, last };
  });
}

/** The whole text, once for each path through it. */
export function graphPaths(tokens: readonly AnalyzedToken[], limit: GraphLimit): AnalyzedText[] {
  const edges = edgesOf(tokens);
  return pathsBetween(edges, 0, Math.max(...edges.map(({ to }) => to)), limit).map(textOfPath);
}

/** Tokens as edges between positions, those of holes left out; only what lies on a way from the first to the last. */
function edgesOf(tokens: readonly AnalyzedToken[]): Edge[] {
  const edges: Edge[] = [];
  let position = -1;
  let before = -1;
  let gap = 0;
  let increment = 1;
  for (const token of tokens) {
    const own = token.position - before;
    before = token.position;
    if (own === 0) position -= gap;
    else {
      position++;
      gap = own - 1;
      increment = own;
    }
    edges.push({ term: token.term, from: position, to: position + token.length + gap, increment });
    position += gap;
  }
  const end = Math.max(...edges.map(({ to }) => to));
  const reachable = new Set([0]);
  for (const { from, to } of [...edges].sort((a, b) => a.from - b.from)) if (reachable.has(from)) reachable.add(to);
  const leading = new Set([end]);
  for (const { from, to } of [...edges].sort((a, b) => b.from - a.from)) if (leading.has(to)) leading.add(from);
  return edges.filter(({ from, to }) => reachable.has(from) && leading.has(to));
}

/** Positions after the first that every path passes through, the last among them. */
function passages(edges: readonly Edge[]): number[] {
  const ends = [...new Set(edges.map(({ to }) => to))].sort((a, b) => a - b);
  return ends.filter((point) => !edges.some(({ from, to }) => from < point && to > point));
}

/** All paths, in the order of their tokens. */
function pathsBetween(edges: readonly Edge[], start: number, end: number, limit: GraphLimit): Edge[][] {
  const found: Edge[][] = [];
  const follow = (at: number, path: readonly Edge[]): void => {
    if (at === end) {
      found.push([...path]);
      if (found.length > limit.most) limit.exceeded();
      return;
    }
    for (const edge of edges) if (edge.from === at) follow(edge.to, [...path, edge]);
  };
  follow(start, []);
  return found;
}

function textOfPath(path: readonly Edge[]): AnalyzedText {
  let position = -1;
  const tokens = path.map(({ term, increment }) => {
    position += increment;
    return { term, position, length: 1 };
  });
  const places: AnalyzedPlace[] = tokens.map(({ term, position: at }) => ({ terms: [term], position: at }));
  return { tokens, places, graph: false, open: true };
}
