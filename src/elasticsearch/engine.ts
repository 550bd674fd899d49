/**
 * `huiliu/engine`: the embedded engine behind the official Elasticsearch client.
 *
 * @module huiliu/engine
 */
import { type BaseConnection, Client, type ClientOptions } from "@elastic/elasticsearch";
import type { Reranker } from "../engine/action/search/index.ts";
import { openEngineCore, type VerifyOptions } from "../engine/engine.ts";
import type { RestRequest, RestResponse } from "../engine/rest/types.ts";
import { lmdbStorage } from "../engine/storage/lmdb.ts";
import { memoryStorage } from "../engine/storage/memory.ts";
import type { Storage } from "../engine/storage/types.ts";
import { analysisResources } from "./assets.ts";
import { connectionTo } from "./connection.ts";
import { loadStorage, saveStorage } from "./saved.ts";

export type { Reranker } from "../engine/action/search/index.ts";
export { EngineError } from "../engine/errors.ts";
export type { RestRequest, RestResponse } from "../engine/rest/types.ts";

/** Where an engine keeps its data, and what it begins with. Without `data` it is in memory. */
export interface EngineOptions {
  /** Data folder, made when it is missing. Without it everything is kept in memory and gone on closing. */
  readonly data?: string;
  /** A file that `save` wrote: the engine begins with what it holds, in memory. Changes are kept by saving again. */
  readonly from?: string;
  /** Opens an existing data folder for reading, beside the one process that may write. */
  readonly readOnly?: boolean;
  /** False: a data folder that is missing is not made, but an error. */
  readonly create?: boolean;
  /** Folder of the files that `*_path` settings of analyzers name. Without it such settings are refused. */
  readonly config?: string;
  /** Models that `text_similarity_reranker` names by its `inference_id`: any reranking model of this library. */
  readonly rerankers?: Readonly<Record<string, Reranker>>;
}

/** The embedded search engine: Elasticsearch's API in this process. `close` it at the end. */
export interface Engine {
  /**
   * The official client, talking to this engine. Clients may be many; closing the engine ends them all.
   *
   * @param options as for `new Client`; node and connection are the engine's
   */
  client(options?: Omit<ClientOptions, "node" | "nodes" | "cloud" | "Connection">): Client;
  /** For a client of one's own: `new Client({ node: "http://huiliu", Connection: engine.Connection })`. */
  readonly Connection: typeof BaseConnection;
  /** Answers one request of Elasticsearch's HTTP API, without a client. Errors are answers too. */
  request(request: RestRequest): Promise<RestResponse>;
  /** Makes searchable what is due to be in the indices that the path of a search names: before it is asked of a reader of the same folder. */
  searchable(path: string): Promise<void>;
  /** Checks every record and segment and names what is damaged. */
  verify(options?: VerifyOptions): Promise<{ damaged: readonly string[]; checked: number }>;
  /**
   * Writes everything that the engine holds into one file, as it is at one moment; others may go on writing to the engine. The file is whole
   * and synced when this resolves, and what was there before stays if it fails.
   *
   * @example await engine.save("books.huiliu"); // await openEngine({ from: "books.huiliu" })
   */
  save(file: string): Promise<void>;
  readonly readOnly: boolean;
  /** The data folder; undefined in memory. */
  readonly data: string | undefined;
  /** Finishes what runs and lets the data folder go. Further requests fail. May be called twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the embedded engine.
 *
 * @example
 * const engine = await openEngine({ data: "./search" }); // or openEngine() in memory
 * const es = engine.client();
 * await es.index({ index: "books", document: { title: "员工手册" }, refresh: true });
 * const { hits } = await es.search({ index: "books", query: { match: { title: "员工" } } });
 * await engine.close();
 *
 * @throws EngineError when the folder is locked by another writer, is damaged, or cannot be read
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const { data, from, readOnly = false, create = true, config, rerankers = {} } = options;
  const storage = await storageOf({ data, from, readOnly, create });
  const core = await openEngineCore({ storage, resources: analysisResources(config), rerankers }).catch(
    async (error: unknown) => {
      await storage.close();
      throw error;
    },
  );
  let closing: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  const request = (restRequest: RestRequest): Promise<RestResponse> => {
    if (closing !== undefined)
      return Promise.reject(new Error("the engine is closed: open it again, or close it after its last request"));
    return track(core.request(restRequest));
  };
  const Connection = connectionTo({
    request,
    get closed() {
      return closing !== undefined;
    },
  });
  const close = () => {
    closing ??= (async () => {
      await Promise.allSettled(running);
      await core.close();
    })();
    return closing;
  };
  return {
    // Nothing gets better by trying again in the same process.
    client: (clientOptions) => new Client({ maxRetries: 0, ...clientOptions, node: "http://huiliu", Connection }),
    Connection,
    request,
    searchable: (path) => track(core.searchable(path)),
    verify: core.verify,
    save(file) {
      if (closing !== undefined) return Promise.reject(new Error("the engine is closed: save it before that"));
      return track(saveStorage(storage, file));
    },
    readOnly: core.readOnly,
    data,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function storageOf(options: {
  data: string | undefined;
  from: string | undefined;
  readOnly: boolean;
  create: boolean;
}): Promise<Storage> {
  const { data, from, readOnly, create } = options;
  if (from === undefined) return data === undefined ? memoryStorage() : lmdbStorage(data, { readOnly, create });
  if (data === undefined && !readOnly) return loadStorage(from);
  throw new Error("what was saved is loaded into memory: leave out `data` and `readOnly`, or leave out `from`");
}
