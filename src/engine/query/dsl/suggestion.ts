/** ` did you mean [match]?` behind the name of what is not known (SuggestingErrorOnUnknown). */

/** Names closer than this are named. */
const CLOSE = 0.5;

export function suggestion(name: string, known: readonly string[]): string {
  // What is far too long is like nothing, and would take long to compare.
  if (name.length > 100) return "";
  const close = known
    .map((candidate) => ({ candidate, likeness: likeness(name, candidate) }))
    .filter((item) => item.likeness > CLOSE)
    .sort((a, b) => b.likeness - a.likeness || (a.candidate < b.candidate ? -1 : 1))
    .map((item) => item.candidate);
  if (close.length === 0) return "";
  return close.length === 1 ? ` did you mean [${close[0]}]?` : ` did you mean any of [${close.join(", ")}]?`;
}

/** Lucene's LuceneLevenshteinDistance: 1 − edits (a swap of neighbours is one) / the shorter length. */
function likeness(a: string, b: string): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2][j - 2] + cost);
      rows[i].push(best);
    }
  }
  return 1 - rows[a.length][b.length] / Math.min(a.length, b.length);
}
