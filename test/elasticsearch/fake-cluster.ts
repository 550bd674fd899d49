/** The engine over HTTP in the place of a cluster, whose answers a test may change. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Engine } from "../../src/elasticsearch/engine.ts";

export interface Seen {
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface FakeCluster {
  url: string;
  seen: Seen[];
  close(): Promise<void>;
}

/**
 * Starts it. `answer` may answer in the engine's place, do as it likes with the response (and say `"done"`), or leave the request to the
 * engine by giving nothing. Without an engine what is not answered gets 404.
 */
export async function fakeCluster(
  engine?: Pick<Engine, "request">,
  answer: (
    seen: Seen,
    response: ServerResponse,
  ) => Answer | "done" | undefined | Promise<Answer | "done" | undefined> = () => undefined,
  tls?: { key: string; cert: string },
): Promise<FakeCluster> {
  const seen: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { pathname, search } = new URL(request.url ?? "/", "http://host");
      const one: Seen = {
        method: request.method ?? "GET",
        path: pathname,
        query: search.slice(1),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      const own = await answer(one, response);
      if (own === "done") return;
      if (own) {
        response.writeHead(own.status ?? 200, {
          "content-type": "application/json",
          "x-elastic-product": "Elasticsearch",
          ...own.headers,
        });
        response.end(JSON.stringify(own.body ?? {}));
        return;
      }
      if (!engine) {
        response.writeHead(404).end();
        return;
      }
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const { method, path, query, body } = one;
      const given = await engine.request({ method, path, query, headers, ...(body === "" ? {} : { body }) });
      response.writeHead(given.status, { ...given.headers }).end(given.body);
    });
  };
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
