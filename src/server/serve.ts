/** All that a data folder's server answers, on one port: Elasticsearch's API, the product's routes, and MCP, over one engine. */
import type { Client } from "@elastic/elasticsearch";
import type { Collection } from "../collection/types.ts";
import type { Engine } from "../elasticsearch/engine.ts";
import type { RestRequest } from "../engine/rest/types.ts";
import { type RunningServer, type ServerOptions, startServer } from "./index.ts";
import { mcpRoutes } from "./mcp.ts";
import { openCollections } from "./open-collections.ts";
import type { OpenHow } from "./product/collections.ts";
import { addProduct, type Product } from "./product/index.ts";
import type { QuestionModels } from "./product/questions.ts";

export interface ServeOptions extends Omit<ServerOptions, "engine" | "routes">, QuestionModels {
  /** Stays open when the server stops. */
  readonly engine: Engine;
  /** The collection behind `/_mcp`. */
  readonly collection: string;
  /** Opens a collection over a client, with the models that are configured. */
  openCollection(name: string, client: Client, how: OpenHow): Promise<Collection>;
  /** Told of a tool that failed. */
  readonly onError?: (error: unknown) => void;
}

export interface Serving extends RunningServer {
  readonly product: Product;
}

/** Requests after which a collection may be another one: they make, remove or change indices. */
function changesIndices({ method, path }: RestRequest): boolean {
  const [, first = "", second = ""] = path.split("/");
  if (method === "GET" || method === "HEAD" || first === "") return false;
  if (second === "") return !first.startsWith("_") || /^_(aliases|close|open|settings)$/.test(first);
  return /^_(mappings?|alias(es)?|settings|block|close|open)$/.test(first.startsWith("_") ? first : second);
}

/** Starts the server. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { engine, collection, openCollection, onError, model, reranker, search, ...rest } = options;
  const models = { ...(model ? { model } : {}), ...(reranker ? { reranker } : {}), ...(search ? { search } : {}) };
  const client = engine.client();
  const collections = openCollections((name, how = {}) => openCollection(name, client, how));
  let product: Product | undefined;
  const server = await startServer({
    ...rest,
    engine: {
      async request(request) {
        const answer = await engine.request(request);
        if (changesIndices(request)) collections.forget();
        return answer;
      },
    },
    routes: (app) => {
      product = addProduct(app, {
        client,
        open: collections.open,
        ...models,
      });
      mcpRoutes(app, {
        collection,
        open: (name) => collections.open(name),
        ...models,
        ...(onError ? { onError } : {}),
      });
    },
  });
  const closed = server.closed.then(async () => {
    await product!.close();
    await collections.close();
  });
  return {
    ...server,
    product: product!,
    closed,
    async close() {
      await Promise.all([product!.close(), server.close()]);
      await closed;
    },
  };
}
