/**
 * Two vectors in memory compared, with SIMD: `(a, b, n)` are their addresses and the number of components.
 */
import {
  add,
  addFloats,
  addInts,
  and,
  dotShorts,
  floatLane,
  get,
  I32,
  i32,
  intLane,
  loadByte,
  loadFloat,
  loadShorts,
  loadVector,
  multiply,
  multiplyFloats,
  set,
  subtract,
  subtractFloats,
  subtractShorts,
  unsigned,
  V128,
  vector,
} from "./instructions.ts";

// Locals: the parameters, the end of a loop, four sums, the sum of the rest.
const [A, B, N, END, SUMS, REST] = [0, 1, 2, 3, 4, 8];

const advance = (bytes: number) => [
  ...[...get(A), ...i32(bytes), ...add, ...set(A)],
  ...[...get(B), ...i32(bytes), ...add, ...set(B)],
];

/** `while (a < end) { body; a += step; b += step }` */
const loop = (step: number, body: readonly number[]) => [
  ...[0x02, 0x40, 0x03, 0x40],
  ...[...get(A), ...get(END), 0x4f, 0x0d, 1],
  ...body,
  ...advance(step),
  ...[0x0c, 0, 0x0b, 0x0b],
];

/** `end = a + (n & mask) * size` */
const endAt = (mask: number, size: number) => [
  ...get(A),
  ...[...get(N), ...i32(mask), ...and, ...i32(size), ...multiply],
  ...add,
  ...set(END),
];

const sum = (at: number) => SUMS + at;
const joined = (join: readonly number[], count: number) =>
  count === 4
    ? [...get(sum(0)), ...get(sum(1)), ...join, ...get(sum(2)), ...get(sum(3)), ...join, ...join, ...set(sum(0))]
    : [...get(sum(0)), ...get(sum(1)), ...join, ...set(sum(0))];
const lanes = (lane: (at: number) => number[], plus: readonly number[]) => [
  ...[...get(sum(0)), ...lane(0), ...get(sum(0)), ...lane(1), ...plus],
  ...[...get(sum(0)), ...lane(2), ...get(sum(0)), ...lane(3), ...plus],
  ...plus,
  ...set(REST),
];

/** Sixteen floats at a time in four sums, then one by one. */
export function floats(distance: boolean): number[] {
  const term = (offset: number): number[] =>
    distance
      ? // The difference stands in the rest's neighbour, a vector of its own.
        [
          ...[...get(A), ...loadVector(offset), ...get(B), ...loadVector(offset), ...subtractFloats, ...set(REST + 1)],
          ...[...get(REST + 1), ...get(REST + 1), ...multiplyFloats],
        ]
      : [...get(A), ...loadVector(offset), ...get(B), ...loadVector(offset), ...multiplyFloats];
  const four = [0, 1, 2, 3].flatMap((at) => [...get(sum(at)), ...term(at * 16), ...addFloats, ...set(sum(at))]);
  const difference = [...get(A), ...loadFloat, ...get(B), ...loadFloat, 0x93, ...set(REST + 2)];
  const one = distance
    ? [...difference, ...get(REST), ...get(REST + 2), ...get(REST + 2), 0x94, 0x92, ...set(REST)]
    : [...get(REST), ...get(A), ...loadFloat, ...get(B), ...loadFloat, 0x94, 0x92, ...set(REST)];
  return [
    ...[...endAt(-16, 4), ...loop(64, four), ...joined(addFloats, 4), ...lanes(floatLane, [0x92])],
    ...[...endAt(15, 4), ...loop(4, one), ...get(REST), 0x0b],
  ];
}

/** Sixteen bytes at a time in two sums, then one by one. */
export function bytes(distance: boolean): number[] {
  const half = (offset: number): number[] => {
    const both = [...get(A), ...loadShorts(offset), ...get(B), ...loadShorts(offset)];
    return distance
      ? [...both, ...subtractShorts, ...set(REST + 1), ...get(REST + 1), ...get(REST + 1), ...dotShorts]
      : [...both, ...dotShorts];
  };
  const sixteen = [0, 1].flatMap((at) => [...get(sum(at)), ...half(at * 8), ...addInts, ...set(sum(at))]);
  const difference = [...get(A), ...loadByte, ...get(B), ...loadByte, ...subtract, ...set(REST + 2)];
  const one = distance
    ? [...difference, ...get(REST), ...get(REST + 2), ...get(REST + 2), ...multiply, ...add, ...set(REST)]
    : [...get(REST), ...get(A), ...loadByte, ...get(B), ...loadByte, ...multiply, ...add, ...set(REST)];
  return [
    ...[...endAt(-16, 1), ...loop(16, sixteen), ...joined(addInts, 2), ...lanes(intLane, add)],
    ...[...endAt(15, 1), ...loop(1, one), ...get(REST), 0x0b],
  ];
}

/** A function's locals and body. */
export const code = (scalar: number, body: readonly number[]): number[] => {
  const locals = vector([
    [1, I32],
    [4, V128],
    [1, scalar],
    [1, V128],
    [1, scalar],
  ]);
  return [...unsigned(locals.length + body.length), ...locals, ...body];
};
