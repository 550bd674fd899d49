/** LlamaIndex's JSONNodeParser: a node for each object, a line for each value with the keys that lead to it. */
import { InvalidArgumentError, pythonStr, type Splitter } from "../../schema/index.ts";
import { timeSlices } from "../slices.ts";
import { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
import { splitterName } from "./text.ts";

const MOST_DEPTH = 1000;

/**
 * Makes a splitter of JSON: an object is one node, a list is a node for each of its items. Values are printed as Python prints them.
 *
 * @throws InvalidArgumentError when splitting what is not JSON
 * @example const nodes = await jsonSplitter().split(document({ text: '{"leave": {"annual": 5}}' })); // "leave annual 5"
 */
export function jsonSplitter(options: NodeOptions = {}): Splitter {
  return {
    name: splitterName("json", options),
    async split(document, { signal } = {}) {
      signal?.throwIfAborted();
      const pause = timeSlices(signal);
      const value = parsed(document.text);
      const pieces: Piece[] = [];
      for (const item of Array.isArray(value) ? value : [value]) {
        const lines: string[] = [];
        for (const line of eachLine(item, [])) {
          lines.push(line);
          await pause();
        }
        if (lines.length > 0) pieces.push({ text: lines.join("\n") });
      }
      return buildNodes(document, pieces, options);
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError("document", text.slice(0, 100), `the document's text is not JSON: ${reason}`);
  }
}

function* eachLine(value: unknown, path: readonly string[]): Generator<string> {
  if (path.length > MOST_DEPTH) {
    throw new InvalidArgumentError("document", path.length, `the JSON is nested deeper than ${MOST_DEPTH}`);
  }
  if (Array.isArray(value)) for (const item of value) yield* eachLine(item, path);
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* eachLine(item, [...path, key]);
  } else yield [...path, pythonStr(value)].join(" ");
}
