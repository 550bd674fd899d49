/**
 * Sentences as Python's LlamaIndex cuts them by default: NLTK's Punkt (Kiss and Strunk, "Unsupervised Multilingual Sentence Boundary
 * Detection", 2006) in the state in which LlamaIndex runs it, which has learned no abbreviations: `Mr.` ends a sentence there. For whoever
 * wants the same passages; `sentenceTexts` knows abbreviations, and Chinese.
 */

/** A mark that may end a sentence, and what follows: another mark, or white space and a word. */
const POSSIBLE_END = /[.?!](?=([)";}\]*:@'({[!?]|\s+(\S+)))/gu;
/** Closing marks that belong to the sentence before. */
const CLOSING = /^["')\]}]+?(?:\s+|(?=--)|$)/u;
/** Words and marks: dashes and dots in a row, words up to a mark, single characters. */
const TOKENS =
  /-{2,}|\.{2,}|(?:\.\s){2,}\.|(?=[^("`{[:;&#*@)}\]\-,])\S+?(?=\s|$|[)";}\]*:@'({[!?]|-{2,}|\.{2,}|,(?=$|\s|[)";}\]*:@'({[!?]|-{2,}|\.{2,}))|\S/gu;
const NUMBER = /^-?[.,]?\d[\d,.-]*$/u;
const INITIAL = /^\p{L}\.$/u;
/** Closing marks are looked for this far. */
const CLOSING_REACH = 64;

interface Candidate {
  wordStart: number;
  at: number;
  after: string;
  next: string | undefined;
}

/** The sentences of a text, white space behind each included: together they are the text. */
export function englishSentenceTexts(text: string): string[] {
  const starts = [0];
  for (const { wordStart, at, after, next } of candidates(text)) {
    if (!endsSentence(text.slice(wordStart, at + 1) + after)) continue;
    const start = next === undefined ? at + 1 : skipSpace(text, at + 1);
    const closing = CLOSING.exec(text.slice(start, start + CLOSING_REACH));
    const first = start + (closing ? closing[0].length : 0);
    if (first > starts[starts.length - 1]! && first < text.length) starts.push(first);
  }
  return starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length)).filter((part) => part !== "");
}

/** The last possible end of each run without white space. */
function* candidates(text: string): Generator<Candidate> {
  let last: Candidate | undefined;
  for (const match of text.matchAll(POSSIBLE_END)) {
    const space = lastSpace(text, last?.at ?? 0, match.index);
    const found: Candidate = {
      wordStart: space === undefined ? (last?.wordStart ?? 0) : space + 1,
      at: match.index,
      after: match[1]!,
      next: match[2],
    };
    if (last && last.at <= found.wordStart) yield last;
    last = found;
  }
  if (last) yield last;
}

function lastSpace(text: string, from: number, to: number): number | undefined {
  for (let i = to - 1; i > from; i--) if (/\s/.test(text[i]!)) return i;
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let i = from;
  while (i < text.length && /\s/.test(text[i]!)) i++;
  return i;
}

/** Whether a token other than the last ends a sentence. */
function endsSentence(context: string): boolean {
  const tokens = context.match(TOKENS) ?? [];
  return tokens.some((token, i) => i + 1 < tokens.length && tokenEndsSentence(token, tokens[i + 1]!));
}

/** Not dots in a row, an initial before a letter, or a number before a small letter. */
function tokenEndsSentence(token: string, next: string): boolean {
  if (token === "?" || token === "!") return true;
  if (!token.endsWith(".") || token.endsWith("..")) return false;
  const mark = /^[;:,.!?]$/.test(next);
  if (INITIAL.test(token)) return !mark && !/^[\p{Lu}\p{Ll}]/u.test(next);
  if (NUMBER.test(token) && token !== ".") return !mark && !/^\p{Ll}/u.test(next);
  return true;
}
