/** How far embedding is: texts, tokens, and how fast. */

export interface BulkProgress {
  /** Texts that have a vector, of those asked for so far (equal ones count once; a text in parts counts by its parts). */
  done: number;
  total: number;
  /** Of `done`, those that were in the cache. */
  cached: number;
  /** Tokens that the provider counted, or that were counted for the limits. */
  tokens: number;
  /** Since the first call. */
  tokensPerSecond: number;
  /** Calls that were made again. */
  retries: number;
}

/** Called as texts are embedded, with how many of them are done. */
export type OnBulkProgress = (progress: BulkProgress) => void;

export function bulkProgress(report: OnBulkProgress | undefined, now: () => number = () => performance.now()) {
  const state = { done: 0, total: 0, cached: 0, tokens: 0, retries: 0 };
  let began: number | undefined;
  const tell = () => {
    const seconds = began === undefined ? 0 : (now() - began) / 1000;
    report?.({ ...state, tokensPerSecond: seconds > 0 ? state.tokens / seconds : 0 });
  };
  return {
    start(total: number, cached: number) {
      state.total += total;
      state.cached += cached;
      state.done += cached;
      began ??= now();
      if (total > 0) tell();
      return {
        done(texts: number, tokens: number) {
          state.done += texts;
          state.tokens += tokens;
          tell();
        },
      };
    },
    retried() {
      state.retries++;
      tell();
    },
  };
}
