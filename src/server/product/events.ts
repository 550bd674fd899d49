/** Server-sent events: named, each with JSON, and a comment from time to time so that nothing between takes a pause for the end. */
import { failureOf, type Streaming } from "./route.ts";

/** Milliseconds between two signs of life. */
const BEAT = 15_000;

export type Send = (event: string, data: unknown) => void;

/** Rejects with the signal's reason. What is asked may not listen to it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/**
 * A response that sends what `work` sends. An error of it becomes the event `error`, the last one; so does the reason of the signal, which stops
 * the stream. `cancel` is called when the client goes away, `end` in any case.
 */
export function eventStream(
  work: (send: Send) => Promise<void>,
  hooks: { signal: AbortSignal; cancel(): void; end(): Promise<void> },
): Streaming {
  const encoder = new TextEncoder();
  let gone = false;
  let over: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  let beat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (!gone) controller.enqueue(encoder.encode(text));
      };
      const send: Send = (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      beat = setInterval(() => write(": waiting\n\n"), BEAT);
      try {
        await Promise.race([work(send), aborted(hooks.signal)]);
      } catch (error) {
        // What was stopped may tell of it in words of its own.
        const { code, message } = failureOf(hooks.signal.aborted ? hooks.signal.reason : error);
        send("error", { code, message });
      } finally {
        clearInterval(beat);
        if (!gone) controller.close();
        gone = true;
        await hooks.end().finally(over);
      }
    },
    cancel() {
      gone = true;
      hooks.cancel();
    },
  });
  const response = new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
  return { response, ended };
}
