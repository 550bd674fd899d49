/**
 * When an index refreshes by itself, as Elasticsearch does: `index.refresh_interval` (1 s) after a write, as long as somebody searches. An index
 * that nobody searched for `index.search.idle.after` (30 s) waits for the next search, unless the interval was set explicitly.
 */
import type { JsonObject } from "../json/types.ts";
import { settingOf, timeSetting } from "./settings.ts";

export interface AutoRefresh {
  /** Something was written. */
  written(): void;
  /** A refresh takes all that was written up to now. */
  cut(): void;
  /** It has made that visible, or failed to. */
  ended(visible: boolean): void;
  /** Somebody searches. */
  searched(): void;
  /** Refreshes when writes older than the interval are not visible yet. */
  due(): Promise<void>;
  /** The settings have changed. */
  reconfigure(): void;
  stop(): void;
}

/** @param settings the index's, which may change */
export function autoRefresh(settings: () => JsonObject, refresh: () => Promise<void>): AutoRefresh {
  let interval = 0;
  let idleAfter = 0;
  let lastSearch = Number.NEGATIVE_INFINITY;
  const configure = () => {
    interval = timeSetting(settings(), "index.refresh_interval", 1000);
    idleAfter =
      settingOf(settings(), "index.refresh_interval") === undefined
        ? timeSetting(settings(), "index.search.idle.after", 30_000)
        : Number.POSITIVE_INFINITY;
  };
  configure();
  /** Time of the oldest write that is not visible. */
  let since: number | undefined;
  /** The same of what a running refresh has taken. */
  let taken: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const schedule = (): void => {
    if (interval < 0 || stopped || timer !== undefined || since === undefined) return;
    if (idleAfter !== Number.POSITIVE_INFINITY && performance.now() - lastSearch > idleAfter) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        // A refresh that fails leaves everything for the next one, which a search or a caller waits for.
        if (since !== undefined) refresh().catch(() => undefined);
      },
      Math.max(0, since + interval - performance.now()),
    );
    // Never the reason why a process stays: what is not refreshed is in the log.
    (timer as { unref?: () => void }).unref?.();
  };
  const isDue = () => {
    const oldest = taken ?? since;
    return interval >= 0 && oldest !== undefined && performance.now() - oldest >= interval;
  };

  return {
    written() {
      since ??= performance.now();
      schedule();
    },
    cut() {
      taken = since;
      since = undefined;
    },
    ended(visible) {
      if (!visible) since = taken ?? since;
      taken = undefined;
      schedule();
    },
    searched() {
      lastSearch = performance.now();
      schedule();
    },
    async due() {
      lastSearch = performance.now();
      if (isDue()) await refresh();
    },
    reconfigure() {
      clearTimeout(timer);
      timer = undefined;
      configure();
      schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
