/** Calls that are made again: waits that grow, the provider's own wait where it names one, and an end. */

import { ModelError } from "../schema/errors.ts";

export interface RetryOptions {
  /** Further attempts after a failed one. */
  maxRetries: number;
  signal?: AbortSignal | undefined;
  /** Told before each wait. */
  onRetry?: ((wait: { attempt: number; waitMs: number; error: ModelError }) => void) | undefined;
  /** The first wait; each next one is twice as long. Default 500 ms. */
  firstWaitMs?: number | undefined;
  /** The longest wait. A provider that asks for more gets no further call: its error says how long. Default 2 minutes. */
  longestWaitMs?: number | undefined;
  /** In [0, 1); spreads the calls of clients that failed together. */
  random?: (() => number) | undefined;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 120_000;

/** Runs `work`, again after errors that may pass. The last error is thrown as it is. */
export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { maxRetries, signal, onRetry, longestWaitMs = LONGEST_WAIT_MS } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || attempt > maxRetries) throw error;
      const waitMs = waitBefore(attempt, error.retryAfterMs, options);
      if (waitMs > longestWaitMs) throw error;
      onRetry?.({ attempt, waitMs, error });
      await sleep(waitMs, signal);
    }
  }
}

/** Exponential backoff, the upper half of each wait by chance; never shorter than the provider asks for. */
export function waitBefore(
  attempt: number,
  retryAfterMs: number | undefined,
  { firstWaitMs = FIRST_WAIT_MS, longestWaitMs = LONGEST_WAIT_MS, random = Math.random }: Partial<RetryOptions> = {},
): number {
  const whole = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs);
  return Math.max(whole / 2 + (whole / 2) * random(), retryAfterMs ?? 0);
}

/** Waits; an abort ends it with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, ms);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}
