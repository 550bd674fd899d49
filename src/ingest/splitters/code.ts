/** Source code cut between its lines, where possible between its parts. Nothing is lost: without overlap the chunks are the text. */
import { InvalidArgumentError } from "../../schema/index.ts";
import { wholeCharacterCut } from "../cuts.ts";
import { timeSlices } from "../slices.ts";
import { buildNodes, type NodeOptions } from "./nodes.ts";
import { splitterName, type TextSplitter } from "./text.ts";

/** How code is cut; sizes are lines and characters. */
export interface CodeSplitterOptions extends NodeOptions {
  /** Lines of a chunk at most. Default 40. */
  chunkLines?: number;
  /** Lines that neighbours share. Default 15, or a third of fewer `chunkLines`. */
  chunkLinesOverlap?: number;
  /** UTF-16 units of a chunk at most. Default 1500. */
  maxChars?: number;
}

interface Line {
  start: number;
  end: number;
  /** How good it is to begin a chunk here; less is better. */
  cost: number;
}

/**
 * Makes a splitter of source code by lines. A chunk ends where the next one can begin at the least indentation, after an empty line if
 * there is one. A line longer than a chunk is cut.
 *
 * @throws InvalidArgumentError for sizes that make no sense
 * @example const nodes = await codeSplitter({ chunkLines: 60 }).split(document({ text: source }));
 */
export function codeSplitter(options: CodeSplitterOptions = {}): TextSplitter {
  const { chunkLines = 40, maxChars = 1500 } = options;
  const { chunkLinesOverlap = Math.min(15, Math.floor(chunkLines / 3)) } = options;
  whole("chunkLines", chunkLines, 1);
  whole("maxChars", maxChars, 1);
  whole("chunkLinesOverlap", chunkLinesOverlap, 0);
  if (chunkLinesOverlap >= chunkLines) {
    throw new InvalidArgumentError(
      "chunkLinesOverlap",
      chunkLinesOverlap,
      "chunkLinesOverlap must be below chunkLines",
    );
  }

  async function spans(text: string, signal?: AbortSignal): Promise<{ start: number; end: number }[]> {
    signal?.throwIfAborted();
    const pause = timeSlices(signal);
    const lines = linesOf(text, maxChars);
    const out: { start: number; end: number }[] = [];
    for (let first = 0, covered = 0; covered < lines.length; ) {
      await pause();
      let end = covered + 1;
      while (end < lines.length && end - first < chunkLines && lines[end]!.end - lines[first]!.start <= maxChars) end++;
      // What the overlap takes may leave no room for a long line.
      while (first < covered && lines[end - 1]!.end - lines[first]!.start > maxChars) first++;
      if (end < lines.length) end = bestEnd(lines, covered + 1, end);
      out.push({ start: lines[first]!.start, end: lines[end - 1]!.end });
      covered = end;
      first = Math.max(first + 1, covered - chunkLinesOverlap);
    }
    return out;
  }

  return {
    name: splitterName("code", options),
    async splitText(text, { signal } = {}) {
      return (await spans(text, signal)).map(({ start, end }) => text.slice(start, end));
    },
    async split(document, { signal } = {}) {
      const pieces = (await spans(document.text, signal)).map(({ start, end }) => ({
        text: document.text.slice(start, end),
        start,
      }));
      return buildNodes(document, pieces, options);
    },
  };
}

function whole(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new InvalidArgumentError(name, value, `${name} must be a whole number, at least ${least}`);
  }
}

function linesOf(text: string, maxChars: number): Line[] {
  const out: Line[] = [];
  let blankBefore = true;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const indent = /^[ \t]*/.exec(text.slice(start, Math.min(end, start + 200)))![0].replaceAll("\t", "    ").length;
    const blank = text.slice(start, end).trim() === "";
    let cost = blank ? 1000 : indent * 2 + (blankBefore ? 0 : 1);
    // A closing bracket goes with what it closes.
    if (/^[)\]}]/.test(text.slice(start + indent, start + indent + 1))) cost += 500;
    blankBefore = blank;
    for (let from = start; from < end; ) {
      const to = end - from <= maxChars ? end : wholeCharacterCut(text, from + maxChars, from);
      out.push({ start: from, end: to, cost: from === start ? cost : 2000 });
      from = to;
    }
    start = end;
  }
  return out;
}

/** The last of the cheapest lines to begin the next chunk with, in the second half of what fits. */
function bestEnd(lines: readonly Line[], lowest: number, highest: number): number {
  let best = highest;
  for (let i = highest; i >= Math.max(lowest, highest - ((highest - lowest) >> 1)); i--) {
    if (lines[i]!.cost < lines[best]!.cost) best = i;
  }
  return best;
}
