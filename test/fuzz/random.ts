/** Random choices that a seed determines. */
import { seededRandom } from "../random.ts";

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Up to `most` different items. */
  some<T>(items: readonly T[], least: number, most: number): T[];
}

export function seeded(seed: number): Random {
  const next = seededRandom(seed);
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    int,
    oneIn: (n) => next() * n < 1,
    pick: (items) => items[int(0, items.length - 1)],
    some(items, least, most) {
      const left = [...items];
      const chosen = [];
      for (let count = Math.min(int(least, most), left.length); count > 0; count--)
        chosen.push(...left.splice(int(0, left.length - 1), 1));
      return chosen;
    },
  };
}
