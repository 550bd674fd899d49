/**
 * Slices: long work gives the thread back every few milliseconds and looks whether anybody still wants its result.
 */
import { taskCancelled } from "./errors.ts";

/** Longest time that work keeps the thread, in milliseconds. */
const SLICE_MS = 5;

/** Gives other work a turn: a macrotask, faster than a timer. */
const yieldThread: () => Promise<void> =
  typeof setImmediate === "function"
    ? () => new Promise((resolve) => setImmediate(resolve))
    : () =>
        new Promise((resolve) => {
          // Browsers hold timers back by 4 ms; a message comes at once.
          const { port1, port2 } = new MessageChannel();
          (port1 as unknown as { onmessage: () => void }).onmessage = () => {
            port1.close();
            resolve();
          };
          port2.postMessage(null);
        });

export interface Slices {
  /** True when the slice is used up: then `await pause()`. Cheap enough to ask every few hundred documents. */
  due(): boolean;
  /** Lets other work run. Throws when the signal has been aborted. */
  pause(): Promise<void>;
  /** Throws when the signal has been aborted. */
  check(): void;
  /** True when the time that the request allowed itself is over. */
  timedOut(): boolean;
  readonly signal: AbortSignal | undefined;
}

/** @param options.timeout milliseconds after which `timedOut()` is true; none by default. */
export function createSlices(options: { signal?: AbortSignal; timeout?: number } = {}): Slices {
  const { signal, timeout } = options;
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout;
  let end = performance.now() + SLICE_MS;
  const check = () => {
    if (signal?.aborted) throw taskCancelled();
  };
  return {
    signal,
    due: () => performance.now() >= end,
    check,
    timedOut: () => performance.now() >= deadline,
    async pause() {
      check();
      await yieldThread();
      check();
      end = performance.now() + SLICE_MS;
    },
  };
}
