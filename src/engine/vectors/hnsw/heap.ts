/** Heaps of vectors by likeness: ordinals with scores in typed arrays. */

/** The greatest first, or the least. Among equal scores the lower ordinal is the better one, as Lucene's NeighborQueue has it. */
export class ScoreHeap {
  size = 0;
  // The greatest key is on top, of equal ones the least rank: with the least score first, both are negative.
  private ranks: Int32Array;
  private keys: Float64Array;
  private readonly sign: 1 | -1;

  constructor(order: "best first" | "worst first", capacity = 16) {
    this.sign = order === "best first" ? 1 : -1;
    this.ranks = new Int32Array(capacity);
    this.keys = new Float64Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  topOrd(): number {
    return this.sign * this.ranks[0];
  }

  topScore(): number {
    return this.sign * this.keys[0];
  }

  push(ord: number, score: number): void {
    if (this.size === this.ranks.length) this.grow();
    const { ranks, keys, sign } = this;
    const key = sign * score;
    const rank = sign * ord;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = keys[parent];
      if (other > key || (other === key && ranks[parent] < rank)) break;
      ranks[at] = ranks[parent];
      keys[at] = other;
      at = parent;
    }
    ranks[at] = rank;
    keys[at] = key;
  }

  pop(): void {
    const last = --this.size;
    if (last > 0) this.sink(this.ranks[last], this.keys[last]);
  }

  replaceTop(ord: number, score: number): void {
    this.sink(this.sign * ord, this.sign * score);
  }

  /** Puts one in the place of the top, and down from there. */
  private sink(rank: number, key: number): void {
    const { ranks, keys, size } = this;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      let childKey = keys[child];
      const next = child + 1;
      if (next < size) {
        const nextKey = keys[next];
        if (nextKey > childKey || (nextKey === childKey && ranks[next] < ranks[child])) {
          child = next;
          childKey = nextKey;
        }
      }
      if (key > childKey || (key === childKey && rank < ranks[child])) break;
      ranks[at] = ranks[child];
      keys[at] = childKey;
      at = child;
    }
    ranks[at] = rank;
    keys[at] = key;
  }

  private grow(): void {
    const ranks = new Int32Array(this.ranks.length * 2);
    const keys = new Float64Array(ranks.length);
    ranks.set(this.ranks);
    keys.set(this.keys);
    this.ranks = ranks;
    this.keys = keys;
  }
}
