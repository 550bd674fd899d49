/** How alike two words are, 1 for the same: Lucene's string distances, in float32 where Lucene computes in it. */
import { codePointsOf } from "../../query/automaton/automaton.ts";

export type StringDistance = (word: string, other: string) => number;

const { fround } = Math;

/** Edits by UTF-16 units, by the longer word (LevenshteinDistance). */
export const levenshtein: StringDistance = (word, other) => {
  if (word.length === 0 || other.length === 0) return word.length === other.length ? 1 : 0;
  let previous = Array.from({ length: word.length + 1 }, (_, i) => i);
  let costs = new Array<number>(word.length + 1);
  for (let j = 1; j <= other.length; j++) {
    costs[0] = j;
    for (let i = 1; i <= word.length; i++) {
      const replaced = previous[i - 1] + (word.charCodeAt(i - 1) === other.charCodeAt(j - 1) ? 0 : 1);
      costs[i] = Math.min(costs[i - 1] + 1, previous[i] + 1, replaced);
    }
    [previous, costs] = [costs, previous];
  }
  return fround(1 - fround(previous[word.length] / Math.max(word.length, other.length)));
};

/** Edits by code points, neighbours that change places as one, by the shorter word (LuceneLevenshteinDistance). */
export const damerauLevenshtein: StringDistance = (word, other) => {
  const a = codePointsOf(word);
  const b = codePointsOf(other);
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : Math.max(a.length, b.length);
  const costs = Array.from({ length: a.length + 1 }, (_, i) => {
    const row = new Array<number>(b.length + 1).fill(0);
    row[0] = i;
    return row;
  });
  for (let j = 0; j <= b.length; j++) costs[0][j] = j;
  for (let j = 1; j <= b.length; j++) {
    for (let i = 1; i <= a.length; i++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(costs[i - 1][j] + 1, costs[i][j - 1] + 1, costs[i - 1][j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, costs[i - 2][j - 2] + cost);
      }
      costs[i][j] = best;
    }
  }
  return fround(1 - fround(costs[a.length][b.length] / Math.min(a.length, b.length)));
};

/** Similarity from which on a common beginning counts. */
const WINKLER_THRESHOLD = fround(0.7);

export const jaroWinkler: StringDistance = (word, other) => {
  const [longer, shorter] = word.length > other.length ? [word, other] : [other, word];
  const range = Math.max(Math.floor(longer.length / 2) - 1, 0);
  const taken = new Uint8Array(longer.length);
  const ofShorter: number[] = [];
  for (let i = 0; i < shorter.length; i++) {
    const unit = shorter.charCodeAt(i);
    for (let at = Math.max(i - range, 0); at < Math.min(i + range + 1, longer.length); at++) {
      if (taken[at] === 1 || unit !== longer.charCodeAt(at)) continue;
      taken[at] = 1;
      ofShorter.push(unit);
      break;
    }
  }
  const matches = ofShorter.length;
  if (matches === 0) return 0;
  const ofLonger: number[] = [];
  for (let at = 0; at < longer.length; at++) if (taken[at] === 1) ofLonger.push(longer.charCodeAt(at));
  const moved = Math.floor(ofShorter.filter((unit, i) => unit !== ofLonger[i]).length / 2);
  let prefix = 0;
  while (prefix < shorter.length && word.charCodeAt(prefix) === other.charCodeAt(prefix)) prefix++;
  const shares = fround(fround(matches / word.length) + fround(matches / other.length));
  const jaro = fround(fround(shares + fround((matches - moved) / matches)) / 3);
  if (jaro < WINKLER_THRESHOLD) return jaro;
  const weight = Math.min(fround(0.1), fround(1 / longer.length));
  return fround(jaro + fround(fround(weight * prefix) * fround(1 - jaro)));
};

/** Edits of pairs of UTF-16 units, the first of which begins with nothing (NGramDistance of size 2). */
export const bigrams: StringDistance = (word, other) => {
  if (word.length === 0 || other.length === 0) return word.length === other.length ? 1 : 0;
  if (word.length < 2 || other.length < 2) {
    const same = word.charCodeAt(0) === other.charCodeAt(0) ? 1 : 0;
    return fround(same / Math.max(word.length, other.length));
  }
  const unit = (text: string, at: number) => (at < 0 ? 0 : text.charCodeAt(at));
  let previous: ArrayLike<number> & { [i: number]: number } = Float32Array.from(
    { length: word.length + 1 },
    (_, i) => i,
  );
  let costs: typeof previous = new Float32Array(word.length + 1);
  for (let j = 1; j <= other.length; j++) {
    costs[0] = j;
    for (let i = 1; i <= word.length; i++) {
      let different = 0;
      let compared = 2;
      for (let n = 0; n < 2; n++) {
        const own = unit(word, i - 2 + n);
        if (own !== unit(other, j - 2 + n)) different++;
        else if (own === 0) compared--;
      }
      const replaced = fround(previous[i - 1] + fround(different / compared));
      costs[i] = Math.min(costs[i - 1] + 1, previous[i] + 1, replaced);
    }
    [previous, costs] = [costs, previous];
  }
  return fround(1 - fround(previous[word.length] / Math.max(word.length, other.length)));
};
