/** The tokenizer of Unicode text segmentation (UAX #29), as Lucene's StandardTokenizer. */
import type { Push, Tokenizer } from "../chain.ts";
import type { EndState } from "../types.ts";
import { supplementaryClass, wordBreaks } from "../word-break.ts";
import { TYPES } from "../word-break-data.ts";

export const DEFAULT_MAX_TOKEN_LENGTH = 255;

/** Characters of one token that come again and again (Chinese): one string each, so that their hash is computed once. */
const singles: string[] = [];

function single(code: number): string {
  return (singles[code] ??= String.fromCharCode(code));
}

/**
 * @param maxTokenLength longest token in UTF-16 units; what is longer is cut there, as Lucene's scanner sees no further.
 */
export function standardTokenizer(name = "standard", maxTokenLength = DEFAULT_MAX_TOKEN_LENGTH): Tokenizer {
  return { name, tokenize: (text, push) => tokenize(text, maxTokenLength, push) };
}

const isHighSurrogate = (code: number) => (code & 0xfc00) === 0xd800;

/** How far Lucene's scanner, whose buffer holds one token of the greatest length, has read when it fills the buffer at a token's start. */
function filledTo(text: string, start: number, maxTokenLength: number): number {
  const end = start + maxTokenLength;
  // Half of a pair is put aside.
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

function tokenize(text: string, maxTokenLength: number, push: Push): EndState {
  const { classes, classCount, transitions, accepted } = wordBreaks();
  const length = text.length;
  let start = 0;
  // Where a text ends with half of a pair, the scanner takes the read that meets it for the end: between two tokens everything that was read
  // is lost, within a token the token ends there. Nothing else depends on when it reads.
  let read = length > 0 && isHighSurrogate(text.charCodeAt(length - 1)) ? 0 : length;
  while (start < length) {
    if (start >= read) {
      if (start + maxTokenLength > length) return { increment: 0, offset: start };
      read = filledTo(text, start, maxTokenLength);
    }
    const limit = Math.min(start + maxTokenLength, length);
    let state = 1;
    let type = 0;
    let end = start;
    let at = start;
    let first = 0;
    while (at < limit) {
      if (at >= read) {
        const last = start + maxTokenLength > length;
        read = last ? length : filledTo(text, start, maxTokenLength);
        if (last || at >= read) break;
      }
      const code = text.charCodeAt(at);
      let width = 1;
      let kind: number;
      if (isHighSurrogate(code) && at + 1 < length && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
        // A pair that does not fit is left for the next token; where none ever fits, Lucene's scanner ends.
        if (at + 1 >= limit) {
          if (at > start) break;
          return { increment: 0, offset: length };
        }
        kind = supplementaryClass(classes, 0x10000 + ((code & 0x3ff) << 10) + (text.charCodeAt(at + 1) & 0x3ff));
        width = 2;
      } else kind = classes[code];
      if (first === 0) first = width;
      state = transitions[state * classCount + kind];
      if (state === 0) break;
      at += width;
      if (accepted[state] !== 0) {
        type = accepted[state];
        end = at;
      }
    }
    if (type === 0) start += first;
    else {
      push(
        end - start === 1 ? single(text.charCodeAt(start)) : text.slice(start, end),
        start,
        end,
        1,
        1,
        TYPES[type],
        false,
      );
      start = end;
    }
  }
  return { increment: 0, offset: length };
}
