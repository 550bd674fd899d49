/** Texts with more tokens than a model reads: refused, cut, or embedded in parts; never silently. */
import { naturalCut, wholeCharacterCut } from "../ingest/cuts.ts";
import { HuiliuError } from "../schema/index.ts";
import type { SizedText } from "./batches.ts";

/** What is done with a text that is longer than the model reads: embedded in parts, cut, or refused. */
export type TooLong = "error" | "truncate" | "split";

/** Called for each text that is longer than the model reads. */
export type OnTooLong = (event: {
  /** The text's place in the call. */
  index: number;
  text: string;
  tokens: number;
  maxTokens: number;
  handled: "truncated" | "split";
  /** Parts that are embedded. */
  parts: number;
}) => void;

/** A text has more tokens than the model reads. Code `TEXT_TOO_LONG`. */
export class TextTooLongError extends HuiliuError {
  readonly index: number;
  readonly tokens: number;
  readonly maxTokens: number;
  constructor(model: string, index: number, tokens: number, maxTokens: number, text: string) {
    super(
      "TEXT_TOO_LONG",
      `text ${index} has ${tokens} tokens, and ${model} reads ${maxTokens}: cut it into smaller passages, or choose tooLong: "truncate" or ` +
        `"split" (it begins: ${JSON.stringify(text.slice(0, 60))})`,
    );
    this.index = index;
    this.tokens = tokens;
    this.maxTokens = maxTokens;
  }
}

export interface FitOptions {
  index: number;
  count: (text: string) => number;
  maxTokens: number | undefined;
  tooLong: TooLong;
  model: string;
  onTooLong?: OnTooLong | undefined;
}

/** The pieces in whose place a text is embedded: itself, where it fits. */
export function fitText(text: string, options: FitOptions): SizedText[] {
  const { index, count, maxTokens, tooLong, model, onTooLong } = options;
  const tokens = count(text);
  if (maxTokens === undefined || tokens <= maxTokens) return [{ text, tokens }];
  if (tooLong === "error") throw new TextTooLongError(model, index, tokens, maxTokens, text);
  const parts = tooLong === "truncate" ? [firstPart(text, count, maxTokens)] : allParts(text, count, maxTokens);
  onTooLong?.({
    index,
    text,
    tokens,
    maxTokens,
    handled: tooLong === "truncate" ? "truncated" : "split",
    parts: parts.length,
  });
  return parts;
}

function allParts(text: string, count: (text: string) => number, maxTokens: number): SizedText[] {
  const parts: SizedText[] = [];
  for (let rest = text; rest !== ""; ) {
    const part = firstPart(rest, count, maxTokens);
    parts.push(part);
    rest = rest.slice(part.text.length);
  }
  return parts;
}

/** As much of the beginning as fits, cut at a comma or a space where one is near, and never within a character. */
function firstPart(text: string, count: (text: string) => number, maxTokens: number): SizedText {
  // The longest beginning that fits, by halving. Tokens have characters by the dozen at most, which bounds where to look.
  let fits = 0;
  let over = Math.min(text.length, maxTokens * 16) + 1;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (count(text.slice(0, middle)) <= maxTokens) fits = middle;
    else over = middle;
  }
  if (fits === text.length) return { text, tokens: count(text) };
  const lowest = Math.max(0, Math.min(Math.floor(fits * 0.9), fits - 2));
  const cut = fits < 2 ? wholeCharacterCut(text, 1, 0) : naturalCut(text, fits, lowest, fits);
  const part = text.slice(0, cut);
  return { text: part, tokens: count(part) };
}

/** A text's vector: its piece's, or the mean of its pieces' by their tokens, of length one where theirs are. */
export function pieceVector(pieces: readonly SizedText[], vectors: ReadonlyMap<string, Float32Array>): Float32Array {
  const first = vectors.get(pieces[0]!.text)!;
  if (pieces.length === 1) return first.slice();
  const sum = new Float64Array(first.length);
  for (const { text, tokens } of pieces) {
    const vector = vectors.get(text)!;
    const weight = Math.max(1, tokens);
    // Directions are averaged: a vector's length says nothing about its piece.
    const length = norm(vector) || 1;
    for (let i = 0; i < sum.length; i++) sum[i]! += (weight * vector[i]!) / length;
  }
  const length = norm(sum) || 1;
  return Float32Array.from(sum, (value) => value / length);
}

function norm(vector: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2;
  return Math.sqrt(squares);
}
