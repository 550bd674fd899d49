/** huiliu serve: Elasticsearch's API over the data folder, the product's own and MCP over its collections, until it is stopped. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { indexTuning } from "../../config/search.ts";
import { PLAYGROUND } from "../../server/playground.ts";
import { type CommonOptions, type Context, EXIT, embeddingOf, rerankerOf } from "../context.ts";
import { errorSentence } from "../errors.ts";
import { jsonLine } from "../json.ts";
import { configuredModel } from "../model.ts";
import { harmless } from "../terminal/text.ts";

export interface ServeCommandOptions extends CommonOptions {
  port: number;
  host: string;
  baseUrl?: string;
  /** Seconds. */
  requestTimeout: number;
  concurrent: number;
  workers: number;
  reports?: string;
  open?: boolean;
}

export async function serve(context: Context, options: ServeCommandOptions): Promise<number> {
  const { io, signal } = context;
  const [{ openEngine }, server] = await Promise.all([
    import("../../elasticsearch/engine.ts"),
    import("../../server/serve.ts"),
  ]);
  const model = await configuredModel(context, options);
  const embedding = await embeddingOf(context, options);
  const { reranker } = await rerankerOf(context, options);
  const engine = await openEngine({ data: options.data });
  try {
    const serving = await server.serve({
      engine,
      port: options.port,
      host: options.host,
      collection: options.collection,
      workers: options.workers,
      limits: { seconds: options.requestTimeout, concurrent: options.concurrent },
      openCollection: (name, client, { write = false, create = false, analysis }) =>
        context.openCollection(name, {
          elasticsearch: client,
          readOnly: !write,
          create,
          ...indexTuning(options.settings.config),
          ...(analysis ? { analysis } : {}),
          ...(embedding ? { embedding } : {}),
        }),
      ...(model ? { model } : {}),
      ...(reranker ? { reranker } : {}),
      ...(options.settings.config.search ? { search: options.settings.config.search } : {}),
      reports: options.reports ?? join(options.data, "reports"),
      onError: (error) => io.err(`huiliu: ${harmless(errorSentence(error))}\n`),
    });
    try {
      if (options.json) io.out(jsonLine({ url: serving.url, data: options.data }));
      else io.out(`${serving.url} serves ${options.data}; Ctrl-C stops it\n`);
      if (options.open) openInBrowser(`${serving.url}${PLAYGROUND}`);
      await stopped(signal);
    } finally {
      await serving.close();
    }
    return EXIT.ok;
  } finally {
    await engine.close();
  }
}

/** Opens the playground as a double click would. Where there is no browser, the address has been printed. */
function openInBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command!, args, { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
