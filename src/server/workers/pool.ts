/**
 * Threads that search beside the one that writes, each over the same data folder, so that a search that takes long stalls neither writers nor
 * other searches. A thread sees what the writer's last refresh left, as any reader of a folder does; a search waits for a refresh that is due
 * before it is sent, as it would in the writer's thread.
 *
 * Searches with aggregations, and those for many hits, never go to the last thread, which is kept for the others.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Engine } from "../../elasticsearch/engine.ts";
import type { RestRequest, RestResponse } from "../../engine/rest/types.ts";
import { HuiliuError } from "../../schema/index.ts";
import type { FromWorker, ToWorker, WorkerData } from "./messages.ts";

/** A thread ended in the middle of its work. Code `WORKER_ENDED`. */
export class WorkerEndedError extends HuiliuError {
  constructor(why: string) {
    super("WORKER_ENDED", `the thread that searched ended (${why}): ask again`);
  }
}

export interface SearchPool {
  /** Answers a request, in a thread where it may be and in the writer's otherwise. */
  request(request: RestRequest): Promise<RestResponse>;
  /** Requests that run in each thread. */
  readonly running: readonly number[];
  close(): Promise<void>;
}

/** How long a thread may take to end, in milliseconds. */
const LONGEST_END = 5_000;

interface Waiting {
  resolve(answer: RestResponse): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly ready: Promise<void>;
  readonly running: number;
  request(request: RestRequest): Promise<RestResponse>;
  close(): Promise<void>;
}

/** The built worker: beside this file in the package, in `dist/` where the sources run. */
function workerFile(): URL {
  const built = new URL("./search-worker.js", import.meta.url);
  return existsSync(fileURLToPath(built)) ? built : new URL("../../../dist/search-worker.js", import.meta.url);
}

/** Starts the threads and resolves when all can search. */
export async function searchPool(engine: Engine, count: number): Promise<SearchPool> {
  const { data } = engine;
  if (data === undefined) throw new Error("what is kept in memory cannot be read by other threads");
  const threads = Array.from({ length: count }, () => openThread({ data }));
  const close = async () => {
    await Promise.all(threads.map((thread) => thread.close()));
  };
  try {
    await Promise.all(threads.map(({ ready }) => ready));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async request(request) {
      const kind = kindOf(request);
      if (kind === undefined) return engine.request(request);
      await engine.searchable(request.path);
      const from = kind === "long" && threads.length > 1 ? threads.slice(0, -1) : threads;
      return from.reduce((best, thread) => (thread.running < best.running ? thread : best)).request(request);
    },
    get running() {
      return threads.map(({ running }) => running);
    },
    close,
  };
}

const SEARCHES = /^(?:\/[^_/][^/]*)?\/_(?:search|count|msearch)\/?$/;
/** Searches whose body may ask for much. */
const LONG = /"(?:aggs|aggregations|suggest|rescore|collapse)"|"size"\s*:\s*\d{4}/;

/**
 * What may be answered elsewhere: searches that leave nothing open and use nothing that was left open. @returns undefined: nowhere else
 */
function kindOf({ method, path, query, body }: RestRequest): "short" | "long" | undefined {
  if ((method !== "GET" && method !== "POST") || !SEARCHES.test(path)) return undefined;
  const params = typeof query === "string" || query === undefined ? (query ?? "") : Object.keys(query).join("&");
  if (/(?:^|&)(?:scroll|s%63roll)/i.test(params) || /%[0-9a-f]{2}[^=&]*=/i.test(params)) return undefined;
  if (body === undefined) return "short";
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  // A point in time by whatever way its key is written.
  if (/"pit"|\\u00(?:70|69|74)/.test(text)) return undefined;
  return LONG.test(text) ? "long" : "short";
}

function openThread(data: WorkerData): Thread {
  let worker: Worker;
  let ready: Promise<void>;
  let closing = false;
  let next = 1;
  const waiting = new Map<number, Waiting>();

  function start(): void {
    const started = new Worker(workerFile(), { workerData: data, name: "search" });
    worker = started;
    let why = "it stopped";
    ready = new Promise((resolve, reject) => {
      started.on("message", (message: FromWorker) => {
        if ("ready" in message) return resolve();
        const found = waiting.get(message.id);
        waiting.delete(message.id);
        if ("answer" in message) found?.resolve(message.answer);
        else found?.reject(new Error(message.failure));
      });
      started.on("error", (error) => {
        why = error instanceof Error ? error.message : String(error);
        reject(error);
      });
      started.once("exit", () => {
        reject(new WorkerEndedError(why));
        const lost = [...waiting.values()];
        waiting.clear();
        for (const { reject: fail } of lost) fail(new WorkerEndedError(why));
        if (!closing && started === worker) start();
      });
    });
    ready.catch(() => {});
  }
  start();

  return {
    get ready() {
      return ready;
    },
    get running() {
      return waiting.size;
    },
    async request({ signal, ...request }) {
      signal?.throwIfAborted();
      const id = next++;
      const stop = () => worker.postMessage({ stop: id } satisfies ToWorker);
      try {
        return await new Promise<RestResponse>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          signal?.addEventListener("abort", stop, { once: true });
          worker.postMessage({ id, request: plain(request) } satisfies ToWorker);
        });
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
    async close() {
      closing = true;
      const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
      worker.postMessage({ end: true } satisfies ToWorker);
      const force = setTimeout(() => void worker.terminate(), LONGEST_END);
      await ended;
      clearTimeout(force);
    },
  };
}

/** What can be sent: a body's own bytes, and not the larger memory that they may lie in. */
function plain({ body, headers, ...request }: Omit<RestRequest, "signal">): Omit<RestRequest, "signal"> {
  return {
    ...request,
    ...(headers ? { headers: { ...headers } } : {}),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : body.slice() }),
  };
}
