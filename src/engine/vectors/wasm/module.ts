/**
 * The WebAssembly module of `kernels.ts`, put together here byte by byte: loops over vectors in memory, with SIMD. It is so small that a
 * compiler would be more to carry than the bytes.
 */
import { F32, I32, section, text, vector } from "./instructions.ts";
import { byteLists, floatLists, listCode } from "./lists.ts";
import { bytes, code, floats } from "./pairs.ts";

const PAIRS = ["dotFloats", "distanceFloats", "dotBytes", "distanceBytes"];
const LISTS = ["dotFloatLists", "distanceFloatLists", "dotByteLists", "distanceByteLists"];

/** @returns a module that takes its memory as `env.memory` */
export function simdModule(): Uint8Array<ArrayBuffer> {
  const pair = [3, I32, I32, I32];
  const list = [7, ...new Array<number>(7).fill(I32)];
  const functions = [
    ...[code(F32, floats(false)), code(F32, floats(true)), code(I32, bytes(false)), code(I32, bytes(true))],
    ...[floatLists(false), floatLists(true), byteLists(false), byteLists(true)].map(listCode),
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      vector([
        [0x60, ...pair, 1, F32],
        [0x60, ...pair, 1, I32],
        [0x60, ...list, 0],
      ]),
    ),
    ...section(2, vector([[...text("env"), ...text("memory"), 2, 0, 0]])),
    ...section(3, vector([[0], [0], [1], [1], [2], [2], [2], [2]])),
    ...section(7, vector([...PAIRS, ...LISTS].map((name, at) => [...text(name), 0, at]))),
    ...section(10, vector(functions)),
  ]);
}
