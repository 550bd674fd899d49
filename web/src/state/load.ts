/** What is loaded for a view: nothing yet, the thing, or why it is not there. An older answer never replaces a newer one. */
import { useEffect, useRef, useState } from "preact/hooks";
import { isAbort } from "../api/http.ts";

export interface Loaded<T> {
  value?: T;
  error?: unknown;
  loading: boolean;
}

/** Loads when one of `keys` changes. What was there before stays until the new thing comes. */
export function useLoaded<T>(
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  keys: readonly unknown[],
): Loaded<T> & { reload(): void } {
  const [state, setState] = useState<Loaded<T>>({ loading: load !== undefined });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!load) {
      setState({ loading: false });
      return;
    }
    const stop = new AbortController();
    setState(({ value }) => ({ ...(value === undefined ? {} : { value }), loading: true }));
    load(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ value, loading: false });
      },
      (error: unknown) => {
        if (!stop.signal.aborted && !isAbort(error)) setState({ error, loading: false });
      },
    );
    return () => stop.abort();
  }, [...keys, turn]);
  return { ...state, reload: () => setTurn((before) => before + 1) };
}

/** A thing that is started by hand, one at a time: starting again stops what ran. */
export function useStarted<T>(): Loaded<T> & { start(run: (signal: AbortSignal) => Promise<T>): void; stop(): void } {
  const [state, setState] = useState<Loaded<T>>({ loading: false });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    ...state,
    stop() {
      running.current?.abort();
      setState(({ value }) => ({ ...(value === undefined ? {} : { value }), loading: false }));
    },
    start(run) {
      running.current?.abort();
      const stop = new AbortController();
      running.current = stop;
      setState(({ value }) => ({ ...(value === undefined ? {} : { value }), loading: true }));
      run(stop.signal).then(
        (value) => {
          if (!stop.signal.aborted) setState({ value, loading: false });
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setState({ error, loading: false });
        },
      );
    },
  };
}
