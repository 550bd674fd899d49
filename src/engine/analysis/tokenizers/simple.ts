/** Tokenizers that look at one character at a time. */
import type { Push, Tokenizer } from "../chain.ts";

/** Longest token of the character tokenizers, in UTF-16 units; longer ones are cut there. */
const MAX_CHARS = 255;

const LETTER = /\p{L}/u;
/** Java's Character.isWhitespace: space separators other than no-break ones, and the controls below. */
const WHITESPACE = /[\t-\r\x1c-\x1f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

const letterTable = new Uint8Array(0x10000);
/** 0 not yet asked, 1 no, 2 yes. */
function isLetter(codePoint: number): boolean {
  if (codePoint > 0xffff) return LETTER.test(String.fromCodePoint(codePoint));
  const known = letterTable[codePoint];
  if (known !== 0) return known === 2;
  const letter = LETTER.test(String.fromCharCode(codePoint));
  letterTable[codePoint] = letter ? 2 : 1;
  return letter;
}

function isToken(codePoint: number): boolean {
  if (codePoint < 0x80)
    return !(codePoint === 32 || (codePoint >= 9 && codePoint <= 13) || (codePoint >= 28 && codePoint <= 31));
  return codePoint > 0x3000 || !WHITESPACE.test(String.fromCharCode(codePoint));
}

function charTokenizer(name: string, accepts: (codePoint: number) => boolean, maxLength: number): Tokenizer {
  return {
    name,
    tokenize(text: string, push: Push) {
      const length = text.length;
      let start = -1;
      for (let i = 0; i < length; ) {
        const c = text.codePointAt(i) as number;
        const width = c > 0xffff ? 2 : 1;
        if (accepts(c)) {
          if (start < 0) start = i;
          // Cut as soon as the limit is reached, by the character that reaches it.
          if (i + width - start >= maxLength) {
            push(text.slice(start, i + width), start, i + width, 1, 1, "word", false);
            start = -1;
          }
        } else if (start >= 0) {
          push(text.slice(start, i), start, i, 1, 1, "word", false);
          start = -1;
        }
        i += width;
      }
      if (start >= 0) push(text.slice(start), start, length, 1, 1, "word", false);
      return { increment: 0, offset: text.length };
    },
  };
}

/** Runs of letters. */
export const letterTokenizer = (name = "letter"): Tokenizer => charTokenizer(name, isLetter, MAX_CHARS);

/** What stands between white space. */
export const whitespaceTokenizer = (name = "whitespace", maxTokenLength = MAX_CHARS): Tokenizer =>
  charTokenizer(name, isToken, maxTokenLength);

/** The whole text as one token. */
export function keywordTokenizer(name = "keyword"): Tokenizer {
  return {
    name,
    tokenize(text, push) {
      push(text, 0, text.length, 1, 1, "word", false);
      return { increment: 0, offset: text.length };
    },
  };
}

/** Wraps a tokenizer so that its terms go through a function: the `lowercase` tokenizer. */
export function mappedTokenizer(name: string, tokenizer: Tokenizer, map: (term: string) => string): Tokenizer {
  return {
    name,
    tokenize: (text, push) =>
      tokenizer.tokenize(text, (term, start, end, increment, length, type, keyword) =>
        push(map(term), start, end, increment, length, type, keyword),
      ),
  };
}
