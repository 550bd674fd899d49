/**
 * Comparing vectors that lie in one memory: in WebAssembly with SIMD where there is one, in JavaScript otherwise, with the same results to
 * the last bit (floats are summed in the same sixteen lanes). Which of the two is found out once.
 */
import { simdModule } from "./wasm/module.ts";

/** Addresses are in bytes, a multiple of 4 for floats; `n` counts components. */
type Pair = (a: number, b: number, n: number) => number;

/**
 * One vector with each of several: those that begin at `base + list[i] * stride`, `list` being the address of whole numbers.
 * @param count a multiple of 4
 * @param out where the results are put: floats, or of bytes whole numbers
 */
type List = (a: number, list: number, count: number, base: number, stride: number, n: number, out: number) => void;

interface Pairs {
  readonly dotFloats: Pair;
  /** Squared distance. */
  readonly distanceFloats: Pair;
  readonly dotBytes: Pair;
  readonly distanceBytes: Pair;
}

interface Lists {
  readonly dotFloatLists: List;
  readonly distanceFloatLists: List;
  readonly dotByteLists: List;
  readonly distanceByteLists: List;
}

export interface Kernels extends Pairs, Lists {
  readonly buffer: ArrayBuffer;
}

const PAGE = 65_536;

/** The part of the platform's WebAssembly that is used; undefined where it has none. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}
const { WebAssembly: api } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyApi };

let compiled: object | undefined | null;

/** Undefined where there is no WebAssembly, none with SIMD, or where a page's policy forbids it. */
function module(): object | undefined {
  if (compiled === undefined) {
    try {
      compiled = api ? new api.Module(simdModule()) : null;
    } catch {
      compiled = null;
    }
  }
  return compiled ?? undefined;
}

/** Smaller memories are not worth an instance of their own. */
const LEAST_BYTES = PAGE;

/** A memory of at least so many bytes, all 0, and what compares vectors in it. */
export function createKernels(bytes: number): Kernels {
  return (bytes < LEAST_BYTES ? undefined : wasmKernels(bytes)) ?? scriptKernels(new ArrayBuffer((bytes + 7) & ~7));
}

export function wasmKernels(bytes: number): Kernels | undefined {
  const code = module();
  if (api === undefined || code === undefined) return undefined;
  try {
    const pages = Math.max(1, Math.ceil(bytes / PAGE));
    const memory = new api.Memory({ initial: pages, maximum: pages });
    const { exports } = new api.Instance(code, { env: { memory } });
    const { buffer } = memory;
    const { dotFloats, distanceFloats, dotBytes, distanceBytes, ...lists } = exports as unknown as Pairs & Lists;
    const pairs = { dotFloats, distanceFloats, dotBytes, distanceBytes };
    const odd = oneByOne(pairs, buffer);
    const listOf =
      (name: keyof Lists): List =>
      (a, list, count, base, stride, n, out) =>
        (n % 16 === 0 ? lists : odd)[name](a, list, count, base, stride, n, out);
    return {
      ...pairs,
      dotFloatLists: listOf("dotFloatLists"),
      distanceFloatLists: listOf("distanceFloatLists"),
      dotByteLists: listOf("dotByteLists"),
      distanceByteLists: listOf("distanceByteLists"),
      buffer,
    };
  } catch {
    // No room for another memory.
    return undefined;
  }
}

const f = Math.fround;

export function scriptKernels(buffer: ArrayBuffer): Kernels {
  const floats = new Float32Array(buffer, 0, buffer.byteLength >> 2);
  const bytes = new Int8Array(buffer);
  const pairs: Pairs = {
    dotFloats: (a, b, n) => sumFloats(floats, a >> 2, b >> 2, n, false),
    distanceFloats: (a, b, n) => sumFloats(floats, a >> 2, b >> 2, n, true),
    dotBytes(a, b, n) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum = (sum + bytes[a + i] * bytes[b + i]) | 0;
      return sum;
    },
    distanceBytes(a, b, n) {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const difference = bytes[a + i] - bytes[b + i];
        sum = (sum + difference * difference) | 0;
      }
      return sum;
    },
  };
  return { ...pairs, ...oneByOne(pairs, buffer), buffer };
}

function oneByOne({ dotFloats, distanceFloats, dotBytes, distanceBytes }: Pairs, buffer: ArrayBuffer): Lists {
  const ints = new Int32Array(buffer, 0, buffer.byteLength >> 2);
  const floats = new Float32Array(buffer, 0, buffer.byteLength >> 2);
  const listOf =
    (pair: Pair, results: Int32Array | Float32Array): List =>
    (a, list, count, base, stride, n, out) => {
      for (let i = 0; i < count; i++) results[(out >> 2) + i] = pair(a, base + ints[(list >> 2) + i] * stride, n);
    };
  return {
    dotFloatLists: listOf(dotFloats, floats),
    distanceFloatLists: listOf(distanceFloats, floats),
    dotByteLists: listOf(dotBytes, ints),
    distanceByteLists: listOf(distanceBytes, ints),
  };
}

/** Lane by lane, as the module has them in four registers of four. */
const lanes = new Float32Array(16);

function sumFloats(data: Float32Array, a: number, b: number, n: number, distance: boolean): number {
  lanes.fill(0);
  const whole = n & -16;
  for (let i = 0; i < whole; i += 16) {
    for (let lane = 0; lane < 16; lane++) {
      const x = data[a + i + lane];
      const y = data[b + i + lane];
      const difference = f(x - y);
      lanes[lane] += distance ? f(difference * difference) : f(x * y);
    }
  }
  const joined = (lane: number) => f(f(lanes[lane] + lanes[lane + 4]) + f(lanes[lane + 8] + lanes[lane + 12]));
  let sum = f(f(joined(0) + joined(1)) + f(joined(2) + joined(3)));
  for (let i = whole; i < n; i++) {
    const x = data[a + i];
    const y = data[b + i];
    const difference = f(x - y);
    sum = f(sum + (distance ? f(difference * difference) : f(x * y)));
  }
  return sum;
}
