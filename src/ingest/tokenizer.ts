/**
 * Counts tokens as OpenAI's cl100k_base does. The ranks are js-tiktoken's; the merging is done here, since a splitter counts every
 * sentence it sees: pieces are byte strings, counts of pieces are remembered, and a long piece takes time in proportion to its length.
 */
import type { Tokenizer } from "../schema/index.ts";
import { wholeCharacterCut } from "./cuts.ts";

/** A piece without a break (letters, signs or spaces in a row) is merged in blocks of so many bytes; real words are far shorter. */
const LONGEST_PIECE = 192;
/** The pattern sees so many UTF-16 units at once, which bounds what it may have to try. */
const BLOCK = 16_384;
const REMEMBERED = 50_000;
const LONGEST_REMEMBERED = 64;

let loaded: Promise<Tokenizer> | undefined;

/** The tokenizer cl100k_base, read once a process (about 0.2 s). */
export function cl100kTokenizer(): Promise<Tokenizer> {
  loaded ??= import("js-tiktoken/ranks/cl100k_base").then(({ default: encoding }) =>
    byteTokenizer("cl100k_base", encoding.pat_str, readRanks(encoding.bpe_ranks)),
  );
  return loaded;
}

/** Lines of `! first-rank token token …`, tokens in Base64. A token's key is its bytes, one to a UTF-16 unit. */
function readRanks(lines: string): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const line of lines.split("\n")) {
    const [, first, ...tokens] = line.split(" ");
    let rank = Number(first);
    for (const token of tokens) ranks.set(atob(token), rank++);
  }
  return ranks;
}

interface Ranks {
  byBytes: Map<string, number>;
  /** Ranks of tokens of two bytes, by `first * 256 + second`: half of all questions. `Infinity` where there is none. */
  ofPairs: Float64Array;
}

function byteTokenizer(name: string, pattern: string, byBytes: Map<string, number>): Tokenizer {
  const ranks: Ranks = { byBytes, ofPairs: new Float64Array(65_536).fill(Infinity) };
  for (const [bytes, rank] of byBytes) {
    if (bytes.length === 2) ranks.ofPairs[bytes.charCodeAt(0) * 256 + bytes.charCodeAt(1)] = rank;
  }
  const pieces = new RegExp(pattern, "gu");
  const remembered = new Map<string, number>();

  function countPiece(piece: string): number {
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const bytes = utf8(piece);
    let count = 0;
    for (let i = 0; i < bytes.length; ) {
      const end = Math.min(bytes.length, i + LONGEST_PIECE);
      count += countMerged(bytes.slice(i, end), ranks);
      i = end;
    }
    if (piece.length <= LONGEST_REMEMBERED) {
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(piece, count);
    }
    return count;
  }

  return {
    name,
    count(text: string): number {
      let count = 0;
      for (let i = 0; i < text.length; ) {
        const end = i + BLOCK >= text.length ? text.length : wholeCharacterCut(text, i + BLOCK, i);
        for (const match of text.slice(i, end).matchAll(pieces)) count += countPiece(match[0]);
        i = end;
      }
      return count;
    },
  };
}

const encoder = new TextEncoder();

/** The text's UTF-8 bytes as a string of units below 256. */
function utf8(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  const bytes = encoder.encode(text);
  const blocks: string[] = [];
  for (let i = 0; i < bytes.length; i += 4096) blocks.push(String.fromCharCode(...bytes.subarray(i, i + 4096)));
  return blocks.length === 1 ? blocks[0]! : blocks.join("");
}

/** Begin of each part and, after the last, the end; and the rank of each part together with the next one. Used by one call at a time. */
const starts = new Uint16Array(LONGEST_PIECE + 1);
const pairs = new Float64Array(LONGEST_PIECE);

/**
 * Byte pair encoding: as long as two neighbours together are a token, the pair with the lowest rank (the leftmost of equals) becomes
 * one. Returns how many parts are left.
 */
function countMerged(bytes: string, { byBytes, ofPairs }: Ranks): number {
  if (byBytes.has(bytes)) return 1;
  let count = bytes.length;
  for (let i = 0; i <= count; i++) starts[i] = i;
  const rankAt = (i: number): number =>
    i + 2 <= count ? (byBytes.get(bytes.slice(starts[i], starts[i + 2])) ?? Infinity) : Infinity;
  for (let i = 0; i + 1 < count; i++) pairs[i] = ofPairs[bytes.charCodeAt(i) * 256 + bytes.charCodeAt(i + 1)]!;
  pairs[count - 1] = Infinity;
  for (;;) {
    let lowest = 0;
    for (let i = 1; i < count; i++) if (pairs[i]! < pairs[lowest]!) lowest = i;
    if (pairs[lowest] === Infinity) return count;
    starts.copyWithin(lowest + 1, lowest + 2, count + 1);
    pairs.copyWithin(lowest + 1, lowest + 2, count);
    count--;
    pairs[lowest] = rankAt(lowest);
    if (lowest > 0) pairs[lowest - 1] = rankAt(lowest - 1);
  }
}
