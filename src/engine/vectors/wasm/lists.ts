/**
 * A vector compared with several, with SIMD. Of bytes four at once: each part of the vector is widened once for all of them. Floats one after
 * the other: what lies in a row is fetched ahead only so.
 * `(query, list, count, base, stride, n, out)`: the vectors begin at `base + list[i] * stride`; `count` is a multiple of 4, and `n` of 16.
 */
import {
  add,
  addFloats,
  addInts,
  dotShorts,
  floatLane,
  get,
  I32,
  i32,
  intLane,
  loadInt,
  loadShorts,
  loadVector,
  multiply,
  multiplyFloats,
  set,
  storeFloat,
  storeInt,
  subtractFloats,
  subtractShorts,
  unsigned,
  V128,
  vector,
} from "./instructions.ts";

const [QUERY, LIST, COUNT, BASE, STRIDE, N, OUT] = [0, 1, 2, 3, 4, 5, 6];
// Locals: the ends of the list and of the query, the place in the query, four vectors; then registers: two parts, a difference, four sums.
const [LIST_END, END, A, B] = [7, 8, 9, 10];
const [PART, DIFFERENCE, SUMS] = [14, 16, 17];

const move = (local: number, by: number) => [...get(local), ...i32(by), ...add, ...set(local)];

/** `while (local < end) body` */
const until = (local: number, end: number, body: readonly number[]) => [
  ...[0x02, 0x40, 0x03, 0x40],
  ...[...get(local), ...get(end), 0x4f, 0x0d, 1],
  ...body,
  ...[0x0c, 0, 0x0b, 0x0b],
];

const times = <T>(count: number, part: (at: number) => T[]): T[] =>
  Array.from({ length: count }, (_, at) => part(at)).flat();

interface Kind {
  /** Vectors at once. */
  readonly wide: number;
  /** Sums of each. */
  readonly sums: number;
  /** Bytes of a component. */
  readonly width: number;
  /** What is done with sixteen components. */
  readonly step: readonly number[];
  /** Puts the sums of a vector together and leaves them on the stack. */
  readonly join: (at: number) => number[];
  readonly store: (offset: number) => number[];
}

function loop({ wide, sums, width, step, join, store }: Kind): number[] {
  const zero = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
  const group = [
    ...times(wide, (at) => [
      ...[...get(LIST), ...loadInt(at * 4), ...get(STRIDE), ...multiply, ...get(BASE), ...add],
      ...set(B + at),
    ]),
    ...times(wide * sums, (at) => [...zero, ...set(SUMS + at)]),
    ...[...get(QUERY), ...set(A)],
    ...until(A, END, [...step, ...times(wide, (at) => move(B + at, 16 * width)), ...move(A, 16 * width)]),
    ...times(wide, (at) => [...get(OUT), ...join(SUMS + at * sums), ...store(at * 4)]),
    ...move(LIST, wide * 4),
    ...move(OUT, wide * 4),
  ];
  return [
    ...[...get(LIST), ...get(COUNT), ...i32(4), ...multiply, ...add, ...set(LIST_END)],
    ...touch(width),
    ...[...get(QUERY), ...get(N), ...i32(width), ...multiply, ...add, ...set(END)],
    ...until(LIST, LIST_END, group),
    0x0b,
  ];
}

/** So many vectors are brought near before the first is compared. */
const TOUCHED = 64;

/**
 * Reads a byte of each line of the cache that the vectors of a short list lie in. The processor fetches these at once, where comparing would
 * wait for one after the other: vectors of a walk lie anywhere.
 */
function touch(width: number): number[] {
  const [vectorEnd, sum] = [B + 1, B + 2];
  const line = [...get(B), 0x2d, 0, 0, ...get(sum), ...add, ...set(sum), ...move(B, 64)];
  return [
    ...[0x02, 0x40, ...get(COUNT), ...i32(TOUCHED), 0x4b, 0x0d, 0],
    ...[...get(LIST), ...set(A)],
    ...until(A, LIST_END, [
      ...[...get(A), ...loadInt(0), ...get(STRIDE), ...multiply, ...get(BASE), ...add, ...set(B)],
      ...[...get(B), ...get(N), ...i32(width), ...multiply, ...add, ...set(vectorEnd)],
      ...until(B, vectorEnd, line),
      ...move(A, 4),
    ]),
    // So that reading is not for nothing.
    ...[...get(OUT), ...get(sum), ...storeInt(0)],
    0x0b,
  ];
}

const lanes = (sums: number, lane: (at: number) => number[], plus: readonly number[]) => [
  ...[...get(sums), ...lane(0), ...get(sums), ...lane(1), ...plus],
  ...[...get(sums), ...lane(2), ...get(sums), ...lane(3), ...plus],
  ...plus,
];

/** Four vectors of bytes, each in one sum. */
export function byteLists(distance: boolean): number[] {
  const half = (at: number, part: number) => {
    const other = [...get(B + at), ...loadShorts(part * 8)];
    const term = distance
      ? [...get(PART + part), ...other, ...subtractShorts, 0x22, DIFFERENCE, ...get(DIFFERENCE), ...dotShorts]
      : [...get(PART + part), ...other, ...dotShorts];
    return [...get(SUMS + at), ...term, ...addInts, ...set(SUMS + at)];
  };
  return loop({
    wide: 4,
    sums: 1,
    width: 1,
    step: [
      ...times(2, (part) => [...get(A), ...loadShorts(part * 8), ...set(PART + part)]),
      ...times(4, (at) => [...half(at, 0), ...half(at, 1)]),
    ],
    join: (sums) => lanes(sums, intLane, add),
    store: storeInt,
  });
}

/** A vector of floats, in sums of sixteen lanes as two are compared. */
export function floatLists(distance: boolean): number[] {
  const term = (part: number) => {
    const both = [...get(A), ...loadVector(part * 16), ...get(B), ...loadVector(part * 16)];
    const value = distance
      ? [...both, ...subtractFloats, 0x22, DIFFERENCE, ...get(DIFFERENCE), ...multiplyFloats]
      : [...both, ...multiplyFloats];
    return [...get(SUMS + part), ...value, ...addFloats, ...set(SUMS + part)];
  };
  return loop({
    wide: 1,
    sums: 4,
    width: 4,
    step: times(4, term),
    join: (sums) => [
      ...[...get(sums), ...get(sums + 1), ...addFloats, ...get(sums + 2), ...get(sums + 3), ...addFloats, ...addFloats],
      ...set(sums),
      ...lanes(sums, floatLane, [0x92]),
    ],
    store: storeFloat,
  });
}

export const listCode = (body: readonly number[]): number[] => {
  const locals = vector([
    [7, I32],
    [7, V128],
  ]);
  return [...unsigned(locals.length + body.length), ...locals, ...body];
};
