/**
 * Quantiles of numbers in bounded memory. The numbers themselves while they are few; from then on a merging t-digest (T. Dunning, O. Ertl,
 * "Computing extremely accurate quantiles using t-digests", 2019): centroids whose weights are bounded by the scale function k₂, small at both
 * ends. Sizes, the order of merges and interpolation are those of Elasticsearch, so that the same numbers in the same order give the same
 * quantiles.
 */

export interface Digest {
  /** The number of values. */
  readonly size: number;
  /** @param weight how often the value counts */
  add(value: number, weight?: number): void;
  /** Adds the values of another, as far as it still knows them. */
  merge(other: Digest): void;
  /** The value below which this share of the values lies (0 … 1); NaN when there is none. */
  quantile(share: number): number;
  /** The share of the values at most `value`; NaN when there is none. */
  cdf(value: number): number;
  centroids(): { readonly means: Float64Array; readonly weights: Float64Array };
}

/** Numbers up to which all are kept, for each unit of compression. */
const KEPT = 20;

/** Is told what arrays take. */
interface Memory {
  take(bytes: number): void;
}

/** @param compression how many centroids there may be, about; the more, the more exact (Elasticsearch's default: 100) */
export function createDigest(compression: number, memory: Memory = { take() {} }): Digest {
  const limit = KEPT * Math.round(compression);
  let digest: Digest = new SortingDigest(memory);
  const reserve = (more: number) => {
    if (!(digest instanceof SortingDigest) || digest.size + more < limit) return;
    const merging = new MergingDigest(compression, memory);
    for (const value of digest.values()) merging.add(value);
    digest = merging;
  };
  return {
    get size() {
      return digest.size;
    },
    add(value, weight = 1) {
      reserve(weight);
      digest.add(value, weight);
    },
    merge(other) {
      reserve(other.size);
      digest.merge(other);
    },
    quantile: (share) => digest.quantile(share),
    cdf: (value) => digest.cdf(value),
    centroids: () => digest.centroids(),
  };
}

/** All values, sorted when they are asked for. */
class SortingDigest implements Digest {
  readonly #memory: Memory;
  #values = new Float64Array(16);
  #sorted = true;
  size = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    memory.take(this.#values.byteLength);
  }

  add(value: number, weight = 1): void {
    for (let i = 1; i < weight; i++) this.add(value);
    if (this.size === this.#values.length) {
      const values = new Float64Array(this.size * 2);
      this.#memory.take(values.byteLength);
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[this.size++] = value;
    this.#sorted = false;
  }

  merge(other: Digest): void {
    const { means, weights } = other.centroids();
    for (let i = 0; i < means.length; i++) this.add(means[i], weights[i]);
  }

  #inOrder(): Float64Array {
    const values = this.#values.subarray(0, this.size);
    if (!this.#sorted) values.sort();
    this.#sorted = true;
    return values;
  }

  quantile(share: number): number {
    const values = this.#inOrder();
    if (values.length === 0) return Number.NaN;
    const index = share * (values.length - 1);
    const low = Math.floor(index);
    const high = Math.ceil(index);
    return low === high ? values[low] : values[low] + (index - low) * (values[high] - values[low]);
  }

  cdf(value: number): number {
    const { means, weights } = this.centroids();
    return spreadCdf(value, means, weights, this.size);
  }

  centroids() {
    const means = this.#inOrder();
    return { means, weights: new Float64Array(means.length).fill(1) };
  }

  /** In the order in which they came, unless they were sorted since. */
  values(): Float64Array {
    return this.#values.subarray(0, this.size);
  }
}

class MergingDigest implements Digest {
  readonly #compression: number;
  /** While values come in, more centroids are kept than are asked for: fewer errors add up. */
  readonly #working: number;
  #means: Float64Array;
  #weights: Float64Array;
  #count = 0;
  #total = 0;
  /** Values that came since the last merge; with room for the centroids behind them. */
  readonly #newMeans: Float64Array;
  readonly #newWeights: Float64Array;
  #newCount = 0;
  #newTotal = 0;
  #merges = 0;
  #compressed = false;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  constructor(compression: number, memory: Memory) {
    this.#compression = Math.max(10, compression);
    const fudge = 10;
    const size = Math.trunc(this.#compression + fudge);
    const buffer = 5 * size;
    this.#working = Math.sqrt(Math.max(1, Math.trunc(buffer / size) - 1)) * this.#compression;
    const most = Math.max(size, Math.ceil(this.#working + fudge));
    this.#means = new Float64Array(most);
    this.#weights = new Float64Array(most);
    this.#newMeans = new Float64Array(Math.max(buffer, 2 * most));
    this.#newWeights = new Float64Array(this.#newMeans.length);
    memory.take(2 * (this.#means.byteLength + this.#newMeans.byteLength));
  }

  get size(): number {
    return this.#total + this.#newTotal;
  }

  add(value: number, weight = 1): void {
    if (this.#newCount >= this.#newMeans.length - this.#count - 1) this.#mergeNew(this.#working);
    this.#newMeans[this.#newCount] = value;
    this.#newWeights[this.#newCount++] = weight;
    this.#newTotal += weight;
    this.#compressed = false;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
  }

  merge(other: Digest): void {
    const { means, weights } = other.centroids();
    for (let i = 0; i < means.length; i++) this.add(means[i], weights[i]);
  }

  centroids() {
    this.#compress();
    return { means: this.#means.subarray(0, this.#count), weights: this.#weights.subarray(0, this.#count) };
  }

  #compress(): void {
    if (!this.#compressed && this.size > 0) this.#mergeNew(this.#compression);
    this.#compressed = true;
  }

  /** Every other time from the end, so that errors do not lean to one side. */
  #mergeNew(compression: number): void {
    const backwards = this.#merges++ % 2 === 1;
    const means = this.#newMeans;
    const weights = this.#newWeights;
    for (let i = 0; i < this.#count; i++) {
      means[this.#newCount + i] = this.#means[i];
      weights[this.#newCount + i] = this.#weights[i];
    }
    const incoming = this.#newCount + this.#count;
    const order = Array.from({ length: incoming }, (_, i) => i).sort((a, b) => means[a] - means[b] || a - b);
    if (backwards) order.reverse();
    const total = this.#total + this.#newTotal;
    const normalizer = compression / (4 * Math.log(total / compression) + 24);
    /** The largest weight of a centroid at a quantile, as a share of all. */
    const limit = (share: number) => (share * (1 - share)) / normalizer;
    let last = 0;
    this.#means[0] = means[order[0]];
    this.#weights[0] = weights[order[0]];
    let before = 0;
    for (let i = 1; i < incoming; i++) {
      const mean = means[order[i]];
      const weight = weights[order[i]];
      const proposed = this.#weights[last] + weight;
      const most = total * Math.min(limit(before / total), limit((before + proposed) / total));
      // The first and the last stand alone: the ends are exact.
      if (i > 1 && i < incoming - 1 && proposed <= most) {
        this.#weights[last] = proposed;
        this.#means[last] += ((mean - this.#means[last]) * weight) / proposed;
      } else {
        before += this.#weights[last];
        last++;
        this.#grow(last);
        this.#means[last] = mean;
        this.#weights[last] = weight;
      }
    }
    this.#count = last + 1;
    if (backwards) {
      this.#means.subarray(0, this.#count).reverse();
      this.#weights.subarray(0, this.#count).reverse();
    }
    this.#total = total;
    this.#newCount = 0;
    this.#newTotal = 0;
  }

  #grow(needed: number): void {
    if (needed < this.#means.length) return;
    const [means, weights] = [new Float64Array(needed * 2), new Float64Array(needed * 2)];
    means.set(this.#means);
    weights.set(this.#weights);
    this.#means = means;
    this.#weights = weights;
  }

  quantile(share: number): number {
    this.#compress();
    const means = this.#means;
    const weights = this.#weights;
    const last = this.#count - 1;
    const total = this.#total;
    if (last < 0) return Number.NaN;
    if (last === 0) return means[0];
    const index = share * total;
    if (index <= weights[0] / 2) return this.#min;
    if (total - index <= weights[last] / 2) return this.#max;
    let before = weights[0] / 2;
    for (let i = 0; i < last; i++) {
      const step = (weights[i] + weights[i + 1]) / 2;
      if (before + step > index) {
        const [left, right] = [before + step - index, index - before];
        const value = (means[i] * left + means[i + 1] * right) / (left + right);
        return Math.max(means[i], Math.min(value, means[i + 1]));
      }
      before += step;
    }
    return this.#max;
  }

  cdf(value: number): number {
    const { means, weights } = this.centroids();
    return spreadCdf(value, means, weights, this.#total);
  }
}

/** Each centroid is spread evenly over half the way to its neighbours, the last as far to the right as to the left. */
function spreadCdf(value: number, means: Float64Array, weights: Float64Array, total: number): number {
  const last = means.length - 1;
  if (last < 0) return Number.NaN;
  if (value < means[0]) return 0;
  if (value > means[last]) return 1;
  if (value === means[0] || value === means[last]) {
    let same = 0;
    for (let i = 0; i <= last; i++) if (means[i] === value) same += weights[i];
    return value === means[0] ? same / 2 / total : (total - same / 2) / total;
  }
  let before = 0;
  let left = (means[1] - means[0]) / 2;
  for (let i = 0; i <= last; i++) {
    const right = i < last ? (means[i + 1] - means[i]) / 2 : left;
    if (value < means[i] + right) {
      return Math.max(0, (before + (weights[i] * (value - means[i] + left)) / (left + right)) / total);
    }
    before += weights[i];
    left = right;
  }
  return 1;
}
