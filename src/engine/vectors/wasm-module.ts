/**
 * The WebAssembly module of `kernels.ts`, put together here byte by byte: four loops over two vectors in memory, with SIMD. It is so small
 * that a compiler would be more to carry than the bytes. `(a, b, n)` are two addresses and the number of components.
 */

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

/** Signed LEB128, of small numbers. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    const last = (rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0);
    bytes.push(last ? byte : byte | 0x80);
    if (last) return bytes;
  }
}

const vector = <T extends number>(items: readonly (readonly T[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const section = (id: number, body: readonly number[]): number[] => [id, ...unsigned(body.length), ...body];
const text = (value: string): number[] => [
  ...unsigned(value.length),
  ...Array.from(value, (char) => char.charCodeAt(0)),
];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const i32 = (value: number) => [0x41, ...signed(value)];
const add = [0x6a];
const and = [0x71];
const multiply = [0x6c];
const subtract = [0x6b];
const simd = (opcode: number) => [0xfd, ...unsigned(opcode)];
const loadVector = (offset: number) => [...simd(0), 0, ...unsigned(offset)];
const loadFloat = [0x2a, 0, 0];
const loadByte = [0x2c, 0, 0];
const floatLane = (lane: number) => [...simd(0x1f), lane];
const intLane = (lane: number) => [...simd(0x1b), lane];
const addFloats = simd(0xe4);
const subtractFloats = simd(0xe5);
const multiplyFloats = simd(0xe6);
const addInts = simd(0xae);
const dotShorts = simd(0xba);
const subtractShorts = simd(0x91);
const lowShorts = simd(0x87);
const highShorts = simd(0x88);

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
function floats(distance: boolean): number[] {
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
function bytes(distance: boolean): number[] {
  const half = (widen: readonly number[]): number[] => {
    const both = [...get(A), ...loadVector(0), ...widen, ...get(B), ...loadVector(0), ...widen];
    return distance
      ? [...both, ...subtractShorts, ...set(REST + 1), ...get(REST + 1), ...get(REST + 1), ...dotShorts]
      : [...both, ...dotShorts];
  };
  const sixteen = [lowShorts, highShorts].flatMap((widen, at) => [
    ...get(sum(at)),
    ...half(widen),
    ...addInts,
    ...set(sum(at)),
  ]);
  const difference = [...get(A), ...loadByte, ...get(B), ...loadByte, ...subtract, ...set(REST + 2)];
  const one = distance
    ? [...difference, ...get(REST), ...get(REST + 2), ...get(REST + 2), ...multiply, ...add, ...set(REST)]
    : [...get(REST), ...get(A), ...loadByte, ...get(B), ...loadByte, ...multiply, ...add, ...set(REST)];
  return [
    ...[...endAt(-16, 1), ...loop(16, sixteen), ...joined(addInts, 2), ...lanes(intLane, add)],
    ...[...endAt(15, 1), ...loop(1, one), ...get(REST), 0x0b],
  ];
}

const code = (scalar: number, body: readonly number[]): number[] => {
  const locals = vector([
    [1, I32],
    [4, V128],
    [1, scalar],
    [1, V128],
    [1, scalar],
  ]);
  return [...unsigned(locals.length + body.length), ...locals, ...body];
};

/** @returns a module that takes its memory as `env.memory` */
export function simdModule(): Uint8Array<ArrayBuffer> {
  const parameters = [3, I32, I32, I32];
  const names = ["dotFloats", "distanceFloats", "dotBytes", "distanceBytes"];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      vector([
        [0x60, ...parameters, 1, F32],
        [0x60, ...parameters, 1, I32],
      ]),
    ),
    ...section(2, vector([[...text("env"), ...text("memory"), 2, 0, 0]])),
    ...section(3, vector([[0], [0], [1], [1]])),
    ...section(7, vector(names.map((name, at) => [...text(name), 0, at]))),
    ...section(
      10,
      vector([code(F32, floats(false)), code(F32, floats(true)), code(I32, bytes(false)), code(I32, bytes(true))]),
    ),
  ]);
}
