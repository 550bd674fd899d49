/**
 * Sorting many keys in slices: radix sorts over digits of 16 bits, whose every pass takes a few milliseconds for a hundred thousand keys
 * and leaves room for other work behind it. A comparison sort of the same keys takes several times as long, in one piece.
 */
import type { Slices } from "../slices.ts";
import { compareBytes } from "./bytes.ts";

const DIGITS = 0x10000;
/** Fewer keys are compared: a pass goes through all digits. */
const FEW = 4096;
/** Bytes of a string that one round of passes looks at. */
const HEAD = 6;

export interface Room {
  readonly from: Uint32Array;
  readonly digits: Uint16Array;
}

const roomFor = (count: number): Room => ({ from: new Uint32Array(count), digits: new Uint16Array(count) });

/**
 * Brings `order` into ascending order of the keys' digits; equal keys stay as they are.
 *
 * @param digitOf the digit of a key, 0 the last one
 */
export async function sortByDigits(
  order: Uint32Array,
  count: number,
  digitOf: (key: number, digit: number) => number,
  slices: Slices | undefined,
  room: Room = roomFor(order.length),
): Promise<void> {
  for (let digit = 0; digit < count; digit++) {
    passOver(order, digit, digitOf, room);
    if (slices?.due()) await slices.pause();
  }
}

function passOver(
  order: Uint32Array,
  digit: number,
  digitOf: (key: number, digit: number) => number,
  { from, digits }: Room,
): void {
  const size = order.length;
  const next = new Uint32Array(DIGITS);
  for (let i = 0; i < size; i++) {
    const value = digitOf(order[i], digit);
    digits[i] = value;
    next[value]++;
  }
  if (size === 0 || next[digits[0]] === size) return;
  let sum = 0;
  for (let value = 0; value < DIGITS; value++) {
    const here = next[value];
    next[value] = sum;
    sum += here;
  }
  from.set(order);
  for (let i = 0; i < size; i++) order[next[digits[i]]++] = from[i];
}

/** The numbers of strings in the order of their bytes. String `id` lies in `blob` from `starts[id]` to `starts[id + 1]`. */
export async function sortByBytes(
  blob: Uint8Array,
  starts: Uint32Array,
  count: number,
  slices?: Slices,
): Promise<Uint32Array> {
  const order = new Uint32Array(count);
  for (let id = 0; id < count; id++) order[id] = id;
  const room = roomFor(count);
  const compare = (a: number, b: number) =>
    compareBytes(blob, starts[a], starts[a + 1], blob, starts[b], starts[b + 1]);
  /** Runs that agree in their first bytes, and in how many. */
  const runs = [{ from: 0, to: count, depth: 0 }];
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const { from, to, depth } = run;
    const part = order.subarray(from, to);
    if (part.length <= FEW) {
      sortFew(part, blob, starts, depth, compare);
      if (slices?.due()) await slices.pause();
      continue;
    }
    // Bytes behind a string's end count as 0: what only differs in such bytes is a short run, and compared.
    const byteAt = (id: number, k: number) => (starts[id] + k < starts[id + 1] ? blob[starts[id] + k] : 0);
    const digitOf = (id: number, digit: number) => {
      const k = depth + HEAD - 2 - 2 * digit;
      return (byteAt(id, k) << 8) | byteAt(id, k + 1);
    };
    await sortByDigits(part, HEAD / 2, digitOf, slices, room);
    const same = (a: number, b: number) => {
      for (let k = depth; k < depth + HEAD; k++) if (byteAt(a, k) !== byteAt(b, k)) return false;
      return true;
    };
    let asked = 0;
    for (let i = 0; i < part.length; ) {
      let end = i + 1;
      while (end < part.length && same(part[i], part[end])) end++;
      if (end - i > FEW) runs.push({ from: from + i, to: from + end, depth: depth + HEAD });
      else if (end - i > 1) sortFew(part.subarray(i, end), blob, starts, depth + HEAD, compare);
      i = end;
      if (i - asked < 512) continue;
      asked = i;
      if (slices?.due()) await slices.pause();
    }
  }
  return order;
}

/** Compares; six bytes of each string as one number decide most comparisons. */
function sortFew(
  part: Uint32Array,
  blob: Uint8Array,
  starts: Uint32Array,
  depth: number,
  compare: (a: number, b: number) => number,
): void {
  if (part.length === 2) {
    if (compare(part[0], part[1]) > 0) part.reverse();
    return;
  }
  const ids = part.slice();
  const heads = new Float64Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    const end = starts[ids[i] + 1];
    const from = starts[ids[i]] + depth;
    let head = 0;
    for (let k = 0; k < HEAD; k++) head = head * 256 + (from + k < end ? blob[from + k] : 0);
    heads[i] = head;
  }
  const places = Uint32Array.from(ids.keys());
  places.sort((a, b) => heads[a] - heads[b] || compare(ids[a], ids[b]));
  for (let i = 0; i < ids.length; i++) part[i] = ids[places[i]];
}
