/** Where lists of passages differ. */

interface Ranked {
  id: string;
  rank: number;
}

/** Places that a passage has risen against another list; negative where it fell. */
export function movement(hit: Ranked, against: readonly Ranked[]): number | "new" {
  const before = against.find(({ id }) => id === hit.id);
  return before ? before.rank - hit.rank : "new";
}

/** The passages that two lists share, with their rank in each. */
export function paths(from: readonly Ranked[], to: readonly Ranked[]): { id: string; left: number; right: number }[] {
  const right = new Map(to.map(({ id, rank }) => [id, rank]));
  return from.flatMap(({ id, rank }) => (right.has(id) ? [{ id, left: rank, right: right.get(id)! }] : []));
}
