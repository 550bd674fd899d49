/** How fast calls go out: so many at the same time, so many a minute, so many tokens a minute. */
import { sleep } from "../models/retry.ts";

export interface Pacer {
  readonly concurrency: number;
  /** Waits for its turn, then works. */
  run<T>(tokens: number, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /** Lets nothing out for so long. */
  pause(ms: number): void;
}

const MINUTE = 60_000;

/**
 * Each call moves the time of the next one on by its share of a minute: an even stream, which is below the limit in any minute one looks at
 * (but for the call at its beginning).
 */
export function pacer(options: {
  concurrency: number;
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
  now?: () => number;
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}): Pacer {
  const { requestsPerMinute, tokensPerMinute, now = () => performance.now(), wait = sleep } = options;
  const concurrency = Math.max(1, Math.floor(options.concurrency));
  let running = 0;
  const waiting: (() => void)[] = [];
  let nextCall = 0;

  async function turn(tokens: number, signal: AbortSignal | undefined): Promise<void> {
    const at = Math.max(now(), nextCall);
    const share = Math.max(
      requestsPerMinute === undefined ? 0 : MINUTE / requestsPerMinute,
      tokensPerMinute === undefined ? 0 : (MINUTE * tokens) / tokensPerMinute,
    );
    nextCall = at + share;
    // A pause may come while this waits.
    for (let ready = at; ready > now(); ready = Math.max(ready, pausedUntil)) await wait(ready - now(), signal);
  }

  let pausedUntil = 0;

  return {
    concurrency,
    async run(tokens, signal, work) {
      if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        signal?.throwIfAborted();
        await turn(tokens, signal);
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, now() + ms);
      nextCall = Math.max(nextCall, pausedUntil);
    },
  };
}
