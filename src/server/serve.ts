/** All that a data folder's server answers, on one port: Elasticsearch's API, the product's routes, MCP and the playground, over one engine. */
import { Client } from "@elastic/elasticsearch";
import { recordsIndex } from "../collection/layout.ts";
import type { Collection } from "../collection/types.ts";
import { connectionTo } from "../elasticsearch/connection.ts";
import type { Engine } from "../elasticsearch/engine.ts";
import type { View } from "../engine/action/view.ts";
import type { RestRequest } from "../engine/rest/types.ts";
import { HuiliuError } from "../schema/index.ts";
import { currentCaller } from "./access/caller.ts";
import { accessControl, isLoopback } from "./access/control.ts";
import { keyRing } from "./access/keys.ts";
import { type RunningServer, type ServerOptions, startServer } from "./index.ts";
import { type LimitOptions, requestLimits } from "./limits.ts";
import { mcpRoutes } from "./mcp.ts";
import { openCollections } from "./open-collections.ts";
import { playgroundRoutes } from "./playground.ts";
import type { OpenHow } from "./product/collections.ts";
import { addProduct, type Product } from "./product/index.ts";
import type { QuestionModels } from "./product/questions.ts";
import { searchPool } from "./workers/pool.ts";

export interface ServeOptions extends Omit<ServerOptions, "engine" | "routes" | "access" | "limits">, QuestionModels {
  /** Stays open when the server stops. */
  readonly engine: Engine;
  /** The collection behind `/_mcp`. */
  readonly collection: string;
  /** Opens a collection over a client, with the models that are configured. */
  openCollection(name: string, client: Client, how: OpenHow): Promise<Collection>;
  readonly limits?: LimitOptions;
  /** Threads that search beside the one that writes; each keeps what it searches in memory of its own. Default 0. */
  readonly workers?: number;
  /** Folder of the evaluation reports that are shown. */
  readonly reports?: string;
  /** Told of a tool that failed. */
  readonly onError?: (error: unknown) => void;
}

/** Other machines would reach everything. Code `KEY_NEEDED`. */
export class KeyNeededError extends HuiliuError {
  constructor(readonly host: string) {
    super(
      "KEY_NEEDED",
      `a server on ${host} is in reach of other machines and needs a key: make one with huiliu keys create NAME`,
    );
  }
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

/** A client whose every request is its caller's. Where nobody asks it fails. */
function callersClient(engine: Pick<Engine, "request">): Client {
  const Connection = connectionTo({
    async request(request) {
      const { view } = currentCaller();
      return engine.request(view ? { ...request, view: productView(view) } : request);
    },
    closed: false,
  });
  return new Client({ node: "http://huiliu", Connection, maxRetries: 0 });
}

/** To open a collection its mapping is read, and its files are recorded beside its passages. */
function productView(view: View): View {
  const { indices } = view;
  return { ...view, readsMappings: true, ...(indices ? { indices: [...indices, ...indices.map(recordsIndex)] } : {}) };
}

/** Starts the server. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { engine, collection, openCollection, onError, model, reranker, search, reports, ...others } = options;
  const { limits: given, workers = 0, ...rest } = others;
  const models = { ...(model ? { model } : {}), ...(reranker ? { reranker } : {}), ...(search ? { search } : {}) };
  const limits = requestLimits(given);
  const keys = engine.data === undefined ? undefined : keyRing(engine.data);
  const reachable = !isLoopback(rest.host ?? "127.0.0.1");
  if (reachable && !keys?.exists()) throw new KeyNeededError(rest.host ?? "");
  const pool = workers > 0 ? await searchPool(engine, workers) : undefined;
  const answering = pool ?? engine;
  const client = callersClient(answering);
  const collections = openCollections((name, how = {}) => openCollection(name, client, how));
  let product: Product | undefined;
  const starting = startServer({
    ...rest,
    limits,
    access: accessControl(keys, reachable),
    engine: {
      async request(request) {
        const answer = await answering.request(request);
        if (changesIndices(request)) collections.forget();
        return answer;
      },
    },
    routes: (app) => {
      product = addProduct(app, {
        client,
        open: collections.open,
        limits,
        ...models,
        ...(reports === undefined ? {} : { reports }),
      });
      playgroundRoutes(app);
      mcpRoutes(app, {
        collection,
        open: (name) => collections.open(name),
        limits,
        ...models,
        ...(onError ? { onError } : {}),
      });
    },
  });
  const server = await starting.catch(async (error: unknown) => {
    await pool?.close();
    throw error;
  });
  const closed = server.closed.then(async () => {
    await product!.close();
    await collections.close();
    await pool?.close();
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
