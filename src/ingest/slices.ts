/** Long work in slices, between which timers, requests and abort signals have their turn. */

/** Milliseconds of work between two pauses. */
const SLICE = 20;

/** A function to await often: mostly it returns at once; when a slice is over it lets others work, and stops when aborted. */
export function timeSlices(signal: AbortSignal | undefined): () => Promise<void> {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < SLICE) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    started = performance.now();
  };
}
