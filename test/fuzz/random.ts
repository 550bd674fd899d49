/** Random choices that a seed determines. */

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

/** mulberry32. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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
