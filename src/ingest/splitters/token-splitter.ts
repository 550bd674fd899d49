/**
 * LlamaIndex's TokenTextSplitter: words packed up to a size with an overlap of words, whatever the sentences say. It is also what packs
 * texts into prompts.
 */
import type { Tokenizer } from "../../schema/index.ts";
import { timeSlices } from "../slices.ts";
import { cl100kTokenizer } from "../tokenizer.ts";
import { buildNodes, type NodeOptions, type Piece } from "./nodes.ts";
import { joined, metadataTokens, metadataTooLong } from "./sentence-splitter.ts";
import { checkedOverlap, checkedSize, splitBefore, splitterName, type TextSplitter } from "./text.ts";

/** Sizes in tokens, and what a text is cut at. */
export interface TokenSplitterOptions extends NodeOptions {
  /** Tokens of a chunk at most, metadata included. Default 1024. */
  chunkSize?: number;
  /** Tokens that neighbours share at most. Default 20, or a fifth of a smaller `chunkSize`. */
  chunkOverlap?: number;
  /** Default cl100k_base. */
  tokenizer?: Tokenizer;
  /** Default a space. */
  separator?: string;
  /** Tried in order where a piece is too long. Default a line break. */
  backupSeparators?: readonly string[];
  /** Whether chunks keep the white space around them, and blank chunks stay. Default false. */
  keepWhitespaces?: boolean;
}

/** Tokens that stand between the metadata and the text. */
const METADATA_FRAME = 2;

/**
 * Makes a splitter that packs words up to a size.
 *
 * @throws InvalidArgumentError for sizes that make no sense; when splitting, where the metadata leave no room for text
 * @example const chunks = await tokenSplitter({ chunkSize: 256 }).splitText(text);
 */
export function tokenSplitter(options: TokenSplitterOptions = {}): TextSplitter {
  const chunkSize = checkedSize("chunkSize", options.chunkSize ?? 1024);
  const overlap = checkedOverlap(options.chunkOverlap ?? Math.min(20, Math.floor(chunkSize / 5)), chunkSize);
  const { separator = " ", backupSeparators = ["\n"], keepWhitespaces = false } = options;
  const rules = [
    ...[separator, ...backupSeparators].map((by) => (text: string) => splitBefore(text, by)),
    (text: string) => [...text],
  ];

  async function chunks(text: string, size: number, tokenizer: Tokenizer, signal?: AbortSignal): Promise<Piece[]> {
    signal?.throwIfAborted();
    if (text === "") return [{ text: "", start: 0 }];
    const pause = timeSlices(signal);
    const out: Piece[] = [];
    let current: { text: string; start: number; tokens: number }[] = [];
    let tokens = 0;
    const emit = () => {
      const chunk = keepWhitespaces
        ? { text: current.map((piece) => piece.text).join(""), start: current[0]?.start ?? 0 }
        : joined(current);
      if (chunk.text !== "") out.push(chunk);
    };
    for await (const piece of pieces(text, size, tokenizer, rules, pause)) {
      if (tokens + piece.tokens > size) {
        emit();
        let from = 0;
        while (from < current.length && (tokens > overlap || tokens + piece.tokens > size)) {
          tokens -= current[from++]!.tokens;
        }
        current = current.slice(from);
      }
      current.push(piece);
      tokens += piece.tokens;
    }
    emit();
    return out;
  }

  return {
    name: splitterName("token", options),
    async splitText(text, { signal } = {}) {
      const pieces = await chunks(text, chunkSize, options.tokenizer ?? (await cl100kTokenizer()), signal);
      return pieces.map((piece) => piece.text);
    },
    async split(document, { signal } = {}) {
      const tokenizer = options.tokenizer ?? (await cl100kTokenizer());
      const taken = metadataTokens(document, tokenizer) + METADATA_FRAME;
      if (taken >= chunkSize) throw metadataTooLong(taken, chunkSize);
      return buildNodes(document, await chunks(document.text, chunkSize - taken, tokenizer, signal), options);
    },
  };
}

/** Pieces that fit; a single character that does not is a piece as well. */
async function* pieces(
  whole: string,
  size: number,
  tokenizer: Tokenizer,
  rules: ((text: string) => string[])[],
  pause: () => Promise<void>,
): AsyncGenerator<{ text: string; start: number; tokens: number }> {
  const stack = [{ text: whole, start: 0 }];
  while (stack.length > 0) {
    await pause();
    const { text, start } = stack.pop()!;
    const tokens = tokenizer.count(text);
    let parts: string[] = [];
    if (tokens > size) {
      for (const rule of rules) {
        parts = rule(text);
        if (parts.length > 1) break;
      }
    }
    if (parts.length <= 1) yield { text, start, tokens };
    else {
      // Pieces together are the text, so the places follow from the lengths.
      for (let i = parts.length - 1, end = start + text.length; i >= 0; i--) {
        end -= parts[i]!.length;
        stack.push({ text: parts[i]!, start: end });
      }
    }
  }
}
