/** Pieces of terms. All pieces of a term stand at its position, with its offsets. */
import { illegalArgument } from "../../errors.ts";
import type { TokenFilter } from "../chain.ts";
import type { GramSizes } from "../tokenizers/ngram.ts";

export interface GramOptions extends GramSizes {
  /** Keeps terms that are shorter than `min` or longer than `max` as they are, too. */
  preserveOriginal: boolean;
  /** Only the pieces at the start, or at the end. */
  edge?: "front" | "back";
}

export function gramFilter(name: string, { min, max, preserveOriginal, edge }: GramOptions): TokenFilter {
  return {
    name,
    severalTokens: true,
    create({ push, end }) {
      let pending = 0;
      return {
        push(term, start, stop, increment, length, type, keyword) {
          pending += increment;
          const emit = (piece: string) => {
            push(piece, start, stop, pending, length, type, keyword);
            pending = 0;
          };
          // Where each code point begins, and the end.
          const offsets = [0];
          for (const char of term) offsets.push(offsets[offsets.length - 1] + char.length);
          const count = offsets.length - 1;
          if (count < min) {
            if (preserveOriginal) emit(term);
            return;
          }
          const piece = (from: number, to: number) => emit(term.slice(offsets[from], offsets[to]));
          if (edge === "back") for (let size = min; size <= max && size <= count; size++) piece(count - size, count);
          else {
            for (let from = 0; from + min <= count; from++) {
              for (let size = min; size <= max && from + size <= count; size++) piece(from, from + size);
              if (edge === "front") break;
            }
          }
          if (preserveOriginal && count > max) emit(term);
        },
        // As in Lucene, only terms without pieces leave a gap at the end, not what was dropped before this filter.
        end: (_increment, offset) => end(pending, offset),
      };
    },
  };
}

export interface ShingleOptions {
  min: number;
  max: number;
  outputUnigrams: boolean;
  outputUnigramsIfNoShingles: boolean;
  separator: string;
  /** Stands for dropped tokens. */
  filler: string;
}

export function checkShingles(min: number, max: number, outputUnigrams: boolean, maxDiff: number): void {
  if (max < 2) throw illegalArgument("Max shingle size must be >= 2");
  if (min < 2) throw illegalArgument("Min shingle size must be >= 2");
  if (min > max) throw illegalArgument("Min shingle size must be <= max shingle size");
  const diff = max - min + (outputUnigrams ? 1 : 0);
  if (diff > maxDiff) {
    throw illegalArgument(
      "In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less than " +
        `or equal to: [${maxDiff}] but was [${diff}]. This limit can be set by changing the [index.max_shingle_diff] index level setting.`,
    );
  }
}

interface Word {
  term: string;
  start: number;
  end: number;
  type: string;
  keyword: boolean;
  /** In the place of a dropped token. */
  filler: boolean;
}

/** Neighbouring terms joined: word n-grams, each at the position of its first word. */
export function shingleFilter(name: string, options: ShingleOptions): TokenFilter {
  const { min, max, outputUnigrams, outputUnigramsIfNoShingles, separator, filler } = options;
  return {
    name,
    severalTokens: true,
    shingles: { min, max, outputUnigrams },
    create({ push, end }) {
      const words: Word[] = [];
      let real = 0;
      // No shingle reaches over more fillers than these.
      const fill = (count: number, at: number) => {
        for (let i = 0; i < Math.min(count, max - 1); i++) {
          words.push({ term: filler, start: at, end: at, type: "word", keyword: false, filler: true });
        }
      };
      return {
        push(term, start, stop, increment, _length, type, keyword) {
          fill(increment - 1, start);
          words.push({ term, start, end: stop, type, keyword, filler: false });
          real++;
        },
        end(increment, offset) {
          if (real > 0) fill(increment, offset);
          const unigrams = outputUnigrams || (outputUnigramsIfNoShingles && words.length < min && !words[0]?.filler);
          for (let from = 0; from < words.length; from++) {
            const first = words[from];
            let position = 1;
            if (unigrams && !first.filler) {
              push(first.term, first.start, first.end, position, 1, first.type, first.keyword);
              position = 0;
            }
            const head = words.slice(from, from + min - 1);
            let shingle = head.map(({ term }) => term).join(separator);
            let allFiller = head.every(({ filler }) => filler);
            for (let size = min; size <= max && from + size <= words.length; size++) {
              const last = words[from + size - 1];
              shingle += separator + last.term;
              allFiller &&= last.filler;
              if (allFiller) continue;
              push(
                shingle,
                first.start,
                last.end,
                position,
                outputUnigrams ? size : size - min + 1,
                "shingle",
                first.keyword,
              );
              position = 0;
            }
          }
          return end(increment, offset);
        },
      };
    },
  };
}
