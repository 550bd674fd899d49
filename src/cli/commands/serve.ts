/** huiliu serve: Elasticsearch's API over the data folder, until it is stopped. */
import { type Context, EXIT } from "../context.ts";
import { jsonLine } from "../json.ts";
import type { FolderOptions } from "./verify.ts";

export interface ServeCommandOptions extends FolderOptions {
  port: number;
  host: string;
}

export async function serve(context: Context, options: ServeCommandOptions): Promise<number> {
  const { io, signal } = context;
  const [{ openEngine }, { startServer }] = await Promise.all([
    import("../../elasticsearch/engine.ts"),
    import("../../server/index.ts"),
  ]);
  const engine = await openEngine({ data: options.data });
  try {
    const server = await startServer({ engine, port: options.port, host: options.host });
    try {
      if (options.json) io.out(jsonLine({ url: server.url, data: options.data }));
      else io.out(`${server.url} serves ${options.data}; Ctrl-C stops it\n`);
      await stopped(signal);
    } finally {
      await server.close();
    }
    return EXIT.ok;
  } finally {
    await engine.close();
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
