/** WebAssembly as bytes: the few instructions that comparing vectors takes. */

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
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

export const vector = <T extends number>(items: readonly (readonly T[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
export const section = (id: number, body: readonly number[]): number[] => [id, ...unsigned(body.length), ...body];
export const text = (value: string): number[] => [
  ...unsigned(value.length),
  ...Array.from(value, (char) => char.charCodeAt(0)),
];

export const get = (local: number) => [0x20, local];
export const set = (local: number) => [0x21, local];
export const i32 = (value: number) => [0x41, ...signed(value)];
export const add = [0x6a];
export const and = [0x71];
export const multiply = [0x6c];
export const subtract = [0x6b];
export const simd = (opcode: number) => [0xfd, ...unsigned(opcode)];
export const loadVector = (offset: number) => [...simd(0), 0, ...unsigned(offset)];
/** Eight bytes as numbers of sixteen bits. */
export const loadShorts = (offset: number) => [...simd(1), 0, ...unsigned(offset)];
export const loadInt = (offset: number) => [0x28, 0, ...unsigned(offset)];
export const storeInt = (offset: number) => [0x36, 0, ...unsigned(offset)];
export const storeFloat = (offset: number) => [0x38, 0, ...unsigned(offset)];
export const loadFloat = [0x2a, 0, 0];
export const loadByte = [0x2c, 0, 0];
export const floatLane = (lane: number) => [...simd(0x1f), lane];
export const intLane = (lane: number) => [...simd(0x1b), lane];
export const addFloats = simd(0xe4);
export const subtractFloats = simd(0xe5);
export const multiplyFloats = simd(0xe6);
export const addInts = simd(0xae);
export const dotShorts = simd(0xba);
export const subtractShorts = simd(0x91);
