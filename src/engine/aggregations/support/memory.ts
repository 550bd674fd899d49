/** Memory of a request's aggregations: arrays that grow by bucket, and a limit for all of them together. */
import { EngineError } from "../../errors.ts";

/** What the aggregations of one search may take on a shard (Elasticsearch's breaker `request`). */
const LIMIT = 512 * 1024 * 1024;

export interface Memory {
  /** @throws circuit_breaking_exception */
  take(bytes: number): void;
}

export function createMemory(limit = LIMIT): Memory {
  let used = 0;
  return {
    take(bytes) {
      used += bytes;
      if (used <= limit) return;
      throw new EngineError(
        "circuit_breaking_exception",
        `[request] Data too large, data for [<agg>] would be [${used}/${megabytes(used)}mb], which is larger than the limit of ` +
          `[${limit}/${megabytes(limit)}mb]`,
        {
          status: 429,
          metadata: { bytes_wanted: used, bytes_limit: limit, durability: "TRANSIENT", phase: "shard" },
        },
      );
    },
  };
}

const megabytes = (bytes: number) => Math.floor((bytes / 1024 / 1024) * 10) / 10;

/** Numbers by bucket. `values` is another array after `ensure`: read it anew. */
export class Doubles {
  values: Float64Array;
  readonly #memory: Memory;
  readonly #initial: number;

  constructor(memory: Memory, initial = 0) {
    this.#memory = memory;
    this.#initial = initial;
    this.values = new Float64Array(8).fill(initial);
  }

  /** Makes room for a bucket. */
  ensure(bucket: number): void {
    const { length } = this.values;
    if (bucket < length) return;
    const next = new Float64Array(Math.max(bucket + 1, length * 2));
    this.#memory.take(next.byteLength);
    next.set(this.values);
    if (this.#initial !== 0) next.fill(this.#initial, length);
    this.values = next;
  }

  add(bucket: number, value: number): void {
    this.ensure(bucket);
    this.values[bucket] += value;
  }

  /** What a bucket has, the initial number where nothing was put. */
  get(bucket: number): number {
    return bucket < this.values.length ? this.values[bucket] : this.#initial;
  }
}
