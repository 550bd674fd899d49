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

/** Text as it comes: to be iterated any number of times, and a web stream that is read once, teed or piped. */
export type TextStream = ReadableStream<string> & AsyncIterable<string>;

/** How an answer cites its sources. */
export interface CitationReport {
  /** Numbers in the text that a source has. */
  cited: number[];
  /** Numbers in the text that no source has. */
  unknownCitations: number[];
  /** Sentences without a number. */
  uncitedSentences: string[];
}

/** An answer: its text whole or streamed, its sources, and what kind it is. It can be read any number of times. */
export interface Response {
  /**
   * Pieces as they come. May be iterated again, also while the first reader is still at it: what has come is remembered. A reader that
   * leaves lets the others go on; cancelling the web stream, `cancel()` or the call's signal ends the request to the model.
   */
  readonly textStream: TextStream;
  /** The whole text; asking for it reads the stream to its end. */
  readonly text: Promise<string>;
  /** What has come so far, also of a stream that broke off. */
  readonly textSoFar: string;
  readonly sources: Source[];
  /** Who wrote the text: a model, the extractive answerer, or nobody (nothing was found). */
  readonly kind: "generated" | "extract" | "empty";
  readonly metadata: Record<string, unknown>;
  /** The answer as an object, where a schema was given; asking for it reads the stream to its end. */
  readonly object?: Promise<unknown>;
  /** How the text cites its sources, where it is to cite any; asking for it reads the stream to its end. */
  readonly citations?: Promise<CitationReport>;
  /** Ends the request to the model. Readers get what has come, and then the reason (by default an `AbortError`). */
  cancel(reason?: unknown): void;
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

/** What `response` makes an answer of. */
export interface ResponseInput {
  /** The whole text, or its pieces. A stream is first read when somebody iterates or asks for the text. */
  text: string | AsyncIterable<string>;
  /** Nodes to number, or sources already numbered. */
  sources?: NodeWithScore[];
  kind?: Response["kind"];
  metadata?: Record<string, unknown>;
  /** Reads the object in the whole text. */
  object?: (text: string) => unknown;
  /** Reads the citations in the whole text. */
  citations?: (text: string) => CitationReport;
  /** Whether the first piece is waited for at once, before anybody reads. Default false. */
  eager?: boolean;
  /** Called once when the answer is cancelled: ends a request that is waited for. */
  onCancel?: (reason: unknown) => void;
}

/** Makes a response. An error of the stream reaches every reader. */
export function response(input: ResponseInput): Response {
  const nodes = input.sources ?? [];
  const memory = remembered(typeof input.text === "string" ? once(input.text) : input.text, input.onCancel);
  if (input.eager) memory.start();
  const whole = () => collect(memory.read());
  let web: TextStream | undefined;
  const { object, citations } = input;
  const made = {
    get textStream() {
      return (web ??= textStream(memory));
    },
    get text() {
      return whole();
    },
    get textSoFar() {
      return memory.soFar();
    },
    sources: nodes.every(isSource) ? nodes : numberSources(nodes),
    kind: input.kind ?? "generated",
    metadata: input.metadata ?? {},
    cancel: (reason?: unknown) => memory.cancel(reason),
  };
  if (object) lazily(made, "object", async () => object(await whole()));
  if (citations) lazily(made, "citations", async () => citations(await whole()));
  return made;
}

/** Gives the answer a property that is made when it is first asked for: nobody hears of the failure of what nobody wants. */
function lazily(answer: object, name: "object" | "citations", make: () => Promise<unknown>): void {
  let made: Promise<unknown> | undefined;
  Object.defineProperty(answer, name, { enumerable: true, configurable: true, get: () => (made ??= make()) });
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

interface Memory {
  /** Waits for the first piece; its failure is kept for the readers. */
  start(): void;
  read(): AsyncIterableIterator<string>;
  soFar(): string;
  cancel(reason?: unknown): void;
}

/** A stream read once from its origin and any number of times from memory. The origin is pulled only as far as a reader wants. */
function remembered(origin: AsyncIterable<string>, onCancel: (reason: unknown) => void = () => {}): Memory {
  const pieces: string[] = [];
  let iterator: AsyncIterator<string> | undefined;
  let pulling: Promise<void> | undefined;
  let ended = false;
  let failure: { error: unknown } | undefined;
  let wake: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => {
    wake = resolve;
  });

  async function pull(): Promise<void> {
    try {
      iterator ??= origin[Symbol.asyncIterator]();
      const step = await iterator.next();
      if (failure) return;
      if (step.done) ended = true;
      else pieces.push(step.value);
    } catch (error) {
      failure ??= { error };
    } finally {
      pulling = undefined;
    }
  }

  return {
    start: () => void (pulling ??= pull()),
    async *read() {
      for (let i = 0; ; ) {
        if (i < pieces.length) yield pieces[i++]!;
        else if (failure) throw failure.error;
        else if (ended) return;
        else await Promise.race([(pulling ??= pull()), cancelled]);
      }
    },
    soFar: () => pieces.join(""),
    cancel(reason) {
      if (ended || failure) return;
      const error = reason ?? new DOMException("the answer was cancelled before its end", "AbortError");
      failure = { error };
      wake();
      onCancel(error);
      // A generator that waits for its next piece takes this up only once it has it.
      iterator?.return?.(undefined)?.then(undefined, () => {});
    },
  };
}

function textStream(memory: Memory): TextStream {
  const reader = memory.read();
  const stream = new ReadableStream<string>(
    {
      async pull(controller) {
        const step = await reader.next();
        if (step.done) controller.close();
        else controller.enqueue(step.value);
      },
      cancel: (reason) => memory.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return Object.defineProperty(stream, Symbol.asyncIterator, { value: () => memory.read() }) as TextStream;
}

/** The same answer with something else said of it; it shares the text and its stream. */
export function responseWith(
  answer: Response,
  changes: Partial<Pick<Response, "sources" | "metadata" | "kind" | "citations">>,
): Response {
  const values = Object.entries(changes).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.create(Object.getPrototypeOf(answer) as object, {
    ...Object.getOwnPropertyDescriptors(answer),
    ...Object.fromEntries(values),
  }) as Response;
}

/** The same answer, its text led through something that may look at it or change it. */
export function responseThrough(
  answer: Response,
  through: (pieces: AsyncIterable<string>) => AsyncIterable<string>,
): Response {
  const { sources, kind, metadata } = answer;
  const text = { [Symbol.asyncIterator]: () => through(answer.textStream)[Symbol.asyncIterator]() };
  const own = response({ text, sources, kind, metadata, onCancel: (reason) => answer.cancel(reason) });
  for (const name of ["object", "citations"] as const) {
    if (!(name in answer)) continue;
    lazily(own, name, async () => {
      await own.text;
      return answer[name];
    });
  }
  return own;
}

/** The sources as lines, each text cut to `length` characters: `> Source (Node id: …): text`. */
export function formattedSources({ sources }: Pick<Response, "sources">, length = 100): string {
  return sources.map(({ node }) => `> Source (Node id: ${node.id}): ${shortened(node.text, length)}`).join("\n\n");
}

function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, Math.max(0, length - 3)).join("")}...`;
}
