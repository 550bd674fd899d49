/** huiliu serve: Elasticsearch's API over the data folder, the product's own and MCP over its collections, until it is stopped. */

import { indexTuning } from "../../config/search.ts";
import type { CollectionAccess } from "../../server/product/collections.ts";
import type { Product } from "../../server/product/index.ts";
import { type CommonOptions, type Context, EXIT, embeddingOf, rerankerOf } from "../context.ts";
import { errorSentence } from "../errors.ts";
import { jsonLine } from "../json.ts";
import { configuredModel } from "../model.ts";
import { harmless } from "../terminal/text.ts";

export interface ServeCommandOptions extends CommonOptions {
  port: number;
  host: string;
  baseUrl?: string;
}

export async function serve(context: Context, options: ServeCommandOptions): Promise<number> {
  const { io, signal } = context;
  const [{ openEngine }, { startServer }, { mcpRoutes }, { addProduct }] = await Promise.all([
    import("../../elasticsearch/engine.ts"),
    import("../../server/index.ts"),
    import("../../server/mcp.ts"),
    import("../../server/product/index.ts"),
  ]);
  const model = await configuredModel(context, options);
  const embedding = await embeddingOf(context, options);
  const { reranker } = await rerankerOf(context, options);
  const engine = await openEngine({ data: options.data });
  try {
    const client = engine.client();
    const open: CollectionAccess["open"] = (name, { write = false, create = false, analysis } = {}) =>
      context.openCollection(name, {
        elasticsearch: client,
        readOnly: !write,
        create,
        ...indexTuning(options.settings.config),
        ...(analysis ? { analysis } : {}),
        ...(embedding ? { embedding } : {}),
      });
    const models = { ...(model ? { model } : {}), ...(reranker ? { reranker } : {}) };
    let product: Product | undefined;
    const server = await startServer({
      engine,
      port: options.port,
      host: options.host,
      routes: (app) => {
        product = addProduct(app, { client, open, ...models });
        mcpRoutes(app, {
          collection: options.collection,
          open: (name) => open(name),
          ...(model ? { model } : {}),
          onError: (error) => io.err(`huiliu: ${harmless(errorSentence(error))}\n`),
        });
      },
    });
    try {
      if (options.json) io.out(jsonLine({ url: server.url, data: options.data }));
      else io.out(`${server.url} serves ${options.data}; Ctrl-C stops it\n`);
      await stopped(signal);
    } finally {
      await Promise.all([product?.close(), server.close()]);
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
