/** A local server in the place of a provider's. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export interface Asked {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
}

export type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts it for the running test; `answer` gets each request's JSON. A string body is sent as it is. */
export async function provider(
  answer: (asked: Asked, response: ServerResponse) => Answer | undefined | Promise<Answer | undefined>,
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Record<string, unknown>;
      const one = { path: request.url ?? "", headers: request.headers, body };
      asked.push(one);
      const given = await answer(one, response);
      if (!given) return;
      response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers });
      response.end(typeof given.body === "string" ? given.body : JSON.stringify(given.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
