/**
 * The engine over HTTP: Elasticsearch's API on a port, for clients in other languages and other processes. It listens on the loopback
 * address, answers no web page of another origin, and stops without cutting off what runs.
 */
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { RestRequest, RestResponse } from "../engine/rest/types.ts";
import { asCaller, type Caller, currentCaller, EVERYBODY, ForbiddenError, mayDo } from "./access/caller.ts";
import type { AccessControl } from "./access/control.ts";
import { needsOf } from "./access/rules.ts";
import { RefusedBody, readBody } from "./body.ts";
import { type Limits, requestLimits, TooBusyError, TookTooLongError } from "./limits.ts";
import { refusalOf } from "./origin.ts";
import { isBrowser } from "./playground.ts";
import { WorkerEndedError } from "./workers/pool.ts";

/** Bytes of a body, unpacked: Elasticsearch's `http.max_content_length`. */
const MAX_BODY = 100 * 1024 * 1024;
/** Bytes of the first line of a request: Elasticsearch's `http.max_initial_line_length`. */
const MAX_LINE = 4096;
/** How long a shutdown waits for running requests, in milliseconds. */
const GRACE = 10_000;
/** How long it waits for a request on a connection that has sent none: clients open some in advance. */
const SILENCE = 250;

export interface ServerOptions {
  /** Answers the requests. The server does not close it. */
  readonly engine: { request(request: RestRequest): Promise<RestResponse> };
  /** 0 takes a free port. Default 9200. */
  readonly port?: number;
  /** Address to listen on. Default `127.0.0.1`: this machine only. */
  readonly host?: string;
  /** Names under which the server may be reached, beside IP addresses, `localhost` and `host`. */
  readonly allowedHosts?: readonly string[];
  /** Largest body in bytes, after unpacking. Default 100 MB. */
  readonly maxBodyBytes?: number;
  /** Further routes, tried before the engine's. They get the same checks of host and origin. */
  readonly routes?: (app: Hono<{ Bindings: HttpBindings }>) => void;
  /** How much requests may take at once. */
  readonly limits?: Limits;
  /** Who may ask for what. Left out: everybody for everything. */
  readonly access?: AccessControl;
  /** Milliseconds that a client has to send its headers, and the whole of a request. Default 20,000 and 300,000. */
  readonly patience?: { readonly headers?: number; readonly request?: number };
  /** Stops the server, as `close` does. */
  readonly signal?: AbortSignal;
}

export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Such as `http://127.0.0.1:9200`. */
  readonly url: string;
  /** Takes no more requests, lets the running ones end (10 seconds at most), then resolves. */
  close(): Promise<void>;
  /** Resolves when the server has stopped. */
  readonly closed: Promise<void>;
}

function failure(status: number, type: string, reason: string, headers: Record<string, string> = {}): Response {
  const error = { type, reason };
  return new Response(JSON.stringify({ error: { root_cause: [error], ...error }, status }), {
    status,
    headers: { "content-type": "application/json", "x-elastic-product": "Elasticsearch", ...headers },
  });
}

/** What needs no key: whether the server is there, what its routes are, and the page that asks for a key. */
const OPEN = /^\/(?:_huiliu\/(?:health|openapi\.json)|_ui(?:\/.*)?)$/;

function unauthenticated(reason: string): Response {
  const challenge = ["ApiKey", 'Bearer realm="security"'];
  const error = { type: "security_exception", reason, header: { "WWW-Authenticate": challenge } };
  const response = new Response(JSON.stringify({ error: { root_cause: [error], ...error }, status: 401 }), {
    status: 401,
    headers: { "content-type": "application/json", "x-elastic-product": "Elasticsearch" },
  });
  for (const each of challenge) response.headers.append("www-authenticate", each);
  return response;
}

/** The caller, or the answer to one who is not let in. */
function admitted(access: AccessControl | undefined, { headers, method = "GET", url = "/" }: IncomingMessage) {
  if (!access) return EVERYBODY;
  const path = url.split("?", 1)[0];
  try {
    // A browser at the root is sent to the page that asks for a key.
    const open = OPEN.test(path) || (path === "/" && isBrowser(headers.accept));
    const caller = access.admit(headers.authorization, (method === "GET" || method === "HEAD") && open);
    return "refusal" in caller ? unauthenticated(`${caller.refusal} [${path}]`) : caller;
  } catch (error) {
    // Keys that cannot be read open nothing.
    return failure(503, "security_exception", error instanceof Error ? error.message : String(error));
  }
}

/** @throws ForbiddenError */
function checkAllowed(caller: Caller, method: string, path: string): void {
  if (!mayDo(caller, needsOf(method, path))) throw new ForbiddenError(`[${method} ${path}]`, caller);
}

function application(options: ServerOptions): Hono<{ Bindings: HttpBindings }> {
  const { engine, host = "127.0.0.1", allowedHosts = [], maxBodyBytes = MAX_BODY, limits = requestLimits() } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (context, next) => {
    const { incoming } = context.env;
    const refusal = refusalOf({
      method: incoming.method ?? "GET",
      headers: incoming.headers,
      allowedHosts: [host, ...allowedHosts],
    });
    if (refusal !== undefined) return failure(403, "security_exception", refusal);
    const caller = admitted(options.access, incoming);
    return caller instanceof Response ? caller : asCaller(caller, next);
  });
  options.routes?.(app);
  app.all("*", async (context) => {
    const { incoming, outgoing } = context.env;
    const target = incoming.url ?? "/";
    if (target.length > MAX_LINE) {
      const reason = `An HTTP line is larger than ${MAX_LINE} bytes.`;
      return failure(400, "too_long_http_line_exception", reason, { connection: "close" });
    }
    // The engine stops working for a client that has gone away.
    const gone = new AbortController();
    const onClose = () => {
      if (!outgoing.writableEnded) gone.abort();
    };
    outgoing.once("close", onClose);
    try {
      const question = target.indexOf("?");
      const method = incoming.method ?? "GET";
      const path = question < 0 ? target : target.slice(0, question);
      const caller = currentCaller();
      checkAllowed(caller, method, path);
      const body = await readBody(incoming, outgoing, maxBodyBytes, limits);
      const answer = await limits.run(gone.signal, (signal) =>
        engine.request({
          method,
          path,
          query: question < 0 ? undefined : target.slice(question + 1),
          headers: incoming.headers,
          body,
          signal,
          ...(caller.view ? { view: caller.view } : {}),
        }),
      );
      return new Response(answer.body === "" ? null : answer.body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (error instanceof RefusedBody)
        return failure(error.status, error.type, error.message, { connection: "close" });
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof TooBusyError)
        return failure(429, error.type, reason, { "retry-after": "1", connection: "close" });
      if (error instanceof TookTooLongError) return failure(504, "timeout_exception", reason);
      if (error instanceof ForbiddenError) return failure(403, "security_exception", reason, { connection: "close" });
      return failure(
        503,
        error instanceof WorkerEndedError ? "node_closed_exception" : "engine_closed_exception",
        reason,
        { connection: "close" },
      );
    } finally {
      outgoing.off("close", onClose);
    }
  });
  return app;
}

/**
 * Starts the server.
 *
 * @example
 * const server = await startServer({ engine: await openEngine({ data: "./search" }), port: 9200 });
 * await server.close();
 *
 * @throws when the port is taken or the address is not this machine's
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port = 9200, host = "127.0.0.1", signal, patience = {} } = options;
  const { headers = 20_000, request: whole = 300_000 } = patience;
  const app = application(options);
  const server = createAdaptorServer({
    fetch: (request, env) => app.fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: 64 * 1024,
      keepAliveTimeout: 60_000,
      // Whoever sends a byte now and then does not keep a connection for ever.
      headersTimeout: headers,
      requestTimeout: whole,
      connectionsCheckingInterval: Math.min(5_000, headers / 2),
    },
  }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why =
        error.code === "EADDRINUSE"
          ? "is taken; choose another port, or 0 for a free one"
          : `cannot be listened on: ${error.message}`;
      reject(new Error(`${host}:${port} ${why}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  let stopped: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  server.on("close", () => stopped());
  let closing = false;
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.prependListener("request", ({ socket }) => silent.delete(socket));
  const close = () => {
    if (closing) return closed;
    closing = true;
    server.close();
    server.closeIdleConnections();
    const hangUp = setTimeout(() => {
      for (const socket of silent) socket.destroy();
    }, SILENCE);
    const force = setTimeout(() => server.closeAllConnections(), GRACE);
    server.on("close", () => {
      clearTimeout(hangUp);
      clearTimeout(force);
    });
    return closed;
  };
  // A connection that was busy when closing began ends with its answer.
  server.prependListener("request", (_, response) => {
    if (closing) response.setHeader("connection", "close");
    response.once("finish", () => {
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
  if (signal?.aborted) void close();
  signal?.addEventListener("abort", () => void close(), { once: true });
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { host: address.address, port: address.port, url: `http://${name}:${address.port}`, close, closed };
}
