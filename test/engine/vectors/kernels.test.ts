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
