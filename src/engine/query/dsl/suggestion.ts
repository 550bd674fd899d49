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

/** Lucene's LevenshteinDistance: 1 − edits / the longer length. */
function likeness(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + cost));
    }
    row = next;
  }
  return 1 - row[b.length] / Math.max(a.length, b.length, 1);
}
