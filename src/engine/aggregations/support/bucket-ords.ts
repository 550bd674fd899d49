/** Ordinals of buckets: one for each pair of a bucket around it and a key (LongKeyedBucketOrds). */
import type { Memory } from "./memory.ts";

export interface BucketOrds {
  /** The ordinal of a new pair, or −1 − the ordinal of one that was there. */
  add(owner: number, key: number): number;
  readonly size: number;
  key(ord: number): number;
  owner(ord: number): number;
  /** The buckets of an owner, in the order in which they came. */
  ordsOf(owner: number): Int32Array;
}

/** Open addressing over typed arrays; keys are told apart by their bits, so that −0 is not 0. */
export function bucketOrds(memory: Memory): BucketOrds {
  let capacity = 64;
  let size = 0;
  let keys = new Float64Array(capacity / 2);
  let bits = new Int32Array(keys.buffer);
  let owners = new Int32Array(capacity / 2);
  let table = new Int32Array(capacity).fill(-1);
  const probe = new Float64Array(1);
  const probeBits = new Int32Array(probe.buffer);
  let grouped: { readonly size: number; readonly starts: Int32Array; readonly ords: Int32Array } | undefined;

  const slotOf = (low: number, high: number, owner: number): number => {
    let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(owner, 0xc2b2ae35);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) & (capacity - 1);
  };
  const grow = () => {
    capacity *= 2;
    memory.take(capacity * 4 + capacity * 6);
    const nextKeys = new Float64Array(capacity / 2);
    nextKeys.set(keys);
    keys = nextKeys;
    bits = new Int32Array(keys.buffer);
    const nextOwners = new Int32Array(capacity / 2);
    nextOwners.set(owners);
    owners = nextOwners;
    table = new Int32Array(capacity).fill(-1);
    for (let ord = 0; ord < size; ord++) {
      let slot = slotOf(bits[2 * ord], bits[2 * ord + 1], owners[ord]);
      while (table[slot] >= 0) slot = (slot + 1) & (capacity - 1);
      table[slot] = ord;
    }
  };
  /** Ordinals sorted by owner, made when they are first asked for. */
  const group = () => {
    if (grouped?.size === size) return grouped;
    let most = -1;
    for (let ord = 0; ord < size; ord++) if (owners[ord] > most) most = owners[ord];
    const starts = new Int32Array(most + 2);
    for (let ord = 0; ord < size; ord++) starts[owners[ord] + 1]++;
    for (let owner = 0; owner <= most; owner++) starts[owner + 1] += starts[owner];
    const at = starts.slice();
    const ords = new Int32Array(size);
    for (let ord = 0; ord < size; ord++) ords[at[owners[ord]]++] = ord;
    grouped = { size, starts, ords };
    return grouped;
  };
  return {
    add(owner, key) {
      probe[0] = key;
      const low = probeBits[0];
      const high = probeBits[1];
      let slot = slotOf(low, high, owner);
      for (let ord = table[slot]; ord >= 0; ord = table[slot]) {
        if (bits[2 * ord] === low && bits[2 * ord + 1] === high && owners[ord] === owner) return -1 - ord;
        slot = (slot + 1) & (capacity - 1);
      }
      if (size === capacity / 2) {
        grow();
        slot = slotOf(low, high, owner);
        while (table[slot] >= 0) slot = (slot + 1) & (capacity - 1);
      }
      keys[size] = key;
      owners[size] = owner;
      table[slot] = size;
      return size++;
    },
    get size() {
      return size;
    },
    key: (ord) => keys[ord],
    owner: (ord) => owners[ord],
    ordsOf(owner) {
      const { starts, ords } = group();
      return owner + 1 < starts.length ? ords.subarray(starts[owner], starts[owner + 1]) : ords.subarray(0, 0);
    },
  };
}
