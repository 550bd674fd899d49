/**
 * How much of the server requests may take at once: how many run, how many wait, how long one takes, and how many bytes of bodies lie in
 * memory. What is beyond is refused at once and may be tried again; nobody is let in and then starved.
 */
import { HuiliuError } from "../schema/index.ts";

export interface LimitOptions {
  /** Requests that run at once. Default 64. */
  readonly concurrent?: number;
  /** Requests that wait for one of these to end. Default 1000, as in Elasticsearch. */
  readonly waiting?: number;
  /** Seconds that a request may take, waiting included; then its work is stopped. 0: as long as it likes. Default 120. */
  readonly seconds?: number;
  /** Bytes of all bodies that are being read or worked on. Default 512 MiB. */
  readonly bodyBytes?: number;
}

/** Too much is asked at once. Code `TOO_BUSY`. */
export class TooBusyError extends HuiliuError {
  constructor(
    /** Elasticsearch's name of it. */
    readonly type: "es_rejected_execution_exception" | "circuit_breaking_exception",
    reason: string,
  ) {
    super("TOO_BUSY", reason);
  }
}

/** A request took longer than it may; its work was stopped. Code `TOOK_TOO_LONG`. */
export class TookTooLongError extends HuiliuError {
  constructor(readonly seconds: number) {
    super(
      "TOOK_TOO_LONG",
      `the request took longer than ${seconds} s and was stopped: ask for less, or raise the server's --request-timeout`,
    );
  }
}

export interface Limits {
  /**
   * Does work when its turn comes. Its signal is aborted when the caller's is, and when the time is over.
   * @throws TooBusyError, TookTooLongError, or the reason of the caller's signal
   */
  run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Takes room for bytes of a body. @throws TooBusyError */
  takeBytes(bytes: number): void;
  giveBytes(bytes: number): void;
  /** For metrics. */
  readonly running: number;
  readonly waiting: number;
}

export function requestLimits(options: LimitOptions = {}): Limits {
  const { concurrent = 64, waiting: room = 1000, seconds = 120, bodyBytes = 512 * 1024 * 1024 } = options;
  const queue = new Set<() => void>();
  let running = 0;
  let bytes = 0;

  /** Resolves when it is this one's turn. */
  function turn(signal: AbortSignal): Promise<void> | undefined {
    if (running < concurrent) {
      running++;
      return undefined;
    }
    if (queue.size >= room)
      throw new TooBusyError(
        "es_rejected_execution_exception",
        `rejected execution: ${running} requests run and ${queue.size} wait, as many as may; try again later`,
      );
    return new Promise((resolve, reject) => {
      const give = () => {
        queue.delete(give);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        queue.delete(give);
        reject(signal.reason);
      };
      queue.add(give);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** The place of one that has ended is the next one's. */
  function done(): void {
    const [next] = queue;
    if (next) next();
    else running--;
  }

  return {
    async run(signal, work) {
      const clock = new AbortController();
      const late = new TookTooLongError(seconds);
      const timer = seconds > 0 ? setTimeout(() => clock.abort(late), seconds * 1000) : undefined;
      const both = AbortSignal.any([signal, clock.signal]);
      try {
        both.throwIfAborted();
        await turn(both);
        try {
          const result = await work(both);
          // What was stopped may say so in an answer of its own.
          if (clock.signal.aborted) throw late;
          return result;
        } finally {
          done();
        }
      } catch (error) {
        throw clock.signal.aborted ? late : error;
      } finally {
        clearTimeout(timer);
      }
    },
    takeBytes(count) {
      if (bytes + count > bodyBytes)
        throw new TooBusyError(
          "circuit_breaking_exception",
          `[parent] Data too large, data for [<http_request>] would be [${bytes + count}b], which is larger than the limit of [${bodyBytes}b]; try again later`,
        );
      bytes += count;
    },
    giveBytes(count) {
      bytes -= count;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}
