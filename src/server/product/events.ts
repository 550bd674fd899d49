/** Server-sent events: named, each with JSON, and a comment from time to time so that nothing between takes a pause for the end. */
import { failureOf } from "./route.ts";

/** Milliseconds between two signs of life. */
const BEAT = 15_000;

export type Send = (event: string, data: unknown) => void;

/**
 * A response that sends what `work` sends. An error of it becomes the event `error`, the last one.
 * `cancel` is called when the client goes away, `end` in any case.
 */
export function eventStream(
  work: (send: Send) => Promise<void>,
  hooks: { cancel(): void; end(): Promise<void> },
): Response {
  const encoder = new TextEncoder();
  let gone = false;
  let beat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (!gone) controller.enqueue(encoder.encode(text));
      };
      const send: Send = (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      beat = setInterval(() => write(": waiting\n\n"), BEAT);
      try {
        await work(send);
      } catch (error) {
        const { code, message } = failureOf(error);
        send("error", { code, message });
      } finally {
        clearInterval(beat);
        if (!gone) controller.close();
        await hooks.end();
      }
    },
    cancel() {
      gone = true;
      hooks.cancel();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}
