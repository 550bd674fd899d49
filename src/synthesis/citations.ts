/** Citations in a text: `[1]`, `[2][3]`, `[1, 4]`, full-width brackets too. */
import { sentences } from "../ingest/sentences.ts";
import type { CitationReport } from "../schema/index.ts";

const MARK = /[[［【]\s*(?:(?:source|来源|资料)\s*)?(\d{1,4}(?:\s*[,，、]\s*\d{1,4})*)\s*[\]］】]/giu;
const LEADING = /^(?:\s*[[［【]\s*(?:(?:source|来源|资料)\s*)?\d{1,4}(?:\s*[,，、]\s*\d{1,4})*\s*[\]］】])+/iu;

/** Which sources a text cites, which numbers in it no source has, and which of its sentences have none. */
export function checkCitations(text: string, sourceCount: number): CitationReport {
  const numbers = new Set<number>();
  for (const [, list] of text.matchAll(MARK)) {
    for (const part of list!.split(/[,，、]/)) numbers.add(Number(part));
  }
  const all = [...numbers].sort((a, b) => a - b);
  const cited = all.filter((n) => n >= 1 && n <= sourceCount);
  return { cited, unknownCitations: all.filter((n) => n < 1 || n > sourceCount), uncitedSentences: uncited(text) };
}

function uncited(text: string): string[] {
  const parts: { text: string; cited: boolean }[] = [];
  for (const { start, end } of sentences(text)) {
    let part = text.slice(start, end);
    const leading = LEADING.exec(part);
    // A mark behind the full stop belongs to the sentence before it.
    if (leading && parts.length > 0) {
      parts[parts.length - 1]!.cited = true;
      part = part.slice(leading[0].length);
    }
    if (/[\p{L}\p{N}]/u.test(part.replace(MARK, ""))) parts.push({ text: part.trim(), cited: part.search(MARK) >= 0 });
  }
  return parts.filter((part) => !part.cited).map((part) => part.text);
}
