/** The best hits so far: by score, equal ones by document, and how many there were (Lucene's TopScoreDocCollector). */

export interface TopDocs {
  /** Documents in the order of the snapshot, best first. */
  readonly docs: Int32Array;
  /** Their scores, float32. */
  readonly scores: Float32Array;
  /** Number of hits; where relation is "gte" it is the threshold, and there are more. */
  readonly total: number;
  readonly relation: "eq" | "gte";
  /** True when the time was over before all documents had been seen. */
  readonly timedOut: boolean;
}

export interface TopLimits {
  /** Number of hits wanted. */
  readonly k: number;
  /** Hits up to this number are counted exactly; Infinity counts all. */
  readonly totalHitsThreshold: number;
  /** Only hits that come after this one, by score and document. All are counted. */
  readonly after?: { readonly score: number; readonly doc: number };
  /** Hits that score below are left out and not counted. */
  readonly minScore?: number;
}

/** A class, as its fields are read in the hot loops. */
export class TopQueue {
  readonly k: number;
  readonly minScore: number;
  /** A hit scores at least this, or is of no use: the last one's score when the queue is full. */
  worst = Number.NEGATIVE_INFINITY;
  worstDoc = 0x7fffffff;
  /** Hits counted so far. */
  hits = 0;
  /** True when there are more hits than are counted: nobody asks how many. */
  exceeded = false;

  readonly #threshold: number;
  readonly #after: TopLimits["after"];
  readonly #docs: Int32Array;
  readonly #scores: Float32Array;
  #size = 0;

  constructor({ k, totalHitsThreshold, after, minScore }: TopLimits) {
    this.k = k;
    this.#threshold = totalHitsThreshold;
    this.#after = after;
    this.minScore = minScore ?? Number.NEGATIVE_INFINITY;
    this.#docs = new Int32Array(k);
    this.#scores = new Float32Array(k);
    // Nothing is wanted but the number.
    if (k === 0) this.worst = Number.POSITIVE_INFINITY;
  }

  count(hits: number): void {
    this.hits += hits;
    if (this.hits > this.#threshold) this.exceeded = true;
  }

  /** There are at least so many hits beside those counted: perhaps that says enough. */
  expect(atLeast: number): void {
    if (this.hits + atLeast > this.#threshold) this.exceeded = true;
  }

  /** Whether hits of at most this score, none before `doc`, may be left out. */
  hopeless(bound: number, doc: number): boolean {
    return bound < this.worst || (bound === this.worst && doc > this.worstDoc);
  }

  offer(doc: number, score: number): void {
    if (score < this.worst || (score === this.worst && doc > this.worstDoc)) return;
    const after = this.#after;
    if (after !== undefined && (score > after.score || (score === after.score && doc <= after.doc))) return;
    if (this.#size < this.k) {
      this.#siftUp(this.#size++, doc, score);
    } else {
      this.#siftDown(this.#size, doc, score);
    }
    if (this.#size === this.k) {
      this.worst = this.#scores[0];
      this.worstDoc = this.#docs[0];
    }
  }

  /** Puts a hit into the heap, whose top is the last of the best. */
  #siftUp(from: number, doc: number, score: number): void {
    const docs = this.#docs;
    const scores = this.#scores;
    let i = from;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (scores[parent] < score || (scores[parent] === score && docs[parent] > doc)) break;
      scores[i] = scores[parent];
      docs[i] = docs[parent];
      i = parent;
    }
    scores[i] = score;
    docs[i] = doc;
  }

  /** Puts a hit in the place of the top. */
  #siftDown(size: number, doc: number, score: number): void {
    const docs = this.#docs;
    const scores = this.#scores;
    let i = 0;
    for (let child = 1; child < size; child = 2 * i + 1) {
      const right = child + 1;
      if (
        right < size &&
        (scores[right] < scores[child] || (scores[right] === scores[child] && docs[right] > docs[child]))
      ) {
        child = right;
      }
      if (score < scores[child] || (score === scores[child] && doc > docs[child])) break;
      scores[i] = scores[child];
      docs[i] = docs[child];
      i = child;
    }
    scores[i] = score;
    docs[i] = doc;
  }

  finish(timedOut: boolean): TopDocs {
    const size = this.#size;
    const docs = new Int32Array(size);
    const scores = new Float32Array(size);
    for (let left = size; left > 0; left--) {
      docs[left - 1] = this.#docs[0];
      scores[left - 1] = this.#scores[0];
      this.#siftDown(left - 1, this.#docs[left - 1], this.#scores[left - 1]);
    }
    return {
      docs,
      scores,
      total: this.exceeded ? Math.min(this.#threshold, Number.MAX_SAFE_INTEGER) : this.hits,
      relation: this.exceeded ? "gte" : "eq",
      timedOut,
    };
  }
}
