/** Where fragments may begin and end near the places that were computed (Lucene's SimpleBoundaryScanner and BreakIteratorBoundaryScanner). */
import type { BreakIterator } from "../breaks/break-iterator.ts";
import { sentenceBreaks, wordBreaks } from "../breaks/passages.ts";
import type { HighlightOptions } from "../options.ts";

export interface BoundaryScanner {
  start(text: string, place: number): number;
  end(text: string, place: number): number;
}

export function boundaryScanner(options: HighlightOptions): BoundaryScanner {
  const { boundaryScanner: type = "chars", boundaryChars, boundaryMaxScan } = options;
  if (type === "sentence") return breakScanner(sentenceBreaks());
  return type === "word" ? breakScanner(wordBreaks()) : charScanner(new Set(boundaryChars), boundaryMaxScan);
}

/** Next to one of some characters, not further away than `most`. */
function charScanner(chars: ReadonlySet<string>, most: number): BoundaryScanner {
  return {
    start(text, place) {
      if (place > text.length || place < 1) return place;
      let at = place;
      for (let left = most; at > 0 && left > 0; left--, at--) if (chars.has(text[at - 1])) return at;
      return at === 0 ? 0 : place;
    },
    end(text, place) {
      if (place > text.length || place < 0) return place;
      for (let at = place; at < text.length && at < place + most; at++) if (chars.has(text[at])) return at;
      return place;
    },
  };
}

/** The text before the place, or behind it, is cut by itself. */
function breakScanner(breaks: BreakIterator): BoundaryScanner {
  return {
    start(text, place) {
      if (place > text.length || place < 1) return place;
      breaks.setText(text.slice(0, place));
      return breaks.preceding(place);
    },
    end(text, place) {
      if (place > text.length || place < 0) return place;
      breaks.setText(text.slice(place));
      return breaks.following(0) + place;
    },
  };
}
