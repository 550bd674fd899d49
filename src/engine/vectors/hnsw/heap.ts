/** Heaps of vectors by likeness: ordinals with scores in typed arrays. */

/** The greatest first, or the least. Among equal scores the lower ordinal is the better one, as Lucene's NeighborQueue has it. */
export class ScoreHeap {
  ords: Int32Array;
  scores: Float64Array;
  size = 0;
  readonly #sign: 1 | -1;

  constructor(order: "best first" | "worst first", capacity = 16) {
    this.#sign = order === "best first" ? 1 : -1;
    this.ords = new Int32Array(capacity);
    this.scores = new Float64Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  topOrd(): number {
    return this.ords[0];
  }

  topScore(): number {
    return this.scores[0];
  }

  push(ord: number, score: number): void {
    if (this.size === this.ords.length) this.#grow();
    this.#up(this.size++, ord, score);
  }

  pop(): void {
    this.size--;
    if (this.size > 0) this.#down(this.ords[this.size], this.scores[this.size]);
  }

  replaceTop(ord: number, score: number): void {
    this.#down(ord, score);
  }

  #before(ord: number, score: number, at: number): boolean {
    const other = this.scores[at];
    if (score !== other) return this.#sign * (score - other) > 0;
    return this.#sign * (ord - this.ords[at]) < 0;
  }

  #up(from: number, ord: number, score: number): void {
    const { ords, scores } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(ord, score, parent)) break;
      ords[at] = ords[parent];
      scores[at] = scores[parent];
      at = parent;
    }
    ords[at] = ord;
    scores[at] = score;
  }

  #down(ord: number, score: number): void {
    const { ords, scores, size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#before(ords[child + 1], scores[child + 1], child)) child++;
      if (this.#before(ord, score, child)) break;
      ords[at] = ords[child];
      scores[at] = scores[child];
      at = child;
    }
    ords[at] = ord;
    scores[at] = score;
  }

  #grow(): void {
    const ords = new Int32Array(this.ords.length * 2);
    const scores = new Float64Array(ords.length);
    ords.set(this.ords);
    scores.set(this.scores);
    this.ords = ords;
    this.scores = scores;
  }
}
