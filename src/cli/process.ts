/** The command line in a process of its own: its streams, signals and end. */
import type { Context, Io } from "./context.ts";
import { EXIT } from "./context.ts";

const DEFAULT_COLUMNS = 80;
/** What is narrower says nothing (a terminal that does not know its size says 0). */
const LEAST_COLUMNS = 20;

/** The context of this process, and what ends it once everything is written. */
export function processContext(): { context: Context; finish(exit: number): Promise<never> } {
  const { stdout, stderr, env } = process;
  const interrupt = new AbortController();
  let stoppedBy: NodeJS.Signals | undefined;
  const outputClosed = new AbortController();

  const io: Io = {
    out(text) {
      if (!outputClosed.signal.aborted) stdout.write(text);
    },
    err(text) {
      stderr.write(text);
    },
    outIsTerminal: stdout.isTTY === true,
    errIsTerminal: stderr.isTTY === true && env["TERM"] !== "dumb",
    columns: [stdout.columns, stderr.columns].find((columns) => columns >= LEAST_COLUMNS) ?? DEFAULT_COLUMNS,
    env,
    now: () => performance.now(),
  };

  // A reader that has seen enough (| head) is no error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    outputClosed.abort();
    if (error.code !== "EPIPE") io.err(`huiliu: standard output: ${error.message}\n`);
  });
  stderr.on("error", () => {});

  const stop = (signal: NodeJS.Signals) => {
    if (stoppedBy) process.exit(exitOf(signal));
    stoppedBy = signal;
    if (io.errIsTerminal) io.err("\r\u001b[Kstopping; Ctrl-C again quits at once\n");
    interrupt.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);

  return {
    context: {
      io,
      signal: interrupt.signal,
      outputClosed: outputClosed.signal,
      openCollection: async (name, options) =>
        (await import("../collection/collection.ts")).openCollection(name, options),
    },
    async finish(exit) {
      await Promise.all([flushed(stdout), flushed(stderr)]);
      process.exit(exit === EXIT.interrupted && stoppedBy ? exitOf(stoppedBy) : exit);
    },
  };
}

function exitOf(signal: NodeJS.Signals): number {
  return signal === "SIGTERM" ? 143 : EXIT.interrupted;
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}
