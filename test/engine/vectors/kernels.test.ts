import { expect, it } from "vitest";
import { createKernels, type Kernels, scriptKernels, wasmKernels } from "../../../src/engine/vectors/kernels.ts";
import { numbers } from "./recorded/support.ts";

const NAMES = ["dotFloats", "distanceFloats", "dotBytes", "distanceBytes"] as const;

const compared = (kernels: Kernels, name: (typeof NAMES)[number], n: number) =>
  name.endsWith("Floats") ? kernels[name](64, 16_384, n) : kernels[name](3, 16_385, n);

it("gives the same results with and without WebAssembly, to the last bit", () => {
  const kernels = wasmKernels(65_536);
  expect(kernels).toBeDefined();
  const next = numbers(5);
  const floats = new Float32Array(kernels!.buffer).map(() => next() * 3);
  const script = scriptKernels(kernels!.buffer);
  for (let n = 1; n < 400; n++) {
    new Float32Array(kernels!.buffer).set(floats);
    for (const name of NAMES) {
      // Any bytes will do, those of floats too.
      expect(compared(kernels!, name, n), `${name} of ${n}`).toBe(compared(script, name, n));
    }
  }
});

it.each([
  ["Float", "Floats", 4],
  ["Byte", "Bytes", 1],
] as const)("compares one with several as with each of them (%s)", (one, many, width) => {
  const kernels = wasmKernels(65_536)!;
  const next = numbers(6);
  const all = width === 4 ? new Float32Array(kernels.buffer) : new Int8Array(kernels.buffer);
  for (let i = 0; i < all.length; i++) all[i] = next() * 127;
  const script = scriptKernels(kernels.buffer);
  const [list, out] = [60_000, 61_000];
  const ints = new Int32Array(kernels.buffer);
  const results = width === 4 ? new Float32Array(kernels.buffer) : ints;
  for (const n of [1, 15, 16, 48, 50, 256]) {
    const stride = n * width;
    const ords = Array.from({ length: 12 }, () => Math.abs(Math.floor(next() * Math.min(40, 30_000 / stride))));
    for (const name of ["dot", "distance"] as const) {
      const expected = ords.map((ord) => kernels[`${name}${many}`](32, 1024 + ord * stride, n));
      for (const each of [kernels, script]) {
        ints.set(ords, list >> 2);
        each[`${name}${one}Lists`](32, list, ords.length, 1024, stride, n, out);
        expect([...results.subarray(out >> 2, (out >> 2) + ords.length)], `${name} of ${n}`).toEqual(expected);
      }
    }
  }
});

it("compares the largest bytes without overflow", () => {
  for (const kernels of [wasmKernels(65_536)!, scriptKernels(new ArrayBuffer(65_536))]) {
    const bytes = new Int8Array(kernels.buffer);
    bytes.fill(-128, 0, 4096);
    bytes.fill(127, 4096, 8192);
    expect(kernels.dotBytes(0, 4096, 4096)).toBe(-128 * 127 * 4096);
    expect(kernels.distanceBytes(0, 4096, 4096)).toBe(255 * 255 * 4096);
  }
});

it("has a memory as large as it is asked for", () => {
  for (const bytes of [1, 1000, 70_001]) expect(createKernels(bytes).buffer.byteLength).toBeGreaterThanOrEqual(bytes);
});
