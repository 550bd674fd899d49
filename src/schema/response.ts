/** An answer: a stream of text that can be read any number of times, and the sources it rests on. */

import type { Metadata } from "./node.ts";
import type { NodeWithScore } from "./parts.ts";

/** A source as it is shown under an answer. */
export interface Source extends NodeWithScore {
  /** The number that `[n]` in the text means, from 1. */
  n: number;
  file?: string;
  heading?: string;
}

export interface Response {
  /** Pieces as they come. May be iterated again, also while the first reader is still at it: what has come is remembered. */
  readonly textStream: AsyncIterable<string>;
  /** The whole text; asking for it reads the stream to its end. */
  readonly text: Promise<string>;
  readonly sources: Source[];
  /** Who wrote the text: a model, the extractive answerer, or nobody (nothing was found). */
  readonly kind: "generated" | "extract" | "empty";
  readonly metadata: Record<string, unknown>;
}

/** `sources` of an answer from the nodes it rests on: numbered in order, with file and heading from their metadata. */
export function numberSources(nodes: NodeWithScore[]): Source[] {
  return nodes.map((item, i) => {
    const file = text(item.node.metadata, "file");
    const heading = text(item.node.metadata, "heading");
    return {
      n: i + 1,
      ...item,
      ...(file === undefined ? {} : { file }),
      ...(heading === undefined ? {} : { heading }),
    };
  });
}

function text(metadata: Metadata, key: string): string | undefined {
  const value = metadata[key];
  return typeof value === "string" ? value : undefined;
}

export interface ResponseInput {
  /** The whole text, or its pieces. A stream is first read when somebody iterates or asks for the text. */
  text: string | AsyncIterable<string>;
  /** Nodes to number, or sources already numbered. */
  sources?: NodeWithScore[];
  kind?: Response["kind"];
  metadata?: Record<string, unknown>;
}

/** Makes a response. An error of the stream reaches every reader. */
export function response(input: ResponseInput): Response {
  const nodes = input.sources ?? [];
  const stream = typeof input.text === "string" ? remembered(once(input.text)) : remembered(input.text);
  return {
    textStream: stream,
    get text() {
      return collect(stream);
    },
    sources: nodes.every(isSource) ? nodes : numberSources(nodes),
    kind: input.kind ?? "generated",
    metadata: input.metadata ?? {},
  };
}

function isSource(item: NodeWithScore): item is Source {
  return typeof (item as Source).n === "number";
}

async function* once(text: string): AsyncIterable<string> {
  if (text !== "") yield text;
}

async function collect(stream: AsyncIterable<string>): Promise<string> {
  let out = "";
  for await (const piece of stream) out += piece;
  return out;
}

/** A stream read once from its origin and any number of times from memory. The origin is pulled only as far as a reader wants. */
function remembered(origin: AsyncIterable<string>): AsyncIterable<string> {
  const pieces: string[] = [];
  let iterator: AsyncIterator<string> | undefined;
  let pulling: Promise<void> | undefined;
  let ended = false;
  let failure: { error: unknown } | undefined;

  async function pull(): Promise<void> {
    iterator ??= origin[Symbol.asyncIterator]();
    try {
      const step = await iterator.next();
      if (step.done) ended = true;
      else pieces.push(step.value);
    } catch (error) {
      failure = { error };
    } finally {
      pulling = undefined;
    }
  }

  return {
    async *[Symbol.asyncIterator]() {
      for (let i = 0; ; ) {
        if (i < pieces.length) yield pieces[i++]!;
        else if (failure) throw failure.error;
        else if (ended) return;
        else await (pulling ??= pull());
      }
    },
  };
}
