/** A text in the making, with the way back from its offsets to those of the text it is made from (Lucene's BaseCharFilter). */
import type { FilteredText } from "../chain.ts";

export interface Edits {
  /** Takes over characters as they are. */
  copy(text: string): void;
  /** Puts a replacement in the place of so many characters. */
  replace(length: number, replacement: string): void;
  done(): FilteredText;
}

export function createEdits(): Edits {
  const parts: string[] = [];
  /** From these output offsets on, input = output + difference. */
  const offsets: number[] = [];
  const differences: number[] = [];
  let output = 0;
  let difference = 0;
  const mark = (offset: number, value: number) => {
    difference = value;
    if (offsets.length > 0 && offsets[offsets.length - 1] === offset) differences[differences.length - 1] = value;
    else {
      offsets.push(offset);
      differences.push(value);
    }
  };
  const correct = (offset: number): number => {
    let low = 0;
    let high = offsets.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (offsets[middle] <= offset) low = middle + 1;
      else high = middle - 1;
    }
    return high < 0 ? offset : offset + differences[high];
  };
  return {
    copy(text) {
      parts.push(text);
      output += text.length;
    },
    replace(length, replacement) {
      const size = replacement.length;
      if (size < length) mark(output + size, difference + length - size);
      // What is longer than its origin points, character by character, to the end of it.
      else for (let i = length; i < size; i++) mark(output + i, difference - 1);
      parts.push(replacement);
      output += size;
    },
    done: () => ({ text: parts.join(""), correct }),
  };
}
