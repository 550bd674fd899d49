/**
 * What happens while a question is answered, as spans: each step begins, may have steps within, and ends or fails. Nothing is recorded
 * unless a call is given a `trace`; it goes with the options from step to step, so that two questions at once stay apart.
 */

import { type Budget, callBudget } from "./budget.ts";

/** The kinds of steps. */
export type StepKind =
  | "query"
  | "retrieve"
  | "fuse"
  | "embed"
  | "generate"
  | "rerank"
  | "postprocess"
  | "synthesize"
  | "respond"
  | "chat"
  | "ingest"
  | "split"
  | "extract"
  | "store";

/** What is recorded of a step. */
export type StepAttributes = Record<string, string | number | boolean | readonly string[] | undefined>;

/** A step of work that is being traced; it ends with `end`. */
export interface Step {
  kind: StepKind;
  /** Which one: a retriever's, a model's or a postprocessor's name. */
  name: string;
  attributes?: StepAttributes;
}

/** Something that hears of steps. */
export interface Trace {
  /** A step begins; steps within it are started on the span that is returned. */
  start(step: Step): Span;
}

/** A step under way. */
export interface Span extends Trace {
  readonly id: string;
  end(attributes?: StepAttributes): void;
  fail(error: unknown): void;
}

/** Options that may carry a trace and a budget. */
interface Traceable {
  trace?: Trace;
  budget?: Budget;
}

/** Steps that answer somebody's question: the outermost of them gives it a budget. */
const QUESTIONS: ReadonlySet<StepKind> = new Set(["query", "retrieve", "chat", "respond", "synthesize"]);

/**
 * Runs a step. `run` gets the options with the step's span in the trace's place, to hand on to what it calls.
 *
 * @param outcome what is told about the result when the step ends
 */
export async function step<O extends Traceable, T>(
  options: O,
  what: Step,
  run: (options: O) => Promise<T>,
  outcome?: (result: T) => StepAttributes,
): Promise<T> {
  const own = !options.budget && QUESTIONS.has(what.kind) ? { ...options, budget: callBudget() } : options;
  if (!own.trace) return run(own);
  const span = own.trace.start(what);
  try {
    const result = await run({ ...own, trace: span });
    span.end(outcome?.(result));
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

/** The same for a stream: the step begins when it is first read, and ends with it or when it is left. */
export async function* stepStream<O extends Traceable>(
  options: O,
  what: Step,
  run: (options: O) => AsyncIterable<string>,
): AsyncGenerator<string> {
  const span = options.trace?.start(what);
  let characters = 0;
  let over: "whole" | "left" | "failed" = "left";
  try {
    for await (const piece of run(span ? { ...options, trace: span } : options)) {
      characters += piece.length;
      yield piece;
    }
    over = "whole";
  } catch (error) {
    over = "failed";
    span?.fail(error);
    throw error;
  } finally {
    if (over !== "failed") span?.end({ characters, ...(over === "whole" ? {} : { left: true }) });
  }
}

/** One entry of a stream of events. */
export interface TraceEvent extends Step {
  type: "start" | "end" | "error";
  /** Id of the step. */
  span: string;
  /** Id of the step around it. */
  parent?: string;
  /** Milliseconds since 1970. */
  time: number;
  /** Of an `end`: since the start. */
  durationMs?: number;
  error?: unknown;
}

/** A trace that can be listened to while it grows. */
export interface EventStream extends Trace, AsyncIterable<TraceEvent> {
  /** What has happened so far. */
  readonly events: readonly TraceEvent[];
  /** Calls `listener` for each event from now on; the function that is returned ends this. */
  on(listener: (event: TraceEvent) => void): () => void;
  /** Ends the iterations that run; what still happens is not recorded. */
  close(): void;
}

/**
 * Makes a trace that is a stream of events. A listener's error is not the step's.
 *
 * @example
 * const trace = eventStream();
 * trace.on((event) => console.log(event.type, event.kind, event.name));
 * await retriever.retrieve("年休假有几天", { trace });
 */
export function eventStream(): EventStream {
  const events: TraceEvent[] = [];
  const listeners = new Set<(event: TraceEvent) => void>();
  let wake: (() => void)[] = [];
  let closed = false;
  let spans = 0;

  function emit(event: TraceEvent): void {
    if (closed) return;
    events.push(event);
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        // Shown where errors of nobody's are shown, without disturbing the step.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    wakeAll();
  }

  function wakeAll(): void {
    const waiting = wake;
    wake = [];
    for (const resolve of waiting) resolve();
  }

  function start(what: Step, parent?: string): Span {
    const id = String(++spans);
    const from = performance.now();
    const common = { ...what, span: id, ...(parent === undefined ? {} : { parent }) };
    let over = false;
    emit({ type: "start", ...common, time: Date.now() });
    const finish = (event: Partial<TraceEvent> & { type: "end" | "error" }) => {
      if (over) return;
      over = true;
      emit({ ...common, ...event, time: Date.now(), durationMs: performance.now() - from });
    };
    return {
      id,
      start: (inner) => start(inner, id),
      end: (attributes) => finish({ type: "end", attributes: { ...what.attributes, ...attributes } }),
      fail: (error) => finish({ type: "error", error }),
    };
  }

  return {
    events,
    start: (what) => start(what),
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      wakeAll();
    },
    async *[Symbol.asyncIterator]() {
      for (let i = 0; ; ) {
        if (i < events.length) yield events[i++]!;
        else if (closed) return;
        else await new Promise<void>((resolve) => wake.push(resolve));
      }
    },
  };
}
