/**
 * LlamaIndex's SentenceSplitter: whole sentences where they fit, else parts of them, packed greedily, with an overlap of whole pieces.
 * What is larger than a chunk is cut by the next finer rule: paragraphs, sentences, the pattern's matches, words, characters.
 */
import {
  type Document,
  InvalidArgumentError,
  metadataText,
  pythonStrip,
  type TextNode,
  type Tokenizer,
} from "../../schema/index.ts";
import { timeSlices } from "../slices.ts";
import { cl100kTokenizer } from "../tokenizer.ts";
import { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
import {
  checkedOverlap,
  checkedSize,
  type SentenceTokenizer,
  sentenceTexts,
  splitBefore,
  splitterName,
  type TextSplitter,
} from "./text.ts";

/** Sizes in tokens, and what a text is cut at; LlamaIndex's. */
export interface SentenceSplitterOptions extends NodeOptions {
  /** Tokens of a chunk at most, metadata included. Default 1024. */
  chunkSize?: number;
  /** Tokens that neighbours share at most. Default 200, or a fifth of a smaller `chunkSize`. */
  chunkOverlap?: number;
  /** Default cl100k_base. */
  tokenizer?: Tokenizer;
  /** Default: sentences of Chinese and English. `englishSentenceTexts` cuts as Python's default does. */
  sentenceTokenizer?: SentenceTokenizer;
  /** Default a space. */
  separator?: string;
  /** Default three line breaks. */
  paragraphSeparator?: string;
  /** Finds the parts of a sentence that is too long; null for none. Default: up to a comma, semicolon or full stop. */
  secondaryChunkingRegex?: RegExp | null;
}

const CLAUSES = /[^,.;。？！]+[,.;。？！]?|[,.;。？！]/g;

interface Split {
  text: string;
  /** Place in the whole text. */
  start: number;
  tokens: number;
  /** A paragraph or a sentence, not a part of one. */
  sentence: boolean;
}

type Pause = () => Promise<void>;

/**
 * Makes a splitter that keeps sentences whole where they fit.
 *
 * @throws InvalidArgumentError for sizes that make no sense; when splitting, where the metadata leave no room for text
 * @example const nodes = await sentenceSplitter({ chunkSize: 512, chunkOverlap: 50 }).split(document({ text }));
 */
export function sentenceSplitter(options: SentenceSplitterOptions = {}): TextSplitter {
  const chunkSize = checkedSize("chunkSize", options.chunkSize ?? 1024);
  const overlap = checkedOverlap(options.chunkOverlap ?? Math.min(200, Math.floor(chunkSize / 5)), chunkSize);
  const rules = cuttingRules(options);

  async function chunks(text: string, size: number, tokenizer: Tokenizer, signal?: AbortSignal): Promise<Piece[]> {
    signal?.throwIfAborted();
    if (text === "") return [{ text: "", start: 0 }];
    const count = (part: string) => tokenizer.count(part);
    const pause = timeSlices(signal);
    const splits = await splitsOf(text, size, count, rules, pause);
    return merged(splits, size, overlap, pause);
  }

  return {
    name: splitterName("sentence", options),
    async splitText(text, { signal } = {}) {
      const pieces = await chunks(text, chunkSize, options.tokenizer ?? (await cl100kTokenizer()), signal);
      return pieces.map((piece) => piece.text);
    },
    async split(document: Document, { signal } = {}) {
      return splitNode(document, signal);
    },
  };

  async function splitNode(source: Document, signal?: AbortSignal): Promise<TextNode[]> {
    const tokenizer = options.tokenizer ?? (await cl100kTokenizer());
    const size = chunkSize - metadataTokens(source, tokenizer);
    if (size <= 0) throw metadataTooLong(chunkSize - size, chunkSize);
    return buildNodes(source, await chunks(source.text, size, tokenizer, signal), options);
  }
}

/** Tokens of the longer (in characters) of the two metadata texts that models see. */
export function metadataTokens(source: Document | TextNode, tokenizer: Tokenizer): number {
  const embed = metadataText(source, "embed");
  const llm = metadataText(source, "llm");
  return tokenizer.count([...embed].length > [...llm].length ? embed : llm);
}

export function metadataTooLong(tokens: number, chunkSize: number): InvalidArgumentError {
  return new InvalidArgumentError(
    "chunkSize",
    chunkSize,
    `the metadata take ${tokens} tokens and leave no room in a chunk of ${chunkSize}: choose a larger chunkSize, or less metadata`,
  );
}

/** The rules from coarse to fine; the first two give whole sentences. */
function cuttingRules(options: SentenceSplitterOptions): ((text: string) => string[])[] {
  const { separator = " ", paragraphSeparator = "\n\n\n", sentenceTokenizer = sentenceTexts } = options;
  const regex = options.secondaryChunkingRegex === undefined ? CLAUSES : options.secondaryChunkingRegex;
  const global = regex && (regex.global ? regex : new RegExp(regex.source, `${regex.flags}g`));
  return [
    (text) => splitBefore(text, paragraphSeparator),
    sentenceTokenizer,
    ...(global ? [(text: string) => text.match(global) ?? []] : []),
    (text) => splitBefore(text, separator),
    (text) => [...text],
  ];
}

/** Pieces that fit, in order. Done with a stack of one's own: a text may nest deeply. */
async function splitsOf(
  whole: string,
  size: number,
  count: (text: string) => number,
  rules: ((text: string) => string[])[],
  pause: Pause,
): Promise<Split[]> {
  const out: Split[] = [];
  // `sentence` of what stands on the stack is the mark it has if it fits.
  const stack: Omit<Split, "tokens">[] = [{ text: whole, start: 0, sentence: true }];
  while (stack.length > 0) {
    await pause();
    const { text, start, sentence } = stack.pop()!;
    const tokens = count(text);
    const alone = tokens <= size ? undefined : finer(text, rules);
    if (!alone) out.push({ text, start, tokens, sentence });
    else if (alone.pieces.length <= 1) out.push({ text, start, tokens, sentence: alone.sentence });
    else stack.push(...placed(alone.pieces, text, start, alone.sentence).reverse());
  }
  return out;
}

/** A pattern or tokenizer of the caller's may leave characters out between two pieces. */
function placed(pieces: readonly string[], text: string, start: number, sentence: boolean): Omit<Split, "tokens">[] {
  let from = 0;
  return pieces.map((piece) => {
    const at = text.indexOf(piece, from);
    if (at >= 0) from = at + piece.length;
    return { text: piece, start: start + (at >= 0 ? at : from), sentence };
  });
}

/** The pieces of the first rule that gives more than one; else those of the last. */
function finer(text: string, rules: ((text: string) => string[])[]): { pieces: string[]; sentence: boolean } {
  let pieces: string[] = [];
  for (const [i, rule] of rules.entries()) {
    pieces = rule(text);
    if (pieces.length > 1) return { pieces, sentence: i < 2 };
  }
  return { pieces, sentence: false };
}

async function merged(splits: readonly Split[], size: number, overlap: number, pause: Pause): Promise<Piece[]> {
  const chunks: Piece[] = [];
  let current: Split[] = [];
  let tokens = 0;
  /** Whether the current chunk holds nothing but overlap. */
  let fresh = true;

  function close(): void {
    chunks.push(joined(current));
    let kept = 0;
    let from = current.length;
    while (from > 0 && kept + current[from - 1]!.tokens <= overlap) kept += current[--from]!.tokens;
    current = current.slice(from);
    tokens = kept;
    fresh = true;
  }

  for (let i = 0; i < splits.length; ) {
    await pause();
    const split = splits[i]!;
    if (split.tokens > size) {
      throw new InvalidArgumentError(
        "chunkSize",
        size,
        `a single character or token takes ${split.tokens} tokens and does not fit into a chunk of ${size}`,
      );
    }
    if (tokens + split.tokens > size && !fresh) {
      close();
      continue;
    }
    let dropped = 0;
    while (fresh && tokens + split.tokens > size && dropped < current.length) tokens -= current[dropped++]!.tokens;
    if (dropped > 0) current = current.slice(dropped);
    current.push(split);
    tokens += split.tokens;
    fresh = false;
    i++;
  }
  if (!fresh) chunks.push(joined(current));
  return chunks.filter((chunk) => chunk.text !== "");
}

/** Neighbouring pieces as one, without the white space around it. */
export function joined(pieces: readonly { text: string; start: number }[]): Piece {
  const whole = pieces.map((piece) => piece.text).join("");
  const text = pythonStrip(whole);
  return { text, start: (pieces[0]?.start ?? 0) + whole.indexOf(text) };
}
